/* SPDX-License-Identifier: BSD-3-Clause
 * Hints for one run, or for several. */
#include "hpmcount/hinting.h"
#include "study/words/words.h"

/* Shorter runs are mostly the program's own start and end. */
static const double least_seconds = 0.1;

static double
seconds_of(const struct hpm_derived *derived)
{
    return (double)derived->experiment->records[0].time.total / 1e9;
}

bool
hinting_is_worth(const struct hpm_derived *derived)
{
    return seconds_of(derived) >= least_seconds;
}

void
hinting_add_run(struct hpm_ranking *ranking, struct hpm_derived *derived,
                const bool *is_chosen, size_t place)
{
    if (hinting_is_worth(derived))
        hpm_ranking_add(ranking,
                        hpm_derived_values(derived, 0, HPM_SPAN_INCLUSIVE),
                        is_chosen, seconds_of(derived), place);
}

bool
hinting_rank(struct hpm_ranking *ranking, struct hpm_derived *derived,
             const struct look *look)
{
    struct hpm_error err;

    if (!hpm_ranking_init(ranking, derived->metrics, look->tree.precision,
                          &err))
        return false;
    hinting_add_run(ranking, derived, look->tree.is_chosen, 0);
    return true;
}

void
hinting_name_run(struct hpm_string *string, size_t place,
                 const struct hpm_metric *metric, void *context)
{
    (void)metric;
    (void)context;
    hpm_string_add_format(string, "run %zu", place + 1);
}

void
hinting_show_run(struct hpm_string *string, size_t place,
                 const struct hpm_metric *metric, void *context)
{
    (void)metric;
    (void)context;
    hpm_string_add_format(string, _("run %zu"), place + 1);
}
