/*
 * store.h - translations kept on disk, by what they were made from.
 *
 * $XDG_CACHE_HOME/gumshoe, or ~/.cache/gumshoe: a directory of the user's own that no other user
 * may write to, or there is no store. For a name there are NAME.c, the source, and NAME.so, what
 * the compiler made of it; NAME.ok, written last, has the size and checksum of both. A translation
 * that does not match is ignored. Files appear by renaming, so any number of runs may share the
 * store, and the oldest go when it gets too large. There are also plans: small files that say what
 * a program had translated the last time it ran.
 */
#ifndef GS_ENGINE_STORE_H
#define GS_ENGINE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gs_store gs_store;

/* NULL if it cannot be used; *why is then the reason, a constant text. */
gs_store *gs_store_open(const char **why);
const char *gs_store_directory(const gs_store *store);
void gs_store_free(gs_store *store);

/* A name for something made from these bytes. */
typedef struct gs_store_name {
    char text[40];
} gs_store_name;
gs_store_name gs_store_name_of(const void *bytes, size_t size);

/* The path of the object made from this source, if it is there and complete; the caller's to
 * free. */
char *gs_store_find(gs_store *store, const char *source, size_t size);

/* Removes an object that turned out to be unusable. */
void gs_store_drop(gs_store *store, const char *source, size_t size);

/* Two paths to write to, in the store's directory: the source goes to the first, the compiler's
 * result to the second. False if the source cannot be written. gs_store_keep() gives them their
 * names and returns the object's; both are gone from the first paths then, in any case. */
bool gs_store_write(gs_store *store, const char *source, size_t size, char **source_path,
                    char **object_path);
char *gs_store_keep(gs_store *store, const char *source, size_t size, char *source_path,
                    char *object_path, bool good);

/* Plans: *text is the caller's to free. */
bool gs_store_read_plan(gs_store *store, gs_store_name name, char **text);
void gs_store_write_plan(gs_store *store, gs_store_name name, const char *text);

#endif
