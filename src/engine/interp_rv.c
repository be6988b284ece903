/*
 * The reference interpreter for RV32: the semantics column of rv.def, compiled as it
 * stands, between a prologue and an epilogue. See interp.h for how it is built.
 *
 * Threaded code: measured on a CoreMark-like program it retires about twice as many
 * instructions a second as a switch in a loop.
 */
#include "engine/interp.h"

#include "isa/rv/rv.h"
#include "isa/rv/rv_ops.h"
#include "machine/rv_csr.h"
#include "machine/rv_trap.h"

#define RD        (s->x[ip->rd])
#define RS1       (s->x[ip->rs1])
#define RS2       (s->x[ip->rs2])
#define RS1_FIELD (ip->rs1)
#define IMM       ((SX)ip->imm)
#define AUX       (ip->aux)
#define PC        pc
#define LEN       (ip->length)

#define FS1_S    unbox(s->f[ip->rs1])
#define FS2_S    unbox(s->f[ip->rs2])
#define FS3_S    unbox(s->f[ip->rs3])
#define FS1_D    (s->f[ip->rs1])
#define FS2_D    (s->f[ip->rs2])
#define FS3_D    (s->f[ip->rs3])
#define SET_S(v) (s->f[ip->rd] = box(v))
#define SET_D(v) (s->f[ip->rd] = (v))
#define FP       (&s->fp)
#define RM                                                \
    ({                                                    \
        unsigned mode_ = ip->aux == 7 ? s->frm : ip->aux; \
        if (UNLIKELY(mode_ > GS_FP_RMM))                  \
            TRAP(ILLEGAL, ip->raw);                       \
        (gs_fp_round) mode_;                              \
    })
#define FP_RM                      \
    ({                             \
        s->fp.round = (uint8_t)RM; \
        &s->fp;                    \
    })

#define JUMP(target_)                  \
    do {                               \
        const gs_addr to_ = (target_); \
        RETIRE_JUMP(to_, to_);         \
        pc = to_;                      \
        goto enter;                    \
    } while (0)
#define CHECK_TARGET(to_)                \
    do {                                 \
        if (UNLIKELY((to_)&code_align))  \
            TRAP(FETCH_MISALIGNED, to_); \
    } while (0)
#define LINK_JUMP(target_)               \
    do {                                 \
        const gs_addr goal_ = (target_); \
        CHECK_TARGET(goal_);             \
        RD = pc + ip->length;            \
        JUMP(goal_);                     \
    } while (0)
#define BRANCH_IF(condition_)                   \
    do {                                        \
        if (condition_) {                       \
            const gs_addr goal_ = pc + (UX)IMM; \
            CHECK_TARGET(goal_);                \
            JUMP(goal_);                        \
        }                                       \
    } while (0)

#define CSR_ACCESS(change_, value_, writes_)                                                \
    do {                                                                                    \
        uint32_t old_ = 0;                                                                  \
        SYNC();                                                                             \
        if (!gs_rv_csr_access(machine, (unsigned)ip->imm, change_, value_, writes_, &old_)) \
            TRAP(ILLEGAL, ip->raw);                                                         \
        RD = old_;                                                                          \
        if (hart->resync)                                                                   \
            CUT();                                                                          \
    } while (0)
#define CSR_WRITE(value_)          CSR_ACCESS(GS_RV_CSR_WRITE, value_, true)
#define CSR_SET(value_, writes_)   CSR_ACCESS(GS_RV_CSR_SET, value_, writes_)
#define CSR_CLEAR(value_, writes_) CSR_ACCESS(GS_RV_CSR_CLEAR, value_, writes_)

#define FENCE_I() ((void)0) /* decoded code is never stale, see memory.h */
#define MRET()                      \
    do {                            \
        if (!gs_rv_return(machine)) \
            TRAP(ILLEGAL, ip->raw); \
        CUT();                      \
        JUMP(hart->pc);             \
    } while (0)
#define WFI()                       \
    do {                            \
        if (!gs_rv_wait(machine))   \
            TRAP(ILLEGAL, ip->raw); \
        CUT();                      \
    } while (0)

/* Atomics answer a bad address as stores do, even where they only read. */
#define CHECK_ATOMIC(at_)                                                      \
    do {                                                                       \
        if ((at_)&3)                                                           \
            TRAP(STORE_MISALIGNED, at_);                                       \
        if (!gs_memory_allows(memory, at_, 4, GS_PROT_READ | GS_PROT_WRITE) && \
            !gs_memory_is_shared(memory, at_))                                 \
            TRAP(STORE_FAULT, at_);                                            \
    } while (0)
#define AMO32(expression_)             \
    do {                               \
        const gs_addr where_ = RS1;    \
        CHECK_ATOMIC(where_);          \
        const UX OLD = LOAD32(where_); \
        STORE32(where_, expression_);  \
        RD = OLD;                      \
    } while (0)
#define LR32()                              \
    do {                                    \
        const gs_addr where_ = RS1;         \
        if (where_ & 3)                     \
            TRAP(LOAD_MISALIGNED, where_);  \
        s->reserved_value = LOAD32(where_); \
        s->reserved_addr = where_;          \
        s->reserved = true;                 \
        RD = s->reserved_value;             \
    } while (0)
/* In memory of its own, only the hart's own stores can break a reservation: succeed if the word is
 * unchanged. In memory on a bus, other harts' stores take the reservation away, and whether they
 * have is known once the bus is granted: it is asked for in any case. */
#define SC32()                                                  \
    do {                                                        \
        const gs_addr where_ = RS1;                             \
        CHECK_ATOMIC(where_);                                   \
        const UX value_ = RS2;                                  \
        bool kept_ = s->reserved && s->reserved_addr == where_; \
        if (kept_ || gs_memory_is_shared(memory, where_))       \
            kept_ &= LOAD32(where_) == s->reserved_value;       \
        s->reserved = false;                                    \
        if (kept_) {                                            \
            STORE32(where_, value_);                            \
            RD = 0;                                             \
        } else {                                                \
            RD = 1;                                             \
        }                                                       \
    } while (0)

/* Zcmp: the highest register of a list is next to the caller's frame. A trap leaves the stack
 * pointer as it was. */
#define LISTED()                              \
    uint8_t listed_[GS_RV_LISTED_MAX];        \
    unsigned i_ = gs_rv_listed(AUX, listed_); \
    gs_addr at_slot_
#define PUSH_LIST()                               \
    do {                                          \
        LISTED() = RS1;                           \
        while (i_-- > 0) {                        \
            at_slot_ -= 4;                        \
            STORE32(at_slot_, s->x[listed_[i_]]); \
        }                                         \
        RD = RS1 - (UX)IMM;                       \
    } while (0)
#define POP_LIST()                                \
    do {                                          \
        LISTED() = RS1 + (UX)IMM;                 \
        while (i_-- > 0) {                        \
            at_slot_ -= 4;                        \
            s->x[listed_[i_]] = LOAD32(at_slot_); \
        }                                         \
        RD = RS1 + (UX)IMM;                       \
    } while (0)
#define POP_LIST_RETURN(clears_) \
    do {                         \
        POP_LIST();              \
        if (clears_)             \
            s->x[10] = 0;        \
        JUMP(s->x[1] & ~(UX)1);  \
    } while (0)
#define MOVE_PAIR()                           \
    do {                                      \
        if (ip->rd == ip->rs3)                \
            TRAP(ILLEGAL, ip->raw);           \
        const UX first_ = RS1, second_ = RS2; \
        RD = first_;                          \
        s->x[ip->rs3] = second_;              \
    } while (0)

/* Floating point is off until mstatus.FS says otherwise; using it makes its state dirty. */
#define GUARD(class_)                                       \
    do {                                                    \
        if (GS_CLASS_##class_ >= GS_CLASS_FP_MOVE) {        \
            if (UNLIKELY(!(s->mstatus & GS_RV_MSTATUS_FS))) \
                TRAP(ILLEGAL, ip->raw);                     \
            s->mstatus |= GS_RV_MSTATUS_FS;                 \
        }                                                   \
    } while (0)

#define DISPATCH()               \
    do {                         \
        if (UNLIKELY(left == 0)) \
            goto spent;          \
        left--;                  \
        goto *handlers[ip->op];  \
    } while (0)
#define NEXT()                   \
    do {                         \
        RETIRE(pc + ip->length); \
        pc += ip->length;        \
        ip += ip->length / 2;    \
        DISPATCH();              \
    } while (0)

gs_stop INTERP_NAME(gs_machine *machine, uint64_t budget, gs_watch *watch)
{
    static const void *const handlers[GS_RV_OP_COUNT] = {
        [GS_OP_UNDECODED] = &&undecoded,
        [GS_OP_PAGE_END] = &&page_end,
        [GS_OP_ILLEGAL] = &&illegal,
#define INSN(ext, name, match, mask, format, class, ...) [GS_RV_##name] = &&do_##name,
#define RVC(...)
#include "isa/rv/rv.def"
#undef INSN
    };
    gs_hart *const hart = &machine->hart;
    gs_rv_state *const s = &hart->rv;
    gs_memory *const memory = &machine->memory;
    uint8_t *const bytes = memory->bytes;
    const uint8_t *const fast = memory->fast;
    const gs_addr code_align = machine->extensions >> GS_RV_C & 1 ? 1 : 3;
    gs_addr pc = hart->pc;
    gs_insn *ip;
    uint64_t left = budget, end = hart->instret + budget;
#if INTERP_OBSERVED
    gs_retired event = {0};
#else
    (void)watch;
#endif

enter:
    ip = memory->code[pc >> GS_PAGE_SHIFT];
    if (UNLIKELY(!ip) && !(ip = gs_memory_code_page(memory, pc))) {
        if (left == 0)
            goto spent;
        left--;
        TRAP(FETCH_FAULT, pc);
    }
    ip += (pc & (GS_PAGE_SIZE - 1)) / 2;
    DISPATCH();

undecoded:
    DECODE(handlers, trapped);

page_end:
    left++;
    goto enter;

illegal:
    TRAP(ILLEGAL, ip->raw);

#define INSN(ext, name, match, mask, format, class, ...) \
    do_##name:                                           \
    {                                                    \
        NOTE_OPERANDS(s->x[ip->rs1], s->x[ip->rs2]);     \
        GUARD(class);                                    \
        __VA_ARGS__;                                     \
        NEXT();                                          \
    }
#include "isa/rv/rv.def"
#undef INSN
#undef RVC

trapped:
    hart->trap.pc = pc;
    hart->pc = pc;
    hart->instret = end - left - 1;
    return GS_STOP_TRAP;

spent:
    hart->pc = pc;
    hart->instret = end;
    return hart->resync ? GS_STOP_RESYNC : GS_STOP_BUDGET;
}
