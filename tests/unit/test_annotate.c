/*
 * Functions line by line: a small profile made by hand, and a source file that goes with it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vec.h"
#include "report/annotate.h"
#include "report/called.h"
#include "report/names.h"
#include "small_profile.h"

typedef struct place {
    char folder[64], source[80];
} place;

enum { BUILT = 1700000000 };

/* fib() is in lines 20 to 22; in 21 stood a call of helper(), line 99 of a header. */
static gs_profile *profile_at(const place *at)
{
    gs_profile *profile = small_profile();
    char *name = strdup("helper(int)"), *path = strdup(at->source);
    assert_true(name && path);
    free(profile->files.items[0]);
    profile->files.items[0] = path;
    profile->run.started = BUILT;
    gs_profile_inline call = {name, GS_PROFILE_NONE, 0, 21};
    assert_true(gs_vec_push(&profile->inlines, call));
    profile->insns.items[4].inlined = 0;
    return profile;
}

static void set_age(const char *path, long seconds)
{
    struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static int make_place(void **state)
{
    place *at = calloc(1, sizeof *at);
    assert_non_null(at);
    strcpy(at->folder, "/tmp/gumshoe-annotate-XXXXXX");
    assert_non_null(mkdtemp(at->folder));
    snprintf(at->source, sizeof at->source, "%s/main.c", at->folder);
    FILE *file = fopen(at->source, "w");
    assert_non_null(file);
    for (int i = 1; i <= 30; i++)
        fprintf(file,
                i == 19   ? "unsigned fib(unsigned n)\n"
                : i == 20 ? "{\n"
                          : "\tline(%d);\n",
                i);
    fclose(file);
    set_age(at->source, BUILT - 10);
    *state = at;
    return 0;
}

static int remove_place(void **state)
{
    place *at = *state;
    unlink(at->source);
    int code = rmdir(at->folder);
    free(at);
    return code;
}

static char *annotated(const gs_profile *profile, const gs_annotate_options *options)
{
    char *text = NULL;
    size_t size = 0;
    gs_error err = {0};
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    if (gs_report_annotate(to, profile, options, &err) != GS_OK)
        fail_msg("%s", err.message);
    fclose(to);
    return text;
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no '%s' in:\n%s", part, text);
}

static const char *const fib[] = {"fib"};

static void test_rows(void **state)
{
    gs_profile *profile = profile_at(*state);
    gs_annotate_options options = {.functions = fib, .function_count = 1};
    gs_annotation a;
    gs_error err;
    assert_int_equal(gs_annotation_open(&a, profile, &options, &err), GS_OK);
    assert_int_equal(a.functions.count, 1);
    static const struct {
        uint32_t line, inlined;
        size_t count;
        uint64_t self, group_self;
    } wanted[] = {
        {20, GS_PROFILE_NONE, 1, 30, 30},
        {21, GS_PROFILE_NONE, 0, 0, 5},
        {99, 0, 1, 5, 5},
        {22, GS_PROFILE_NONE, 1, 2, 2},
    };
    const gs_annotated *function = &a.functions.items[0];
    assert_int_equal(function->rows.count, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < function->rows.count; i++) {
        const gs_annotated_row *row = &function->rows.items[i];
        assert_int_equal(row->line, wanted[i].line);
        assert_int_equal(row->inlined, wanted[i].inlined);
        assert_int_equal(row->count, wanted[i].count);
        assert_int_equal(row->self.value[GS_METRIC_CYCLES], wanted[i].self);
        assert_int_equal(row->group_self.value[GS_METRIC_CYCLES], wanted[i].group_self);
    }
    gs_annotation_close(&a);
    gs_profile_free(profile);
}

/* A call is charged to the line that makes it, a recursion once: of what fib() spends in all, 20 of
 * 37 cycles are below the call at 0x1014, so the line's own 5 are shared out. */
static void test_totals(void **state)
{
    gs_profile *profile = profile_at(*state);
    gs_annotate_options options = {.top = 100};
    gs_annotation a;
    gs_error err;
    assert_int_equal(gs_annotation_open(&a, profile, &options, &err), GS_OK);
    static const struct {
        uint32_t pc, callee;
        uint64_t calls, inclusive, total;
        bool estimated;
    } wanted[] = {
        {0x1004, SMALL_FIB, 1, 35, 20 + 35, false}, {0x1008, SMALL_EVEN, 1, 16, 20 + 16, false},
        {0x1014, SMALL_FIB, 2, 20, 2 + 20, true},   {0x1018, SMALL_FIB, 1, 5, 2 + 5, true},
        {0x1020, SMALL_FIB, 1, 2, 7 + 2, false},    {0x1024, SMALL_ODD, 1, 7, 3 + 7, true},
        {0x1034, SMALL_EVEN, 1, 4, 3 + 4, false},
    };
    assert_int_equal(a.sites.count, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < a.sites.count; i++) {
        const gs_annotated_site *site = &a.sites.items[i];
        const gs_annotated_call *call = &a.calls.items[site->first];
        assert_int_equal(site->insn->pc, wanted[i].pc);
        assert_int_equal(site->count, 1);
        assert_int_equal(site->total.value[GS_METRIC_CYCLES], wanted[i].total);
        assert_int_equal(site->estimated, wanted[i].estimated);
        assert_int_equal(call->function, wanted[i].callee);
        assert_int_equal(call->calls, wanted[i].calls);
        assert_int_equal(call->inclusive.value[GS_METRIC_CYCLES], wanted[i].inclusive);
        assert_ptr_equal(gs_annotation_site(&a, site->insn), site);
    }
    assert_null(gs_annotation_site(&a, &profile->insns.items[0]));
    /* Row 21 of fib() has the inlined call behind it. */
    const gs_annotated_row *row = &a.functions.items[1].rows.items[1];
    assert_int_equal(row->total.value[GS_METRIC_CYCLES], 0);
    assert_int_equal(row->group_total.value[GS_METRIC_CYCLES], 22);
    assert_true(row->group_estimated && row[1].estimated && !row->estimated);
    gs_annotation_close(&a);
    gs_profile_free(profile);
}

static void test_calls_as_text(void **state)
{
    static const char *const functions[] = {"main", "fib", "e;<\"v&'en>\n"};
    gs_profile *profile = profile_at(*state);
    gs_annotate_options options = {.functions = functions, .function_count = 3};
    profile->insns.items[1].word = 0x00c000ef; /* jal ra, 0x1010 */
    profile->insns.items[5].word = 0xfe051ee3; /* bnez a0, 0x1014 */
    char *text = annotated(profile, &options);
    assert_has(text, "> 20.00%      20     55          20                           11 |");
    assert_has(text, "00001004  addi a0,a0,1 <fib>\n");
    assert_has(text, "                    35           1 "
                     "                             :             => fib\n");
    assert_has(text, "00001018  addi a0,a0,1 <fib+0x4>\n");
    assert_has(text, "    ~22                                       21 |");
    assert_has(text, "~ estimated: recursion");
    assert_has(text, "\ntotal is with everything called from there");
    free(text);
    free(profile->run.isa);
    profile->run.isa = strdup("other"); /* as in a file from a later version */
    text = annotated(profile, &options);
    assert_null(strstr(text, "<fib"));
    free(text);
    gs_profile_free(profile);
}

/* Through one instruction, more functions than are listed. */
static void test_many_callees(void **state)
{
    static const char *const functions[] = {"main"};
    gs_profile *profile = profile_at(*state);
    gs_annotate_options options = {.functions = functions, .function_count = 1};
    for (uint32_t i = 0; i < 20; i++) {
        gs_profile_function function = {strdup("called"), 0x2000 + 16 * i, 0x2010 + 16 * i,
                                        GS_PROFILE_NONE, 0};
        gs_profile_node node = {
            0, (uint32_t)profile->functions.count, 0x1000, GS_PROFILE_NONE, GS_FRAME_CALL,
            3, {{[GS_METRIC_CYCLES] = i}}};
        assert_true(function.name && gs_vec_push(&profile->functions, function) &&
                    gs_vec_push(&profile->nodes, node));
    }
    char *text = annotated(profile, &options), *at = text;
    for (unsigned i = 0; i < 5; i++)
        assert_non_null(at = strstr(at + 1, "=> called\n"));
    assert_null(strstr(at + 1, "=> called\n"));
    assert_has(text, "    45    ");
    assert_has(text, "=> 15 more functions\n");
    free(text);
    gs_profile_free(profile);
}

/* Every instruction of every function is in exactly one row. */
static void test_adds_up(void **state)
{
    gs_profile *profile = profile_at(*state);
    gs_annotate_options options = {.top = 100};
    gs_annotation a;
    gs_error err;
    gs_metrics sum = {0};
    size_t insns = 0;
    assert_int_equal(gs_annotation_open(&a, profile, &options, &err), GS_OK);
    for (size_t f = 0; f < a.functions.count; f++) {
        const gs_annotated *function = &a.functions.items[f];
        for (size_t i = 0; i < function->rows.count; i++) {
            gs_metrics_add(&sum, &function->rows.items[i].self);
            insns += function->rows.items[i].count;
        }
    }
    assert_memory_equal(&sum, &profile->total, sizeof sum);
    assert_int_equal(insns, profile->insns.count);
    gs_annotation_close(&a);
    gs_profile_free(profile);
}

static void test_source(void **state)
{
    gs_profile *profile = profile_at(*state);
    gs_annotate_options options = {.functions = fib, .function_count = 1};
    char *text = annotated(profile, &options);
    assert_has(text, "37 cycles, 24.50% of all; 5 calls, 7.4 each; CPI 1.000\n");
    assert_has(text, "   19 | unsigned fib(unsigned n)\n"); /* above the first instruction */
    assert_has(text, "> 81.08%      30                  30                           20 | {\n");
    assert_has(
        text, " 13.51%       5     ~22                                       21 |     line(21);\n");
    assert_has(text, "|   helper(int) even & odd.h:99: \n");
    assert_has(text, ":     00001014  addi a0,a0,1\n");
    assert_null(strstr(text, "note:"));
    assert_null(strstr(text, "23 |"));
    free(text);
    options = (gs_annotate_options){.top = 1};
    text = annotated(profile, &options);
    assert_has(text, "\nmain  main.c:10\n");
    assert_has(text, "50.0% of its cycles are stalls: load-use 40.0%, d-read-miss 10.0%\n");
    assert_has(text, "> 60.00%      60                 10   83% load-use ");
    free(text);
    gs_profile_free(profile);
}

/* Lines are cut to the terminal, and numbers rounded on a narrow one. */
static void test_width(void **state)
{
    gs_profile *profile = profile_at(*state);
    gs_annotate_options options = {.functions = fib, .function_count = 1, .width = 60};
    profile->insns.items[3].executions = 1234567;
    char *text = annotated(profile, &options);
    assert_has(text, "  1.2M ");
    assert_has(text, "19 | unsign..\n");
    free(text);
    options.width = 120;
    text = annotated(profile, &options);
    assert_has(text, "  1,234,567 ");
    assert_has(text, "19 | unsigned fib(unsigned n)\n");
    free(text);
    gs_profile_free(profile);
}

static void test_without_source(void **state)
{
    const place *at = *state;
    static const char *const all[] = {"fib", "main"};
    gs_profile *profile = profile_at(at);
    gs_annotate_options options = {.functions = all, .function_count = 2, .folder = "/nowhere"};
    strcpy(profile->files.items[0] + strlen(at->folder), "/gone.c");
    char *text = annotated(profile, &options);
    assert_has(text, "gone.c not found, so its functions are shown as disassembly only;\n");
    assert_null(strstr(strstr(text, "note:") + 1, "note:"));
    assert_has(text, "00001010  addi a0,a0,1  ; gone.c:20\n");
    assert_has(text, "00001014  addi a0,a0,1  ; helper(int), even & odd.h:99\n");
    free(text);
    static const char *const odd[] = {"odd"};
    options = (gs_annotate_options){.functions = odd, .function_count = 1};
    text = annotated(profile, &options);
    assert_has(text, "note: functions without line information");
    assert_has(text, "00001034  addi a0,a0,1\n");
    free(text);
    gs_profile_free(profile);
}

/* The folder that is looked in first has the file under some part of its path. */
static void test_folder(void **state)
{
    const place *at = *state;
    gs_profile *profile = profile_at(at);
    gs_annotate_options options = {.functions = fib, .function_count = 1, .folder = at->folder};
    free(profile->files.items[0]);
    profile->files.items[0] = strdup("/somewhere/else/main.c");
    char *text = annotated(profile, &options);
    assert_has(text, "19 | unsigned fib(unsigned n)\n");
    free(text);
    options.disassembly = true;
    text = annotated(profile, &options);
    assert_null(strstr(text, "unsigned"));
    assert_null(strstr(text, "note:"));
    free(text);
    gs_profile_free(profile);
}

static void test_changed(void **state)
{
    const place *at = *state;
    gs_profile *profile = profile_at(at);
    gs_annotate_options options = {.functions = fib, .function_count = 1};
    set_age(at->source, BUILT + 1);
    char *text = annotated(profile, &options);
    assert_has(text, "main.c was changed after the program was built; its lines may not fit\n");
    free(text);
    gs_profile_free(profile);
}

static void test_names(void **state)
{
    gs_profile *profile = profile_at(*state);
    static const struct {
        const char *name, *words;
    } cases[] = {
        {"helper", "helper was inlined wherever it is called; see fib, for example"},
        {"od", "no function 'od' was executed, but there is 'odd'"},
        {"zzz", "no function 'zzz' was executed; 'gumshoe report --top 0' lists"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gs_annotate_options options = {.functions = &cases[i].name, .function_count = 1};
        gs_error err = {0};
        assert_int_equal(gs_report_annotate(stdout, profile, &options, &err), GS_E_NOT_FOUND);
        assert_has(err.message, cases[i].words);
        assert_int_equal(gs_report_annotate_json(stdout, profile, &options, &err), GS_E_NOT_FOUND);
    }
    static const char *const odd[] = {"odd"};
    gs_annotate_options options = {.functions = odd, .function_count = 1};
    gs_error err = {0};
    /* The name that is proposed can be asked for. */
    free(profile->functions.items[SMALL_ODD].name);
    profile->functions.items[SMALL_ODD].name = strdup("int num::Set<int, 3>::odd<char>(int, char)");
    assert_int_equal(gs_report_annotate(stdout, profile, &options, &err), GS_E_NOT_FOUND);
    assert_has(err.message, "but there is 'num::Set::odd'");
    free(profile->functions.items[SMALL_ODD].name);
    profile->functions.items[SMALL_ODD].name = strdup("odd(int, char)");
    char *text = annotated(profile, &options);
    assert_has(text, "\nodd(int, char)\n");
    free(text);
    options.metric = "luck";
    assert_int_equal(gs_report_annotate(stdout, profile, &options, &err), GS_E_ARGUMENT);
    gs_profile_free(profile);
}

static void test_shorter_names(void **state)
{
    static const char fill[] =
        "int img::fill<32, (char)24>(img::Picture<32, 24>&, int (*)(int)) [clone .constprop.0]";
    static const struct {
        const char *name, *wanted;
        bool called;
    } cases[] = {
        {"main", "main", true},
        {"main", "mai", false},
        {"main", "", false},
        {"sort.part.0", "sort", true},
        {"sort.part.0", "sort.part.0", true},
        {"sort.part.0", "sort.part", false},
        {"sort.cold", "sort", true},
        {"sort.constprop.0.isra.12", "sort", true},
        {"sort.constprop.0.isra.12", "sort.constprop.0", true},
        {"sort.lto_priv.3.part.1.cold", "sort", true},
        {"sort.llvm.0", "sort", false},
        {"sort.0", "sort", false},
        {"sort.v1.part.0", "sort", false},
        {"sort.v1.part.0", "sort.v1", true},
        {".part.0", "", false},
        {"f(int)", "f", true},
        {"f(int)", "f(", false},
        {"a::f(int) const", "a::f", true},
        {"a::f(int) const", "f", false},
        {"(anonymous namespace)::f(int)", "(anonymous namespace)::f", true},
        {"a::operator()(int)", "a::operator()", true},
        {"a::operator<(int)", "a::operator<", true},
        {"a::operator bool()", "a::operator bool", true},
        {fill, fill, true},
        {fill, "int img::fill<32, (char)24>(img::Picture<32, 24>&, int (*)(int))", true},
        {fill, "int img::fill<32, (char)24>", true},
        {fill, "img::fill<32, (char)24>", true},
        {fill, "img::fill", true},
        {"f(int) [clone .isra.0] [clone .cold]", "f", true},
        {"f(int) [clone .isra.0] [clone .cold]", "f(int)", true},
        {fill, "img::fil", false},
        {fill, "img::fill<32", false},
        {fill, "img::fills", false},
        {fill, "int", false},
        {"unsigned int a<b<c> >::g<d>()", "a::g", true},
        {"unsigned int a<b<c> >::g<d>()", "a<b<c> >::g<d>", true},
        {"unsigned int a<b<c> >::g<d>()", "a<b<c> >::g", true},
        {"unsigned int a<b<c> >::g<d>()", "a::g<d>", true},
        {"unsigned int a<b<c> >::g<d>()", "a<b>::g", false},
        {"a::operator< <int>(int)", "a::operator<", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (gs_report_is_called(cases[i].name, cases[i].wanted) != cases[i].called)
            fail_msg("%s, %s", cases[i].name, cases[i].wanted);
    }
}

static void test_split_names(void **state)
{
    (void)state;
    assert_true(gs_report_is_split("sort.part.0"));
    assert_true(gs_report_is_split("sort.part.0.isra.0"));
    assert_true(gs_report_is_split("sort.cold"));
    assert_true(gs_report_is_split("f(int) [clone .isra.0] [clone .cold]"));
    assert_false(gs_report_is_split("sort"));
    assert_false(gs_report_is_split("sort.isra.0"));
    assert_false(gs_report_is_split("f(int) [clone .isra.0]"));
    assert_false(gs_report_is_split("part"));
}

static void test_empty(void **state)
{
    (void)state;
    gs_profile *profile = empty_profile();
    gs_annotate_options options = {.top = 3};
    char *text = annotated(profile, &options);
    assert_has(text, "no function has any cycles\n");
    free(text);
    gs_profile_free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_rows, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_totals, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_calls_as_text, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_many_callees, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_adds_up, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_source, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_width, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_without_source, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_folder, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_changed, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_names, make_place, remove_place),
        cmocka_unit_test(test_shorter_names),
        cmocka_unit_test(test_split_names),
        cmocka_unit_test(test_empty),
    };
    return cmocka_run_group_tests_name("annotate", tests, NULL, NULL);
}
