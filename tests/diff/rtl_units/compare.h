/*
 * compare.h - a unit's C model and its Verilog on the same port, and what they say in the end.
 */
#ifndef RTL_UNITS_COMPARE_H
#define RTL_UNITS_COMPARE_H

#include "rtl.h"
#include "units/registers.h"
#include "units/unit.h"

/* One unit in two forms. */
typedef struct comparison {
    const rtl_library *library;
    rtl_unit *rtl;
    gs_unit_context context;
    const char *program;
    void *model; /* the kind's */
    unsigned differences;
} comparison;

typedef struct comparison_kind {
    const char *name;
    /* Makes the model as the options say, and programs the hardware for it. */
    gs_status (*open)(comparison *c, const char *options, gs_error *err);
    void (*beat)(comparison *c, const gs_port *port); /* the model's part */
    /* Ends the profile on both sides and counts differences. */
    void (*finish)(comparison *c);
    void (*free)(comparison *c);
} comparison_kind;

extern const comparison_kind compare_leap, compare_live, compare_loops, compare_snoopp,
    compare_stats;

/* The register that differs, or does not answer. */
void compare_register(comparison *c, const char *what, unsigned number, uint32_t address,
                      uint32_t expected);
void compare_write(comparison *c, uint32_t address, uint32_t value);

/* How many elements a block has as the unit is made, or whether a register is there: 0 for none. */
typedef struct register_extent {
    const char *name;
    uint32_t count;
    bool read_only; /* as it is made, whatever the table says */
} register_extent;

/* What of the table is there can be accessed as the table says, and nothing else: not the same with
 * another bit in the address, not a part of a word, not what is behind a block. What is refused
 * changes nothing. `extents` ends with a name that is NULL; registers that it does not name are
 * there. Ends what the unit counts. */
void compare_decoding(comparison *c, const gs_register_map *map, const register_extent *extents);

#endif
