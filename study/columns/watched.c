/* SPDX-License-Identifier: BSD-3-Clause
 * How the sections of rows came about. */
#include "study/columns/watched.h"

#include <string.h>

#include "base/mark.h"

const char *
hpm_watched_words(int via)
{
    static const char *const words[HPM_N_VIAS] = {
        [HPM_VIA_HOOK] = N_("hooks of the compiler (-finstrument-functions)"),
        [HPM_VIA_XRAY] = N_("hooks of the compiler (XRay)"),
        [HPM_VIA_WRAPPER] =
            N_("a function before that of the library (wrapper)"),
        [HPM_VIA_UPROBE] = N_("probes of the kernel (uprobe)")};

    return words[via];
}

struct hpm_watched_row
hpm_watched_get(const struct hpm_study *study, uint32_t row)
{
    int64_t via = HPM_VIA_CALL;

    hpm_number_to_integer(hpm_study_extra(study, row, HPM_EXTRA_VIA), 0,
                          HPM_N_VIAS - 1, &via);
    return (struct hpm_watched_row){
        (int)via, hpm_study_text(study, row, HPM_EXTRA_MODULE),
        hpm_study_extra(study, row, HPM_EXTRA_OFFSET)};
}

bool
hpm_watched_set(struct hpm_study *study, uint32_t row,
                const struct hpm_watched_row *watched)
{
    const char *module = watched->module;

    if (watched->via != HPM_VIA_CALL &&
        !hpm_study_set_extra(study, row, HPM_EXTRA_VIA,
                             hpm_number_count((uint64_t)watched->via)))
        return false;
    if (module != NULL &&
        (!hpm_study_own(study, &module) ||
         !hpm_study_set_text(study, row, HPM_EXTRA_MODULE, module)))
        return false;
    return watched->offset.kind == HPM_NUMBER_NONE ||
           hpm_study_set_extra(study, row, HPM_EXTRA_OFFSET, watched->offset);
}

void
hpm_watched_join(struct hpm_watched_row *watched,
                 const struct hpm_watched_row *other)
{
    bool is_same_module = watched->module != NULL && other->module != NULL &&
                          strcmp(watched->module, other->module) == 0;

    if (watched->via != other->via)
        watched->via = HPM_VIA_CALL;
    if (!is_same_module || watched->via == HPM_VIA_CALL)
        watched->module = NULL;
    if (watched->module == NULL ||
        hpm_number_compare(watched->offset, other->offset) != 0)
        watched->offset = (struct hpm_number){0};
}

bool
hpm_watched_align(const struct hpm_align *align, uint32_t row)
{
    struct hpm_watched_row all = {0};
    bool is_first = true;

    for (size_t i = 0; i < align->n; i++) {
        uint32_t from = align->rows[(size_t)row * align->n + i];
        struct hpm_watched_row watched;

        if (from == HPM_NO_INDEX)
            continue;
        watched = hpm_watched_get(align->studies[i], from);
        if (is_first)
            all = watched;
        else
            hpm_watched_join(&all, &watched);
        is_first = false;
    }
    return hpm_watched_set(align->result, row, &all);
}
