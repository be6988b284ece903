/*
 * YAML trees: what they remember, how they are merged and printed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/config.h"

static gs_arena arena;

static int clean_up(void **state)
{
    (void)state;
    gs_arena_free(&arena);
    return 0;
}

static gs_config_node *parse(const char *text)
{
    gs_config_node *root;
    gs_error err;
    if (gs_config_parse(&root, &arena, "f.yaml", text, strlen(text), &err))
        fail_msg("%s", err.message);
    return root;
}

static void assert_refused(const char *text, size_t size, const char *message)
{
    gs_config_node *root;
    gs_error err;
    assert_int_not_equal(gs_config_parse(&root, &arena, "f.yaml", text, size, &err), GS_OK);
    assert_null(root);
    assert_string_equal(err.message, message);
}

static void assert_prints(const gs_config_node *root, const char *wanted)
{
    char *text;
    size_t size;
    gs_error err;
    assert_int_equal(gs_config_print(&text, &size, root, &err), GS_OK);
    assert_string_equal(text, wanted);
    assert_int_equal(size, strlen(text));
    free(text);
}

static void test_nodes_know_their_place(void **state)
{
    (void)state;
    gs_config_node *root = parse("# comment\na: 1\nb:\n  - x\n  - c: \"null\"\n");
    assert_int_equal(root->kind, GS_CONFIG_KEYS);
    const gs_config_node *a = gs_config_find(root, "a");
    assert_string_equal(a->text, "1");
    assert_string_equal(a->origin, "f.yaml");
    assert_int_equal(a->line, 2);
    assert_int_equal(gs_config_find(root, "b")->key_line, 3);
    assert_int_equal(gs_config_find(root, "b[0]")->line, 4);
    const gs_config_node *c = gs_config_find(root, "b[1].c");
    assert_int_equal(c->key_line, 5);
    assert_true(c->quoted);
    assert_false(gs_config_is_null(c));
    assert_ptr_equal(gs_config_find(root, "b[7].nothing"), gs_config_find(root, "b"));
    assert_ptr_equal(gs_config_find(root, "a.nothing"), a);
}

static void test_bad_texts_are_refused(void **state)
{
    (void)state;
    assert_refused("", 0, "f.yaml: there is nothing in it");
    assert_refused("# only a comment\n", 17, "f.yaml: there is nothing in it");
    assert_refused("~\n", 2, "f.yaml: there is nothing in it");
    assert_refused("a: [1\n", 6,
                   "f.yaml:2: not YAML: did not find expected ',' or ']' while parsing a flow "
                   "sequence");
    assert_refused("a: b\n\x01", 6, "f.yaml:2: not YAML: control characters are not allowed");
    assert_refused("a: b\nc: \xff\n", 10, "f.yaml:2: not YAML: invalid leading UTF-8 octet");
    assert_refused("a: &x 1\n", 8,
                   "f.yaml:1: YAML anchors (&name) and aliases (*name) are not supported here");
    assert_refused("a: 1\nb: *x\n", 11,
                   "f.yaml:2: YAML anchors (&name) and aliases (*name) are not supported here");
    assert_refused("a: \"x\\0y\"\n", 10, "f.yaml:1: a NUL character is not allowed");
    assert_refused("\n\"a\\e[2J\": 1\n", 12, "f.yaml:2: control characters are not allowed");
    assert_refused("a: \"\\u009b2J\"\n", 14, "f.yaml:1: control characters are not allowed");
    assert_refused("a: 1\n---\nb: 2\n", 14, "f.yaml:2: a second document begins here");
    assert_refused("[x]: 1\n", 7, "f.yaml:1: a key must be a single word");
}

static void test_a_bomb_of_aliases_is_refused_at_once(void **state)
{
    (void)state;
    char text[4096] = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 30; i++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d]\n",
                 i, i, i - 1, i - 1, i - 1, i - 1, i - 1);
    }
    assert_refused(text, strlen(text),
                   "f.yaml:1: YAML anchors (&name) and aliases (*name) are not supported here");
}

static void test_merging(void **state)
{
    (void)state;
    gs_config_node *base = parse("a: 1\nb: {x: 1, y: 2}\nc: [1, 2]\nd: 4\n");
    gs_config_node *over = parse("b: {y: 3, z: ~}\nc: [9]\nd: null\ne: {f: 5, g: null}\n");
    gs_config_merge(base, over);
    assert_prints(base, "a: 1\nb:\n  x: 1\n  y: 3\nc: [9]\ne:\n  f: 5\n");
    gs_config_merge(base, parse("a: {now: keys}\nb: text\n"));
    assert_prints(base, "a:\n  now: keys\nb: text\nc: [9]\ne:\n  f: 5\n");
    gs_config_merge(base, parse("e: null\n"));
    gs_config_merge(base, parse("h: 1\n"));
    assert_prints(base, "a:\n  now: keys\nb: text\nc: [9]\nh: 1\n");
}

static void test_settings(void **state)
{
    (void)state;
    gs_config_node *root;
    gs_error err;
    assert_int_equal(gs_config_parse_set(&root, &arena, "--set", "a.b=16K", &err), GS_OK);
    assert_prints(root, "a:\n  b: 16K\n");
    assert_string_equal(gs_config_find(root, "a.b")->origin, "--set a.b=16K");
    assert_int_equal(gs_config_find(root, "a.b")->line, 0);
    assert_int_equal(gs_config_parse_set(&root, &arena, "--set", "a={b: 1, c: [x, y]}", &err),
                     GS_OK);
    assert_prints(root, "a:\n  b: 1\n  c: [x, y]\n");
    assert_int_equal(gs_config_parse_set(&root, &arena, "--set", "a=b=c", &err), GS_OK);
    assert_prints(root, "a: b=c\n");

    static const char *const bad[] = {"", "a", "=1", ".a=1", "a.=1", "a..b=1", "a b=1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char wanted[100];
        snprintf(wanted, sizeof wanted, "--set %s: this is not of the form key.key=value", bad[i]);
        assert_int_equal(gs_config_parse_set(&root, &arena, "--set", bad[i], &err), GS_E_ARGUMENT);
        assert_string_equal(err.message, wanted);
    }
    assert_int_not_equal(gs_config_parse_set(&root, &arena, "--set", "a=", &err), GS_OK);
    assert_string_equal(err.message, "--set a=: there is no value after the '='; null would take "
                                     "the key away");
    assert_int_not_equal(gs_config_parse_set(&root, &arena, "--set", "a=[", &err), GS_OK);
    assert_string_equal(err.message, "--set a=[: not YAML: did not find expected node content "
                                     "while parsing a flow node");
}

/* What is printed says the same as what was read. */
static void test_printing_keeps_the_meaning(void **state)
{
    (void)state;
    gs_config_node *root = parse("a: \"null\"\nb: '~'\nc: \"\"\nd: \"x: y\"\ne: \"two\\nlines\"\n"
                                 "f: \"\xc3\xbc\"\ng: []\nh: {}\ni: ' space'\n");
    char *once, *twice;
    size_t size;
    gs_error err;
    assert_int_equal(gs_config_print(&once, &size, root, &err), GS_OK);
    root = parse(once);
    assert_string_equal(gs_config_find(root, "a")->text, "null");
    assert_false(gs_config_is_null(gs_config_find(root, "a")));
    assert_false(gs_config_is_null(gs_config_find(root, "b")));
    assert_false(gs_config_is_null(gs_config_find(root, "c")));
    assert_string_equal(gs_config_find(root, "d")->text, "x: y");
    assert_string_equal(gs_config_find(root, "e")->text, "two\nlines");
    assert_string_equal(gs_config_find(root, "f")->text, "\xc3\xbc");
    assert_string_equal(gs_config_find(root, "i")->text, " space");
    assert_int_equal(gs_config_print(&twice, &size, root, &err), GS_OK);
    assert_string_equal(once, twice);
    free(once);
    free(twice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_nodes_know_their_place, clean_up),
        cmocka_unit_test_teardown(test_bad_texts_are_refused, clean_up),
        cmocka_unit_test_teardown(test_a_bomb_of_aliases_is_refused_at_once, clean_up),
        cmocka_unit_test_teardown(test_merging, clean_up),
        cmocka_unit_test_teardown(test_settings, clean_up),
        cmocka_unit_test_teardown(test_printing_keeps_the_meaning, clean_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
