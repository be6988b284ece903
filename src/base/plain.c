/* Takes control characters out of texts. */
#include "base/plain.h"

#include <string.h>

/* How many bytes a character has; 0 if it is a control character or none. */
static size_t length_of(const unsigned char *at)
{
    if (at[0] < 0x80)
        return at[0] >= ' ' && at[0] != 0x7f;
    const size_t length = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
    if (at[0] < 0xc2 || at[0] > 0xf4 || (at[0] == 0xc2 && at[1] < 0xa0))
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    }
    return length;
}

void gs_plain_text(char *text, const char *kept)
{
    for (char *at = text; *at;) {
        const size_t length = length_of((const unsigned char *)at);
        if (length == 0 && !strchr(kept, *at))
            *at = '?';
        at += length ? length : 1;
    }
}

bool gs_plain_is(const char *text, const char *kept)
{
    for (const char *at = text; *at;) {
        const size_t length = length_of((const unsigned char *)at);
        if (length == 0 && !strchr(kept, *at))
            return false;
        at += length ? length : 1;
    }
    return true;
}
