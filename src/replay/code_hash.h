/*
 * code_hash.h - a number for a program's code, by which a trace knows its ELF file.
 */
#ifndef GS_REPLAY_CODE_HASH_H
#define GS_REPLAY_CODE_HASH_H

#include "image/image.h"

/* FNV-1a over all bytes that the file loads: the same for a file without symbols. */
uint64_t gs_code_hash(const gs_image *image);

#endif
