/* Looks at rollback journals before SQLite does, and copies files that have one. */
#include "profile/profile_journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "profile/profile_file.h"

/* https://www.sqlite.org/fileformat2.html#the_rollback_journal */
static const unsigned char magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};

/* The bytes that readers lock in SQLite's files, and how long to wait for them. */
enum { SHARED_FIRST = 0x40000002, SHARED_SIZE = 510, TRIES = 2000, PAUSE_NS = 10000000 };

static gs_status refuse(gs_error *err, const char *path, const char *why)
{
    return gs_fail(err, GS_E_FORMAT,
                   "%s-journal: %s, so it is not what a run that was cut short has left: move it "
                   "away, or use another profile file",
                   path, why);
}

static bool is_at(int fd, off_t at, const unsigned char bytes[sizeof magic])
{
    unsigned char found[sizeof magic];
    return pread(fd, found, sizeof found, at) == (ssize_t)sizeof found &&
           memcmp(found, bytes, sizeof found) == 0;
}

/* Of a journal that is open. Gumshoe uses one database at a time, so none of its journals names
 * another file; one that does ends with the magic number. */
static gs_status check_open(int fd, const struct stat *of, const char *path, gs_error *err)
{
    static const unsigned char zeros[sizeof magic];
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return refuse(err, path, "it is not an ordinary file");
    if (st.st_uid != of->st_uid && st.st_uid != geteuid() && st.st_uid != 0)
        return refuse(err, path, "it belongs to another user");
    if (st.st_size == 0 || is_at(fd, 0, zeros))
        return GS_OK;
    if (!is_at(fd, 0, magic))
        return refuse(err, path, "it is no journal");
    if (is_at(fd, st.st_size - (off_t)sizeof magic, magic))
        return refuse(err, path, "it wants another file to be deleted");
    return GS_OK;
}

gs_status gs_journal_check(sqlite3 *db, const char *path, gs_error *err)
{
    const char *file = sqlite3_db_filename(db, "main"); /* with links followed */
    struct stat of;
    if (!file || !*file || stat(file, &of) != 0)
        return GS_OK; /* there is nothing to undo in a file that is not there */
    int fd = open(sqlite3_filename_journal(file),
                  O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return GS_OK;
    if (fd < 0)
        return refuse(err, path, errno == ELOOP ? "it is a link" : strerror(errno));
    gs_status status = check_open(fd, &of, path, err);
    close(fd);
    return status;
}

static bool copy_bytes(int from, int to)
{
    char buffer[1 << 16];
    ssize_t got;
    while ((got = read(from, buffer, sizeof buffer)) > 0) {
        for (ssize_t done = 0; done < got;) {
            ssize_t put = write(to, buffer + done, (size_t)(got - done));
            if (put <= 0)
                return false;
            done += put;
        }
    }
    return got == 0;
}

static bool copy_file(int from, const char *to)
{
    int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool good = fd >= 0 && copy_bytes(from, fd);
    if (fd >= 0)
        good = close(fd) == 0 && good;
    return good;
}

/* As SQLite's readers do, so that no other process undoes the transaction meanwhile. */
static bool lock_for_reading(int fd)
{
    const struct timespec pause = {.tv_nsec = PAUSE_NS};
    for (unsigned i = 0; i < TRIES; i++) {
        struct flock lock = {
            .l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = SHARED_FIRST, .l_len = SHARED_SIZE};
        if (fcntl(fd, F_SETLK, &lock) == 0)
            return true;
        if (errno != EACCES && errno != EAGAIN && errno != EINTR)
            return false;
        (void)nanosleep(&pause, NULL);
    }
    return false;
}

/* Two names in a directory of their own. */
typedef struct copies {
    char *directory, *file, *journal;
} copies;

static bool name_copies(copies *c)
{
    const char *base = getenv("TMPDIR");
    if (asprintf(&c->directory, "%s/gumshoe-XXXXXX", base && *base == '/' ? base : "/tmp") < 0)
        c->directory = NULL;
    if (!c->directory || !mkdtemp(c->directory))
        return false;
    if (asprintf(&c->file, "%s/profile", c->directory) < 0)
        c->file = NULL;
    if (asprintf(&c->journal, "%s/profile-journal", c->directory) < 0)
        c->journal = NULL;
    return c->file && c->journal;
}

/* What is open stays readable without a name. */
static void remove_copies(copies *c)
{
    if (c->file)
        unlink(c->file);
    if (c->journal)
        unlink(c->journal);
    if (c->directory)
        rmdir(c->directory);
    free(c->file);
    free(c->journal);
    free(c->directory);
}

static gs_status fail_to_copy(const char *path, gs_error *err)
{
    return gs_fail(
        err, GS_E_IO,
        "%s: a run was cut short while it was appended, and the file cannot be copied to "
        "be read without it: %s",
        path, strerror(errno));
}

/* `journal` is -1 if the transaction has been undone meanwhile. */
static gs_status copy_both(copies *c, int file, int journal, const char *path, gs_error *err)
{
    struct stat of;
    if (fstat(file, &of) != 0)
        return fail_to_copy(path, err);
    gs_status status = journal < 0 ? GS_OK : check_open(journal, &of, path, err);
    if (status != GS_OK)
        return status;
    bool good = name_copies(c) && copy_file(file, c->file) &&
                (journal < 0 || copy_file(journal, c->journal));
    return good ? GS_OK : fail_to_copy(path, err);
}

static gs_status make_copies(copies *c, const char *path, gs_error *err)
{
    char *real = realpath(path, NULL), *beside = NULL;
    if (!real || asprintf(&beside, "%s-journal", real) < 0)
        beside = NULL;
    int file = real && beside ? open(real, O_RDONLY | O_CLOEXEC) : -1, journal = -1;
    bool good = file >= 0 && lock_for_reading(file);
    if (good) {
        journal = open(beside, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        good = journal >= 0 || errno == ENOENT;
    }
    gs_status status = good ? copy_both(c, file, journal, path, err) : fail_to_copy(path, err);
    if (journal >= 0)
        close(journal);
    if (file >= 0)
        close(file);
    free(beside);
    free(real);
    return status;
}

gs_status gs_journal_open_copy(sqlite3 **out, const char *path, gs_error *err)
{
    copies c = {0};
    *out = NULL;
    gs_status status = make_copies(&c, path, err);
    if (status == GS_OK)
        status = gs_profile_open_database(out, c.file, SQLITE_OPEN_READWRITE, err);
    /* The first query undoes what is to be undone. */
    if (status == GS_OK && sqlite3_exec(*out, "PRAGMA user_version", NULL, NULL, NULL) != SQLITE_OK)
        status = gs_profile_fail(*out, path, err);
    if (status != GS_OK) {
        sqlite3_close(*out);
        *out = NULL;
    }
    remove_copies(&c);
    return status;
}
