/*
 * A profile into its file and back.
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
#include <unistd.h>

#include "base/vec.h"
#include "profile_rig.h"

#define same_list(x, y, list)                                                     \
    (assert_int_equal((x)->list.count, (y)->list.count),                          \
     assert_true((x)->list.count == 0 || memcmp((x)->list.items, (y)->list.items, \
                                                (x)->list.count * sizeof *(x)->list.items) == 0))

static void check_same_table(const gs_result_table *x, const gs_result_table *y)
{
    assert_string_equal(x->key, y->key);
    assert_string_equal(x->title ? x->title : "", y->title ? y->title : "");
    assert_true(x->hidden == y->hidden && x->whole == y->whole);
    assert_int_equal(x->column_count, y->column_count);
    assert_int_equal(x->row_count, y->row_count);
    for (size_t i = 0; i < x->column_count; i++) {
        assert_string_equal(x->columns[i].key, y->columns[i].key);
        assert_string_equal(x->columns[i].head, y->columns[i].head);
    }
    for (size_t i = 0; i < x->row_count * x->column_count; i++) {
        const gs_cell *p = &x->cells[i], *q = &y->cells[i];
        assert_int_equal(p->type, q->type);
        switch (p->type) {
        case GS_CELL_TEXT: assert_string_equal(p->text, q->text); break;
        case GS_CELL_REAL:
        case GS_CELL_SHARE: assert_true(p->real == q->real); break;
        case GS_CELL_ADDRESS: assert_int_equal(p->address, q->address); break;
        default: assert_int_equal(p->count, q->count); break;
        }
    }
}

static void check_same_result(const gs_result *x, const gs_result *y)
{
    assert_string_equal(x->kind, y->kind);
    assert_string_equal(x->options, y->options);
    const gs_result_table *left = x->tables, *right = y->tables;
    for (; left && right; left = left->next, right = right->next)
        check_same_table(left, right);
    assert_true(!left && !right);
    const gs_remark *said = x->remarks, *read = y->remarks;
    for (; said && read; said = said->next, read = read->next)
        assert_string_equal(said->text, read->text);
    assert_true(!said && !read);
}

static void check_same(const gs_profile *a, const gs_profile *b)
{
    assert_int_equal(a->units.count, b->units.count);
    for (size_t i = 0; i < a->units.count; i++)
        check_same_result(a->units.items[i], b->units.items[i]);
    assert_string_equal(a->run.program, b->run.program);
    assert_string_equal(a->run.label, b->run.label);
    assert_string_equal(a->run.core, b->run.core);
    assert_string_equal(a->run.core_yaml, b->run.core_yaml);
    assert_string_equal(a->run.isa, b->run.isa);
    assert_string_equal(a->run.environment, b->run.environment);
    assert_string_equal(a->run.inherited, b->run.inherited);
    assert_string_equal(a->run.variables, b->run.variables);
    assert_string_equal(a->run.region, b->run.region);
    assert_string_equal(a->run.commit, b->run.commit);
    assert_string_equal(a->run.version, b->run.version);
    assert_int_equal(a->run.started, b->run.started);
    assert_int_equal(a->run.exit, b->run.exit);
    assert_int_equal(a->run.exit_code, b->run.exit_code);
    assert_int_equal(a->run.clock_hz, b->run.clock_hz);
    assert_int_equal(a->run.desyncs, b->run.desyncs);
    assert_memory_equal(&a->total, &b->total, sizeof a->total);
    assert_int_equal(a->markers.count, b->markers.count);
    for (size_t i = 0; i < a->markers.count; i++) {
        gs_marker x = a->markers.items[i], y = b->markers.items[i];
        assert_true(x.value == y.value && x.instruction == y.instruction && x.cycle == y.cycle);
    }
    assert_int_equal(a->files.count, b->files.count);
    for (size_t i = 0; i < a->files.count; i++)
        assert_string_equal(a->files.items[i], b->files.items[i]);
    assert_int_equal(a->functions.count, b->functions.count);
    for (size_t i = 0; i < a->functions.count; i++) {
        gs_profile_function x = a->functions.items[i], y = b->functions.items[i];
        assert_string_equal(x.name, y.name);
        assert_true(x.start == y.start && x.end == y.end && x.file == y.file && x.line == y.line);
    }
    assert_int_equal(a->insns.count, b->insns.count);
    for (size_t i = 0; i < a->insns.count; i++) {
        const gs_profile_insn *x = &a->insns.items[i], *y = &b->insns.items[i];
        assert_string_equal(x->text, y->text);
        assert_true(x->pc == y->pc && x->word == y->word && x->length == y->length &&
                    x->function == y->function && x->file == y->file && x->line == y->line &&
                    x->block == y->block && x->loop == y->loop && x->inlined == y->inlined &&
                    x->executions == y->executions && x->taken == y->taken);
        assert_memory_equal(&x->cost, &y->cost, sizeof x->cost);
    }
    same_list(a, b, edges);
    assert_int_equal(a->nodes.count, b->nodes.count);
    for (size_t i = 0; i < a->nodes.count; i++) {
        const gs_profile_node *x = &a->nodes.items[i], *y = &b->nodes.items[i];
        assert_true(x->parent == y->parent && x->function == y->function && x->site == y->site &&
                    x->kind == y->kind && x->calls == y->calls);
        assert_memory_equal(&x->self, &y->self, sizeof x->self);
    }
    assert_int_equal(a->blocks.count, b->blocks.count);
    for (size_t i = 0; i < a->blocks.count; i++) {
        gs_profile_block x = a->blocks.items[i], y = b->blocks.items[i];
        assert_true(x.start == y.start && x.end == y.end && x.function == y.function &&
                    x.executions == y.executions);
    }
    assert_int_equal(a->loops.count, b->loops.count);
    for (size_t i = 0; i < a->loops.count; i++) {
        gs_profile_loop x = a->loops.items[i], y = b->loops.items[i];
        assert_true(x.header == y.header && x.function == y.function && x.parent == y.parent &&
                    x.depth == y.depth && x.entries == y.entries && x.iterations == y.iterations);
    }
    assert_int_equal(a->inlines.count, b->inlines.count);
    for (size_t i = 0; i < a->inlines.count; i++) {
        gs_profile_inline x = a->inlines.items[i], y = b->inlines.items[i];
        assert_string_equal(x.function, y.function);
        assert_true(x.outer == y.outer && x.call_file == y.call_file && x.call_line == y.call_line);
    }
}

/* A folder of its own for every test, with room for one profile file. */
typedef struct place {
    char folder[64], path[80];
} place;

static int make_place(void **state)
{
    place *p = calloc(1, sizeof *p);
    if (!p)
        return -1;
    strcpy(p->folder, "/tmp/gumshoe-test-XXXXXX");
    *state = p;
    if (!mkdtemp(p->folder))
        return -1;
    snprintf(p->path, sizeof p->path, "%s/gumshoe.db", p->folder);
    return 0;
}

static int remove_place(void **state)
{
    place *p = *state;
    chmod(p->path, 0600);
    unlink(p->path);
    int code = rmdir(p->folder); /* fails if a journal is left */
    free(p);
    return code;
}

/* The program has no debug information; as if it had: f() inlined, and g() in it. */
static void add_inlines(gs_profile *profile)
{
    char *file = strdup("f.c"), *f = strdup("f()"), *g = strdup("g()");
    assert_true(file && gs_vec_push(&profile->files, file));
    gs_profile_inline outer = {f, GS_PROFILE_NONE, 0, 7}, inner = {g, 0, GS_PROFILE_NONE, 0};
    assert_true(f && gs_vec_push(&profile->inlines, outer));
    assert_true(g && gs_vec_push(&profile->inlines, inner));
    profile->insns.items[1].inlined = 1;
    profile->insns.items[3].inlined = 0;
}

/* As if two units had watched. The first has said something in every way there is. */
static void add_units(gs_profile *profile)
{
    static const gs_column all[] = {{"z", "last by name"}, {"count", "n"}, {"less", "+-"},
                                    {"real", "r"},         {"share", "%"}, {"at", "address"}};
    static const gs_column few[] = {{"name", ""}, {"value", "a \"value\""}};
    gs_result *first = calloc(1, sizeof *first), *second = calloc(1, sizeof *second);
    assert_true(first && gs_vec_push(&profile->loaded_units, first));
    assert_true(second && gs_vec_push(&profile->loaded_units, second));
    assert_true(gs_vec_push(&profile->units, first) && gs_vec_push(&profile->units, second));
    first->kind = "leap";
    first->options = "hier";
    second->kind = "snoopp";
    second->options = "";
    gs_result_table *table = gs_result_add_table(first, "zoo", "Of all kinds", all, 6);
    for (unsigned i = 0; i < 3; i++) {
        gs_cell *row = gs_result_table_add_row(table);
        row[0] = gs_cell_text(first, i ? "text" : "");
        row[1] = gs_cell_count(i == 1 ? INT64_MAX : i);
        row[2] = gs_cell_difference(i, 1);
        row[3] = gs_cell_real(i - 0.5);
        row[4] = gs_cell_share(0.1 * i);
        row[5] = i == 2 ? (gs_cell){0} : gs_cell_address(UINT32_MAX - i);
    }
    table = gs_result_add_table(first, "few", NULL, few, 2);
    table->hidden = table->whole = true;
    gs_result_table_add_row(table)[1] = gs_cell_text(first, "only");
    gs_result_remark(first, "said %d", 1);
    gs_result_remark(first, "said %d", 2);
    assert_false(first->no_memory);
}

static void add_markers(gs_profile *profile)
{
    const gs_marker markers[] = {{1, 10, 12}, {UINT32_MAX, 11, 12}};
    for (size_t i = 0; i < 2; i++)
        assert_true(gs_vec_push(&profile->markers, markers[i]));
}

static gs_profile *saved(const place *at, const char *label)
{
    profile_program p = recursive_program();
    gs_profile_options options = {.label = label,
                                  .commit = "0123abcd",
                                  .started = 1700000000,
                                  .region = "from main to marker:2"};
    gs_profile *profile = profile_of(&p, &options);
    gs_error err;
    int64_t id;
    add_inlines(profile);
    add_markers(profile);
    add_units(profile);
    check(gs_profile_save(profile, at->path, &id, &err), &err);
    assert_true(id > 0);
    return profile;
}

static void run_sql(const place *at, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(at->path, &db), SQLITE_OK);
    char *message = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", sql, message);
    sqlite3_close(db);
}

static void expect_refused(const place *at, gs_status status, const char *words)
{
    gs_profile *profile;
    gs_error err = {0};
    assert_int_equal(gs_profile_load(&profile, at->path, "last", &err), status);
    assert_null(profile);
    if (!strstr(err.message, words))
        fail_msg("'%s' is not in: %s", words, err.message);
}

static void test_round_trip(void **state)
{
    const place *at = *state;
    gs_profile *first = saved(at, "before"), *second = saved(at, "after"), *read;
    gs_profile_file *file;
    gs_error err;
    check(gs_profile_file_open(&file, at->path, &err), &err);
    assert_int_equal(gs_profile_file_run_count(file), 2);
    assert_string_equal(gs_profile_file_run(file, 0)->label, "before");
    assert_int_equal(gs_profile_file_run(file, 1)->cycles, second->total.value[GS_METRIC_CYCLES]);
    assert_string_equal(gs_profile_file_run(file, 1)->commit, "0123abcd");
    assert_ptr_equal(gs_profile_file_find(file, "before"), gs_profile_file_run(file, 0));
    assert_ptr_equal(gs_profile_file_find(file, "last"), gs_profile_file_run(file, 1));
    assert_null(gs_profile_file_find(file, "3"));
    check(gs_profile_file_load(&read, file, "before", &err), &err);
    check_same(first, read);
    assert_int_equal(read->run.id, 1);
    gs_profile_free(read);
    const char *names[] = {"last", "2", "after"};
    for (size_t i = 0; i < 3; i++) {
        check(gs_profile_file_load(&read, file, names[i], &err), &err);
        assert_int_equal(read->run.id, 2);
        check_same(second, read);
        gs_profile_free(read);
    }
    assert_int_equal(gs_profile_file_load(&read, file, "3", &err), GS_E_NOT_FOUND);
    assert_int_equal(gs_profile_file_load(&read, file, "", &err), GS_E_NOT_FOUND);
    assert_null(read);
    gs_profile_file_free(file);
    gs_profile_free(first);
    gs_profile_free(second);
}

static void test_not_a_profile(void **state)
{
    const place *at = *state;
    gs_error err;
    expect_refused(at, GS_E_NOT_FOUND, "no such file");
    check(gs_profile_file_check(at->path, &err), &err);

    assert_int_equal(mkdir(at->path, 0700), 0);
    expect_refused(at, GS_E_IO, "directory");
    assert_int_equal(gs_profile_file_check(at->path, &err), GS_E_IO);
    assert_int_equal(rmdir(at->path), 0);

    int fd = open(at->path, O_CREAT | O_WRONLY, 0600);
    assert_int_equal(close(fd), 0);
    expect_refused(at, GS_E_NOT_FOUND, "no run");
    check(gs_profile_file_check(at->path, &err), &err);

    run_sql(at, "CREATE TABLE mine (x)");
    expect_refused(at, GS_E_FORMAT, "not a profile file");
    assert_int_equal(gs_profile_file_check(at->path, &err), GS_E_FORMAT);
    unlink(at->path);

    fd = open(at->path, O_CREAT | O_WRONLY, 0600);
    for (int i = 0; i < 100; i++)
        assert_int_equal(write(fd, "\177ELF what is this? ", 19), 19);
    assert_int_equal(close(fd), 0);
    expect_refused(at, GS_E_FORMAT, "not a profile file");
    assert_int_equal(gs_profile_file_check(at->path, &err), GS_E_FORMAT);
    unlink(at->path);

    char nowhere[128];
    snprintf(nowhere, sizeof nowhere, "%s/none/gumshoe.db", at->folder);
    assert_int_equal(gs_profile_file_check(nowhere, &err), GS_E_IO);
}

static void test_impossible(void **state)
{
    const place *at = *state;
    static const struct {
        const char *sql, *words;
    } cases[] = {
        {"PRAGMA user_version = 2", "newer"},
        {"PRAGMA user_version = -1", "damaged"},
        {"PRAGMA application_id = 7", "not a profile file"},
        {"DELETE FROM call_path WHERE id = 0", "call_path"},
        {"UPDATE call_path SET parent = 4 WHERE id = 2", "call_path"},
        {"UPDATE call_path SET parent = NULL WHERE id = 2", "call_path"},
        {"UPDATE call_path SET function = 2 WHERE id = 2", "call_path"},
        {"UPDATE call_path SET kind = 'jump'", "call_path"},
        {"UPDATE call_path SET cycles = cycles + 1 WHERE id = 2", "add up"},
        {"UPDATE call_path SET kind = 'thread' WHERE id = 1", "call_path"},
        {"UPDATE call_path SET kind = 'thread' WHERE id = 0", "call_path"},
        {"INSERT INTO thread VALUES (1, 0, 'one', NULL, 0)", "call_path"},
        {"INSERT INTO thread VALUES (1, 1, 'one', NULL, 0)", "thread"},
        {"INSERT INTO thread_switch VALUES (1, 0, 0, 1)", "thread_switch"},
        {"INSERT INTO thread VALUES (1, 0, 'one', 99, 0)", "thread"},
        {"INSERT INTO thread VALUES (1, 0, 'one', NULL, -1)", "thread"},
        {"UPDATE insn SET function = -1", "insn"},
        {"UPDATE insn SET block = 1000", "insn"},
        {"UPDATE insn SET loop = 0", "insn"},
        {"UPDATE insn SET text = x'00'", "insn"},
        {"UPDATE insn SET text = 'a' || char(0) || 'b'", "insn"},
        {"UPDATE insn SET pc = pc + 4294967296", "insn"},
        {"UPDATE insn SET cycles = -1", "insn"},
        {"UPDATE insn SET jumped = executions + 1", "insn"},
        {"UPDATE insn SET instructions = instructions + 1 WHERE pc = 2147483648", "add up"},
        {"UPDATE function SET start_pc = end_pc", "function"},
        {"UPDATE function SET start_pc = 0", "function"},
        {"UPDATE function SET name = x'41'", "function"},
        {"UPDATE function SET id = id + 1 WHERE id = 1", "function"},
        {"UPDATE block SET start_pc = 0", "block"},
        {"UPDATE edge SET to_block = 99 WHERE from_block = 0", "edge"},
        {"INSERT INTO loop VALUES (1, 0, 0, NULL, 0, 1, 1, 1)", "loop"},
        {"INSERT INTO loop VALUES (1, 0, 0, NULL, 0, 2, 1, 1)", "loop"},
        {"INSERT INTO loop_total (run, loop) VALUES (1, 0)", "loop_total"},
        {"INSERT INTO timeline (run, id, start_cycle, end_cycle) VALUES (1, 1, 0, 9)", "timeline"},
        {"INSERT INTO timeline (run, id, start_cycle, end_cycle) VALUES (1, 0, 9, 9)", "timeline"},
        {"INSERT INTO timeline (run, id, start_cycle, end_cycle) VALUES (1, 0, 0, 9)", "add up"},
        {"UPDATE marker SET id = 2 WHERE id = 1", "marker"},
        {"UPDATE marker SET instruction = 10", "marker"},
        {"UPDATE marker SET cycle = 13 WHERE id = 0", "marker"},
        {"UPDATE marker SET value = -1 WHERE id = 0", "marker"},
        {"UPDATE inlined_call SET outer_call = 1 WHERE id = 1", "inlined_call"},
        {"UPDATE inlined_call SET call_file = 1 WHERE id = 0", "inlined_call"},
        {"UPDATE inlined_insn SET inlined_call = 2", "inlined_insn"},
        {"INSERT INTO inlined_insn VALUES (1, 0, 0)", "inlined_insn"},
        {"UPDATE unit SET id = 2 WHERE id = 1", "unit"},
        {"DELETE FROM unit", "unit_table"},
        {"UPDATE unit_table SET id = 2 WHERE id = 1", "unit_table"},
        {"UPDATE unit_table SET unit = 2", "unit_table"},
        {"UPDATE unit_table SET whole = 2", "unit_table"},
        {"DELETE FROM unit_column WHERE unit_table = 0", "unit_table"},
        {"DELETE FROM unit_column WHERE id = 0", "unit_table"},
        {"UPDATE unit_column SET kind = 'heavy' WHERE id = 1", "unit_table"},
        {"INSERT INTO unit_column VALUES (1, 1, 0, 0, 'of', 'no table', 'text')", "unit_table"},
        {"DROP TABLE unit_column", "no table unit_column"},
        {"UPDATE unit_cell SET unit = 2 WHERE unit = 0", "unit_cell"},
        {"UPDATE unit_cell SET row = row + 1 WHERE section = 'few'", "unit_cell"},
        {"UPDATE unit_cell SET value = -1 WHERE name = 'count'", "unit_cell"},
        {"UPDATE unit_cell SET value = x'00' WHERE name = 'count'", "unit_cell"},
        {"UPDATE unit_cell SET value = 9e999 WHERE name = 'real'", "unit_cell"},
        {"UPDATE unit_cell SET value = 4294967296 WHERE name = 'at'", "unit_cell"},
        {"UPDATE run SET exit = 'bored'", "run"},
        {"UPDATE run SET label = x'414243'", "run"},
        {"UPDATE run SET cycles = cycles + 1", "add up"},
        {"DROP TABLE edge", "no table edge"},
        {"DROP TABLE insn; CREATE VIEW insn AS SELECT * FROM run", "no table insn"},
        {"DROP TABLE run; CREATE TABLE run (id)", "damaged"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gs_profile_free(saved(at, ""));
        run_sql(at, cases[i].sql);
        gs_profile *profile;
        gs_error err = {0};
        gs_status status = gs_profile_load(&profile, at->path, "last", &err);
        if (status == GS_OK || !strstr(err.message, cases[i].words))
            fail_msg("%s: %s", cases[i].sql, status ? err.message : "accepted");
        unlink(at->path);
    }
}

/* A metric that an older version did not count is 0 in its runs and gets a column with the next. */
static void test_older_columns(void **state)
{
    const place *at = *state;
    gs_profile *profile = saved(at, "old"), *read;
    gs_error err;
    run_sql(at, "ALTER TABLE run DROP COLUMN traps; ALTER TABLE insn DROP COLUMN traps;"
                "ALTER TABLE call_path DROP COLUMN traps;"
                "ALTER TABLE run DROP COLUMN inherited; ALTER TABLE run DROP COLUMN variables;"
                "ALTER TABLE run DROP COLUMN region");
    check(gs_profile_load(&read, at->path, "last", &err), &err);
    assert_string_equal(read->run.inherited, "unknown");
    free(read->run.inherited);
    read->run.inherited = strdup(profile->run.inherited);
    assert_string_equal(read->run.region, "");
    free(read->run.region);
    read->run.region = strdup(profile->run.region);
    check_same(profile, read);
    gs_profile_free(read);
    check(gs_profile_save(profile, at->path, NULL, &err), &err);
    check(gs_profile_load(&read, at->path, "2", &err), &err);
    check_same(profile, read);
    gs_profile_free(read);
    gs_profile_free(profile);
}

/* Nor has an older file tables for inlined calls, or for what tables of units look like. */
static void test_older_tables(void **state)
{
    const place *at = *state;
    gs_profile *profile = saved(at, "old"), *read;
    gs_error err;
    run_sql(at, "DROP TABLE inlined_call; DROP TABLE inlined_insn; "
                "DROP TABLE loop_total; DROP TABLE timeline; "
                "DROP TABLE marker; "
                "DROP TABLE unit_table; DROP TABLE unit_column");
    check(gs_profile_load(&read, at->path, "last", &err), &err);
    assert_int_equal(read->units.count, 2);
    assert_null(read->units.items[0]->tables);
    assert_string_equal(read->units.items[0]->remarks->text, "said 1");
    assert_int_equal(read->inlines.count, 0);
    assert_int_equal(read->insns.items[1].inlined, GS_PROFILE_NONE);
    gs_profile_free(read);
    check(gs_profile_save(profile, at->path, NULL, &err), &err);
    check(gs_profile_load(&read, at->path, "2", &err), &err);
    check_same(profile, read);
    gs_profile_free(read);
    gs_profile_free(profile);
}

/* Whatever byte is wrong, reading ends. */
static void test_damage(void **state)
{
    const place *at = *state;
    gs_profile_free(saved(at, "damage"));
    int fd = open(at->path, O_RDWR);
    off_t size = lseek(fd, 0, SEEK_END);
    unsigned refused = 0;
    for (off_t i = 0; i < size; i += i < 200 ? 1 : 61) {
        uint8_t byte, other;
        assert_int_equal(pread(fd, &byte, 1, i), 1);
        other = (uint8_t)(byte ^ (1 << i % 8));
        assert_int_equal(pwrite(fd, &other, 1, i), 1);
        gs_profile *profile;
        gs_error err = {0};
        if (gs_profile_load(&profile, at->path, "last", &err) != GS_OK) {
            assert_null(profile);
            assert_true(strlen(err.message) > strlen(at->path));
            refused++;
        }
        gs_profile_free(profile);
        assert_int_equal(pwrite(fd, &byte, 1, i), 1);
    }
    assert_true(refused > 100);
    while (size > 0) {
        size = size * 3 / 4;
        assert_int_equal(ftruncate(fd, size), 0);
        gs_profile *profile;
        gs_error err;
        assert_int_not_equal(gs_profile_load(&profile, at->path, "last", &err), GS_OK);
    }
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_not_a_profile, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_impossible, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_older_columns, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_older_tables, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_damage, make_place, remove_place),
    };
    return cmocka_run_group_tests_name("profile file", tests, NULL, NULL);
}
