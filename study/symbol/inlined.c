/* SPDX-License-Identifier: BSD-3-Clause
 * Functions that were inlined everywhere, by their debug information. */
#include "study/symbol/inlined.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "host/memory.h"

/* Debug information describes an inlined function once, without code, and each of
 * its copies refers to that; so does a copy that is a function of its own. */
struct unit {
    uint64_t *with_code; /* places of descriptions that such a copy refers to */
    size_t n, capacity;
    bool failed;
    hpm_inlined_take *take;
    void *context;
};

static int
compare(const void *first, const void *second)
{
    uint64_t a = *(const uint64_t *)first, b = *(const uint64_t *)second;

    return a == b ? 0 : a < b ? -1 : 1;
}

static bool
has_code(const struct unit *unit, uint64_t place)
{
    return unit->n > 0 && bsearch(&place, unit->with_code, unit->n,
                                  sizeof place, compare) != NULL;
}

static int
note_code(Dwarf_Die *function, void *context)
{
    struct unit *unit = context;
    Dwarf_Attribute attribute;
    Dwarf_Die origin;

    if (!dwarf_hasattr(function, DW_AT_low_pc) &&
        !dwarf_hasattr(function, DW_AT_ranges))
        return DWARF_CB_OK;
    if (dwarf_attr(function, DW_AT_abstract_origin, &attribute) == NULL ||
        dwarf_formref_die(&attribute, &origin) == NULL)
        return DWARF_CB_OK;
    if (!hpm_memory_grow(&unit->with_code, &unit->capacity, unit->n + 1,
                         sizeof *unit->with_code)) {
        unit->failed = true;
        return DWARF_CB_ABORT;
    }
    unit->with_code[unit->n++] = dwarf_dieoffset(&origin);
    return DWARF_CB_OK;
}

static const char *
linkage_of(Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    const char *name = NULL;

    if (dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute) != NULL)
        name = dwarf_formstring(&attribute);
    return name != NULL ? name : dwarf_diename(function);
}

static int
tell(Dwarf_Die *function, void *context)
{
    struct unit *unit = context;
    const char *name;
    int line = 0;

    if (!dwarf_func_inline(function) ||
        has_code(unit, dwarf_dieoffset(function)))
        return DWARF_CB_OK;
    name = linkage_of(function);
    if (name == NULL)
        return DWARF_CB_OK;
    dwarf_decl_line(function, &line);
    if (unit->take(unit->context, name, dwarf_decl_file(function), line))
        return DWARF_CB_OK;
    unit->failed = true;
    return DWARF_CB_ABORT;
}

static bool
list_unit(Dwarf_Die *die, struct unit *unit)
{
    unit->n = 0;
    dwarf_getfuncs(die, note_code, unit, 0);
    hpm_sort(unit->with_code, unit->n, sizeof *unit->with_code, compare);
    if (!unit->failed)
        dwarf_getfuncs(die, tell, unit, 0);
    return !unit->failed;
}

static bool
list(Dwarf *debug, struct unit *unit)
{
    Dwarf_CU *next = NULL;
    Dwarf_Die die, sub;
    uint8_t type;
    bool is_there = false;

    while (dwarf_get_units(debug, next, &next, NULL, &type, &die, &sub) == 0) {
        if (type == DW_UT_type || type == DW_UT_split_type)
            continue;
        is_there = true;
        if (!list_unit(type == DW_UT_skeleton ? &sub : &die, unit))
            return false;
    }
    return is_there;
}

bool
hpm_inlined_list(const char *path, hpm_inlined_take *take, void *context)
{
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                             .find_debuginfo =
                                                 dwfl_standard_find_debuginfo};
    struct unit unit = {.take = take, .context = context};
    Dwfl_Module *module;
    Dwarf *debug = NULL;
    Dwarf_Addr bias;
    bool is_good;
    Dwfl *files;

    unsetenv("DEBUGINFOD_URLS"); /* never fetch files from a server */
    files = dwfl_begin(&callbacks);
    if (files == NULL)
        return false;
    dwfl_report_begin(files);
    module = dwfl_report_elf(files, path, path, -1, 0, false);
    dwfl_report_end(files, NULL, NULL);
    if (module != NULL)
        debug = dwfl_module_getdwarf(module, &bias);
    is_good = debug != NULL && list(debug, &unit);
    hpm_memory_free(unit.with_code);
    dwfl_end(files);
    return is_good;
}
