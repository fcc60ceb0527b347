/* SPDX-License-Identifier: BSD-3-Clause
 * The PMU names of definitions. */
#include "study/tool/pmus.h"

#include <string.h>

#include "base/string.h"
#include "host/path.h"

bool
hpm_pmus_add(struct hpm_names *pmus, const struct hpm_spec *spec,
             const char *but_of_file)
{
    for (size_t i = 0; i < spec->n_statements; i++) {
        const char *file = hpm_spec_text(spec, spec->statements[i].place.file);
        const struct hpm_range range =
            spec->arches[spec->statements[i].arch].pmus;

        if (but_of_file != NULL &&
            strcmp(hpm_path_base_name(file), but_of_file) == 0)
            continue;
        for (size_t j = range.first; j < range.first + range.count; j++) {
            const char *name = hpm_spec_text(spec, spec->pmus[j]);

            if (hpm_names_add(pmus, name, strlen(name)) == HPM_NO_NAME)
                return false;
        }
    }
    return true;
}

static bool
is_last_word(const char *pmu, const char *word)
{
    size_t length = strlen(pmu), n = strlen(word);

    return length > n + 1 && pmu[length - n - 1] == '_' &&
           hpm_string_same_word(pmu + length - n, word);
}

const char *
hpm_pmus_nearest(const struct hpm_names *pmus, const char *name)
{
    const char *nearest = NULL;
    unsigned edits = 3;

    for (size_t i = 0; i < pmus->n_texts; i++) {
        const char *here = pmus->texts[i];
        unsigned n;

        if (hpm_string_same_word(here, name) || is_last_word(here, name))
            return here;
        n = hpm_string_distance(name, here, edits);
        if (n < edits && strlen(here) > 2 * n) {
            edits = n;
            nearest = here;
        }
    }
    return nearest;
}

bool
hpm_pmus_is_processor(const struct hpm_spec *spec, const char *name)
{
    for (size_t i = 0; i < spec->n_statements; i++) {
        const struct hpm_statement *here = &spec->statements[i];

        if (here->kind == HPM_STATEMENT_PROCESSOR &&
            strcmp(hpm_spec_text(spec, here->name), name) == 0)
            return true;
    }
    return false;
}

bool
hpm_pmus_check(const struct hpm_names *pmus, const char *name,
               struct hpm_error *err)
{
    const char *nearest = hpm_pmus_nearest(pmus, name);
    struct hpm_string names = {0};

    if (hpm_names_find(pmus, name) != HPM_NO_NAME)
        return true;
    if (nearest != NULL)
        return hpm_error_set(err,
                             "no definitions are for the PMU '%.40s'; did you "
                             "mean '%s'?",
                             name, nearest);
    for (size_t i = 0; i < pmus->n_texts; i++)
        hpm_string_add_format(&names, " %s", pmus->texts[i]);
    hpm_error_set(err,
                  "no definitions are for the PMU '%.40s'; expected one "
                  "of:%.700s",
                  name, hpm_string_text(&names));
    hpm_string_free(&names);
    return false;
}
