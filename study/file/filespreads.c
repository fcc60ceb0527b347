/* SPDX-License-Identifier: BSD-3-Clause
 * The spreads of a record in a performance file. */
#include "study/file/filespreads.h"

#include "host/memory.h"

void
hpm_filespreads_begin_record(struct hpm_filespreads *filespreads)
{
    filespreads->n = 0;
}

static void
note(struct hpm_filespreads *filespreads, const struct hpm_xmlguard *guard,
     const char *what)
{
    struct hpm_xmlguard_position position = hpm_xmlguard_locate(guard, NULL);

    hpm_notes_add(filespreads->parse->notes, "%s:%ld:%ld: %s; left out",
                  filespreads->parse->file, position.line, position.column,
                  what);
}

static bool
has_column(const struct hpm_filespreads *filespreads, uint32_t column)
{
    for (size_t i = 0; i < filespreads->n; i++) {
        if (filespreads->spreads[i].column == column)
            return true;
    }
    return false;
}

/* Spreads follow all data of the record. */
bool
hpm_filespreads_take(struct hpm_filespreads *filespreads,
                     const struct hpm_format_spread *said,
                     struct hpm_xmlguard *guard)
{
    uint32_t column;

    if (said->name == NULL) {
        note(filespreads, guard, "a spread without a name");
        return true;
    }
    column = hpm_study_find_column(filespreads->study, said->name, said->unit,
                                   (enum hpm_column_kind)said->kind);
    if (column == HPM_NO_INDEX || has_column(filespreads, column)) {
        note(filespreads, guard,
             column == HPM_NO_INDEX
                 ? "a spread of what no data before it is called"
                 : "a second spread of the same data");
        return true;
    }
    if (!hpm_memory_grow(&filespreads->spreads, &filespreads->capacity,
                         filespreads->n + 1, sizeof *filespreads->spreads))
        return false;
    filespreads->spreads[filespreads->n] = said->said;
    filespreads->spreads[filespreads->n++].column = column;
    return true;
}

bool
hpm_filespreads_end_record(struct hpm_filespreads *filespreads, uint32_t row)
{
    for (size_t i = 0; i < filespreads->n; i++) {
        struct hpm_study_spread *spread = &filespreads->spreads[i];
        enum hpm_state state;

        spread->row = row;
        if (hpm_study_get_state(filespreads->study, row, spread->column,
                                &state) &&
            !hpm_spreads_add(filespreads->study, spread))
            return false;
    }
    return true;
}

void
hpm_filespreads_free(struct hpm_filespreads *filespreads)
{
    hpm_memory_free(filespreads->spreads);
}
