/*
 * recorder_bulk.h - a recorder that is told of many instructions at once, see engine/bulk.h.
 */
#ifndef GS_PROFILE_RECORDER_BULK_H
#define GS_PROFILE_RECORDER_BULK_H

#include "engine/bulk.h"
#include "profile/recorder_parts.h"

gs_bulk gs_recorder_bulk(gs_recorder *recorder);

#endif
