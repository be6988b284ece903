/* Opens the process, and makes system calls from the outside. */
#include "linux_rig.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "elf_builder.h"

static gs_image *build_image(rig_kind kind)
{
    const uint32_t code[] = {0, 0, 0, 0, 0, 0, 0, 0};
    const char data[] = "data";
    elf_builder elf;
    size_t size;
    gs_image *image;
    gs_error err;
    elf_start(&elf, kind == RIG_RV32 ? EM_RISCV : EM_MIPS, kind == RIG_MIPSEB);
    elf_code(&elf, RIG_CODE, code, 8);
    elf_segment(&elf, PT_LOAD, PF_R | PF_W, RIG_CODE + 0x1800, data, sizeof data, 0x3000);
    elf_function(&elf, "main", RIG_CODE, sizeof code);
    elf.entry = RIG_CODE;
    uint8_t *bytes = elf_finish(&elf, &size);
    gs_status status = gs_image_open_memory(&image, bytes, size, "/bin/rig", &err);
    free(bytes);
    if (status != GS_OK)
        fail_msg("%s", err.message);
    return image;
}

void rig_open(linux_rig *rig, rig_kind kind)
{
    static const char *const argv[] = {"/bin/rig", "first", "second argument"};
    static const char *const envp[] = {"HOME=/", "EMPTY=", NULL};
    char directory[] = "/tmp/gumshoe-test-XXXXXX";
    int ends[2], before = open(".", O_PATH | O_DIRECTORY);
    gs_error err;
    *rig = (linux_rig){.kind = kind, .image = build_image(kind)};
    assert_int_equal(pipe(ends), 0);
    rig->out = ends[0];
    rig->guest_out = ends[1];
    fcntl(rig->out, F_SETFL, O_NONBLOCK);
    assert_non_null(mkdtemp(directory));
    rig->directory = strdup(directory);
    assert_int_equal(chdir(directory), 0);
    gs_machine_options options = {
        .env = GS_ENV_LINUX, .argc = 3, .argv = argv, .envp = envp, .stdio = {-1, ends[1], -1}};
    if (gs_machine_open(&rig->machine, rig->image, &options, &err) != GS_OK)
        fail_msg("%s", err.message);
    assert_int_equal(fchdir(before), 0);
    close(before);
    rig->process = rig->machine->environment_state;
    rig->memory = &rig->machine->memory;
    rig->hart = &rig->machine->hart;
    unsigned prot = GS_PROT_READ | GS_PROT_WRITE;
    assert_int_equal(gs_memory_map(rig->memory, RIG_DATA, RIG_DATA_SIZE, prot, &err), GS_OK);
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

void rig_close(linux_rig *rig)
{
    gs_machine_free(rig->machine);
    gs_image_free(rig->image);
    close(rig->out);
    close(rig->guest_out);
    nftw(rig->directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(rig->directory);
}

typedef struct numbered {
    const char *name;
    uint32_t number;
} numbered;

uint32_t rig_number(const linux_rig *rig, const char *name)
{
    static const numbered mips[] = {
#define SYSCALL(number, name, handler) {#name, number},
#include "machine/linux/syscalls_mips_o32.def"
    };
    static const numbered riscv[] = {
#include "machine/linux/syscalls_riscv32.def"
#undef SYSCALL
    };
    bool rv = rig->kind == RIG_RV32;
    const numbered *table = rv ? riscv : mips;
    size_t count = rv ? sizeof riscv / sizeof *riscv : sizeof mips / sizeof *mips;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(table[i].name, name) == 0)
            return table[i].number;
    }
    fail_msg("no system call %s", name);
    return 0;
}

int64_t rig_call_number(linux_rig *rig, uint32_t number, const uint32_t args[8])
{
    enum { V0 = 2, A0 = 4, A3 = 7, MIPS_SP = 29, RV_A0 = 10, RV_A7 = 17 };
    gs_hart *hart = rig->hart;
    if (rig->kind == RIG_RV32) {
        for (unsigned i = 0; i < 7; i++)
            hart->rv.x[RV_A0 + i] = args[i];
        hart->rv.x[RV_A7] = number;
    } else {
        hart->mips.r[V0] = number;
        for (unsigned i = 0; i < 4; i++)
            hart->mips.r[A0 + i] = args[i];
        for (unsigned i = 4; i < 8; i++)
            (void)gs_memory_write32(rig->memory, hart->mips.r[MIPS_SP] + 4 * i, args[i]);
    }
    hart->pc = RIG_CODE + 8;
    rig_trap(rig, GS_TRAP_SYSCALL, RIG_CODE + 8, 0);
    if (rig->kind == RIG_RV32) {
        uint32_t result = hart->rv.x[RV_A0];
        return result > (uint32_t)-4096 ? (int32_t)result : (int64_t)result;
    }
    return hart->mips.r[A3] ? -(int64_t)hart->mips.r[V0] : (int64_t)hart->mips.r[V0];
}

int64_t rig_error(const linux_rig *rig, int host_errno)
{
    return -gs_linux_errno(rig->process->abi->flavor, host_errno);
}

void rig_trap(linux_rig *rig, gs_trap_kind kind, gs_addr pc, uint32_t value)
{
    rig->hart->trap = (gs_trap){.kind = kind, .pc = pc, .value = value};
    rig->machine->environment->trap(rig->machine);
}

void rig_put(linux_rig *rig, gs_addr at, const void *bytes, size_t size)
{
    assert_true(gs_memory_poke(rig->memory, at, bytes, size));
}

void rig_get(linux_rig *rig, gs_addr at, void *bytes, size_t size)
{
    assert_true(gs_memory_read(rig->memory, at, bytes, size));
}

gs_addr rig_string(linux_rig *rig, gs_addr at, const char *text)
{
    rig_put(rig, at, text, strlen(text) + 1);
    return at;
}

void rig_put32(linux_rig *rig, gs_addr at, uint32_t value)
{
    assert_true(gs_memory_write32(rig->memory, at, value));
}

uint32_t rig_get32(linux_rig *rig, gs_addr at)
{
    uint32_t value;
    assert_true(gs_memory_read32(rig->memory, at, &value));
    return value;
}

uint64_t rig_get64(linux_rig *rig, gs_addr at)
{
    uint32_t first = rig_get32(rig, at), second = rig_get32(rig, at + 4);
    return rig->memory->big_endian ? (uint64_t)first << 32 | second
                                   : (uint64_t)second << 32 | first;
}

void rig_put64(linux_rig *rig, gs_addr at, uint64_t value)
{
    uint32_t high = (uint32_t)(value >> 32), low = (uint32_t)value;
    rig_put32(rig, at, rig->memory->big_endian ? high : low);
    rig_put32(rig, at + 4, rig->memory->big_endian ? low : high);
}

uint32_t *rig_sp(linux_rig *rig)
{
    return rig->kind == RIG_RV32 ? &rig->hart->rv.x[2] : &rig->hart->mips.r[29];
}

uint32_t *rig_arg(linux_rig *rig, unsigned index)
{
    return rig->kind == RIG_RV32 ? &rig->hart->rv.x[10 + index] : &rig->hart->mips.r[4 + index];
}

uint32_t *rig_link(linux_rig *rig)
{
    return rig->kind == RIG_RV32 ? &rig->hart->rv.x[1] : &rig->hart->mips.r[31];
}
