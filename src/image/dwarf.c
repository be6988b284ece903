#include "image/dwarf.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

/* Per byte of the file. Compressed debug information rarely shrinks to less than a fifth, and
 * nothing in it takes less than a byte. */
enum { BUDGET_PER_BYTE = 16 };

bool gs_dwarf_spend(gs_dwarf *dwarf)
{
    if (dwarf->budget == 0)
        return false;
    dwarf->budget--;
    return true;
}

const char *gs_dwarf_keep(gs_dwarf *dwarf, const char *text)
{
    const char *kept = gs_strings_keep(&dwarf->image->strings, text ? text : "");
    if (!kept)
        dwarf->no_memory = true;
    return kept;
}

static bool find_names_at_zero(gs_dwarf *dwarf)
{
    const gs_image *image = dwarf->image;
    if (!gs_image_segment_at(image, 0))
        return true;
    for (size_t i = 0; i < image->symbols.count; i++) {
        const gs_symbol *symbol = &image->symbols.items[i];
        if (symbol->value == 0 && symbol->section != SHN_ABS &&
            !gs_vec_push(&dwarf->names_at_zero, symbol->name))
            return false;
    }
    return true;
}

static void read_units(gs_dwarf *dwarf, Dwarf *session)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    uint8_t type;
    while (!dwarf->no_memory && dwarf->budget &&
           dwarf_get_units(session, unit, &unit, NULL, &type, &die, NULL) == 0) {
        if (type != DW_UT_compile || !gs_dwarf_spend(dwarf))
            continue;
        dwarf->dropped_end = 0;
        dwarf->kept = (gs_range){0};
        gs_inlines_collect(dwarf, &die);
        gs_lines_collect(dwarf, &die);
    }
}

gs_status gs_image_load_lines(gs_image *image, gs_error *err)
{
    if (image->lines_loaded)
        return GS_OK;
    gs_dwarf dwarf = {
        .image = image,
        .budget = (uint64_t)image->file_size * BUDGET_PER_BYTE,
    };
    gs_status status = GS_OK;
    Elf *elf = NULL;
    Dwarf *session = NULL;

    /* libdw decompresses sections and changes their headers in place: not in our file. */
    char *copy = malloc(image->file_size);
    if (!copy || !find_names_at_zero(&dwarf)) {
        status = gs_fail_no_memory(err);
        goto out;
    }
    memcpy(copy, image->file, image->file_size);
    elf = elf_memory(copy, image->file_size);
    session = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
    if (session)
        read_units(&dwarf, session);
    if (dwarf.no_memory) {
        image->lines.count = 0;
        image->inlines.count = 0;
        status = gs_fail_no_memory(err);
        goto out;
    }
    gs_lines_finish(image);
    gs_inlines_finish(image);
    image->lines_loaded = true;
out:
    dwarf_end(session);
    elf_end(elf);
    free(copy);
    free(dwarf.names_at_zero.items);
    return status;
}
