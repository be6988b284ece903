/*
 * interp.h - the reference interpreter's entry points and common machinery.
 *
 * One function per instruction set and byte order, each in a plain form and in one
 * that reports every retired instruction. They are compiled from one source per
 * instruction set (interp_rv.c, interp_mips.c) with different definitions of
 *
 *     INTERP_NAME        the function's name
 *     INTERP_OBSERVED    0 or 1: report retirements to the observer
 *     INTERP_BIG_ENDIAN  0 or 1: the guest's byte order
 *
 * so the hot loop has no choices left in it. Each runs from hart.pc until `budget`
 * instructions have retired or something needs attention.
 *
 * The second half of this file is for those sources only. Decoded instructions stand
 * in slots, one array per page, one slot per smallest instruction; `ip` walks them
 * and each handler jumps straight to the next one's. A slot that is empty or past the
 * end of its page has a handler as well, so there is nothing to check on the way.
 */
#ifndef GS_ENGINE_INTERP_H
#define GS_ENGINE_INTERP_H

#include "engine/watch.h"
#include "machine/machine.h"

typedef gs_stop gs_interp(gs_machine *machine, uint64_t budget, gs_watch *watch);

gs_interp gs_interp_rv32_plain, gs_interp_rv32_observed;
gs_interp gs_interp_mipsel_plain, gs_interp_mipsel_observed;
gs_interp gs_interp_mipseb_plain, gs_interp_mipseb_observed;

#ifdef INTERP_NAME

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/*
 * The sources keep these locals: machine, hart, memory, bytes, fast, ip, pc, and
 *
 *   left   instructions that may still be dispatched
 *   end    the value hart->instret has when left is 0 and the last one has retired
 *
 * While a handler runs, its own instruction is not in `left` any more, so the number
 * retired before it is end - left - 1.
 */
#if INTERP_OBSERVED
#define TIME_NOW() gs_watch_time(watch, machine)
#else
#define TIME_NOW() (hart->instret + machine->idle)
#endif
#define SYNC()                          \
    do {                                \
        hart->pc = pc;                  \
        hart->instret = end - left - 1; \
        machine->time = TIME_NOW();     \
    } while (0)

/* Makes this instruction the last one of the slice. */
#define CUT()        \
    do {             \
        end -= left; \
        left = 0;    \
    } while (0)

#define TRAP(kind_, value_)                    \
    do {                                       \
        hart->trap.kind = GS_TRAP_##kind_;     \
        hart->trap.value = (uint32_t)(value_); \
        goto trapped;                          \
    } while (0)

/* What the handler of an empty slot does: fills it, and goes on with the handler it has now. */
#define DECODE(handlers_, trapped_)                       \
    do {                                                  \
        int failed_ = gs_machine_decode(machine, ip, pc); \
        if (failed_ >= 0) {                               \
            hart->trap.kind = (gs_trap_kind)failed_;      \
            hart->trap.value = pc;                        \
            goto trapped_;                                \
        }                                                 \
        NOTE_DECODED();                                   \
        goto *handlers_[ip->op];                          \
    } while (0)

/* What an instruction reports to timing and observers. RETIRE_JUMP is for a branch or
 * jump that is taken: `next_` is its delay slot or where it goes, `goal_` always the latter.
 * RETIRE_AND is for any other that need not go on to the instruction behind it. */
#if INTERP_OBSERVED
#define NOTE_OPERANDS(first_, second_) (event.value[0] = (first_), event.value[1] = (second_))
#define NOTE_ACCESS(address_, size_)   (event.address = (address_), event.size = (size_))
#define REPORT(next_)                                           \
    do {                                                        \
        event.number = end - left - 1;                          \
        event.pc = pc;                                          \
        event.next_pc = (next_);                                \
        event.insn = ip;                                        \
        if (UNLIKELY(gs_watch_retired(watch, machine, &event))) \
            CUT();                                              \
        event.size = 0;                                         \
    } while (0)
#define RETIRE_AND(next_, transfers_)   \
    do {                                \
        event.transfers = (transfers_); \
        event.taken = false;            \
        REPORT(next_);                  \
    } while (0)
#define RETIRE(next_) RETIRE_AND(next_, false)
#define RETIRE_JUMP(next_, goal_) \
    do {                          \
        event.transfers = true;   \
        event.taken = true;       \
        event.goal = (goal_);     \
        REPORT(next_);            \
    } while (0)
#define NOTE_DECODED() gs_watch_decoded(watch, machine, pc, ip)
#else
#define NOTE_OPERANDS(first_, second_) ((void)0)
#define NOTE_ACCESS(address_, size_)   ((void)0)
#define RETIRE_AND(next_, transfers_)  ((void)0)
#define RETIRE(next_)                  ((void)0)
#define RETIRE_JUMP(next_, goal_)      ((void)0)
#define NOTE_DECODED()                 ((void)0)
#endif

#if INTERP_BIG_ENDIAN != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#define GUEST8(v)  (v)
#define GUEST16(v) __builtin_bswap16(v)
#define GUEST32(v) __builtin_bswap32(v)
#define GUEST64(v) __builtin_bswap64(v)
#else
#define GUEST8(v)  (v)
#define GUEST16(v) (v)
#define GUEST32(v) (v)
#define GUEST64(v) (v)
#endif

#define LOAD(bits_, address_)                                                     \
    ({                                                                            \
        const gs_addr at_ = (address_);                                           \
        uint##bits_##_t loaded_;                                                  \
        NOTE_ACCESS(at_, (bits_) / 8);                                            \
        if (LIKELY((fast[at_ >> GS_PAGE_SHIFT] & GS_FAST_LOAD) &&                 \
                   (at_ & ((bits_) / 8 - 1)) == 0)) {                             \
            memcpy(&loaded_, bytes + at_, sizeof loaded_);                        \
            loaded_ = GUEST##bits_(loaded_);                                      \
        } else {                                                                  \
            uint64_t slow_ = 0;                                                   \
            SYNC();                                                               \
            gs_access access_ = gs_memory_load(memory, at_, (bits_) / 8, &slow_); \
            if (access_ == GS_ACCESS_MISALIGNED)                                  \
                TRAP(LOAD_MISALIGNED, at_);                                       \
            if (access_ != GS_ACCESS_OK)                                          \
                TRAP(LOAD_FAULT, at_);                                            \
            if (hart->resync)                                                     \
                CUT();                                                            \
            loaded_ = (uint##bits_##_t)slow_;                                     \
        }                                                                         \
        loaded_;                                                                  \
    })
#define LOAD8(address_)  LOAD(8, address_)
#define LOAD16(address_) LOAD(16, address_)
#define LOAD32(address_) LOAD(32, address_)
#define LOAD64(address_) LOAD(64, address_)

#define STORE(bits_, address_, value_)                                              \
    do {                                                                            \
        const gs_addr at_ = (address_);                                             \
        uint##bits_##_t stored_ = (uint##bits_##_t)(value_);                        \
        NOTE_ACCESS(at_, (bits_) / 8);                                              \
        if (LIKELY((fast[at_ >> GS_PAGE_SHIFT] & GS_FAST_STORE) &&                  \
                   (at_ & ((bits_) / 8 - 1)) == 0)) {                               \
            stored_ = GUEST##bits_(stored_);                                        \
            memcpy(bytes + at_, &stored_, sizeof stored_);                          \
        } else {                                                                    \
            SYNC();                                                                 \
            gs_access access_ = gs_memory_store(memory, at_, (bits_) / 8, stored_); \
            if (access_ == GS_ACCESS_MISALIGNED)                                    \
                TRAP(STORE_MISALIGNED, at_);                                        \
            if (access_ != GS_ACCESS_OK)                                            \
                TRAP(STORE_FAULT, at_);                                             \
            if (hart->resync)                                                       \
                CUT();                                                              \
        }                                                                           \
    } while (0)
#define STORE8(address_, value_)  STORE(8, address_, value_)
#define STORE16(address_, value_) STORE(16, address_, value_)
#define STORE32(address_, value_) STORE(32, address_, value_)
#define STORE64(address_, value_) STORE(64, address_, value_)

#endif /* INTERP_NAME */
#endif
