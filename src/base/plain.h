/*
 * plain.h - texts of strangers, for a terminal.
 *
 * Names in programs and files may hold anything, such as what a terminal takes for commands: the
 * control characters of ASCII, and those of Latin-1, as bytes of their own or in UTF-8.
 */
#ifndef GS_BASE_PLAIN_H
#define GS_BASE_PLAIN_H

#include <stdbool.h>

/* Puts '?' in the place of every byte of a control character, and of what is no UTF-8; those in
 * `kept` stay. A character that was cut at the end goes as well. */
void gs_plain_text(char *text, const char *kept);

/* Whether that would change nothing. */
bool gs_plain_is(const char *text, const char *kept);

#endif
