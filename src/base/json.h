/*
 * json.h - writing JSON to a stream.
 *
 * Calls mirror the text: open, members, close. Commas, indentation and escaping are
 * taken care of; nothing is held in memory, so a document may be of any size. `key`
 * is NULL inside arrays. A compact document is one line, for programs that are waiting.
 * Bytes that are not UTF-8 are written as U+FFFD.
 */
#ifndef GS_BASE_JSON_H
#define GS_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { GS_JSON_DEPTH = 32 };

typedef struct gs_json {
    FILE *out;
    unsigned depth;
    bool filled[GS_JSON_DEPTH]; /* per open level: something stands there already */
    bool compact;
} gs_json;

void gs_json_begin(gs_json *json, FILE *out);
void gs_json_begin_compact(gs_json *json, FILE *out);
void gs_json_open_object(gs_json *json, const char *key);
void gs_json_close_object(gs_json *json);
void gs_json_open_array(gs_json *json, const char *key);
void gs_json_close_array(gs_json *json);
void gs_json_string(gs_json *json, const char *key, const char *value);
void gs_json_uint(gs_json *json, const char *key, uint64_t value);
void gs_json_int(gs_json *json, const char *key, int64_t value);
void gs_json_double(gs_json *json, const char *key, double value);
void gs_json_bool(gs_json *json, const char *key, bool value);

/* Ends the document with a newline; false if anything could not be written. */
bool gs_json_end(gs_json *json);

#endif
