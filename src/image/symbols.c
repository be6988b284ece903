/*
 * The symbol table, with what is not a name for an address left out.
 */
#include "image/internal.h"

#include <gelf.h>
#include <string.h>

#include "base/vec.h"
#include "image/objects.h"

/* The full symbol table, or the dynamic one of a file that has been stripped of it. */
static Elf_Scn *find_table(Elf *elf, GElf_Shdr *header)
{
    Elf_Scn *dynamic = NULL;
    GElf_Shdr dynamic_header = {0};
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        if (!gelf_getshdr(section, header))
            continue;
        if (header->sh_type == SHT_SYMTAB)
            return section;
        if (header->sh_type == SHT_DYNSYM) {
            dynamic = section;
            dynamic_header = *header;
        }
    }
    *header = dynamic_header;
    return dynamic;
}

gs_status gs_image_load_symbols(gs_image *image, gs_error *err)
{
    GElf_Shdr header;
    Elf_Scn *section = find_table(image->elf, &header);
    Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
    if (!data || data->d_type != ELF_T_SYM)
        return GS_OK;
    size_t count = data->d_size / sizeof(Elf32_Sym);
    for (size_t i = 1; i < count && i <= INT32_MAX; i++) {
        GElf_Sym raw;
        if (!gelf_getsym(data, (int)i, &raw))
            break;
        unsigned type = GELF_ST_TYPE(raw.st_info);
        if (raw.st_shndx == SHN_UNDEF || type == STT_SECTION || type == STT_FILE)
            continue;
        const char *name = elf_strptr(image->elf, header.sh_link, raw.st_name);
        if (!name || !*name)
            continue;
        gs_symbol symbol = {
            .value = raw.st_value,
            .size = raw.st_size,
            .name = name,
            .section = raw.st_shndx,
            .type = (uint8_t)type,
            .bind = (uint8_t)GELF_ST_BIND(raw.st_info),
            .other = raw.st_other,
        };
        if (!gs_vec_push(&image->symbols, symbol))
            return gs_fail_no_memory(err);
    }
    return GS_OK;
}

/* Asked a few times per run, so a walk through the table is as good as an index. */
static const gs_symbol *find(const gs_image *image, const char *name)
{
    const gs_symbol *found = NULL;
    for (size_t i = 0; i < image->symbols.count; i++) {
        const gs_symbol *symbol = &image->symbols.items[i];
        if (strcmp(symbol->name, name) != 0)
            continue;
        if (!found || (found->bind == STB_LOCAL && symbol->bind != STB_LOCAL))
            found = symbol;
    }
    return found;
}

bool gs_image_find_symbol(const gs_image *image, const char *name, uint64_t *value)
{
    const gs_symbol *found = find(image, name);
    if (found && value)
        *value = found->value;
    return found != NULL;
}

bool gs_image_find_object(const gs_image *image, const char *name, uint64_t *start, uint64_t *size)
{
    const gs_symbol *found = find(image, name);
    if (!found)
        return false;
    *start = found->value;
    *size = found->size;
    return true;
}
