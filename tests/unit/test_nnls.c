/*
 * Non-negative least squares against their definition: x solves the problem if and only if x >= 0,
 * no unknown at 0 would help (gradient <= 0) and none above 0 is off (gradient = 0). Grouping
 * against all ways to group.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/grouping.h"
#include "base/nnls.h"

static uint64_t seed = 88172645463325252u;

static double random_number(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (double)(seed >> 11) * 0x1p-53;
}

static void expect_solution(const double *x, const double *a, const double *b, size_t rows,
                            size_t columns)
{
    double scale = 0;
    for (size_t i = 0; i < rows; i++)
        scale += fabs(b[i]);
    for (size_t j = 0; j < columns; j++) {
        double gradient = 0, length = 0;
        for (size_t i = 0; i < rows; i++) {
            double rest = b[i];
            for (size_t k = 0; k < columns; k++)
                rest -= a[i * columns + k] * x[k];
            gradient += a[i * columns + j] * rest;
            length += a[i * columns + j] * a[i * columns + j];
        }
        double limit = 1e-9 * (1 + scale) * (1 + sqrt(length));
        assert_true(x[j] >= 0);
        assert_true(gradient <= limit);
        assert_true(x[j] == 0 || gradient >= -limit);
    }
}

/* x + y = 3, x - y = 1, and again with a third equation that does not fit. */
static void test_by_hand(void **state)
{
    (void)state;
    double x[2];
    size_t rank;
    gs_error err;
    assert_int_equal(gs_nnls(x, &rank, (double[]){1, 1, 1, -1}, (double[]){3, 1}, 2, 2, &err), 0);
    assert_true(fabs(x[0] - 2) < 1e-12 && fabs(x[1] - 1) < 1e-12 && rank == 2);
    /* y would be -1 at its best; held at 0, x minimises (x-1)^2 + (x-3)^2. */
    assert_int_equal(gs_nnls(x, &rank, (double[]){1, 1, 1, -1}, (double[]){1, 3}, 2, 2, &err), 0);
    assert_true(fabs(x[0] - 2) < 1e-12 && x[1] == 0);
}

static void test_definition(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 300; round++) {
        size_t rows = 1 + (size_t)(random_number() * 20),
               columns = 1 + (size_t)(random_number() * 20);
        double a[400], b[20], x[20];
        size_t rank;
        gs_error err;
        for (size_t i = 0; i < rows * columns; i++)
            a[i] = round % 3 == 0 ? floor(3 * random_number()) : random_number() - 0.3;
        for (size_t i = 0; i < rows; i++)
            b[i] = random_number() - 0.2;
        assert_int_equal(gs_nnls(x, &rank, a, b, rows, columns, &err), GS_OK);
        assert_true(rank <= rows && rank <= columns);
        expect_solution(x, a, b, rows, columns);
    }
}

/* Counts differ by orders of magnitude, and columns are nearly the same. */
static void test_like_counts(void **state)
{
    (void)state;
    enum { ROWS = 40, COLUMNS = 12 };
    double a[ROWS * COLUMNS], b[ROWS] = {0}, x[COLUMNS], truth[COLUMNS];
    gs_error err;
    for (size_t j = 0; j < COLUMNS; j++)
        truth[j] = j == 3 ? 0 : 1 + (double)j / 4;
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < COLUMNS; j++) {
            a[i * COLUMNS + j] =
                floor(1e6 * (1 + 0.1 * random_number()) * pow(10, (double)(j % 4)));
            b[i] += a[i * COLUMNS + j] * truth[j];
        }
    }
    size_t rank;
    assert_int_equal(gs_nnls(x, &rank, a, b, ROWS, COLUMNS, &err), GS_OK);
    assert_int_equal(rank, COLUMNS);
    for (size_t j = 0; j < COLUMNS; j++)
        assert_true(fabs(x[j] - truth[j]) < 1e-6);
}

static void test_dependent(void **state)
{
    (void)state;
    double x[3];
    size_t rank;
    gs_error err;
    /* The second column is the first one twice; the third is empty. */
    double a[] = {1, 2, 0, 2, 4, 0, 3, 6, 0};
    assert_int_equal(gs_nnls(x, &rank, a, (double[]){1, 2, 3}, 3, 3, &err), GS_OK);
    assert_int_equal(rank, 1);
    assert_true(x[2] == 0 && fabs(x[0] + 2 * x[1] - 1) < 1e-12);
    expect_solution(x, a, (double[]){1, 2, 3}, 3, 3);
    assert_int_equal(gs_nnls(x, &rank, a, NULL, 0, 3, &err), GS_OK);
    assert_true(x[0] == 0 && x[1] == 0 && rank == 0);
}

static double cost_of(const double *values, const double *weights, const size_t *of, size_t count,
                      size_t groups)
{
    double cost = 0;
    for (size_t g = 0; g < groups; g++) {
        double sum = 0, members = 0;
        for (size_t i = 0; i < count; i++) {
            sum += of[i] == g ? weights[i] * values[i] : 0;
            members += of[i] == g ? weights[i] : 0;
        }
        for (size_t i = 0; i < count && members > 0; i++) {
            double distance = values[i] - sum / members;
            cost += of[i] == g ? weights[i] * distance * distance : 0;
        }
    }
    return cost;
}

static void test_groups_are_best(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 60; round++) {
        enum { COUNT = 7 };
        double values[COUNT], weights[COUNT];
        size_t of[COUNT], used, groups = 1 + round % 4, ways = 1;
        gs_error err;
        for (size_t i = 0; i < COUNT; i++) {
            values[i] = round % 2 ? floor(5 * random_number()) : 100 * random_number();
            weights[i] = round % 3 ? 0.01 + random_number() : 1;
        }
        assert_int_equal(
            gs_group_values(of, &used, values, round % 3 ? weights : NULL, COUNT, groups, &err),
            GS_OK);
        assert_true(used <= groups);
        double found = cost_of(values, weights, of, COUNT, used);
        for (size_t i = 0; i < COUNT; i++)
            ways *= groups;
        for (size_t way = 0; way < ways; way++) {
            size_t other[COUNT], rest = way;
            for (size_t i = 0; i < COUNT; i++, rest /= groups)
                other[i] = rest % groups;
            assert_true(found <= cost_of(values, weights, other, COUNT, groups) + 1e-9);
        }
        for (size_t i = 0; i < COUNT; i++) {
            for (size_t j = 0; j < COUNT; j++)
                assert_true(values[i] >= values[j] || of[i] <= of[j]);
        }
    }
}

static void test_few_values(void **state)
{
    (void)state;
    size_t of[4], used;
    gs_error err;
    assert_int_equal(gs_group_values(of, &used, (double[]){5, 2, 5, 2}, NULL, 4, 6, &err), GS_OK);
    assert_int_equal(used, 2);
    assert_true(of[0] == 1 && of[1] == 0 && of[2] == 1 && of[3] == 0);
    assert_int_equal(gs_group_values(of, &used, NULL, NULL, 0, 6, &err), GS_OK);
    assert_int_equal(used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),         cmocka_unit_test(test_definition),
        cmocka_unit_test(test_like_counts),     cmocka_unit_test(test_dependent),
        cmocka_unit_test(test_groups_are_best), cmocka_unit_test(test_few_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
