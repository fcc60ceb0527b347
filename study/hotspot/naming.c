/* SPDX-License-Identifier: BSD-3-Clause
 * The names of sampled places. */
#include "study/hotspot/naming.h"

#include <string.h>

#include "base/mark.h"
#include "base/string.h"
#include "host/memory.h"
#include "host/path.h"

static uint32_t
keep(struct hpm_naming *naming, const char *text)
{
    return hpm_names_add(naming->names, text, strlen(text));
}

bool
hpm_naming_begin(struct hpm_naming *naming)
{
    const struct hpm_study *study = naming->study;

    naming->modules =
        hpm_memory_new(study->n_modules + 1, sizeof *naming->modules);
    if (naming->modules == NULL)
        return false;
    for (size_t i = 0; i < study->n_modules; i++) {
        const char *base = hpm_path_base_name(study->modules[i].path);

        naming->modules[i].base = keep(naming, base);
        naming->modules[i].is_own = strncmp(base, "libhpm.so", 9) == 0;
        naming->modules[i].is_kernel = strcmp(base, "[kernel]") == 0;
        if (naming->modules[i].base == HPM_NO_NAME)
            return false;
    }
    naming->unknown = keep(naming, N_("(unknown)"));
    naming->measuring = keep(naming, N_("(measuring)"));
    naming->unnamed = keep(naming, N_("(no name)"));
    naming->kernel = keep(naming, N_("(kernel)"));
    naming->none = keep(naming, "");
    return naming->unknown != HPM_NO_NAME && naming->measuring != HPM_NO_NAME &&
           naming->unnamed != HPM_NO_NAME && naming->kernel != HPM_NO_NAME &&
           naming->none != HPM_NO_NAME;
}

void
hpm_naming_end(struct hpm_naming *naming)
{
    for (size_t i = 0; naming->modules != NULL && i < naming->study->n_modules;
         i++)
        hpm_symbols_free(naming->modules[i].symbols);
    hpm_memory_free(naming->modules);
}

static struct hpm_symbols *
symbols_of(struct hpm_naming *naming, uint32_t module)
{
    struct hpm_naming_module *named = &naming->modules[module];
    const struct hpm_study_module *file = &naming->study->modules[module];

    if (named->symbols == NULL)
        named->symbols = hpm_symbols_new(file->path, file->build_id);
    return named->symbols;
}

static uint32_t
name_function(struct hpm_naming *naming, struct hpm_symbols *symbols,
              uint64_t offset)
{
    size_t function = hpm_symbols_find(symbols, offset);

    return function == HPM_SYMBOLS_NONE
               ? naming->unnamed
               : keep(naming, hpm_symbols_name(symbols, function));
}

/* HPM_NO_NAME also when there is no memory. */
static uint32_t
name_known_line(struct hpm_naming *naming, const char *file, int line)
{
    struct hpm_string text = {0};
    uint32_t name;

    hpm_string_add_format(&text, "%s:%d", file, line);
    name = text.failed ? HPM_NO_NAME : keep(naming, hpm_string_text(&text));
    hpm_string_free(&text);
    return name;
}

/* The name of a line; where the line is not known, the function in brackets. */
static uint32_t
name_line(struct hpm_naming *naming, struct hpm_symbols *symbols,
          uint64_t offset)
{
    struct hpm_string text = {0};
    const char *file;
    uint32_t name;
    int line;

    if (hpm_symbols_line(symbols, offset, &file, &line))
        return name_known_line(naming, hpm_path_base_name(file), line);
    name = name_function(naming, symbols, offset);
    if (name == naming->unnamed || name == HPM_NO_NAME)
        return name;
    hpm_string_add_format(&text, "(%s)", hpm_names_text(naming->names, name));
    name = text.failed ? HPM_NO_NAME : keep(naming, hpm_string_text(&text));
    hpm_string_free(&text);
    return name;
}

bool
hpm_naming_find(struct hpm_naming *naming, const struct hpm_study_hit *hit,
                uint32_t *ret_name, uint32_t *ret_module)
{
    struct hpm_naming_module *module;
    struct hpm_symbols *symbols;

    *ret_module = naming->none;
    *ret_name =
        hit->module == HPM_MODULE_LOST ? HPM_NAMING_LOST : naming->unknown;
    if (hit->module >= HPM_MODULE_LOST)
        return true;
    module = &naming->modules[hit->module];
    *ret_module = module->base;
    *ret_name = module->is_own ? naming->measuring : module->base;
    if (module->is_own || naming->kind == HPM_NAMING_MODULE)
        return true;
    symbols = symbols_of(naming, hit->module);
    if (symbols == NULL)
        return false;
    *ret_name = naming->kind == HPM_NAMING_LINE
                    ? name_line(naming, symbols, hit->offset)
                    : name_function(naming, symbols, hit->offset);
    if (*ret_name == naming->unnamed && module->is_kernel)
        *ret_name = naming->kernel;
    return *ret_name != HPM_NO_NAME;
}

void
hpm_naming_note(struct hpm_naming *naming, const struct hpm_study_hit *hit,
                uint32_t name)
{
    /* A module's own name may be "(kernel)": its places were not looked up. */
    if (hit->module < HPM_MODULE_LOST &&
        naming->modules[hit->module].symbols != NULL &&
        (name == naming->unnamed || name == naming->kernel))
        naming->modules[hit->module].n_unnamed += hit->n;
}

bool
hpm_naming_find_line(struct hpm_naming *naming, const struct hpm_study_hit *hit,
                     uint32_t *ret_line)
{
    const char *file;
    int line;

    *ret_line = naming->none;
    if (hit->module >= HPM_MODULE_LOST ||
        naming->modules[hit->module].symbols == NULL ||
        !hpm_symbols_line(naming->modules[hit->module].symbols, hit->offset,
                          &file, &line))
        return true;
    *ret_line = name_known_line(naming, file, line);
    return *ret_line != HPM_NO_NAME;
}

const char *
hpm_naming_explain(const struct hpm_naming *naming, size_t module)
{
    const struct hpm_naming_module *named = &naming->modules[module];
    enum hpm_symbols_state state;

    if (named->n_unnamed == 0)
        return NULL;
    state = hpm_symbols_state(named->symbols);
    return state != HPM_SYMBOLS_THERE
               ? hpm_symbols_explain(state)
               : N_("its file has no function at some places");
}
