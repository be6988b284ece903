/*
 * error.h - how a call tells that it failed.
 *
 * A function that can fail returns a gs_status and takes a gs_error as its last argument. The
 * gs_error is the caller's, needs no initialization and no freeing, is written on failure only, and
 * may be NULL if the message is not wanted. There is no global "last error", so threads do not get
 * each other's.
 */
#ifndef GUMSHOE_ERROR_H
#define GUMSHOE_ERROR_H

typedef enum gs_status {
    GS_OK = 0,
    GS_E_NO_MEMORY,   /* the host has no memory left */
    GS_E_IO,          /* the host refused to read or write */
    GS_E_NOT_FOUND,   /* a named thing does not exist */
    GS_E_FORMAT,      /* the input is not what it should be, or is damaged */
    GS_E_UNSUPPORTED, /* the input is fine, but nothing here can do it */
    GS_E_ARGUMENT,    /* the caller asked for something impossible */
} gs_status;

typedef struct gs_error {
    gs_status status;
    char message[512]; /* one line: what, where, what to do */
} gs_error;

#endif
