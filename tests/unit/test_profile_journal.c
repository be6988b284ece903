/*
 * Profile files with a journal beside them: what a run that was killed left is undone, and what
 * came from elsewhere makes us delete, write and follow nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "profile_rig.h"

enum { NAME = 128, MOST = 64 << 20 };

typedef struct place {
    char folder[40], path[NAME], journal[NAME + 8], victim[NAME];
} place;

static int make_place(void **state)
{
    place *p = calloc(1, sizeof *p);
    *state = p;
    strcpy(p->folder, "/tmp/gumshoe-test-XXXXXX");
    if (!mkdtemp(p->folder))
        return -1;
    snprintf(p->path, sizeof p->path, "%s/gumshoe.db", p->folder);
    snprintf(p->journal, sizeof p->journal, "%s-journal", p->path);
    snprintf(p->victim, sizeof p->victim, "%s/victim", p->folder);
    return 0;
}

static int remove_place(void **state)
{
    place *p = *state;
    unlink(p->path);
    unlink(p->journal);
    unlink(p->victim);
    int code = rmdir(p->folder); /* fails if anything else is left */
    free(p);
    return code;
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, size), size);
    close(fd);
}

typedef struct contents {
    char *bytes;
    size_t size;
} contents;

static contents read_file(const char *path)
{
    contents c;
    gs_error err;
    check(gs_file_read(&c.bytes, &c.size, path, MOST, &err), &err);
    return c;
}

static void expect_file(const char *path, contents *before)
{
    contents now = read_file(path);
    assert_int_equal(now.size, before->size);
    assert_memory_equal(now.bytes, before->bytes, now.size);
    free(now.bytes);
    free(before->bytes);
}

static gs_status load(const place *at, gs_error *err)
{
    gs_profile *profile;
    gs_status status = gs_profile_load(&profile, at->path, "last", err);
    if (status == GS_OK)
        gs_profile_free(profile);
    return status;
}

static gs_status append_run(const place *at, const char *label, gs_error *err)
{
    const profile_program p = recursive_program();
    int64_t id;
    gs_profile *profile = profile_of(&p, &(gs_profile_options){.label = label});
    gs_status status = gs_profile_save(profile, at->path, &id, err);
    gs_profile_free(profile);
    return status;
}

static gs_status append(const place *at, gs_error *err)
{
    return append_run(at, "more", err);
}

static void save_run(const place *at, const char *label)
{
    gs_error err;
    check(append_run(at, label, &err), &err);
}

/* A run that is killed in the middle of appending: a file with pages of both, and a hot journal. */
static void kill_writer(const place *at)
{
    pid_t child = fork();
    if (child == 0) {
        sqlite3 *db;
        sqlite3_open(at->path, &db);
        sqlite3_exec(
            db,
            "PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN IMMEDIATE;"
            "UPDATE insn SET text = text || hex(zeroblob(5000)); UPDATE run SET label = 'x'",
            NULL, NULL, NULL);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(access(at->journal, F_OK), 0);
}

static void put32(FILE *to, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        fputc((int)(value >> shift & 0xff), to);
}

/* As SQLite does when several databases are committed at once: the journal names the file that all
 * of them depend on, and who undoes the transaction deletes that file. */
static void name_super_journal(const char *journal, const char *victim)
{
    static const unsigned char magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    uint32_t sum = 0;
    FILE *to = fopen(journal, "ab");
    assert_non_null(to);
    put32(to, (1U << 30) / 4096 + 1); /* the page that is never written */
    fputs(victim, to);
    put32(to, (uint32_t)strlen(victim));
    for (const char *c = victim; *c; c++)
        sum += (unsigned char)*c;
    put32(to, sum);
    fwrite(magic, 1, sizeof magic, to);
    assert_int_equal(fclose(to), 0);
}

static void test_killed_writer(void **state)
{
    const place *at = *state;
    gs_error err;
    save_run(at, "whole");
    kill_writer(at);
    contents file = read_file(at->path), journal = read_file(at->journal);
    /* Reading shows what was there before, and changes nothing. */
    gs_profile *profile;
    check(gs_profile_load(&profile, at->path, "whole", &err), &err);
    gs_profile_free(profile);
    expect_file(at->path, &file);
    expect_file(at->journal, &journal);
    /* The next run is appended to that. */
    assert_int_equal(append(at, &err), GS_OK);
    assert_int_equal(access(at->journal, F_OK), -1);
    gs_profile_file *runs;
    assert_int_equal(gs_profile_file_open(&runs, at->path, &err), GS_OK);
    assert_int_equal(gs_profile_file_run_count(runs), 2);
    gs_profile_file_free(runs);
}

static void test_super_journal(void **state)
{
    const place *at = *state;
    gs_error err;
    save_run(at, "whole");
    kill_writer(at);
    name_super_journal(at->journal, at->victim);
    write_file(at->victim, "text", 4);
    contents file = read_file(at->path), journal = read_file(at->journal);
    contents victim = read_file(at->victim);
    assert_int_equal(load(at, &err), GS_E_FORMAT);
    assert_non_null(strstr(err.message, "wants another file to be deleted"));
    assert_int_equal(strncmp(err.message, at->journal, strlen(at->journal)), 0);
    assert_int_equal(append(at, &err), GS_E_FORMAT);
    assert_int_equal(gs_profile_file_check(at->path, &err), GS_E_FORMAT);
    expect_file(at->path, &file);
    expect_file(at->journal, &journal);
    expect_file(at->victim, &victim);
    /* Which is what SQLite would have done. */
    sqlite3 *db;
    assert_int_equal(sqlite3_open(at->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "SELECT count(*) FROM run", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(access(at->victim, F_OK), -1);
}

/* A file of the user's with such a name is not undone, and not deleted either. */
static void test_no_journal(void **state)
{
    static const char diary[] = "dear diary, today I profiled my firmware";
    const place *at = *state;
    gs_error err;
    save_run(at, "whole");
    write_file(at->journal, diary, sizeof diary);
    contents journal = read_file(at->journal);
    assert_int_equal(append(at, &err), GS_E_FORMAT);
    assert_non_null(strstr(err.message, "it is no journal"));
    assert_int_equal(load(at, &err), GS_E_FORMAT);
    /* Beside an empty file, SQLite would delete it. */
    assert_int_equal(truncate(at->path, 0), 0);
    assert_int_equal(append(at, &err), GS_E_FORMAT);
    expect_file(at->journal, &journal);
}

static void test_links(void **state)
{
    const place *at = *state;
    gs_error err;
    save_run(at, "whole");
    kill_writer(at);
    assert_int_equal(rename(at->journal, at->victim), 0);
    assert_int_equal(symlink(at->victim, at->journal), 0);
    contents victim = read_file(at->victim);
    assert_int_equal(append(at, &err), GS_E_FORMAT);
    assert_non_null(strstr(err.message, "it is a link"));
    assert_int_not_equal(load(at, &err), GS_OK);
    expect_file(at->victim, &victim);
    assert_int_equal(unlink(at->journal), 0);
    /* A pipe is not waited for. */
    assert_int_equal(mkfifo(at->journal, 0600), 0);
    assert_int_equal(append(at, &err), GS_E_FORMAT);
    assert_non_null(strstr(err.message, "not an ordinary file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_killed_writer, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_super_journal, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_no_journal, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_links, make_place, remove_place),
    };
    return cmocka_run_group_tests_name("profile journal", tests, NULL, NULL);
}
