/*
 * sandbox.h - the rules of a sandbox, for the gate in hostpath.c.
 *
 * A rule is a file or directory, known by device and inode, so that any name of it counts. What
 * lies below a directory has its rule, unless there is a rule further in. The directories on the
 * way to a rule, and from where relative paths start, can be passed and looked at, and nothing
 * else. What is reserved is known by its name in its directory, and by device and inode if it is
 * there. Directories of rules, and those on the way to a rule or to what is reserved, keep their
 * names, as another one in their place would have other rules, and their attributes, so that no
 * guest locks Gumshoe or its user out.
 *
 * What lies in a directory called .git is read-only unless a rule names it: its settings are
 * commands that git executes, whenever its user, or Gumshoe, calls it.
 */
#ifndef GS_MACHINE_SANDBOX_H
#define GS_MACHINE_SANDBOX_H

#include <sys/stat.h>

#include "gumshoe/sandbox.h"
#include "gumshoe/error.h"

enum {
    GS_SANDBOX_OUTSIDE = -1, /* no rule */
    GS_SANDBOX_ANY = -2,     /* the rule of a sandbox without walls */
    GS_SANDBOX_GUARDED = -3, /* read-only, though below what is writable */
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
    bool open; /* can be passed; it keeps its name in any case */
} gs_sandbox_passage;

typedef struct gs_sandbox_reserved {
    struct stat dir; /* in which it lies */
    char *name;
    int fd;          /* O_PATH on what is there, or -1 */
    struct stat own; /* of that */
} gs_sandbox_reserved;

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
    struct {
        gs_sandbox_reserved *items;
        size_t count, capacity;
    } reserved;
    struct {
        gs_sandbox_passage *items;
        size_t count, capacity;
    } guarded;    /* of git's, as far as they have been met */
    bool at_root; /* the working directory is /, and so not allowed by default */
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

/* Whether a name is .git, up to a slash; and what is found under that name below a writable rule,
 * given by a descriptor, is guarded from now on, unless a rule names it. */
bool gs_sandbox_is_git(const char *name);
void gs_sandbox_guard(gs_sandbox *sandbox, int fd);

/* Whether a directory is on the way; whether it keeps its name and its attributes. */
bool gs_sandbox_is_passage(const gs_sandbox *sandbox, const struct stat *st);
bool gs_sandbox_is_fixed(const gs_sandbox *sandbox, const struct stat *st);

/* Whether a file or directory is reserved; whether a name in a directory, given by a descriptor,
 * is. What follows a slash does not count. */
bool gs_sandbox_is_reserved(const gs_sandbox *sandbox, const struct stat *st);
bool gs_sandbox_reserves(const gs_sandbox *sandbox, int dir, const char *name);

bool gs_sandbox_is_read_only(const gs_sandbox *sandbox, int rule);

/* Notes that `path`, from the directory `dir`, was refused with `error`: EACCES, EROFS, EPERM
 * for what is reserved, or EBUSY for a directory that rules hang on. Returns -error. */
int gs_sandbox_refuse(gs_sandbox *sandbox, int dir, const char *path, int error);

/* In the kernel: `files` (landlock.c) or `calls` (seccomp.c) of a gs_confinement, left as it is if
 * the kernel does not have it. */
gs_status gs_sandbox_restrict_files(const gs_sandbox *sandbox, const gs_sandbox_path *own,
                                    size_t own_count, bool *done, gs_error *err);
gs_status gs_sandbox_restrict_calls(bool *done, gs_error *err);

/* Gives up all capabilities but those for files. */
void gs_sandbox_drop_capabilities(void);

/* The path by which the program knows what a descriptor is open on: 0 or a negative errno. */
int gs_sandbox_guest_path(const gs_sandbox *sandbox, int fd, char *to, size_t size);

#endif
