/*
 * sandbox.h - the rules of a sandbox, for the gate in hostpath.c.
 *
 * A rule is a file or directory, known by device and inode, so that any name of it counts. What
 * lies below a directory has its rule, unless there is a rule further in. The directories on the
 * way to a rule, and from where relative paths start, can be passed and looked at, and nothing
 * else.
 */
#ifndef GS_MACHINE_SANDBOX_H
#define GS_MACHINE_SANDBOX_H

#include <sys/stat.h>

#include "gumshoe/sandbox.h"
#include "gumshoe/error.h"

enum {
    GS_SANDBOX_OUTSIDE = -1, /* no rule */
    GS_SANDBOX_ANY = -2,     /* the rule of a sandbox without walls */
};

typedef struct gs_sandbox_rule {
    dev_t dev;
    ino_t ino;
    bool is_directory;
    bool read_only;
    bool is_home; /* the working directory, by default */
    int fd;       /* O_PATH */
    char *path;   /* absolute */
} gs_sandbox_rule;

typedef struct gs_sandbox_passage {
    dev_t dev;
    ino_t ino;
} gs_sandbox_passage;

struct gs_sandbox {
    gs_sandbox_files files;
    bool has_root;
    int root;    /* the program's "/", O_PATH */
    int home;    /* where the program's relative paths start */
    int devices; /* the host's /dev, or -1 */
    int program; /* the program's file, or -1 */
    char *program_path;
    struct {
        gs_sandbox_rule *items;
        size_t count, capacity;
    } rules;
    struct {
        gs_sandbox_passage *items;
        size_t count, capacity;
    } passages;
    /* For tests: as on a kernel that does not have them. */
    bool without_openat2, without_landlock, without_seccomp;
    /* Is told of what is refused, and answers whether that was news; NULL for none. */
    bool (*note)(void *self, const char *text);
    void *note_self;
    unsigned noted;
};

/* `program` is the path of the program's file, or what else its image is called. */
gs_status gs_sandbox_open(gs_sandbox **out, const gs_sandbox_options *options, const char *program,
                          gs_error *err);
void gs_sandbox_free(gs_sandbox *sandbox);

/* The rule of a directory, given by a descriptor. */
int gs_sandbox_locate(const gs_sandbox *sandbox, int dir);

/* The rule that names this very file or directory. */
int gs_sandbox_rule_of(const gs_sandbox *sandbox, const struct stat *st);

/* Whether a directory is on the way. */
bool gs_sandbox_is_passage(const gs_sandbox *sandbox, const struct stat *st);

bool gs_sandbox_is_read_only(const gs_sandbox *sandbox, int rule);

/* Notes that `path`, from the directory `dir`, was refused with `error`, EACCES or EROFS. Returns
 * -error. */
int gs_sandbox_refuse(gs_sandbox *sandbox, int dir, const char *path, int error);

/* In the kernel: `files` (landlock.c) or `calls` (seccomp.c) of a gs_confinement, left as it is if
 * the kernel does not have it. */
gs_status gs_sandbox_restrict_files(const gs_sandbox *sandbox, const gs_sandbox_path *own,
                                    size_t own_count, bool *done, gs_error *err);
gs_status gs_sandbox_restrict_calls(bool *done, gs_error *err);

/* The path by which the program knows what a descriptor is open on: 0 or a negative errno. */
int gs_sandbox_guest_path(const gs_sandbox *sandbox, int fd, char *to, size_t size);

#endif
