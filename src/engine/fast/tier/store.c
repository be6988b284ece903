/* Translations on disk, each in three files that appear by renaming; see store.h. */
#include "engine/fast/tier/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file.h"

enum { MAX_FILE = 64 << 20, MAX_PLAN = 1 << 20 };
static const int64_t max_store = INT64_C(256) << 20;

struct gs_store {
    char *directory;
    unsigned temporaries; /* made so far */
};

/* All parents as well, as the specification of the XDG base directories wants them. */
static bool make_directory(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int failed = mkdir(path, 0700) != 0 && errno != EEXIST;
        *slash = '/';
        if (failed)
            return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

gs_store *gs_store_open(const char **why)
{
    char *path = gs_cache_directory();
    if (!path) {
        *why = "there is no directory for it: neither XDG_CACHE_HOME nor HOME is set";
        return NULL;
    }
    struct stat st;
    *why = NULL;
    if (!make_directory(path) || lstat(path, &st) != 0 || access(path, W_OK) != 0)
        *why = "its directory cannot be written";
    else if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 022))
        *why = "its directory is not one that only its owner can write";
    gs_store *store = *why ? NULL : calloc(1, sizeof *store);
    if (!store) {
        free(path);
        return NULL;
    }
    store->directory = path;
    return store;
}

const char *gs_store_directory(const gs_store *store)
{
    return store->directory;
}

void gs_store_free(gs_store *store)
{
    if (!store)
        return;
    free(store->directory);
    free(store);
}

/* Two independent 64-bit hashes: names collide by accident never, and on purpose only if made by a
 * process that can write here anyway. The sources are compared in full besides. */
gs_store_name gs_store_name_of(const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    uint64_t a = 0xcbf29ce484222325u, b = 0x9e3779b97f4a7c15u;
    for (size_t i = 0; i < size; i++) {
        a = (a ^ at[i]) * 0x100000001b3u;
        b = (b + at[i]) * 0xbf58476d1ce4e5b9u;
        b ^= b >> 31;
    }
    gs_store_name name;
    snprintf(name.text, sizeof name.text, "%016" PRIx64 "%016" PRIx64, a, b);
    return name;
}

static char *path_of(const gs_store *store, const char *name, const char *suffix)
{
    char *path;
    return asprintf(&path, "%s/%s%s", store->directory, name, suffix) < 0 ? NULL : path;
}

static bool read_file(const char *path, char **bytes, size_t *size, size_t limit)
{
    return path && gs_file_read(bytes, size, path, limit, NULL) == GS_OK;
}

static bool write_file(const char *path, const void *bytes, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return false;
    const char *at = bytes;
    size_t left = size;
    while (left > 0) {
        ssize_t written = write(fd, at, left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            break;
        at += written;
        left -= (size_t)written;
    }
    bool ok = close(fd) == 0 && left == 0;
    if (!ok)
        unlink(path);
    return ok;
}

static char *temporary(gs_store *store, const char *suffix)
{
    char name[64];
    snprintf(name, sizeof name, "tmp-%ld-%u", (long)getpid(), store->temporaries++);
    char *path = path_of(store, name, suffix);
    if (path)
        unlink(path); /* left by a process with the same number that has ended */
    return path;
}

/* What NAME.ok says of the two files. */
static void describe(char *to, size_t room, const char *source, size_t source_size,
                     const char *object, size_t object_size)
{
    snprintf(to, room, "%zu %08lx %zu %08lx\n", source_size,
             crc32(0, (const Bytef *)source, (uInt)source_size), object_size,
             crc32(0, (const Bytef *)object, (uInt)object_size));
}

char *gs_store_find(gs_store *store, const char *source, size_t size)
{
    gs_store_name name = gs_store_name_of(source, size);
    char *c = path_of(store, name.text, ".c"), *so = path_of(store, name.text, ".so");
    char *ok = path_of(store, name.text, ".ok");
    char *text = NULL, *object = NULL, *noted = NULL, expected[128];
    size_t text_size, object_size, noted_size;
    bool found = read_file(ok, &noted, &noted_size, 128) &&
                 read_file(c, &text, &text_size, MAX_FILE) &&
                 read_file(so, &object, &object_size, MAX_FILE);
    if (found) {
        describe(expected, sizeof expected, text, text_size, object, object_size);
        found =
            strcmp(noted, expected) == 0 && text_size == size && memcmp(text, source, size) == 0;
        if (found)
            (void)utimensat(AT_FDCWD, so, NULL, 0); /* marks it as recently used */
    }
    free(c);
    free(ok);
    free(text);
    free(object);
    free(noted);
    if (found)
        return so;
    free(so);
    return NULL;
}

void gs_store_drop(gs_store *store, const char *source, size_t size)
{
    char *ok = path_of(store, gs_store_name_of(source, size).text, ".ok");
    if (ok)
        unlink(ok);
    free(ok);
}

bool gs_store_write(gs_store *store, const char *source, size_t size, char **source_path,
                    char **object_path)
{
    *source_path = temporary(store, ".c");
    *object_path = temporary(store, ".so");
    if (*source_path && *object_path && write_file(*source_path, source, size))
        return true;
    free(*source_path);
    free(*object_path);
    return false;
}

typedef struct stored {
    char name[64];
    int64_t size;
    struct timespec used;
} stored;

static int by_age(const void *a, const void *b)
{
    const struct timespec *x = &((const stored *)a)->used, *y = &((const stored *)b)->used;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Makes room: the least recently used go first. */
static void trim(gs_store *store)
{
    enum { MANY = 4096 };
    stored *files = malloc(MANY * sizeof *files);
    DIR *directory = opendir(store->directory);
    size_t count = 0;
    int64_t total = 0;
    if (files && directory) {
        for (struct dirent *entry; count < MANY && (entry = readdir(directory)) != NULL;) {
            struct stat st;
            if (strlen(entry->d_name) >= sizeof files->name || entry->d_name[0] == '.' ||
                fstatat(dirfd(directory), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
                !S_ISREG(st.st_mode))
                continue;
            strcpy(files[count].name, entry->d_name);
            files[count].size = st.st_size;
            files[count].used = st.st_mtim;
            total += st.st_size;
            count++;
        }
        qsort(files, count, sizeof *files, by_age);
        for (size_t i = 0; i < count && (total > max_store || count - i > MANY / 2); i++) {
            if (unlinkat(dirfd(directory), files[i].name, 0) == 0)
                total -= files[i].size;
        }
    }
    if (directory)
        closedir(directory);
    free(files);
}

static bool rename_to(gs_store *store, const char *from, const char *name, const char *suffix)
{
    char *to = path_of(store, name, suffix);
    bool ok = to && rename(from, to) == 0;
    free(to);
    return ok;
}

char *gs_store_keep(gs_store *store, const char *source, size_t size, char *source_path,
                    char *object_path, bool good)
{
    char *object = NULL, *ok_path = temporary(store, ".ok"), note[128];
    size_t object_size;
    gs_store_name name = gs_store_name_of(source, size);
    good = good && ok_path && read_file(object_path, &object, &object_size, MAX_FILE);
    if (good) {
        describe(note, sizeof note, source, size, object, object_size);
        good = write_file(ok_path, note, strlen(note)) &&
               rename_to(store, source_path, name.text, ".c") &&
               rename_to(store, object_path, name.text, ".so") &&
               rename_to(store, ok_path, name.text, ".ok");
    }
    unlink(source_path);
    unlink(object_path);
    if (ok_path)
        unlink(ok_path);
    free(source_path);
    free(object_path);
    free(ok_path);
    free(object);
    if (!good)
        return NULL;
    trim(store);
    return gs_store_find(store, source, size);
}

bool gs_store_read_plan(gs_store *store, gs_store_name name, char **text)
{
    size_t size;
    char *path = path_of(store, name.text, ".plan");
    bool ok = read_file(path, text, &size, MAX_PLAN);
    free(path);
    return ok;
}

void gs_store_write_plan(gs_store *store, gs_store_name name, const char *text)
{
    char *path = temporary(store, ".plan");
    if (path && write_file(path, text, strlen(text)) && !rename_to(store, path, name.text, ".plan"))
        unlink(path);
    free(path);
}
