/* Formulas: a parser by precedence that makes code for a machine with a stack, and that machine. */
#include "explore/formula.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/vec.h"

enum { MAX_DEPTH = 64, MAX_STACK = 256, MAX_NAME = 128, MAX_LENGTH = 4096 };

typedef enum operation {
    PUSH_NUMBER,
    PUSH_TEXT,
    PUSH_NAME,
    NEGATE,
    NOT,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    REMAINDER,
    EQUAL,
    UNEQUAL,
    LESS,
    LESS_EQUAL,
    GREATER,
    GREATER_EQUAL,
    AND,
    OR,
    CHOOSE, /* condition, then, else */
    MINIMUM,
    MAXIMUM,
    LOG2,
    CEILING,
} operation;

typedef struct step {
    operation operation;
    double number;
    size_t text; /* of a text or name: its number */
} step;

typedef struct texts {
    char **items;
    size_t count, capacity;
} texts;

struct gs_formula {
    struct {
        step *items;
        size_t count, capacity;
    } steps;
    texts names, strings;
};

typedef struct parser {
    gs_formula *formula;
    const char *text, *at;
    unsigned depth;
    size_t stack; /* values on it at this place */
    gs_error *err;
    gs_status status;
} parser;

static bool fail(parser *p, const char *what)
{
    if (p->status == GS_OK)
        p->status = gs_fail(p->err, GS_E_FORMAT, "formula '%.60s', at character %zu: %s", p->text,
                            (size_t)(p->at - p->text) + 1, what);
    return false;
}

static void skip_blanks(parser *p)
{
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n')
        p->at++;
}

static bool emit(parser *p, operation what, unsigned takes, double number, size_t text)
{
    const step s = {what, number, text};
    p->stack += 1 - (size_t)takes;
    if (p->stack > MAX_STACK)
        return fail(p, "too many values at once");
    if (!gs_vec_push(&p->formula->steps, s)) {
        p->status = gs_fail_no_memory(p->err);
        return false;
    }
    return true;
}

/* The number of a text in a list, to which it is added if need be. */
static bool keep(parser *p, texts *list, const char *text, size_t length, size_t *index)
{
    for (*index = 0; *index < list->count; ++*index) {
        if (strncmp(list->items[*index], text, length) == 0 && !list->items[*index][length])
            return true;
    }
    char *copy = strndup(text, length);
    if (copy && gs_vec_push(list, copy))
        return true;
    free(copy);
    p->status = gs_fail_no_memory(p->err);
    return false;
}

bool gs_formula_number(const char *text, double *number)
{
    uint64_t whole;
    if (gs_number_parse(text, &whole)) {
        *number = (double)whole;
        return true;
    }
    if (strspn(text, "0123456789.eE+-") != strlen(text) || !*text)
        return false;
    char *end;
    *number = strtod(text, &end);
    return *end == '\0' && isfinite(*number);
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static bool parse_number(parser *p)
{
    char digits[MAX_NAME];
    size_t length = 0;
    double value;
    while (is_word(p->at[length]) ||
           (length > 0 && (p->at[length] == '-' || p->at[length] == '+') &&
            tolower((unsigned char)p->at[length - 1]) == 'e' && p->at[1] != 'x'))
        length++;
    if (length >= sizeof digits)
        return fail(p, "this number is too long");
    memcpy(digits, p->at, length);
    digits[length] = '\0';
    if (!gs_formula_number(digits, &value))
        return fail(p, "this is no number; allowed are those like 4096, 0x1000, 4K and 1.5");
    p->at += length;
    return emit(p, PUSH_NUMBER, 0, value, 0);
}

static bool parse_choice(parser *p);

static bool accept(parser *p, const char *symbol)
{
    skip_blanks(p);
    const size_t length = strlen(symbol);
    if (strncmp(p->at, symbol, length) != 0)
        return false;
    p->at += length;
    return true;
}

static bool expect(parser *p, const char *symbol, const char *complaint)
{
    return accept(p, symbol) || fail(p, complaint);
}

static bool parse_call(parser *p, const char *name, size_t length)
{
    static const struct {
        const char *name;
        operation operation;
        unsigned arguments; /* 0: any number, one at least */
    } functions[] = {
        {"min", MINIMUM, 0}, {"max", MAXIMUM, 0}, {"log2", LOG2, 1}, {"ceil", CEILING, 1}};
    size_t i = 0;
    const size_t count = sizeof functions / sizeof *functions;
    while (i < count &&
           (strlen(functions[i].name) != length || strncmp(functions[i].name, name, length) != 0))
        i++;
    if (i == count) {
        p->at = name;
        return fail(p, "there is no such function; there are min, max, log2 and ceil");
    }
    if (!parse_choice(p))
        return false;
    if (functions[i].arguments == 1)
        return expect(p, ")", "a ) is missing") && emit(p, functions[i].operation, 1, 0, 0);
    while (accept(p, ",")) {
        if (!parse_choice(p) || !emit(p, functions[i].operation, 2, 0, 0))
            return false;
    }
    return expect(p, ")", "a , or a ) is missing");
}

static bool parse_name(parser *p)
{
    const char *name = p->at;
    size_t index;
    while (is_word(*p->at))
        p->at++;
    const size_t length = (size_t)(p->at - name);
    if (length >= MAX_NAME)
        return fail(p, "this name is too long");
    if (accept(p, "("))
        return parse_call(p, name, length);
    return keep(p, &p->formula->names, name, length, &index) && emit(p, PUSH_NAME, 0, 0, index);
}

static bool parse_text(parser *p)
{
    const char quote = *p->at++, *end = strchr(p->at, quote);
    size_t index;
    if (!end)
        return fail(p, "the quote that ends this text is missing");
    if (!keep(p, &p->formula->strings, p->at, (size_t)(end - p->at), &index))
        return false;
    p->at = end + 1;
    return emit(p, PUSH_TEXT, 0, 0, index);
}

static bool parse_value(parser *p)
{
    skip_blanks(p);
    if (isdigit((unsigned char)*p->at) || *p->at == '.')
        return parse_number(p);
    if (isalpha((unsigned char)*p->at) || *p->at == '_')
        return parse_name(p);
    if (*p->at == '"' || *p->at == '\'')
        return parse_text(p);
    if (accept(p, "("))
        return parse_choice(p) && expect(p, ")", "a ) is missing");
    return fail(p, *p->at ? "a number, a name or a ( belongs here" : "it ends too early");
}

static bool parse_signed(parser *p)
{
    if (++p->depth > MAX_DEPTH)
        return fail(p, "it is nested too deeply");
    bool ok;
    skip_blanks(p);
    if (*p->at == '!' && p->at[1] != '=') {
        p->at++;
        ok = parse_signed(p) && emit(p, NOT, 1, 0, 0);
    } else if (accept(p, "-")) {
        ok = parse_signed(p) && emit(p, NEGATE, 1, 0, 0);
    } else {
        ok = parse_value(p);
    }
    p->depth--;
    return ok;
}

/* Operators with two operands, by how strongly they bind. Longer symbols come first. */
static const struct {
    const char *symbol;
    operation operation;
    unsigned level;
} binary[] = {{"||", OR, 0},      {"&&", AND, 1},        {"==", EQUAL, 2},
              {"!=", UNEQUAL, 2}, {"<=", LESS_EQUAL, 2}, {">=", GREATER_EQUAL, 2},
              {"<", LESS, 2},     {">", GREATER, 2},     {"+", ADD, 3},
              {"-", SUBTRACT, 3}, {"*", MULTIPLY, 4},    {"/", DIVIDE, 4},
              {"%", REMAINDER, 4}};
enum { LEVELS = 5, OPERATORS = sizeof binary / sizeof *binary };

static bool parse_level(parser *p, unsigned level)
{
    if (level == LEVELS)
        return parse_signed(p);
    if (!parse_level(p, level + 1))
        return false;
    for (;;) {
        size_t i = 0;
        while (i < OPERATORS && (binary[i].level != level || !accept(p, binary[i].symbol)))
            i++;
        if (i == OPERATORS)
            return true;
        if (!parse_level(p, level + 1) || !emit(p, binary[i].operation, 2, 0, 0))
            return false;
    }
}

static bool parse_choice(parser *p)
{
    if (++p->depth > MAX_DEPTH)
        return fail(p, "it is nested too deeply");
    bool ok = parse_level(p, 0);
    if (ok && accept(p, "?"))
        ok = parse_choice(p) && expect(p, ":", "the : of a ? is missing") && parse_choice(p) &&
             emit(p, CHOOSE, 3, 0, 0);
    p->depth--;
    return ok;
}

gs_status gs_formula_open(gs_formula **out, const char *text, gs_error *err)
{
    *out = NULL;
    if (strlen(text) > MAX_LENGTH)
        return gs_fail(err, GS_E_FORMAT, "a formula has at most %d characters", MAX_LENGTH);
    gs_formula *formula = calloc(1, sizeof *formula);
    if (!formula)
        return gs_fail_no_memory(err);
    parser p = {.formula = formula, .text = text, .at = text, .err = err};
    if (parse_choice(&p)) {
        skip_blanks(&p);
        if (*p.at)
            (void)fail(&p, "an operator belongs here");
    }
    if (p.status != GS_OK) {
        gs_formula_free(formula);
        return p.status;
    }
    *out = formula;
    return GS_OK;
}

static void free_texts(texts *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i]);
    free(list->items);
}

void gs_formula_free(gs_formula *formula)
{
    if (!formula)
        return;
    free_texts(&formula->names);
    free_texts(&formula->strings);
    free(formula->steps.items);
    free(formula);
}

const char *gs_formula_name(const gs_formula *formula, size_t index)
{
    return index < formula->names.count ? formula->names.items[index] : NULL;
}

static double apply(operation what, double a, double b)
{
    switch (what) {
    case ADD: return a + b;
    case SUBTRACT: return a - b;
    case MULTIPLY: return a * b;
    case DIVIDE: return a / b;
    case REMAINDER: return fmod(a, b);
    case EQUAL: return a == b;
    case UNEQUAL: return a != b;
    case LESS: return a < b;
    case LESS_EQUAL: return a <= b;
    case GREATER: return a > b;
    case GREATER_EQUAL: return a >= b;
    case AND: return a != 0 && b != 0;
    case OR: return a != 0 || b != 0;
    case MINIMUM: return a < b ? a : b;
    case MAXIMUM: return a > b ? a : b;
    case NEGATE: return -a;
    case NOT: return a == 0;
    case LOG2: return log2(a);
    case CEILING: return ceil(a);
    default: return 0;
    }
}

static gs_status no_number(const gs_formula_value *value, gs_error *err)
{
    return gs_fail(err, GS_E_FORMAT, "'%.60s' is no number to calculate with", value->text);
}

/* Texts are only equal or not. */
static gs_status combine(operation what, gs_formula_value *a, const gs_formula_value *b,
                         gs_error *err)
{
    const bool compares = what == EQUAL || what == UNEQUAL;
    if (a->text && b->text && compares) {
        const bool same = strcmp(a->text, b->text) == 0;
        *a = (gs_formula_value){.number = what == EQUAL ? same : !same};
        return GS_OK;
    }
    if ((a->text || b->text) && compares) {
        *a = (gs_formula_value){.number = what == UNEQUAL};
        return GS_OK;
    }
    if (a->text || b->text)
        return no_number(a->text ? a : b, err);
    a->number = apply(what, a->number, b->number);
    return GS_OK;
}

gs_status gs_formula_evaluate(const gs_formula *formula, gs_formula_lookup *lookup, void *self,
                              double *result, gs_error *err)
{
    gs_formula_value stack[MAX_STACK + 1];
    size_t top = 0; /* values on the stack */
    *result = 0;
    for (size_t i = 0; i < formula->steps.count; i++) {
        const step *s = &formula->steps.items[i];
        gs_status status = GS_OK;
        switch (s->operation) {
        case PUSH_NUMBER: stack[top++] = (gs_formula_value){.number = s->number}; break;
        case PUSH_TEXT:
            stack[top++] = (gs_formula_value){.text = formula->strings.items[s->text]};
            break;
        case PUSH_NAME:
            if (!lookup(self, formula->names.items[s->text], &stack[top++], err))
                return GS_E_FORMAT;
            break;
        case NEGATE:
        case NOT:
        case LOG2:
        case CEILING:
            if (stack[top - 1].text)
                return no_number(&stack[top - 1], err);
            stack[top - 1].number = apply(s->operation, stack[top - 1].number, 0);
            break;
        case CHOOSE:
            top -= 2;
            if (stack[top - 1].text)
                return no_number(&stack[top - 1], err);
            stack[top - 1] = stack[top - 1].number != 0 ? stack[top] : stack[top + 1];
            break;
        default:
            top--;
            status = combine(s->operation, &stack[top - 1], &stack[top], err);
            if (status != GS_OK)
                return status;
        }
    }
    if (stack[0].text)
        return no_number(&stack[0], err);
    if (!isfinite(stack[0].number))
        return gs_fail(err, GS_E_FORMAT, "the result is not finite: a division by zero?");
    *result = stack[0].number;
    return GS_OK;
}
