/* Keeps the rules of a sandbox, and finds the one for a file. */
#include "machine/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/plain.h"
#include "base/vec.h"

enum { NOTES_MAX = 10 };

static void close_open(int fd)
{
    if (fd >= 0)
        close(fd);
}

static bool same(dev_t dev, ino_t ino, const struct stat *st)
{
    return dev == st->st_dev && ino == st->st_ino;
}

int gs_sandbox_rule_of(const gs_sandbox *sandbox, const struct stat *st)
{
    for (size_t i = 0; i < sandbox->rules.count; i++) {
        if (same(sandbox->rules.items[i].dev, sandbox->rules.items[i].ino, st))
            return (int)i;
    }
    for (size_t i = 0; i < sandbox->guarded.count; i++) {
        if (same(sandbox->guarded.items[i].dev, sandbox->guarded.items[i].ino, st))
            return GS_SANDBOX_GUARDED;
    }
    return GS_SANDBOX_OUTSIDE;
}

bool gs_sandbox_is_git(const char *name)
{
    return strncasecmp(name, ".git", 4) == 0 && (name[4] == '\0' || name[4] == '/');
}

/* Without memory for that, the name alone refuses. */
void gs_sandbox_guard(gs_sandbox *sandbox, int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || S_ISLNK(st.st_mode) ||
        gs_sandbox_rule_of(sandbox, &st) != GS_SANDBOX_OUTSIDE)
        return;
    gs_sandbox_passage found = {st.st_dev, st.st_ino, true};
    (void)gs_vec_push(&sandbox->guarded, found);
}

static gs_sandbox_passage *find_passage(const gs_sandbox *sandbox, const struct stat *st)
{
    for (size_t i = 0; i < sandbox->passages.count; i++) {
        if (same(sandbox->passages.items[i].dev, sandbox->passages.items[i].ino, st))
            return &sandbox->passages.items[i];
    }
    return NULL;
}

bool gs_sandbox_is_passage(const gs_sandbox *sandbox, const struct stat *st)
{
    const gs_sandbox_passage *passage = find_passage(sandbox, st);
    return passage && passage->open;
}

bool gs_sandbox_is_fixed(const gs_sandbox *sandbox, const struct stat *st)
{
    return find_passage(sandbox, st) != NULL;
}

bool gs_sandbox_is_reserved(const gs_sandbox *sandbox, const struct stat *st)
{
    for (size_t i = 0; i < sandbox->reserved.count; i++) {
        const gs_sandbox_reserved *r = &sandbox->reserved.items[i];
        if (r->fd >= 0 && same(r->own.st_dev, r->own.st_ino, st))
            return true;
    }
    return false;
}

/* NAME itself, and what is made of it: NAME-journal, NAME.part. */
static bool begins_with(const char *name, const char *reserved)
{
    size_t length = strlen(reserved);
    return strncmp(name, reserved, length) == 0 && strchr("-./", name[length]); /* or its end */
}

bool gs_sandbox_reserves(const gs_sandbox *sandbox, int dir, const char *name)
{
    struct stat st;
    bool known = false;
    for (size_t i = 0; i < sandbox->reserved.count; i++) {
        const gs_sandbox_reserved *r = &sandbox->reserved.items[i];
        if (!begins_with(name, r->name))
            continue;
        known = known || fstat(dir, &st) == 0;
        if (!known || same(r->dir.st_dev, r->dir.st_ino, &st))
            return true;
    }
    return false;
}

bool gs_sandbox_is_read_only(const gs_sandbox *sandbox, int rule)
{
    return rule == GS_SANDBOX_GUARDED || (rule >= 0 && sandbox->rules.items[rule].read_only);
}

/* Climbs from a directory to the root of the file system as long as `visit` says so. Leaves no
 * descriptor open. */
static void climb(int dir, bool (*visit)(void *self, const struct stat *st), void *self)
{
    struct stat st, below = {0};
    int at = openat(dir, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    bool first = true;
    while (at >= 0 && fstat(at, &st) == 0) {
        if ((!first && same(st.st_dev, st.st_ino, &below)) || !visit(self, &st))
            break;
        first = false;
        below = st;
        int up = openat(at, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
        close(at);
        at = up;
    }
    if (at >= 0)
        close(at);
}

typedef struct search {
    const gs_sandbox *sandbox;
    int rule;
    bool reserved;
} search;

static bool find_rule(void *self, const struct stat *st)
{
    search *s = self;
    s->reserved = gs_sandbox_is_reserved(s->sandbox, st);
    if (!s->reserved)
        s->rule = gs_sandbox_rule_of(s->sandbox, st);
    return s->rule == GS_SANDBOX_OUTSIDE && !s->reserved;
}

int gs_sandbox_locate(const gs_sandbox *sandbox, int dir)
{
    search s = {.sandbox = sandbox, .rule = GS_SANDBOX_OUTSIDE};
    if (sandbox->rules.count > 0 || sandbox->reserved.count > 0)
        climb(dir, find_rule, &s);
    bool any = sandbox->files == GS_SANDBOX_ALL && !s.reserved;
    return s.rule == GS_SANDBOX_OUTSIDE && any ? GS_SANDBOX_ANY : s.rule;
}

typedef struct marker {
    gs_sandbox *sandbox;
    bool open;
    bool failed;
} marker;

static bool mark_passage(void *self, const struct stat *st)
{
    marker *m = self;
    gs_sandbox_passage *known = find_passage(m->sandbox, st);
    gs_sandbox_passage passage = {st->st_dev, st->st_ino, m->open};
    if (known)
        known->open |= m->open;
    else
        m->failed = !gs_vec_push(&m->sandbox->passages, passage);
    return !m->failed;
}

/* A directory and those above it. */
static bool mark_passages(gs_sandbox *sandbox, int dir, bool open)
{
    marker m = {.sandbox = sandbox, .open = open};
    climb(dir, mark_passage, &m);
    return !m.failed;
}

/* The directories above a rule. */
static bool mark_way(gs_sandbox *sandbox, const gs_sandbox_rule *rule)
{
    char parent[PATH_MAX];
    snprintf(parent, sizeof parent, "%s", rule->path);
    char *slash = strrchr(parent, '/');
    if (!slash || sandbox->has_root)
        return true;
    slash[slash == parent] = '\0';
    int dir = open(parent, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0)
        return true; /* then it has no such name any more, and only descriptors lead there */
    bool marked = mark_passages(sandbox, dir, true);
    close(dir);
    return marked;
}

static gs_status reserve_name(gs_sandbox *sandbox, int dir, const char *name, gs_error *err)
{
    gs_sandbox_reserved r = {.name = strdup(name)};
    r.fd = openat(dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (r.fd >= 0 && fstat(r.fd, &r.own) != 0) {
        close(r.fd);
        r.fd = -1;
    }
    if (r.name && fstat(dir, &r.dir) == 0 && gs_vec_push(&sandbox->reserved, r))
        return mark_passages(sandbox, dir, false) ? GS_OK : gs_fail_no_memory(err);
    if (r.fd >= 0)
        close(r.fd);
    free(r.name);
    return gs_fail_no_memory(err);
}

/* What `path` names, and, where that is a link, what it leads to. */
static gs_status reserve(gs_sandbox *sandbox, const char *path, gs_error *err)
{
    char own[PATH_MAX], end[PATH_MAX];
    gs_status status = GS_OK;
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (length == 0 || length >= sizeof own)
        return GS_OK;
    memcpy(own, path, length);
    own[length] = '\0';
    char *slash = strrchr(own, '/');
    const char *name = slash ? slash + 1 : own;
    int dir;
    if (slash && slash > own) {
        *slash = '\0';
        dir = open(own, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (dir < 0 && errno == ENOENT) /* a caller that made it can make the rest */
            return reserve(sandbox, own, err);
        *slash = '/';
    } else {
        dir = open(slash ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    }
    if (dir < 0 || !*name) {
        close_open(dir);
        return GS_OK; /* nothing is there, and the program cannot change that */
    }
    status = reserve_name(sandbox, dir, name, err);
    struct stat st;
    bool is_link = fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode);
    close(dir);
    if (status == GS_OK && is_link && realpath(own, end))
        status = reserve(sandbox, end, err);
    return status;
}

static gs_status add_rule(gs_sandbox *sandbox, gs_sandbox_path wanted, bool is_home, gs_error *err)
{
    struct stat st;
    gs_sandbox_rule rule = {.read_only = wanted.read_only, .is_home = is_home};
    rule.fd = open(wanted.path, O_PATH | O_CLOEXEC);
    rule.path = rule.fd < 0 ? NULL : realpath(wanted.path, NULL);
    if (rule.fd < 0 || fstat(rule.fd, &st) != 0 || !rule.path) {
        gs_status status = gs_fail(err, GS_E_ARGUMENT, "the program cannot be allowed %s: %s",
                                   wanted.path, strerror(errno));
        if (rule.fd >= 0)
            close(rule.fd);
        free(rule.path);
        return status;
    }
    rule.dev = st.st_dev;
    rule.ino = st.st_ino;
    rule.is_directory = S_ISDIR(st.st_mode);
    int old = gs_sandbox_rule_of(sandbox, &st);
    if (old != GS_SANDBOX_OUTSIDE) { /* the last word counts */
        sandbox->rules.items[old].read_only = rule.read_only;
        sandbox->rules.items[old].is_home &= !rule.read_only;
        close(rule.fd);
        free(rule.path);
        return GS_OK;
    }
    if (!gs_vec_push(&sandbox->rules, rule)) {
        close(rule.fd);
        free(rule.path);
        return gs_fail_no_memory(err);
    }
    bool marked = !rule.is_directory || mark_passages(sandbox, rule.fd, false);
    return marked && mark_way(sandbox, &rule) ? GS_OK : gs_fail_no_memory(err);
}

/* What is kept there is executed by later runs. */
static gs_status reserve_cache(gs_sandbox *sandbox, gs_error *err)
{
    char *path = gs_cache_directory();
    gs_status status = path ? reserve(sandbox, path, err) : GS_OK;
    free(path);
    return status;
}

/* All files of the host are below it: that is for --all-files, or for --allow / to say. */
static bool is_root(int dir)
{
    struct stat st, root;
    return fstat(dir, &st) == 0 && stat("/", &root) == 0 && same(root.st_dev, root.st_ino, &st);
}

static gs_status add_rules(gs_sandbox *sandbox, const gs_sandbox_options *options, gs_error *err)
{
    gs_status status = GS_OK;
    if (!mark_passages(sandbox, sandbox->home, true))
        return gs_fail_no_memory(err);
    for (size_t i = 0; i < options->reserved_count && status == GS_OK; i++)
        status = reserve(sandbox, options->reserved[i], err);
    if (status == GS_OK)
        status = reserve_cache(sandbox, err);
    if (status != GS_OK)
        return status;
    if (options->root)
        return add_rule(sandbox, (gs_sandbox_path){options->root, false}, false, err);
    sandbox->at_root = options->files == GS_SANDBOX_HERE && is_root(sandbox->home);
    if (options->files == GS_SANDBOX_HERE && !sandbox->at_root)
        status = add_rule(sandbox, (gs_sandbox_path){".", options->here_read_only}, true, err);
    for (size_t i = 0; i < options->path_count && status == GS_OK; i++)
        status = add_rule(sandbox, options->paths[i], false, err);
    return status;
}

static gs_status open_places(gs_sandbox *sandbox, const gs_sandbox_options *options, gs_error *err)
{
    const char *root = options->root ? options->root : "/";
    const char *home = options->root ? options->root : ".";
    sandbox->root = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (sandbox->root < 0)
        return gs_fail(err, GS_E_ARGUMENT, "%s cannot be the program's root: %s", root,
                       strerror(errno));
    sandbox->home = open(home, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (sandbox->home < 0)
        return gs_fail(err, GS_E_IO, "cannot open the working directory: %s", strerror(errno));
    sandbox->devices = open("/dev", O_PATH | O_DIRECTORY | O_CLOEXEC);
    return GS_OK;
}

gs_status gs_sandbox_open(gs_sandbox **out, const gs_sandbox_options *options, const char *program,
                          gs_error *err)
{
    *out = NULL;
    if (options->root && options->path_count > 0)
        return gs_fail(err, GS_E_ARGUMENT,
                       "a program with a root of its own sees nothing else: put %s below %s",
                       options->paths[0].path, options->root);
    gs_sandbox *sandbox = calloc(1, sizeof *sandbox);
    if (!sandbox)
        return gs_fail_no_memory(err);
    sandbox->files =
        options->files == GS_SANDBOX_ALL && !options->root ? GS_SANDBOX_ALL : GS_SANDBOX_LISTED;
    sandbox->has_root = options->root != NULL;
    sandbox->root = sandbox->home = sandbox->devices = -1;
    sandbox->program = open(program, O_PATH | O_CLOEXEC);
    sandbox->program_path = realpath(program, NULL);
    if (!sandbox->program_path)
        sandbox->program_path = strdup(program);
    gs_status status = sandbox->program_path ? GS_OK : gs_fail_no_memory(err);
    if (status == GS_OK)
        status = open_places(sandbox, options, err);
    if (status == GS_OK)
        status = add_rules(sandbox, options, err);
    if (status != GS_OK) {
        gs_sandbox_free(sandbox);
        return status;
    }
    *out = sandbox;
    return GS_OK;
}

void gs_sandbox_free(gs_sandbox *sandbox)
{
    if (!sandbox)
        return;
    for (size_t i = 0; i < sandbox->rules.count; i++) {
        close(sandbox->rules.items[i].fd);
        free(sandbox->rules.items[i].path);
    }
    for (size_t i = 0; i < sandbox->reserved.count; i++) {
        close_open(sandbox->reserved.items[i].fd);
        free(sandbox->reserved.items[i].name);
    }
    free(sandbox->rules.items);
    free(sandbox->guarded.items);
    free(sandbox->reserved.items);
    free(sandbox->passages.items);
    close_open(sandbox->root);
    close_open(sandbox->home);
    close_open(sandbox->devices);
    close_open(sandbox->program);
    free(sandbox->program_path);
    free(sandbox);
}

static int descriptor_path(int fd, char *to, size_t size)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, to, size - 1);
    if (length < 0)
        return -errno;
    to[length] = '\0';
    return 0;
}

int gs_sandbox_guest_path(const gs_sandbox *sandbox, int fd, char *to, size_t size)
{
    char root[PATH_MAX];
    int status = descriptor_path(fd, to, size);
    if (status || !sandbox->has_root || descriptor_path(sandbox->root, root, sizeof root))
        return status;
    size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);
    if (strncmp(to, root, length) != 0 || (to[length] != '/' && to[length] != '\0'))
        return 0; /* a pipe, or a file that was handed in */
    memmove(to, to + length, strlen(to + length) + 1);
    if (!*to)
        strcpy(to, "/");
    return 0;
}

int gs_sandbox_refuse(gs_sandbox *sandbox, int dir, const char *path, int error)
{
    char from[PATH_MAX] = "", text[PATH_MAX + 200];
    if (!sandbox->note || sandbox->noted > NOTES_MAX)
        return -error;
    if (*path != '/' &&
        descriptor_path(dir == AT_FDCWD ? sandbox->home : dir, from, sizeof from - 1))
        from[0] = '\0';
    const char *slash = *from && strcmp(from, "/") != 0 ? "/" : "";
    if (sandbox->noted == NOTES_MAX)
        snprintf(text, sizeof text, "more files were refused to the program");
    else if (error == EPERM)
        snprintf(text, sizeof text,
                 "the program was refused %.300s%s%.300s, which Gumshoe itself keeps its files in",
                 from, slash, path);
    else if (error == EBUSY)
        snprintf(text, sizeof text,
                 "the program may not change the directory %.300s%s%.300s itself, on which its "
                 "sandbox depends",
                 from, slash, path);
    else if (error == EROFS)
        snprintf(text, sizeof text,
                 "the program may not change %.300s%s%.300s, which it was allowed read-only "
                 "(--allow PATH without :ro)",
                 from, slash, path);
    else
        snprintf(text, sizeof text,
                 "the program was refused %.300s%s%.300s, which is outside its sandbox%s", from,
                 slash, path, sandbox->has_root ? " (--root)" : " (--allow PATH lets it in)");
    gs_plain_text(text, "");
    sandbox->noted += sandbox->note(sandbox->note_self, text);
    return -error;
}

gs_sandbox_files gs_sandbox_kind(const gs_sandbox *sandbox)
{
    return sandbox->files;
}

bool gs_sandbox_has_root(const gs_sandbox *sandbox)
{
    return sandbox->has_root;
}

size_t gs_sandbox_path_count(const gs_sandbox *sandbox)
{
    return sandbox->rules.count;
}

gs_sandbox_path gs_sandbox_path_at(const gs_sandbox *sandbox, size_t index)
{
    const gs_sandbox_rule *rule = &sandbox->rules.items[index];
    return (gs_sandbox_path){rule->path, rule->read_only};
}

char *gs_sandbox_describe(const gs_sandbox *sandbox, char *to, size_t size)
{
    bool all = sandbox->files == GS_SANDBOX_ALL;
    snprintf(to, size, "%s",
             all                    ? "all files of the user"
             : sandbox->rules.count ? ""
             : sandbox->at_root     ? "no files, as the working directory is / (--allow PATH)"
                                    : "no files");
    for (size_t i = 0; i < sandbox->rules.count; i++) {
        const gs_sandbox_rule *rule = &sandbox->rules.items[i];
        size_t length = strlen(to);
        snprintf(to + length, size - length, "%s%s%s%s", all || i ? ", " : "",
                 !rule->is_directory ? "the file "
                 : all || i          ? "below "
                                     : "files below ",
                 rule->is_home ? "the working directory" : rule->path,
                 rule->read_only     ? " (read only)"
                 : sandbox->has_root ? ", its root"
                                     : "");
    }
    return to;
}

gs_status gs_sandbox_confine_process(const gs_sandbox *sandbox, const gs_sandbox_path *own,
                                     size_t own_count, gs_confinement *out, gs_error *err)
{
    *out = (gs_confinement){0};
    gs_status status = GS_OK;
    gs_sandbox_drop_capabilities();
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return GS_OK; /* a kernel without either */
    if (sandbox->files != GS_SANDBOX_ALL && !sandbox->without_landlock)
        status = gs_sandbox_restrict_files(sandbox, own, own_count, &out->files, err);
    if (status == GS_OK && !sandbox->without_seccomp)
        status = gs_sandbox_restrict_calls(&out->calls, err);
    return status;
}
