/*
 * Board descriptions: whatever the bytes, parsing ends in a board or in a message.
 *
 * A board that is accepted must keep the promises of board.h, which building it
 * relies on.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "machine/bare/atomic.h"
#include "machine/bare/board.h"
#include "machine/bare/rp2350_timer.h"
#include "machine/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static bool shares_pages(const gs_board_part *part)
{
    return strcmp(part->type, "region") == 0 || strcmp(part->type, "registers") == 0 ||
           strcmp(part->type, "rp2350-mtime") == 0;
}

static void check_parts(const gs_board *board)
{
    const uint64_t end = UINT64_C(1) << 32, mask = ~(uint64_t)(GS_PAGE_SIZE - 1);
    for (size_t i = 0; i < gs_board_part_count(board); i++) {
        gs_board_part a = gs_board_part_at(board, i);
        require(a.type && a.size > 0 && a.base < end && a.size <= end - a.base);
        for (size_t j = 0; j < i; j++) {
            gs_board_part b = gs_board_part_at(board, j);
            if (a.base + a.size <= b.base || b.base + b.size <= a.base) {
                if (strcmp(a.type, "memory") != 0 && strcmp(b.type, "memory") != 0 &&
                    (shares_pages(&a) || shares_pages(&b)))
                    continue;
            }
            uint64_t a_end = (a.base + a.size + GS_PAGE_SIZE - 1) & mask;
            uint64_t b_end = (b.base + b.size + GS_PAGE_SIZE - 1) & mask;
            require(a_end <= (b.base & mask) || b_end <= (a.base & mask));
        }
    }
}

static void check_registers(const gs_board_device *device)
{
    const uint64_t size =
        device->atomic ? device->size / GS_ATOMIC_COPIES : device->size; /* without the copies */
    require(device->base % 4 == 0 && device->size % 4 == 0);
    require(device->size <= GS_BOARD_REGISTERS_MAX &&
            (!device->atomic || size == GS_ATOMIC_DISTANCE));
    for (unsigned i = 0; i < device->word_count; i++) {
        const gs_board_word *word = &device->words[i];
        require(word->at % 4 == 0 && word->source % 4 == 0 && word->source < size);
        require(word->count > 0 && word->at + UINT64_C(4) * word->count <= size);
        require(word->rule != GS_BOARD_WORD_ONE_HOT || word->mask < 32);
    }
}

static void check_code(const gs_board *board)
{
    for (unsigned i = 0; i < board->memory_count; i++) {
        const gs_board_memory *memory = &board->memory[i];
        require(memory->code_count == 0 ||
                (memory->code_at % 4 == 0 && memory->code_at >= memory->base &&
                 memory->code_at + 4 * memory->code_count <= memory->base + memory->size));
    }
}

static bool lines_fit(const gs_board *board, const gs_board_device *device, unsigned count)
{
    return device->irq < 0 || ((unsigned)device->irq >= gs_board_first_line(board) &&
                               (unsigned)device->irq + count <= gs_board_line_count(board));
}

static void check_devices(const gs_board *board)
{
    unsigned clints = 0;
    for (unsigned i = 0; i < board->device_count; i++) {
        const gs_board_device *device = &board->devices[i];
        switch (device->type) {
        case GS_BOARD_RP2350_MTIME:
        case GS_BOARD_CLINT:
            require(device->divider > 0 && board->arch == GS_ARCH_RV32 && ++clints == 1);
            break;
        case GS_BOARD_UART16550:
            require(device->stride > 0 && device->width > 0 && device->width <= device->stride);
            require(device->base % GS_PAGE_SIZE + 8 * device->stride <= GS_PAGE_SIZE);
            break;
        case GS_BOARD_TEST:
        case GS_BOARD_ALIAS: require(device->base % GS_PAGE_SIZE == 0); break;
        case GS_BOARD_REGION: require(device->base % 4 == 0 && device->size % 4 == 0); break;
        case GS_BOARD_REGISTERS: check_registers(device); break;
        case GS_BOARD_RP2350_TIMER:
            require(device->divider > 0 && lines_fit(board, device, GS_RP2350_ALARMS));
            break;
        case GS_BOARD_PL011: require(lines_fit(board, device, 1)); break;
        case GS_BOARD_SP804: require(device->divider > 0 && lines_fit(board, device, 1)); break;
        case GS_BOARD_GPIO: require(lines_fit(board, device, gs_board_gpio_lines(board))); break;
        case GS_BOARD_PLIC: require(board->interrupts == GS_BOARD_PLIC_SOURCES); break;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    gs_board *board;
    gs_error err;
    if (gs_board_parse(&board, "fuzz", (const char *)bytes, size, &err)) {
        require(!board && !strncmp(err.message, "fuzz", 4) && strlen(err.message) > 5);
        require(!strchr(err.message, '\n'));
        return 0;
    }
    require(gs_board_name(board)[0] && gs_board_clock_hz(board) > 0);
    require(board->memory_count > 0 && board->memory_count <= GS_BOARD_MEMORY_MAX);
    require(board->device_count <= GS_BOARD_DEVICE_MAX);
    check_parts(board);
    check_devices(board);
    check_code(board);
    gs_board_free(board);
    return 0;
}
