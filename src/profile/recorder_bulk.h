/*
 * recorder_bulk.h - a recorder that is told of many instructions at once, see gumshoe/bulk.h.
 */
#ifndef GS_PROFILE_RECORDER_BULK_H
#define GS_PROFILE_RECORDER_BULK_H

#include "gumshoe/bulk.h"

/* Of observers whose `self` is a gs_recorder. */
extern const gs_bulk_observer gs_recorder_bulk;

#endif
