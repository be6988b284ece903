/*
 * board.h - a board description, checked.
 *
 * The public part is in gumshoe/board.h; here is what building the board needs.
 * Everything in it makes sense: ranges lie below 4 GiB, devices do not share pages
 * with each other or with memory. Regions may share pages with devices, but not bytes.
 */
#ifndef GS_MACHINE_BARE_BOARD_H
#define GS_MACHINE_BARE_BOARD_H

#include "base/error.h"
#include "gumshoe/board.h"

enum { GS_BOARD_MEMORY_MAX = 16, GS_BOARD_DEVICE_MAX = 32 };

typedef enum gs_board_device_type {
    GS_BOARD_CLINT,
    GS_BOARD_UART16550,
    GS_BOARD_TEST,
    GS_BOARD_ALIAS,
    GS_BOARD_REGION,
} gs_board_device_type;

typedef struct gs_board_memory {
    char *name; /* or NULL */
    uint64_t base, size;
    unsigned prot; /* GS_PROT_* */
} gs_board_memory;

typedef struct gs_board_device {
    gs_board_device_type type;
    uint64_t base, size; /* as the guest sees it; the device takes the whole pages around it */
    uint64_t divider;    /* CLINT: clock ticks per tick of mtime */
    uint32_t stride;     /* UART: bytes from one register to the next */
    uint32_t width;      /* UART: the widest access in bytes */
    bool interrupt;      /* UART: connected */
    uint64_t target;     /* alias: the memory it shows */
    char *name;          /* region: or NULL */
    uint32_t constant;   /* region: what every word of it reads as */
    bool refuses_loads, refuses_stores; /* region: the access traps */
} gs_board_device;

struct gs_board {
    char *name;
    char *summary; /* or NULL */
    gs_arch arch;
    bool is_default;
    bool strict; /* nothing but what is described: a segment elsewhere is an error */
    uint64_t clock_hz;
    unsigned memory_count, device_count;
    gs_board_memory memory[GS_BOARD_MEMORY_MAX];
    gs_board_device devices[GS_BOARD_DEVICE_MAX];
};

/* The built-in board for programs that ask for none. *out is the caller's. */
gs_status gs_board_open_default(gs_board **out, gs_arch arch, gs_error *err);

/* Reads a description from memory. `file` is for messages. */
gs_status gs_board_parse(gs_board **out, const char *file, const char *text, size_t size,
                         gs_error *err);

#endif
