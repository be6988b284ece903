/*
 * confine.h - what gumshoe-quickcc gives up before it reads anything.
 *
 * A text may come from a guest that has taken the run over by an error in translated code, and
 * libtcc has errors of its own. Compiling from memory to memory takes no files and hardly any
 * system calls.
 */
#ifndef GS_QUICKCC_CONFINE_H
#define GS_QUICKCC_CONFINE_H

/* No files by any path, and no system calls but for memory, time, and the descriptors that are
 * open; for good, as far as the kernel can see to that. */
void gs_quickcc_confine(void);

#endif
