/*
 * sandbox.h - which files of the host a program may touch.
 *
 * A sandbox belongs to its machine. Every way a program has to name a file of the host (Linux
 * system calls, semihosting, the UHI) goes through it. Files outside are refused with EACCES; files
 * below a read-only path cannot be changed (EROFS). Device nodes are refused unless a path names
 * them, except /dev/null, zero, full, random and urandom, which every program has. The files of
 * host processes, /proc/PID, are refused in any sandbox, and what is reserved for the process
 * itself (EPERM).
 *
 * That is enforced by the library. A process that does nothing else can have it enforced by the
 * kernel as well: gs_sandbox_confine_process().
 */
#ifndef GUMSHOE_SANDBOX_H
#define GUMSHOE_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

#include "gumshoe/error.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

typedef enum gs_sandbox_files {
    GS_SANDBOX_HERE,   /* what is below the working directory, unless that is /; and `paths` */
    GS_SANDBOX_LISTED, /* `paths` only */
    GS_SANDBOX_ALL,    /* what the user can touch */
} gs_sandbox_files;

/* A file, or a directory with everything below it. */
typedef struct gs_sandbox_path {
    const char *path; /* of the host */
    bool read_only;
} gs_sandbox_path;

/* All zero is a sandbox around the working directory. Where paths lie in each other, the innermost
 * one decides. */
typedef struct gs_sandbox_options {
    gs_sandbox_files files;
    bool here_read_only; /* what is below the working directory, with GS_SANDBOX_HERE */
    const char *root;    /* a directory that is the program's "/" and all it can touch, in place of
                            what `files` says and without `paths`; NULL for none */
    const gs_sandbox_path *paths;
    size_t path_count;
    /* Files and directories of the process's own, there or not, that the program may look at and no
     * more, whatever else it is allowed: those paths, and names beside them that begin with one and
     * '-' or '.', such as a journal's. The cache of translations is always among them. */
    const char *const *reserved;
    size_t reserved_count;
} gs_sandbox_options;

typedef struct gs_sandbox gs_sandbox;

/* What a machine's sandbox came to; borrowed. `files` is LISTED or ALL, and the paths are absolute,
 * the working directory among them. `index` is below the count. */
gs_sandbox_files gs_sandbox_kind(const gs_sandbox *sandbox);
bool gs_sandbox_has_root(const gs_sandbox *sandbox); /* the one path is the program's "/" */
size_t gs_sandbox_path_count(const gs_sandbox *sandbox);
gs_sandbox_path gs_sandbox_path_at(const gs_sandbox *sandbox, size_t index);

/* One line, such as "files below the working directory, below /data (read only)"; shortened if
 * `size` is too small. Returns `to`. */
char *gs_sandbox_describe(const gs_sandbox *sandbox, char *to, size_t size);

/* What the kernel has been told. */
typedef struct gs_confinement {
    bool files; /* Landlock: no files but those of the sandbox and of the process itself */
    bool calls; /* seccomp: no new processes, sockets, mounts, no other processes' memory, and no
                   change of owners, modes and attributes of files that are not open */
} gs_confinement;

/*
 * Has the kernel hold this process, from here on and for good, to the files of the sandbox, to
 * `own` (what the process itself needs besides; what does not exist is passed over) and to few
 * system calls, so that even an error in the library lets the program reach nothing else. Of a
 * privileged process's capabilities only those for files are left. Call it
 * on the only thread, after gs_machine_open() and before anything of the program runs: best from
 * `ready` of gs_run_options. A sandbox of all files is not held to files. What the kernel does not
 * have is left out, and *out says so. GS_E_IO if the kernel refuses what it should have.
 */
gs_status gs_sandbox_confine_process(const gs_sandbox *sandbox, const gs_sandbox_path *own,
                                     size_t own_count, gs_confinement *out, gs_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
