/*
 * formula.h - arithmetic over named values, as a sweep's objectives and constraints have it.
 *
 *     8 * (icache.size + dcache.size) + (core == "flatfoot" ? 0 : 500)
 *
 * Numbers are like those of a description (8K, 0x10, 1.5), names have letters, digits, dots and
 * underscores, texts stand in quotes. From weak to strong: ? :, ||, &&, comparisons, + -, * / %, a
 * sign or !, and the functions min, max, log2 and ceil. A formula is read-only once it is open.
 */
#ifndef GS_EXPLORE_FORMULA_H
#define GS_EXPLORE_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct gs_formula gs_formula;

/* A number, or a text if it is not NULL. */
typedef struct gs_formula_value {
    double number;
    const char *text;
} gs_formula_value;

/* *out is the caller's, NULL on failure. GS_E_FORMAT says what is wrong and where in the text. */
gs_status gs_formula_open(gs_formula **out, const char *text, gs_error *err);
void gs_formula_free(gs_formula *formula); /* NULL is fine */

/* The names in it, each once; NULL from the count on. Borrowed. */
const char *gs_formula_name(const gs_formula *formula, size_t index);

/* What a name stands for; false if it has no value, of which `err` then tells. */
typedef bool gs_formula_lookup(void *self, const char *name, gs_formula_value *value,
                               gs_error *err);

/* GS_E_FORMAT for a name without a value, for texts where numbers belong, and for a result that is
 * not finite. */
gs_status gs_formula_evaluate(const gs_formula *formula, gs_formula_lookup *lookup, void *self,
                              double *result, gs_error *err);

/* A number as a description has it, with a fraction or an exponent if need be. */
bool gs_formula_number(const char *text, double *number);

#endif
