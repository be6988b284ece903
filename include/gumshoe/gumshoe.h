/*
 * gumshoe.h - all of libgumshoe.
 *
 * A program goes from left to right: an image (the ELF file), a machine (the program in its
 * memory), a timing (the cycles of a core), gs_run(), a recorder that watches, a profile, rows and
 * reports. docs/library.md is a tour, examples/ has programs to begin with.
 *
 * These rules hold for every function, where its own contract does not say otherwise:
 *
 * - Ownership. What a function returns through a `**out` parameter is the caller's and goes with
 *   the matching gs_..._free(); *out is NULL after a failure, and freeing NULL does nothing. A
 *   returned pointer, a text above all, is borrowed: it lives as long as the object that was
 *   asked. An object borrows the objects that it was opened with, which must outlive it.
 * - Errors. A function that can fail returns a gs_status and takes a gs_error, which may be NULL,
 *   as its last argument. Any of them can also fail with GS_E_NO_MEMORY. What the guest program
 *   does wrong is the result of a run and not an error.
 * - Threads. The library has no global state, so different objects can be used in different
 *   threads. An object that is read-only once it is open (board, core, image, profile, rows,
 *   budget, rtl) may be shared by threads; any other is used by one thread at a time.
 * - Arguments are the caller's business: pointers are valid and not NULL, and an index is below its
 *   count, where nothing else is said.
 *
 * The library never prints, never ends the process and never changes its signal handlers.
 */
#ifndef GUMSHOE_GUMSHOE_H
#define GUMSHOE_GUMSHOE_H

#include "gumshoe/arch.h"
#include "gumshoe/board.h"
#include "gumshoe/bulk.h"
#include "gumshoe/core.h"
#include "gumshoe/debug.h"
#include "gumshoe/energy.h"
#include "gumshoe/error.h"
#include "gumshoe/explore.h"
#include "gumshoe/guest.h"
#include "gumshoe/image.h"
#include "gumshoe/insn.h"
#include "gumshoe/live.h"
#include "gumshoe/machine.h"
#include "gumshoe/metric.h"
#include "gumshoe/partition.h"
#include "gumshoe/profile.h"
#include "gumshoe/replay.h"
#include "gumshoe/report.h"
#include "gumshoe/rows.h"
#include "gumshoe/rtl.h"
#include "gumshoe/run.h"
#include "gumshoe/sandbox.h"
#include "gumshoe/serve.h"
#include "gumshoe/sweep.h"
#include "gumshoe/system.h"
#include "gumshoe/text.h"
#include "gumshoe/timing.h"
#include "gumshoe/unit.h"
#include "gumshoe/version.h"

#endif
