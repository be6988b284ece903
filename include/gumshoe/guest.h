/*
 * guest.h - sources that programs for simulated cores are linked with.
 *
 * They are part of the library: a linker script, and what a C library wants of an operating system
 * where there is none for it. Constant texts, never freed, from any thread.
 */
#ifndef GUMSHOE_GUEST_H
#define GUMSHOE_GUEST_H

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* The text of a file of the directory guest, "layout" for layout.ld; NULL if there is none. */
const char *gs_guest_file(const char *name);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
