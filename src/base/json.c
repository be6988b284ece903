/* Writes JSON: commas, indentation, escaping, and U+FFFD for what is not UTF-8. */
#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

void gs_json_begin(gs_json *json, FILE *out)
{
    *json = (gs_json){.out = out};
}

void gs_json_begin_compact(gs_json *json, FILE *out)
{
    *json = (gs_json){.out = out, .compact = true};
}

/* Length of the valid UTF-8 sequence at `s`, or 0. */
static unsigned utf8_length(const unsigned char *s)
{
    if (s[0] < 0x80)
        return 1;
    unsigned length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    for (unsigned i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    }
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool surrogate = s[0] == 0xed && s[1] > 0x9f;
    bool beyond = s[0] == 0xf4 && s[1] > 0x8f;
    return overlong || surrogate || beyond ? 0 : length;
}

static void quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        unsigned length = utf8_length(s);
        if (length == 0) {
            fputs("\xef\xbf\xbd", out);
            s++;
        } else if (*s == '"' || *s == '\\') {
            fprintf(out, "\\%c", *s++);
        } else if (*s < 0x20 || *s == 0x7f) {
            fprintf(out, "\\u%04x", *s++);
        } else {
            fwrite(s, 1, length, out);
            s += length;
        }
    }
    fputc('"', out);
}

static void new_line(gs_json *json)
{
    if (!json->compact)
        fprintf(json->out, "\n%*s", (int)json->depth * 2, "");
}

/* What comes before any value: a comma if it is not the first, a new line, the key. */
static void lead(gs_json *json, const char *key)
{
    if (json->depth > 0) {
        bool *filled = &json->filled[json->depth - 1];
        if (*filled)
            fputc(',', json->out);
        new_line(json);
        *filled = true;
    }
    if (key) {
        quoted(json->out, key);
        fputs(json->compact ? ":" : ": ", json->out);
    }
}

static void open_level(gs_json *json, const char *key, char bracket)
{
    assert(json->depth < GS_JSON_DEPTH);
    lead(json, key);
    fputc(bracket, json->out);
    json->filled[json->depth++] = false;
}

static void close_level(gs_json *json, char bracket)
{
    assert(json->depth > 0);
    json->depth--;
    if (json->filled[json->depth])
        new_line(json);
    fputc(bracket, json->out);
}

void gs_json_open_object(gs_json *json, const char *key)
{
    open_level(json, key, '{');
}

void gs_json_close_object(gs_json *json)
{
    close_level(json, '}');
}

void gs_json_open_array(gs_json *json, const char *key)
{
    open_level(json, key, '[');
}

void gs_json_close_array(gs_json *json)
{
    close_level(json, ']');
}

void gs_json_string(gs_json *json, const char *key, const char *value)
{
    lead(json, key);
    quoted(json->out, value);
}

void gs_json_uint(gs_json *json, const char *key, uint64_t value)
{
    lead(json, key);
    fprintf(json->out, "%" PRIu64, value);
}

void gs_json_int(gs_json *json, const char *key, int64_t value)
{
    lead(json, key);
    fprintf(json->out, "%" PRId64, value);
}

void gs_json_double(gs_json *json, const char *key, double value)
{
    lead(json, key);
    if (isfinite(value))
        fprintf(json->out, "%.9g", value);
    else
        fputs("null", json->out); /* JSON has no infinities */
}

void gs_json_bool(gs_json *json, const char *key, bool value)
{
    lead(json, key);
    fputs(value ? "true" : "false", json->out);
}

bool gs_json_end(gs_json *json)
{
    assert(json->depth == 0);
    fputc('\n', json->out);
    return fflush(json->out) == 0 && !ferror(json->out);
}
