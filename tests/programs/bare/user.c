/* User mode: calls the machine with ecall, and may not do everything; qemu. */
#include "rt.h"
#include "rt_rv.h"

static uint8_t user_stack[4096] __attribute__((aligned(16)));

static void handle(uint32_t *regs)
{
    uint32_t cause = CSR_READ(mcause), mode = CSR_READ(mstatus) >> 11 & 3;
    put("cause ");
    put_dec(cause);
    put(" from mode ");
    put_dec(mode);
    put(" argument ");
    put_dec(cause == 8 ? regs[0] : 0);
    put("\n");
    if (cause == 8 && regs[0] == 0)
        finish((int)regs[1]);
    if (cause == 8)
        regs[0] *= 2;
    CSR_WRITE(mepc, CSR_READ(mepc) + 4);
}

void dispatch(uint32_t *regs);
void dispatch(uint32_t *regs)
{
    handle(regs);
}

__asm__(".text\n"
        ".balign 4\n"
        "entry:\n"
        "  csrrw sp, mscratch, sp\n"
        "  addi sp, sp, -80\n"
        "  sw a0, 0(sp); sw a1, 4(sp); sw a2, 8(sp); sw a3, 12(sp); sw a4, 16(sp)\n"
        "  sw a5, 20(sp); sw a6, 24(sp); sw a7, 28(sp); sw ra, 32(sp); sw t0, 36(sp)\n"
        "  sw t1, 40(sp); sw t2, 44(sp); sw t3, 48(sp); sw t4, 52(sp); sw t5, 56(sp)\n"
        "  sw t6, 60(sp)\n"
        "  mv a0, sp\n"
        "  call dispatch\n"
        "  lw a0, 0(sp); lw a1, 4(sp); lw a2, 8(sp); lw a3, 12(sp); lw a4, 16(sp)\n"
        "  lw a5, 20(sp); lw a6, 24(sp); lw a7, 28(sp); lw ra, 32(sp); lw t0, 36(sp)\n"
        "  lw t1, 40(sp); lw t2, 44(sp); lw t3, 48(sp); lw t4, 52(sp); lw t5, 56(sp)\n"
        "  lw t6, 60(sp)\n"
        "  addi sp, sp, 80\n"
        "  csrrw sp, mscratch, sp\n"
        "  mret\n");
extern char entry[];

static uint32_t system_call(uint32_t a, uint32_t b)
{
    register uint32_t a0 __asm__("a0") = a;
    register uint32_t a1 __asm__("a1") = b;
    __asm__ volatile(".option push; .option norvc; ecall; .option pop"
                     : "+r"(a0)
                     : "r"(a1)
                     : "memory");
    return a0;
}

static void user(void)
{
    uint32_t doubled = system_call(21, 0);
    system_call(doubled, 0);
    __asm__ volatile(".option push; .option norvc\n"
                     "csrr t0, mstatus\n" /* not for users */
                     "mret\n"
                     ".option pop" ::
                         : "t0");
    system_call(0, 11);
}

int main(void)
{
    CSR_WRITE(mtvec, (uintptr_t)entry);
    uint32_t sp;
    __asm__ volatile("mv %0, sp" : "=r"(sp));
    CSR_WRITE(mscratch, sp);
    /* QEMU has PMP and lets users see nothing at first. */
    CSR_WRITE(pmpaddr0, 0xffffffff);
    CSR_WRITE(pmpcfg0, 0x1f);
    CSR_CLEAR(mstatus, 3u << 11);
    CSR_WRITE(mepc, (uintptr_t)user);
    __asm__ volatile("mv sp, %0; mret" ::"r"(user_stack + sizeof user_stack));
    return 99;
}
