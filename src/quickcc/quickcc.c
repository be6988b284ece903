/*
 * gumshoe-quickcc - compiles the C that the fast engine writes, in milliseconds, with libtcc.
 *
 * The engine starts it when there is something to be compiled for the first time, and talks to it
 * as engine/fast/tier/quick_wire.h says. It is a process of its own because the one that runs the
 * guest may not change what it executes, and because a compiler that ends or hangs must not take
 * the run with it. It reads no files: see confine.h.
 */
#include <libtcc.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "engine/fast/tier/quick_wire.h"
#include "quickcc/confine.h"

enum { USAGE = 2, CODE_ALIGN = 64 };

static bool is_socket(int fd)
{
    int type;
    socklen_t size = sizeof type;
    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET;
}

static bool is_desk(int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 && st.st_size == GS_QUICK_DESK_SIZE;
}

/* The shared memory (the desk), or NULL if it cannot be mapped at its address. */
static char *map_desk(uint64_t address)
{
    void *wanted = (void *)(uintptr_t)address; // NOLINT: it is the engine's address, too
    void *desk = mmap(wanted, GS_QUICK_DESK_SIZE, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_FIXED_NOREPLACE, GS_QUICK_DESK, 0);
    return desk == wanted ? desk : NULL;
}

static uint64_t microseconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* The first error is the one that counts. */
static void note_error(void *self, const char *message)
{
    gs_quick_answer *reply = self;
    if (!reply->why[0])
        snprintf(reply->why, sizeof reply->why, "%s", message);
}

/* Puts the code where the request says, and finds its array of functions. */
static bool link_code(TCCState *tcc, char *code, const gs_quick_question *request,
                      gs_quick_answer *reply)
{
    const uint32_t from = (request->code_from + CODE_ALIGN - 1) / CODE_ALIGN * CODE_ALIGN;
    const int size = tcc_relocate(tcc, NULL);
    if (size <= 0 || from > GS_QUICK_CODE_ROOM || (uint32_t)size > GS_QUICK_CODE_ROOM - from) {
        note_error(reply, "there is no more room for code");
        return false;
    }
    if (tcc_relocate(tcc, code + from) != 0)
        return false;
    const char *functions = tcc_get_symbol(tcc, "functions");
    if (!functions || functions < code + from || functions >= code + from + size)
        return false;
    reply->functions = (uint32_t)(functions - code);
    reply->code_size = from + (uint32_t)size - request->code_from;
    return true;
}

static void compile(char *desk, const gs_quick_question *request, gs_quick_answer *reply)
{
    TCCState *tcc = tcc_new();
    if (!tcc || request->text_size >= GS_QUICK_TEXT_ROOM || desk[request->text_size] != '\0') {
        note_error(reply, "there is no text");
        return;
    }
    tcc_set_error_func(tcc, reply, note_error);
    tcc_set_options(tcc, "-nostdlib -w");
    reply->done = tcc_set_output_type(tcc, TCC_OUTPUT_MEMORY) == 0 &&
                  tcc_compile_string(tcc, desk) == 0 &&
                  link_code(tcc, desk + GS_QUICK_TEXT_ROOM, request, reply);
    tcc_delete(tcc);
}

/* Serves requests until the other end is closed. */
static void serve(void)
{
    char *desk = NULL;
    uint64_t spent = 0;
    gs_quick_question request;
    while (recv(GS_QUICK_SOCKET, &request, sizeof request, 0) == (ssize_t)sizeof request) {
        gs_quick_answer reply = {.number = request.number};
        (void)alarm(request.seconds); /* which ends this process */
        if (!desk)
            desk = map_desk(request.address);
        if (desk)
            compile(desk, &request, &reply);
        else
            note_error(&reply, "the desk cannot be mapped");
        (void)alarm(0);
        const uint64_t now = microseconds();
        reply.microseconds = now - spent;
        spent = now;
        if (send(GS_QUICK_SOCKET, &reply, sizeof reply, MSG_NOSIGNAL) != (ssize_t)sizeof reply)
            return;
    }
}

int main(void)
{
    const struct rlimit no_core = {0, 0};
    if (!is_socket(GS_QUICK_SOCKET) || !is_desk(GS_QUICK_DESK)) {
        fputs("gumshoe-quickcc is a part of gumshoe, which starts it; there is nothing to be done "
              "with it by hand\n",
              stderr);
        return USAGE;
    }
    (void)setrlimit(RLIMIT_CORE, &no_core);
    gs_quickcc_confine();
    serve();
    return 0;
}
