/*
 * The reference interpreter for MIPS32: the semantics column of mips.def, compiled as it
 * stands, between a prologue and an epilogue. See interp.h for how it is built.
 *
 * The column is compiled twice: once for instructions in sequence, once for those in the
 * delay slot of a branch, taken or not. The two differ only in where they go afterwards, and
 * in what a trap says, so no handler has to check whether it is in a delay slot. A branch in a slot
 * is an illegal instruction.
 */
#include "engine/interp.h"

#define GUEST_BIG_ENDIAN INTERP_BIG_ENDIAN /* for mips_ops.h */

#include "isa/mips/mips.h"
#include "isa/mips/mips_ops.h"
#include "machine/mips_cp0.h"
#include "machine/mips_trap.h"

#define RD   (s->r[ip->rd])
#define RS   (s->r[ip->rs1])
#define RT   (s->r[ip->rs2])
#define IMM  (ip->imm)
#define AUX  (ip->aux)
#define RAW  (ip->raw)
#define PC   pc
#define ADDR (RS + (uint32_t)IMM)
#define HI   (s->hi)
#define LO   (s->lo)
#define HILO ((uint64_t)s->hi << 32 | s->lo)
#define SET_HILO(value_)                 \
    do {                                 \
        const uint64_t both_ = (value_); \
        s->hi = (uint32_t)(both_ >> 32); \
        s->lo = (uint32_t)both_;         \
    } while (0)

/* The bytes of `value` that `mask` selects, one by one. They lie on one page: all or none. */
static gs_access store_part(gs_memory *memory, gs_addr word, uint32_t mask, uint32_t value)
{
    gs_access access = GS_ACCESS_OK;
    for (unsigned i = 0; i < 4 && access == GS_ACCESS_OK; i++) {
        unsigned shift = 8 * (INTERP_BIG_ENDIAN ? 3 - i : i);
        if (mask >> shift & 0xff)
            access = gs_memory_store(memory, word + i, 1, value >> shift & 0xff);
    }
    return access;
}

#define STORE_PART(...) STORE_PART_OF(__VA_ARGS__)
#define STORE_PART_OF(word_, mask_, value_)                                \
    do {                                                                   \
        const gs_addr at_ = (word_);                                       \
        const uint32_t chosen_ = (mask_), stored_ = (value_);              \
        NOTE_ACCESS(at_, 4);                                               \
        if (LIKELY(fast[at_ >> GS_PAGE_SHIFT] & GS_FAST_STORE)) {          \
            uint32_t old_;                                                 \
            memcpy(&old_, bytes + at_, sizeof old_);                       \
            old_ = GUEST32(old_);                                          \
            old_ = GUEST32((old_ & ~chosen_) | (stored_ & chosen_));       \
            memcpy(bytes + at_, &old_, sizeof old_);                       \
        } else {                                                           \
            SYNC();                                                        \
            if (store_part(memory, at_, chosen_, stored_) != GS_ACCESS_OK) \
                TRAP(STORE_FAULT, at_);                                    \
            if (hart->resync)                                              \
                CUT();                                                     \
        }                                                                  \
    } while (0)
#define STORE_LEFT(at_, value_)  STORE_PART(LEFT_PART(at_, value_))
#define STORE_RIGHT(at_, value_) STORE_PART(RIGHT_PART(at_, value_))

#define LL32(address_)                     \
    do {                                   \
        const gs_addr where_ = (address_); \
        s->linked_value = LOAD32(where_);  \
        s->linked_addr = where_;           \
        s->linked = true;                  \
        RD = s->linked_value;              \
    } while (0)
/* In memory of its own, only the hart's own stores can break a link; on a bus, see interp_rv.c. */
#define SC32(address_, value_)                              \
    do {                                                    \
        const gs_addr where_ = (address_);                  \
        const uint32_t wanted_ = (value_);                  \
        if (where_ & 3)                                     \
            TRAP(STORE_MISALIGNED, where_);                 \
        bool kept_ = s->linked && s->linked_addr == where_; \
        if (kept_ || gs_memory_is_shared(memory, where_))   \
            kept_ &= LOAD32(where_) == s->linked_value;     \
        s->linked = false;                                  \
        if (kept_) {                                        \
            STORE32(where_, wanted_);                       \
            RD = 1;                                         \
        } else {                                            \
            RD = 0;                                         \
        }                                                   \
    } while (0)
#define SYNC_CODE(address_) ((void)(address_)) /* decoded code is never stale, see memory.h */

#define SINGLE(reg_) (s->f[gs_mips_single(reg_, paired)])
#define HIGH(reg_)   (s->f[gs_mips_high(reg_, paired)])
#define DOUBLE(reg_) ((uint64_t)s->f[2 * (reg_) + 1] << 32 | s->f[2 * (reg_)])
#define FS_S         SINGLE(ip->rs1)
#define FT_S         SINGLE(ip->rs2)
#define FR_S         SINGLE(ip->rs3)
#define FS_D         DOUBLE(ip->rs1)
#define FT_D         DOUBLE(ip->rs2)
#define FR_D         DOUBLE(ip->rs3)
#define FS_HIGH      HIGH(ip->rs1)
#define FP           (&s->fp)
#define RM           ((gs_fp_round)s->fp.round)
#define SET_S(v_)    (SINGLE(ip->rd) = (v_))
#define SET_HIGH(v_) (HIGH(ip->rd) = (v_))
#define SET_D(v_)                                         \
    do {                                                  \
        const uint64_t double_ = (v_);                    \
        s->f[2 * ip->rd] = (uint32_t)double_;             \
        s->f[2 * ip->rd + 1] = (uint32_t)(double_ >> 32); \
    } while (0)
/* The exceptions of the operation just done: into Cause, and then into a trap or into Flags. */
#define ACCOUNT()                                                      \
    do {                                                               \
        const uint32_t raised_ = s->fp.flags;                          \
        s->fp.flags = 0;                                               \
        s->fcsr &= ~(uint32_t)GS_MIPS_FCSR_CAUSE;                      \
        s->fcsr |= raised_ << GS_MIPS_FCSR_CAUSE_SHIFT;                \
        if (UNLIKELY(s->fcsr >> GS_MIPS_FCSR_ENABLES_SHIFT & raised_)) \
            TRAP(FLOAT, RAW);                                          \
        s->fcsr |= raised_ << GS_MIPS_FCSR_FLAGS_SHIFT;                \
    } while (0)
#define RESULT_S(v_)                   \
    do {                               \
        const uint32_t result_ = (v_); \
        ACCOUNT();                     \
        SET_S(result_);                \
    } while (0)
#define RESULT_D(v_)                   \
    do {                               \
        const uint64_t result_ = (v_); \
        ACCOUNT();                     \
        SET_D(result_);                \
    } while (0)
#define COMPARE(order_, set_)                                                \
    do {                                                                     \
        const gs_fp_order found_ = (order_);                                 \
        ACCOUNT();                                                           \
        s->fcsr = (s->fcsr & ~(1u << AUX)) | ((set_) >> found_ & 1u) << AUX; \
    } while (0)
#define COMPARE_S(signalling_, set_) COMPARE(gs_f32_compare(FP, FS_S, FT_S, signalling_), set_)
#define COMPARE_D(signalling_, set_) COMPARE(gs_f64_compare(FP, FS_D, FT_D, signalling_), set_)
#define CC                           (s->fcsr >> AUX & 1)

#define FCR_READ(number_) gs_mips_fcr_read(s, number_)
#define FCR_WRITE(number_, value_)                  \
    do {                                            \
        if (!gs_mips_fcr_write(s, number_, value_)) \
            TRAP(FLOAT, RAW);                       \
    } while (0)
#define RDHWR(number_)                                \
    ({                                                \
        uint32_t read_ = 0;                           \
        SYNC();                                       \
        if (!gs_mips_rdhwr(machine, number_, &read_)) \
            TRAP(ILLEGAL, RAW);                       \
        read_;                                        \
    })
#define CP0_READ(reg_)                               \
    ({                                               \
        SYNC();                                      \
        if (gs_mips_cp0_is_undecided(machine, reg_)) \
            TRAP(ILLEGAL, RAW);                      \
        gs_mips_cp0_read(machine, reg_);             \
    })
#define CP0_WRITE(reg_, value_)                   \
    do {                                          \
        SYNC();                                   \
        gs_mips_cp0_write(machine, reg_, value_); \
        if (hart->resync)                         \
            CUT();                                \
    } while (0)
#define SET_INTERRUPTS(on_)                                      \
    ({                                                           \
        uint32_t status_ = gs_mips_set_interrupts(machine, on_); \
        if (hart->resync)                                        \
            CUT();                                               \
        status_;                                                 \
    })
#define WAIT()                 \
    do {                       \
        gs_mips_wait(machine); \
        CUT();                 \
    } while (0)

/* By the extension of a row: whether the hart may do this at all. */
#define GUARD_I
#define GUARD_II
#define GUARD_R1
#define GUARD_R2
#define GUARD_FPU                                            \
    do {                                                     \
        if (UNLIKELY(!(s->cp0_status & GS_MIPS_STATUS_CU1))) \
            TRAP(COPROCESSOR, RAW);                          \
    } while (0)
#define GUARD_FPUX GUARD_FPU
#define GUARD_FPU64             \
    do {                        \
        GUARD_FPU;              \
        if (UNLIKELY(paired))   \
            TRAP(ILLEGAL, RAW); \
    } while (0)
#define GUARD_CP0                                                                    \
    do {                                                                             \
        if (UNLIKELY(gs_mips_user_mode(s)) && !(s->cp0_status & GS_MIPS_STATUS_CU0)) \
            TRAP(COPROCESSOR, RAW);                                                  \
    } while (0)

#define DISPATCH(table_, spent_) \
    do {                         \
        if (UNLIKELY(left == 0)) \
            goto spent_;         \
        left--;                  \
        goto *table_[ip->op];    \
    } while (0)
#define ADVANCE()       \
    do {                \
        RETIRE(pc + 4); \
        pc += 4;        \
        ip++;           \
    } while (0)

#define JUMP(target_)                   \
    do {                                \
        target = (target_);             \
        RETIRE_JUMP(pc + 4, target);    \
        pc += 4;                        \
        ip++;                           \
        DISPATCH(slots, spent_in_slot); \
    } while (0)
#define LINK_JUMP(target_)               \
    do {                                 \
        const gs_addr goal_ = (target_); \
        RD = pc + 8;                     \
        JUMP(goal_);                     \
    } while (0)
#define TAKE_IF(condition_)           \
    do {                              \
        if (condition_)               \
            JUMP(pc + (uint32_t)IMM); \
    } while (0)
#define BRANCH_IF(condition_)           \
    do {                                \
        TAKE_IF(condition_);            \
        target = pc + 8;                \
        ADVANCE();                      \
        DISPATCH(slots, spent_in_slot); \
    } while (0)
#define LINK_BRANCH_IF(condition_)        \
    do {                                  \
        const bool taken_ = (condition_); \
        RD = pc + 8;                      \
        BRANCH_IF(taken_);                \
    } while (0)
#define BRANCH_LIKELY_IF(condition_) \
    do {                             \
        TAKE_IF(condition_);         \
        RETIRE_AND(pc + 8, true);    \
        pc += 8;                     \
        goto enter;                  \
    } while (0)
#define LINK_BRANCH_LIKELY_IF(condition_) \
    do {                                  \
        const bool taken_ = (condition_); \
        RD = pc + 8;                      \
        BRANCH_LIKELY_IF(taken_);         \
    } while (0)
#define ERET()                           \
    do {                                 \
        gs_mips_return(machine);         \
        CUT();                           \
        RETIRE_JUMP(hart->pc, hart->pc); \
        pc = hart->pc;                   \
        goto enter;                      \
    } while (0)

gs_stop INTERP_NAME(gs_machine *machine, uint64_t budget, gs_watch *watch)
{
    static const void *const handlers[GS_MIPS_OP_COUNT] = {
        [GS_OP_UNDECODED] = &&undecoded,
        [GS_OP_PAGE_END] = &&page_end,
        [GS_OP_ILLEGAL] = &&illegal,
#define INSN(ext, name, match, mask, format, class, ...) [GS_MIPS_##name] = &&do_##name,
#include "isa/mips/mips.def"
#undef INSN
    };
    static const void *const slots[GS_MIPS_OP_COUNT] = {
        [GS_OP_UNDECODED] = &&undecoded_in_slot,
        [GS_OP_PAGE_END] = &&page_end_in_slot,
        [GS_OP_ILLEGAL] = &&illegal_in_slot,
#define INSN(ext, name, match, mask, format, class, ...) [GS_MIPS_##name] = &&slot_##name,
#include "isa/mips/mips.def"
#undef INSN
    };
    gs_hart *const hart = &machine->hart;
    gs_mips_state *const s = &hart->mips;
    gs_memory *const memory = &machine->memory;
    uint8_t *const bytes = memory->bytes;
    const uint8_t *const fast = memory->fast;
    const unsigned paired = s->cp0_status & GS_MIPS_STATUS_FR ? 0 : 1;
    gs_addr pc = hart->pc, target = s->delay_target;
    gs_insn *ip;
    uint64_t left = budget, end = hart->instret + budget;
#if INTERP_OBSERVED
    gs_retired event = {0};
#else
    (void)watch;
#endif

    if (s->in_delay_slot) {
        s->in_delay_slot = false;
#if INTERP_OBSERVED
        event.taken = true; /* the branch: it may have been */
#endif
        goto enter_slot;
    }

enter:
    ip = memory->code[pc >> GS_PAGE_SHIFT];
    if (UNLIKELY(!ip || (pc & 3))) {
        if (left == 0)
            goto spent;
        if (pc & 3) {
            left--;
            TRAP(FETCH_MISALIGNED, pc);
        }
        if (!(ip = gs_memory_code_page(memory, pc))) {
            left--;
            TRAP(FETCH_FAULT, pc);
        }
    }
    ip += (pc & (GS_PAGE_SIZE - 1)) / 4;
    DISPATCH(handlers, spent);

undecoded:
    DECODE(handlers, trapped);

page_end:
    left++;
    goto enter;

illegal:
    TRAP(ILLEGAL, RAW);

#define INSN(ext, name, match, mask, format, class, ...) \
    do_##name:                                           \
    {                                                    \
        NOTE_OPERANDS(s->r[ip->rs1], s->r[ip->rs2]);     \
        GUARD_##ext;                                     \
        __VA_ARGS__;                                     \
        ADVANCE();                                       \
        DISPATCH(handlers, spent);                       \
    }
#include "isa/mips/mips.def"
#undef INSN

    /* From here on everything happens in the slot of a branch to `target`. */
#undef TRAP
#define TRAP(kind_, value_)                    \
    do {                                       \
        hart->trap.kind = GS_TRAP_##kind_;     \
        hart->trap.value = (uint32_t)(value_); \
        goto trapped_in_slot;                  \
    } while (0)
#undef JUMP
#undef LINK_JUMP
#undef BRANCH_IF
#undef LINK_BRANCH_IF
#undef BRANCH_LIKELY_IF
#undef LINK_BRANCH_LIKELY_IF
#undef ERET
#define JUMP(target_)                     TRAP(ILLEGAL, RAW)
#define LINK_JUMP(target_)                TRAP(ILLEGAL, RAW)
#define BRANCH_IF(condition_)             TRAP(ILLEGAL, RAW)
#define LINK_BRANCH_IF(condition_)        TRAP(ILLEGAL, RAW)
#define BRANCH_LIKELY_IF(condition_)      TRAP(ILLEGAL, RAW)
#define LINK_BRANCH_LIKELY_IF(condition_) TRAP(ILLEGAL, RAW)
#define ERET()                            TRAP(ILLEGAL, RAW)

enter_slot:
    ip = memory->code[pc >> GS_PAGE_SHIFT];
    if (UNLIKELY(!ip) && !(ip = gs_memory_code_page(memory, pc))) {
        if (left == 0)
            goto spent_in_slot;
        left--;
        TRAP(FETCH_FAULT, pc);
    }
    ip += (pc & (GS_PAGE_SIZE - 1)) / 4;
    DISPATCH(slots, spent_in_slot);

undecoded_in_slot:
    DECODE(slots, trapped_in_slot);

page_end_in_slot:
    left++;
    goto enter_slot;

illegal_in_slot:
    TRAP(ILLEGAL, RAW);

#define INSN(ext, name, match, mask, format, class, ...) \
    slot_##name:                                         \
    {                                                    \
        NOTE_OPERANDS(s->r[ip->rs1], s->r[ip->rs2]);     \
        GUARD_##ext;                                     \
        __VA_ARGS__;                                     \
        RETIRE_AND(target, event.taken);                 \
        pc = target;                                     \
        goto enter;                                      \
    }
#include "isa/mips/mips.def"
#undef INSN

trapped_in_slot:
    s->in_delay_slot = true;
    s->delay_target = target;
trapped:
    hart->trap.pc = pc;
    hart->pc = pc;
    hart->instret = end - left - 1;
    return GS_STOP_TRAP;

spent_in_slot:
    s->in_delay_slot = true;
    s->delay_target = target;
spent:
    hart->pc = pc;
    hart->instret = end;
    return hart->resync ? GS_STOP_RESYNC : GS_STOP_BUDGET;
}
