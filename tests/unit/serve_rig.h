/*
 * serve_rig.h - a server without sockets, with the small profile in its one file.
 */
#ifndef GS_TESTS_SERVE_RIG_H
#define GS_TESTS_SERVE_RIG_H

#include "serve/server.h"

#define RIG_TOKEN "0123456789abcdef"

/* The files go with the process. Aborts if that does not work. */
void serve_rig_open(gs_server *server);

/* The same, with a Statistics Module whose streams it receives; of the first there are 300
 * intervals. The device ends with the process. It does not know what it runs, and there is one
 * program, with the functions "work", from 0x1000 to 0x1010, and "main_loop" behind it. */
void serve_rig_open_live(gs_server *server);

/* The name of that stream, in the API. */
#define RIG_STREAM "9-0000000000000021-0"

/* A request of the server's own page, with the token; parameters are added by `serve_rig_add`. */
gs_request serve_rig_request(const char *path);
void serve_rig_add(gs_request *request, const char *name, const char *value);

#endif
