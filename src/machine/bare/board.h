/*
 * board.h - a board description, checked.
 *
 * The public part is in gumshoe/board.h; here is what building the board needs.
 * Everything in it makes sense: ranges lie below 4 GiB, devices do not share pages
 * with each other or with memory. Regions and registers may share pages with devices, but not
 * bytes.
 */
#ifndef GS_MACHINE_BARE_BOARD_H
#define GS_MACHINE_BARE_BOARD_H

#include "base/error.h"
#include "gumshoe/board.h"

enum { GS_BOARD_MEMORY_MAX = 16, GS_BOARD_DEVICE_MAX = 64, GS_BOARD_WORD_MAX = 32 };
enum { GS_BOARD_CODE_MAX = 1024, GS_BOARD_REGISTERS_MAX = 1 << 20 };

typedef enum gs_board_device_type {
    GS_BOARD_CLINT,
    GS_BOARD_UART16550,
    GS_BOARD_TEST,
    GS_BOARD_ALIAS,
    GS_BOARD_REGION,
    GS_BOARD_REGISTERS,
    GS_BOARD_PL011,
    GS_BOARD_RP2350_TIMER,
    GS_BOARD_RP2350_MTIME,
    GS_BOARD_PLIC,
    GS_BOARD_SP804,
    GS_BOARD_GPIO,
} gs_board_device_type;

/* Where the interrupts of devices go. */
typedef enum gs_board_interrupts {
    GS_BOARD_DIRECT,  /* to the hart: RISC-V's external interrupt, a hardware interrupt of MIPS */
    GS_BOARD_HAZARD3, /* to its controller, by number; see machine/rv_h3irq.h */
    GS_BOARD_PLIC_SOURCES, /* to the PLIC, by number; see plic.h */
} gs_board_interrupts;

/* How words of a bank of registers read. */
typedef enum gs_board_word_rule {
    GS_BOARD_WORD_PLAIN,      /* what was stored */
    GS_BOARD_WORD_COMPLEMENT, /* bits of another word, inverted */
    GS_BOARD_WORD_ONE_HOT,    /* the bit whose number is in another word */
} gs_board_word_rule;

typedef struct gs_board_word {
    uint32_t at, count; /* the first one, and how many are alike */
    uint32_t value;     /* at first */
    uint32_t set;       /* bits that always read as one */
    gs_board_word_rule rule;
    uint32_t source, mask; /* by a rule: which word it looks at, and which of its bits */
} gs_board_word;

typedef struct gs_board_memory {
    char *name; /* or NULL */
    uint64_t base, size;
    unsigned prot;    /* GS_PROT_* */
    uint64_t code_at; /* an address in it, where these words of code are */
    uint32_t *code;
    unsigned code_count;
} gs_board_memory;

typedef struct gs_board_device {
    gs_board_device_type type;
    uint64_t base, size; /* as the guest sees it; the device takes the whole pages around it */
    uint64_t divider;    /* CLINT: clock ticks per tick of mtime; timer: per microsecond */
    uint32_t stride;     /* UART: bytes from one register to the next */
    uint32_t width;      /* UART: the widest access in bytes */
    bool interrupt;      /* UART: connected */
    uint64_t target;     /* alias: the memory it shows */
    char *name;          /* region, registers: or NULL */
    uint32_t constant;   /* region: what every word of it reads as */
    bool refuses_loads, refuses_stores; /* region: the access traps */
    bool atomic;                        /* registers, PL011: they appear four times, see atomic.h */
    int irq;                            /* what interrupts: its (first) numbered line, or -1 */
    gs_board_word *words;               /* registers: those of which more is known */
    unsigned word_count;
} gs_board_device;

struct gs_board {
    char *name;
    char *summary; /* or NULL */
    gs_arch arch;
    bool is_default;
    bool strict; /* nothing but what is described: a segment elsewhere is an error */
    uint64_t clock_hz;
    gs_board_interrupts interrupts;
    unsigned memory_count, device_count;
    gs_board_memory memory[GS_BOARD_MEMORY_MAX];
    gs_board_device devices[GS_BOARD_DEVICE_MAX];
};

enum { GS_BOARD_MTIME_SIZE = 0x20 };

/* Whether it is the hart's timer, of which a board has at most one. */
static inline bool gs_board_is_hart_timer(const gs_board_device *device)
{
    return device->type == GS_BOARD_CLINT || device->type == GS_BOARD_RP2350_MTIME;
}

/* The numbered lines of its interrupts: from the first one up to this one. */
unsigned gs_board_first_line(const gs_board *board);
unsigned gs_board_line_count(const gs_board *board);

/* How many of them a gpio has: one for each pin, or one for all where there are few. */
unsigned gs_board_gpio_lines(const gs_board *board);

/* Whether other devices may lie on its pages. */
bool gs_board_shares_pages(const gs_board_device *device);

/* The built-in board for programs that ask for none. *out is the caller's. */
gs_status gs_board_open_default(gs_board **out, gs_arch arch, gs_error *err);

/* Reads a description from memory. `file` is for messages. */
gs_status gs_board_parse(gs_board **out, const char *file, const char *text, size_t size,
                         gs_error *err);

#endif
