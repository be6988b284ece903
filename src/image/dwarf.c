/* Walks the compilation units of debug information, within a budget of work. */
#include "image/dwarf.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

/* Per byte of the file. Compressed debug information rarely shrinks to less than a fifth, and
 * nothing in it takes less than a byte. */
enum { BUDGET_PER_BYTE = 16 };

enum { MAX_PATH_BYTES = 4096 };

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

/* libdw does this for the directories of DWARF 4, but not for those of DWARF 5. */
const char *gs_dwarf_keep_path(gs_dwarf *dwarf, const char *path)
{
    char joined[MAX_PATH_BYTES];
    if (!path || !*path || *path == '/' || !dwarf->unit_folder)
        return gs_dwarf_keep(dwarf, path);
    int length = snprintf(joined, sizeof joined, "%s/%s", dwarf->unit_folder, path);
    bool fits = length > 0 && (size_t)length < sizeof joined;
    return gs_dwarf_keep(dwarf, fits ? joined : path);
}

static const char *folder_of(Dwarf_Die *unit)
{
    Dwarf_Attribute attribute;
    return dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
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
        dwarf->unit_folder = folder_of(&die);
        dwarf->dropped_end = 0;
        dwarf->kept = (gs_address_range){0};
        gs_inlines_collect(dwarf, &die);
        gs_lines_collect(dwarf, &die);
    }
}

static gs_status load_lines(gs_image *image, gs_error *err)
{
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

gs_status gs_image_load_lines(gs_image *image, gs_error *err)
{
    pthread_mutex_lock(&image->loading);
    gs_status status = image->lines_loaded ? GS_OK : load_lines(image, err);
    pthread_mutex_unlock(&image->loading);
    return status;
}
