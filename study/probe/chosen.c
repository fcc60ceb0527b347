/* SPDX-License-Identifier: BSD-3-Clause
 * The functions of a file that a user wants to be watched. */
#include "study/probe/chosen.h"

#include "elf/wanted.h"
#include "host/memory.h"
#include "study/probe/demangled.h"

static bool
is_there(const struct hpm_chosen *chosen, uint64_t offset)
{
    for (size_t i = 0; i < chosen->n; i++) {
        if (chosen->points[i].offset == offset)
            return true;
    }
    return false;
}

/* Remember one, rather one for which there is another way. */
static void
refuse(struct hpm_chosen *chosen, const struct hpm_probeable *function)
{
    if (chosen->n_refused++ > 0 && function->probe >= chosen->extent)
        return;
    chosen->extent = function->probe;
    chosen->refused = function->name;
    chosen->why = function->why;
}

static bool
choose(struct hpm_chosen *chosen, const struct hpm_wanted *wanted,
       const struct hpm_probeable *function, bool is_entry_only, char *shown,
       const char *plain)
{
    const char *forms[4] = {function->name};
    const char *label = shown != NULL ? shown : function->name;
    struct hpm_chosen_point *point = &chosen->points[chosen->n];

    forms[1] = shown;
    if (shown != NULL)
        forms[2] = plain;
    if (!hpm_wanted_takes(wanted, forms, NULL) ||
        is_there(chosen, function->offset))
        return true;
    if (function->probe != HPM_PROBE_WHOLE &&
        (function->probe != HPM_PROBE_ENTRY || !is_entry_only)) {
        refuse(chosen, function);
        return true;
    }
    *point = (struct hpm_chosen_point){.label = hpm_memory_copy_text(label),
                                       .start = function->start,
                                       .offset = function->offset,
                                       .kind = function->kind};
    chosen->n += point->label != NULL;
    return point->label != NULL;
}

static bool
choose_all(struct hpm_chosen *chosen, const char *patterns, bool is_entry_only)
{
    const struct hpm_probeables *functions = &chosen->functions;
    struct hpm_wanted *wanted = hpm_wanted_new(patterns);
    bool is_good;

    chosen->points = hpm_memory_new(functions->n + 1, sizeof *chosen->points);
    is_good = wanted != NULL && chosen->points != NULL;
    for (size_t i = 0; i < functions->n && is_good; i++) {
        char *shown = hpm_demangled_name(functions->list[i].name);
        char *plain = shown != NULL ? hpm_demangled_plain(shown) : NULL;

        is_good = choose(chosen, wanted, &functions->list[i], is_entry_only,
                         shown, plain);
        hpm_memory_free(shown);
        hpm_memory_free(plain);
    }
    hpm_wanted_free(wanted);
    return is_good;
}

bool
hpm_chosen_read(struct hpm_chosen *chosen, const char *path,
                const char *patterns, bool is_entry_only, struct hpm_error *err)
{
    return hpm_probeables_read(&chosen->functions, path, err) &&
           (choose_all(chosen, patterns, is_entry_only) ||
            hpm_error_no_memory(err));
}

void
hpm_chosen_clear(struct hpm_chosen *chosen)
{
    for (size_t i = 0; i < chosen->n; i++)
        hpm_memory_free(chosen->points[i].label);
    hpm_memory_free(chosen->points);
    hpm_probeables_clear(&chosen->functions);
    *chosen = (struct hpm_chosen){.points = NULL};
}
