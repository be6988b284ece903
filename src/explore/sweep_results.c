/*
 * Reads a sweep's results. The description in the file says which design a point is of, and the
 * formulas are evaluated here, so that other objectives need no other runs.
 */
#include "explore/sweep_results.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "profile/profile_file.h"

enum { MAX_PROGRAMS = 64 };

static const double fj_per_joule = 1e15;

/* What a design's points have come to together. */
typedef struct sums {
    double metrics[GS_METRIC_COUNT];
    double seconds, code_bytes, storage_bits;
    size_t points, failed;
    gs_arena arena;
    gs_config_node *core; /* its description; NULL until it is needed */
    char *core_yaml;
    const char *const *values;
    const gs_sweep *sweep;
} sums;

static gs_status find_sweep(sqlite3 *db, const char *path, const char *which, int64_t *id,
                            gs_sweep **sweep, gs_error *err)
{
    sqlite3_stmt *query = NULL;
    if (!gs_profile_has_column(db, GS_TABLE_SWEEP, NULL) ||
        !gs_profile_has_column(db, GS_TABLE_SWEEP_POINT, NULL))
        return gs_fail(err, GS_E_NOT_FOUND, "%s: there is no sweep in it", path);
    if (sqlite3_prepare_v2(
            db,
            "SELECT id, name, description FROM sweep WHERE ?1 IS NULL OR name = ?1 OR id = ?1 "
            "ORDER BY id DESC LIMIT 1",
            -1, &query, NULL) != SQLITE_OK)
        return gs_profile_fail(db, path, err);
    gs_status status = GS_OK;
    if (which)
        sqlite3_bind_text(query, 1, which, -1, SQLITE_STATIC);
    const int code = sqlite3_step(query);
    if (code == SQLITE_DONE)
        status = gs_fail(err, GS_E_NOT_FOUND, "%s: there is no sweep%s%s in it", path,
                         which ? " " : "", which ? which : "");
    else if (code != SQLITE_ROW)
        status = gs_profile_fail(db, path, err);
    if (status == GS_OK) {
        const char *name = (const char *)sqlite3_column_text(query, 1);
        const char *text = (const char *)sqlite3_column_text(query, 2);
        *id = sqlite3_column_int64(query, 0);
        status = name && text
                     ? gs_sweep_parse(sweep, name, text, strlen(text), err)
                     : gs_fail(err, GS_E_FORMAT, "%s: damaged (a sweep without description)", path);
    }
    sqlite3_finalize(query);
    return status;
}

/* Objectives that the caller wants instead: "name=formula" or a formula. */
static gs_status replace_objectives(gs_sweep *sweep, const char *const *wanted, size_t count,
                                    gs_error *err)
{
    for (size_t i = 0; i < sweep->objectives.count && count > 0; i++)
        gs_formula_free(sweep->objectives.items[i].formula);
    if (count > 0)
        sweep->objectives.count = 0;
    for (size_t i = 0; i < count + (count == 0 && sweep->objectives.count == 0); i++) {
        const char *text = count ? wanted[i] : "cycles", *equals = strchr(text, '=');
        const size_t length =
            strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-. ");
        const bool named = equals && (size_t)(equals - text) == length && equals[1] != '=';
        size_t name_length = named ? length : strlen(text);
        while (named && name_length > 1 && text[name_length - 1] == ' ')
            name_length--;
        gs_sweep_objective o = {
            .name = gs_arena_copy(&sweep->arena, text, name_length),
            .text = gs_arena_copy(&sweep->arena, named ? equals + 1 : text,
                                  strlen(named ? equals + 1 : text)),
        };
        if (!o.name || !o.text)
            return gs_fail_no_memory(err);
        gs_status status = gs_formula_open(&o.formula, o.text, err);
        if (status != GS_OK)
            return status;
        if (!gs_vec_push(&sweep->objectives, o)) {
            gs_formula_free(o.formula);
            return gs_fail_no_memory(err);
        }
    }
    return GS_OK;
}

static gs_status add_points(sqlite3 *db, const char *path, int64_t id, sums *all,
                            const gs_sweep *sweep, gs_error *err)
{
    sqlite3_str *sql = sqlite3_str_new(db);
    sqlite3_stmt *query = NULL;
    sqlite3_str_appendall(
        sql, "SELECT p.id, p.error, p.code_bytes, p.storage_bits, r.clock_hz, r.core_yaml");
    for (unsigned i = 0; i < GS_METRIC_COUNT; i++) {
        char name[GS_COLUMN_NAME];
        gs_profile_column((gs_metric)i, name);
        sqlite3_str_appendf(sql, ", r.%s", name);
    }
    sqlite3_str_appendall(sql,
                          " FROM sweep_point p LEFT JOIN run r ON r.id = p.run WHERE p.sweep = ?");
    char *text = sqlite3_str_finish(sql);
    const int prepared = text ? sqlite3_prepare_v2(db, text, -1, &query, NULL) : SQLITE_NOMEM;
    sqlite3_free(text);
    if (prepared != SQLITE_OK)
        return gs_profile_fail(db, path, err);
    gs_status status = GS_OK;
    int code;
    sqlite3_bind_int64(query, 1, id);
    while (status == GS_OK && (code = sqlite3_step(query)) != SQLITE_DONE) {
        const int64_t point = sqlite3_column_int64(query, 0);
        if (code != SQLITE_ROW) {
            status = gs_profile_fail(db, path, err);
        } else if (point < 0 || (uint64_t)point >= gs_sweep_point_count(sweep)) {
            status = gs_fail(err, GS_E_FORMAT, "%s: damaged (point %" PRId64 ")", path, point);
        } else {
            sums *s = &all[(size_t)point / sweep->programs.count];
            const char *error = (const char *)sqlite3_column_text(query, 1);
            const char *yaml = (const char *)sqlite3_column_text(query, 5);
            const double clock = sqlite3_column_double(query, 4);
            s->points++;
            s->failed += !error || *error || !yaml;
            s->code_bytes += sqlite3_column_double(query, 2);
            s->storage_bits = sqlite3_column_double(query, 3);
            for (int i = 0; i < GS_METRIC_COUNT; i++)
                s->metrics[i] += sqlite3_column_double(query, 6 + i);
            s->seconds += clock > 0 ? sqlite3_column_double(query, 6) / clock : 0;
            if (yaml && !s->core_yaml && !(s->core_yaml = strdup(yaml)))
                status = gs_fail_no_memory(err);
        }
    }
    sqlite3_finalize(query);
    return status;
}

/* A key of the core's description. */
static bool look_up_key(sums *s, const char *name, gs_formula_value *value, gs_error *err)
{
    if (!s->core && gs_config_parse(&s->core, &s->arena, "core", s->core_yaml, strlen(s->core_yaml),
                                    err) != GS_OK)
        return false;
    const gs_config_node *node = s->core;
    for (const char *at = name; node && *at;) {
        const size_t length = strcspn(at, ".");
        const gs_config_node *child = node->kind == GS_CONFIG_KEYS ? node->first : NULL;
        while (child && (strlen(child->key) != length || strncmp(child->key, at, length) != 0))
            child = child->next;
        node = child;
        at += length + (at[length] == '.');
    }
    if (!node || node->kind != GS_CONFIG_VALUE) {
        gs_fail(err, GS_E_FORMAT,
                "'%.60s' is neither a metric (cycles, d_misses, time, energy, code_size, "
                "storage_bits ...) "
                "nor an axis, and the core's description does not say it",
                name);
        return false;
    }
    *value = (gs_formula_value){0};
    if (!gs_formula_number(node->text, &value->number))
        value->text = node->text;
    return true;
}

static bool look_up(void *self, const char *name, gs_formula_value *value, gs_error *err)
{
    sums *s = self;
    *value = (gs_formula_value){0};
    if (strcmp(name, "energy") == 0) {
        if (s->metrics[GS_METRIC_ENERGY] <= 0) {
            gs_fail(err, GS_E_FORMAT, "there is no energy: the core has no energy table");
            return false;
        }
        value->number = s->metrics[GS_METRIC_ENERGY] / fj_per_joule;
        return true;
    }
    const struct {
        const char *name;
        double value;
    } known[] = {
        {"time", s->seconds}, {"code_size", s->code_bytes}, {"storage_bits", s->storage_bits}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].name, name) == 0) {
            value->number = known[i].value;
            return true;
        }
    }
    for (unsigned i = 0; i < GS_METRIC_COUNT; i++) {
        char column[GS_COLUMN_NAME];
        gs_profile_column((gs_metric)i, column);
        if (strcmp(column, name) == 0) {
            value->number = s->metrics[i];
            return true;
        }
    }
    for (size_t i = 0; i < s->sweep->axes.count; i++) {
        if (strcmp(s->sweep->axes.items[i].node->key, name) == 0 && s->values[i]) {
            if (!gs_formula_number(s->values[i], &value->number))
                value->text = s->values[i];
            return true;
        }
    }
    return look_up_key(s, name, value, err);
}

static gs_status add_outcome(gs_sweep_results *r, sums *s, size_t design, gs_error *err)
{
    const gs_sweep *sweep = r->sweep;
    gs_sweep_outcome *o = &r->outcomes[r->count];
    if (s->failed) {
        r->failed++;
        return GS_OK;
    }
    if (s->points < sweep->programs.count) {
        r->missing++;
        return GS_OK;
    }
    *o = (gs_sweep_outcome){.design = design,
                            .values = r->values + r->count++ * sweep->objectives.count};
    s->sweep = sweep;
    s->values = gs_sweep_values(sweep, design);
    for (size_t i = 0; i < sweep->objectives.count; i++) {
        gs_error problem;
        if (gs_formula_evaluate(sweep->objectives.items[i].formula, look_up, s, &o->values[i],
                                &problem) != GS_OK)
            return gs_fail(err, GS_E_FORMAT, "objective %s: %s", sweep->objectives.items[i].name,
                           problem.message);
    }
    return GS_OK;
}

static gs_status evaluate(gs_sweep_results *r, sums *all, gs_error *err)
{
    const size_t designs = r->sweep->design_count;
    gs_status status = GS_OK;
    r->outcomes = calloc(designs, sizeof *r->outcomes);
    r->values = calloc(designs * r->sweep->objectives.count, sizeof *r->values);
    if (!r->outcomes || !r->values)
        return gs_fail_no_memory(err);
    for (size_t i = 0; i < designs && status == GS_OK; i++)
        status = add_outcome(r, &all[i], i, err);
    const size_t objectives = r->sweep->objectives.count;
    r->front_objectives = objectives < GS_SWEEP_FRONT_MAX ? objectives : GS_SWEEP_FRONT_MAX;
    return status == GS_OK ? gs_sweep_choose(r, err) : status;
}

gs_status gs_sweep_results_open(gs_sweep_results **out, const char *path,
                                const gs_sweep_question *question, gs_error *err)
{
    sqlite3 *db = NULL;
    bool fresh = false;
    int64_t id = 0;
    sums *all = NULL;
    *out = NULL;
    gs_sweep_results *r = calloc(1, sizeof *r);
    if (!r)
        return gs_fail_no_memory(err);
    r->within = question->within;
    gs_status status = gs_profile_open_reading(&db, path, &fresh, err);
    if (status == GS_OK)
        status = find_sweep(db, path, question->sweep, &id, &r->sweep, err);
    if (status == GS_OK)
        status = replace_objectives(r->sweep, question->objectives, question->objective_count, err);
    if (status == GS_OK && !(all = calloc(r->sweep->design_count, sizeof *all)))
        status = gs_fail_no_memory(err);
    if (status == GS_OK)
        status = add_points(db, path, id, all, r->sweep, err);
    if (status == GS_OK)
        status = evaluate(r, all, err);
    for (size_t i = 0; all && i < r->sweep->design_count; i++) {
        gs_arena_free(&all[i].arena);
        free(all[i].core_yaml);
    }
    free(all);
    sqlite3_close(db);
    if (status != GS_OK) {
        gs_sweep_results_free(r);
        return status;
    }
    *out = r;
    return GS_OK;
}

void gs_sweep_results_free(gs_sweep_results *r)
{
    if (!r)
        return;
    gs_sweep_free(r->sweep);
    free(r->outcomes);
    free(r->values);
    free(r);
}
