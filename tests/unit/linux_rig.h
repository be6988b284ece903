/*
 * linux_rig.h - a Linux process for tests that call the kernel themselves.
 *
 * A machine with a tiny program that is never run: a test puts system call number
 * and arguments into the registers and traps. Scratch memory of the guest's lies
 * at RIG_DATA. Standard output is a pipe whose other end the rig keeps.
 * What fails here fails the test.
 */
#ifndef GS_TESTS_LINUX_RIG_H
#define GS_TESTS_LINUX_RIG_H

#include "machine/linux/process.h"

enum { RIG_CODE = 0x00400000, RIG_DATA = 0x20000000, RIG_DATA_SIZE = 0x20000 };

typedef enum rig_kind { RIG_MIPSEL, RIG_MIPSEB, RIG_RV32, RIG_KINDS } rig_kind;

typedef struct linux_rig {
    rig_kind kind;
    gs_image *image;
    gs_machine *machine;
    gs_linux_process *process;
    gs_memory *memory;
    gs_hart *hart;
    int out; /* what the guest writes to its standard output comes out here */
    int guest_out;
    char *directory; /* an empty one, the guest's working directory */
} linux_rig;

void rig_open(linux_rig *rig, rig_kind kind);
void rig_close(linux_rig *rig);

/* The number of a system call by its name. */
uint32_t rig_number(const linux_rig *rig, const char *name);

/* A system call with up to eight arguments: the result, or the guest's errno made negative. */
#define rig_call(rig, name, ...) rig_call_number(rig, rig_number(rig, name), RIG_ARGS(__VA_ARGS__))
#define RIG_ARGS(...)            ((uint32_t[8]){__VA_ARGS__})
int64_t rig_call_number(linux_rig *rig, uint32_t number, const uint32_t args[8]);

/* The guest's number of an errno, negative. */
int64_t rig_error(const linux_rig *rig, int host_errno);

/* The hart traps at `pc`. */
void rig_trap(linux_rig *rig, gs_trap_kind kind, gs_addr pc, uint32_t value);

/* Guest memory, unconditionally. */
void rig_put(linux_rig *rig, gs_addr at, const void *bytes, size_t size);
void rig_get(linux_rig *rig, gs_addr at, void *bytes, size_t size);
gs_addr rig_string(linux_rig *rig, gs_addr at, const char *text); /* returns `at` */
void rig_put32(linux_rig *rig, gs_addr at, uint32_t value);
uint32_t rig_get32(linux_rig *rig, gs_addr at);
uint64_t rig_get64(linux_rig *rig, gs_addr at);
void rig_put64(linux_rig *rig, gs_addr at, uint64_t value);

/* Registers, whatever the instruction set calls them. */
uint32_t *rig_sp(linux_rig *rig);
uint32_t *rig_arg(linux_rig *rig, unsigned index);
uint32_t *rig_link(linux_rig *rig);

#endif
