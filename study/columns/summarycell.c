/* SPDX-License-Identifier: BSD-3-Clause
 * One column of one row of a summary on its way. */
#include "study/columns/summarycell.h"

void
hpm_summarycell_free(struct hpm_summarycell *cell)
{
    hpm_distribution_free(&cell->distribution);
    hpm_exactsum_free(&cell->rest);
    hpm_exactsum_free(&cell->exclusive);
}

/* ---- adding ------------------------------------------------------------ */

/* Of several that have no value the worst state, and of its reasons the first in
 * the alphabet, so that the order does not matter. */
static void
lose(struct hpm_summarycell *cell, const struct hpm_datum *datum)
{
    if (!cell->is_lost || datum->state > cell->lost_state ||
        (datum->state == cell->lost_state && datum->reason != NULL &&
         (cell->lost_reason == NULL ||
          strcmp(datum->reason, cell->lost_reason) < 0)))
        cell->lost_reason = datum->reason;
    if (!cell->is_lost || datum->state > cell->lost_state)
        cell->lost_state = datum->state;
    cell->is_lost = true;
}

/* What a thread's datum and one of a summary have in common.  Is there a
 * value? */
static bool
add_common(struct hpm_summarycell *cell, const struct hpm_datum *datum)
{
    const struct hpm_number *numbers = datum->numbers;
    bool has_value = hpm_state_has_value(datum->state) &&
                     numbers[HPM_FIELD_VALUE].kind != HPM_NUMBER_NONE;

    cell->is_shown |= !datum->is_hidden;
    cell->counts_children |=
        numbers[HPM_FIELD_CHILDREN].kind == HPM_NUMBER_NONE;
    cell->is_partial |= numbers[HPM_FIELD_PARTIAL].kind != HPM_NUMBER_NONE;
    cell->overhead =
        hpm_number_total(cell->overhead, numbers[HPM_FIELD_OVERHEAD]);
    cell->clamped = hpm_number_total(cell->clamped, numbers[HPM_FIELD_CLAMPED]);
    if (hpm_number_compare(numbers[HPM_FIELD_UNCERTAINTY], cell->uncertainty) >
        0)
        cell->uncertainty = numbers[HPM_FIELD_UNCERTAINTY];
    cell->windows = hpm_number_total(cell->windows, numbers[HPM_FIELD_WINDOWS]);
    cell->only_exclusive = hpm_number_total(cell->only_exclusive,
                                            numbers[HPM_FIELD_ONLY_EXCLUSIVE]);
    if (numbers[HPM_FIELD_SHARE].kind != HPM_NUMBER_NONE &&
        (cell->share.kind == HPM_NUMBER_NONE ||
         hpm_number_compare(numbers[HPM_FIELD_SHARE], cell->share) < 0))
        cell->share = numbers[HPM_FIELD_SHARE];
    if (!has_value) {
        lose(cell, datum);
        return false;
    }
    cell->has_value = true;
    if (datum->state > cell->state)
        cell->state = datum->state;
    return true;
}

/* The exclusive value, which stands for an inclusive one that is missing
 * (HPM_ONLY_EXCLUSIVE), as in the sum of a merge. */
static void
add_exclusive(struct hpm_summarycell *cell, const struct hpm_datum *datum)
{
    struct hpm_number exclusive = datum->numbers[HPM_FIELD_EXCLUSIVE];

    if (exclusive.kind == HPM_NUMBER_NONE)
        return;
    cell->has_exclusive = true;
    hpm_distribution_add_to(&cell->exclusive, exclusive);
    if (!hpm_state_has_value(datum->state) ||
        datum->numbers[HPM_FIELD_VALUE].kind != HPM_NUMBER_NONE)
        return;
    cell->is_partial = true;
    cell->only_exclusive = hpm_number_total(cell->only_exclusive, exclusive);
    hpm_distribution_add_to(&cell->rest, exclusive);
}

void
hpm_summarycell_add(struct hpm_summarycell *cell, const struct hpm_datum *said,
                    bool is_time, const struct hpm_summarycell_who *who)
{
    struct hpm_datum settled = *said;
    const struct hpm_datum *datum = &settled;
    struct hpm_number value =
        hpm_distribution_settle(said->numbers[HPM_FIELD_VALUE], is_time);

    settled.numbers[HPM_FIELD_VALUE] = value;
    settled.numbers[HPM_FIELD_EXCLUSIVE] =
        hpm_distribution_settle(said->numbers[HPM_FIELD_EXCLUSIVE], is_time);
    add_exclusive(cell, datum);
    if (!add_common(cell, datum))
        return;
    cell->n_covered += who->n_threads;
    if (who->n_threads > 1)
        hpm_distribution_add_to(&cell->rest, value);
    else
        hpm_distribution_add(&cell->distribution,
                             &(struct hpm_study_extreme){.value = value,
                                                         .task = who->task,
                                                         .thread = who->thread,
                                                         .host = who->host});
}

bool
hpm_summarycell_add_summary(struct hpm_summarycell *cell,
                            const struct hpm_datum *datum,
                            const struct hpm_study_spread *spread, bool is_time,
                            uint64_t n_threads)
{
    bool has_value = add_common(cell, datum);

    if (spread == NULL)
        return datum->numbers[HPM_FIELD_VALUE].kind == HPM_NUMBER_NONE;
    cell->has_value |= spread->n.kind != HPM_NUMBER_NONE;
    if (has_value)
        cell->n_covered += n_threads;
    if (spread->exclusive != NULL) {
        cell->has_exclusive = true;
        if (!hpm_exactsum_read(&cell->exclusive, spread->exclusive))
            return false;
    }
    if (spread->rest != NULL && !hpm_exactsum_read(&cell->rest, spread->rest))
        return false;
    return spread->n.kind == HPM_NUMBER_NONE ||
           hpm_distribution_add_spread(&cell->distribution, spread, is_time);
}

/* ---- the datum --------------------------------------------------------- */

/* A metric is a quotient, mostly: the values of threads have no sum, and what it
 * is of the whole follows from the sums of its counters. */
static void
set_value(const struct hpm_summarycell *cell, int kind, struct hpm_datum *datum)
{
    struct hpm_exactsum sum = {0};
    bool is_time = kind == HPM_COLUMN_TIME;

    if (kind == HPM_COLUMN_METRIC) {
        datum->state = HPM_STATE_UNDEFINED;
        datum->reason = HPM_SUMMARYCELL_NO_SUM;
        return;
    }
    if (!cell->has_value) {
        datum->state = cell->lost_state;
        datum->reason = cell->lost_reason;
        return;
    }
    hpm_exactsum_add_sum(&sum, &cell->distribution.sum);
    hpm_exactsum_add_sum(&sum, &cell->rest);
    datum->numbers[HPM_FIELD_VALUE] = hpm_distribution_total(&sum, is_time);
    hpm_exactsum_free(&sum);
    datum->state = cell->state;
}

static bool
keep_sum(struct hpm_study *study, const struct hpm_exactsum *sum, bool is_there,
         const char **ret_text)
{
    struct hpm_string text = {0};

    if (!is_there)
        return true;
    hpm_exactsum_write(sum, &text);
    *ret_text = hpm_study_keep(study, &text);
    return *ret_text != NULL;
}

bool
hpm_summarycell_end(const struct hpm_summarycell *cell, int kind,
                    uint64_t n_threads, struct hpm_study *study,
                    struct hpm_datum *ret_datum,
                    struct hpm_study_spread *ret_spread, bool *ret_has_spread)
{
    bool is_time = kind == HPM_COLUMN_TIME;
    struct hpm_datum datum = {.is_hidden = !cell->is_shown};

    set_value(cell, kind, &datum);
    if (cell->has_exclusive && kind != HPM_COLUMN_METRIC)
        datum.numbers[HPM_FIELD_EXCLUSIVE] =
            hpm_distribution_total(&cell->exclusive, is_time);
    datum.numbers[HPM_FIELD_OVERHEAD] = cell->overhead;
    datum.numbers[HPM_FIELD_UNCERTAINTY] = cell->uncertainty;
    datum.numbers[HPM_FIELD_CLAMPED] = cell->clamped;
    datum.numbers[HPM_FIELD_SHARE] = cell->share;
    datum.numbers[HPM_FIELD_WINDOWS] = cell->windows;
    datum.numbers[HPM_FIELD_ONLY_EXCLUSIVE] = cell->only_exclusive;
    if (cell->has_value && kind != HPM_COLUMN_METRIC &&
        (cell->is_partial || cell->n_covered < n_threads))
        datum.numbers[HPM_FIELD_PARTIAL] = hpm_number_count(1);
    if (!cell->counts_children)
        datum.numbers[HPM_FIELD_CHILDREN] = hpm_number_count(1);
    *ret_datum = datum;
    *ret_has_spread = cell->has_value || cell->has_exclusive;
    if (!*ret_has_spread)
        return true;
    *ret_spread = (struct hpm_study_spread){.n = {.amount = 0}};
    return (cell->distribution.n == 0 ||
            hpm_distribution_write(&cell->distribution, is_time, study,
                                   ret_spread)) &&
           keep_sum(study, &cell->rest, cell->rest.n > 0, &ret_spread->rest) &&
           keep_sum(study, &cell->exclusive, cell->has_exclusive,
                    &ret_spread->exclusive);
}
