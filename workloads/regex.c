/*
 * regex.c - a small regular-expression compiler and backtracking matcher.
 *
 * Stresses recursion twice: the compiler descends through the expression, the
 * matcher calls itself at every choice and unwinds when it was wrong.
 * Knows . [set] [^set] \d \w \s * + ? | ( ) ^ $; finds the leftmost match,
 * trying alternatives in order and repeating as often as possible, like Perl.
 * Check: a table of matches verified with Python's re, then a checksum over
 * the matches in generated text. No starred group may match nothing.
 */
#include "text.h"

#define NAME "regex"

enum { MAX_CODE = 128, MAX_SETS = 8, TEXT_BYTES = 512 };

typedef enum { OP_CHAR, OP_ANY, OP_SET, OP_START, OP_END, OP_SPLIT, OP_JUMP, OP_MATCH } opcode;

/* SPLIT tries x first, then y; JUMP goes to x; CHAR and SET keep their operand in x. */
typedef struct {
    uint8_t op;
    int16_t x, y;
} instruction;

typedef struct {
    instruction code[MAX_CODE];
    uint32_t set[MAX_SETS][4]; /* one bit per character */
    int length, sets;
} program;

typedef struct {
    program *out;
    const char *at;
} compiler;

static void parse_alternatives(compiler *c);

static void emit(program *p, opcode op, int x, int y)
{
    p->code[p->length++] = (instruction){(uint8_t)op, (int16_t)x, (int16_t)y};
}

/* Makes room at `at`; what moves keeps pointing at what it pointed at. */
static void insert(program *p, int at, opcode op, int x, int y)
{
    for (int i = p->length++; i > at; i--) {
        instruction moved = p->code[i - 1];
        if (moved.op == OP_SPLIT || moved.op == OP_JUMP) {
            moved.x = (int16_t)(moved.x + (moved.x >= at));
            moved.y = (int16_t)(moved.y + (moved.op == OP_SPLIT && moved.y >= at));
        }
        p->code[i] = moved;
    }
    p->code[at] = (instruction){(uint8_t)op, (int16_t)x, (int16_t)y};
}

static void set_add(uint32_t set[4], int from, int to)
{
    for (int ch = from; ch <= to; ch++)
        set[ch >> 5] |= (uint32_t)1 << (ch & 31);
}

static void set_add_class(uint32_t set[4], char name)
{
    switch (name) {
    case 'w':
        set_add(set, 'a', 'z');
        set_add(set, 'A', 'Z');
        set_add(set, '_', '_');
        set_add(set, '0', '9');
        break;
    case 'd': set_add(set, '0', '9'); break;
    case 's':
        set_add(set, '\t', '\r');
        set_add(set, ' ', ' ');
        break;
    default: set_add(set, name, name);
    }
}

static void parse_set(compiler *c)
{
    uint32_t *set = c->out->set[c->out->sets];
    bool negated = *c->at == '^';
    if (negated)
        c->at++;
    while (*c->at != ']') {
        char first = *c->at++;
        if (first == '\\') {
            set_add_class(set, *c->at++);
        } else if (c->at[0] == '-' && c->at[1] != ']') {
            set_add(set, first, c->at[1]);
            c->at += 2;
        } else {
            set_add(set, first, first);
        }
    }
    c->at++;
    for (int i = 0; negated && i < 4; i++)
        set[i] = ~set[i];
    emit(c->out, OP_SET, c->out->sets++, 0);
}

static NOINLINE void parse_atom(compiler *c)
{
    char ch = *c->at++;
    switch (ch) {
    case '(':
        parse_alternatives(c);
        c->at++;
        break;
    case '[': parse_set(c); break;
    case '.': emit(c->out, OP_ANY, 0, 0); break;
    case '^': emit(c->out, OP_START, 0, 0); break;
    case '$': emit(c->out, OP_END, 0, 0); break;
    case '\\':
        set_add_class(c->out->set[c->out->sets], *c->at++);
        emit(c->out, OP_SET, c->out->sets++, 0);
        break;
    default: emit(c->out, OP_CHAR, ch, 0);
    }
}

static NOINLINE void parse_repeat(compiler *c)
{
    program *p = c->out;
    int start = p->length;
    parse_atom(c);
    int end = p->length;
    switch (*c->at) {
    case '*':
        insert(p, start, OP_SPLIT, start + 1, end + 2);
        emit(p, OP_JUMP, start, 0);
        break;
    case '+': emit(p, OP_SPLIT, start, end + 1); break;
    case '?': insert(p, start, OP_SPLIT, start + 1, end + 1); break;
    default: return;
    }
    c->at++;
}

static NOINLINE void parse_alternatives(compiler *c)
{
    program *p = c->out;
    int start = p->length;
    while (*c->at && *c->at != '|' && *c->at != ')')
        parse_repeat(c);
    if (*c->at != '|')
        return;
    c->at++;
    int end = p->length;
    insert(p, start, OP_SPLIT, start + 1, end + 2);
    emit(p, OP_JUMP, 0, 0);
    parse_alternatives(c);
    p->code[end + 1].x = (int16_t)p->length;
}

static NOINLINE void compile(program *p, const char *expression)
{
    memset(p, 0, sizeof *p);
    compiler c = {p, expression};
    parse_alternatives(&c);
    emit(p, OP_MATCH, 0, 0);
}

/* The end of the match that starts at `at` and instruction `pc`, or NULL. */
static NOINLINE const char *match(const program *p, int pc, const char *text, const char *at)
{
    for (;;) {
        const instruction *i = &p->code[pc++];
        switch ((opcode)i->op) {
        case OP_CHAR:
            if (*at++ != i->x)
                return NULL;
            break;
        case OP_ANY:
            if (*at == 0 || *at++ == '\n')
                return NULL;
            break;
        case OP_SET:
            if (*at == 0 || !(p->set[i->x][*at >> 5 & 3] >> (*at & 31) & 1))
                return NULL;
            at++;
            break;
        case OP_START:
            if (at != text)
                return NULL;
            break;
        case OP_END:
            if (*at)
                return NULL;
            break;
        case OP_SPLIT: {
            const char *end = match(p, i->x, text, at);
            if (end)
                return end;
            pc = i->y;
            break;
        }
        case OP_JUMP: pc = i->x; break;
        case OP_MATCH: return at;
        }
    }
}

/* The leftmost match at or after `from`; *end is where it ends. */
static NOINLINE const char *search(const program *p, const char *text, const char *from,
                                   const char **end)
{
    for (;; from++) {
        *end = match(p, 0, text, from);
        if (*end)
            return from;
        if (*from == 0)
            return NULL;
    }
}

static program compiled;

static bool known_matches_ok(void)
{
    static const struct {
        const char *expression, *text;
        int start, end;
    } known[] = {
        {"abc", "xxabcx", 2, 5},
        {"a*b+c?", "caaabbd", 1, 6},
        {"^(a|ab)(c|bcd)$", "abcd", 0, 4},
        {"(cat|dog)s?", "hot dogs", 4, 8},
        {"[a-f0-9]+", "xyz 0badf00d", 4, 12},
        {"[^ ]+$", "the last word", 9, 13},
        {"\\d+\\.\\d+", "v 12.34", 2, 7},
        {"x.z", "x\nz xyz", 4, 7},
        {"(a|b)*abb", "ababbabb!", 0, 8},
        {"a?a?a?a?aaaa", "aaaa", 0, 4},
        {"^b", "ab", -1, -1},
        {"(0|1(01*0)*1)+$", "x1001", 1, 5},
    };
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        const char *text = known[i].text, *end;
        compile(&compiled, known[i].expression);
        const char *start = search(&compiled, text, text, &end);
        if (start ? start - text != known[i].start || end - text != known[i].end
                  : known[i].start != -1)
            return false;
    }
    return true;
}

int main(void)
{
    if (!known_matches_ok())
        return workload_fail(NAME, "known matches");

    static const char *const expressions[] = {
        "[a-z]+[.,]", "(taken|branch|loop) +(in|of|to|the)",
        "\\w+ \\d+",  "0x[0-9a-f]+ (\\w+ )*that",
        "c.*e ",      "(t|th|the) .*\n",
    };
    static char text[TEXT_BYTES + 1];
    uint32_t random = 0x4e6e, sum = 0;
    for (uint32_t pass = 0; pass < WORKLOAD_PASSES(1); pass++) {
        text_make(text, TEXT_BYTES, &random);
        for (size_t e = 0; e < COUNT_OF(expressions); e++) {
            compile(&compiled, expressions[e]);
            const char *end, *start = text;
            while ((start = search(&compiled, text, start, &end)) != NULL) {
                sum = checksum_add(sum, (uint32_t)(start - text) << 16 | (uint32_t)(end - text));
                start = end;
            }
        }
    }
    return workload_report(NAME, sum, WORKLOAD_PICK(0x4d1b4114, 0xcacd0d92, 0x9ddafe4c));
}
