/* SPDX-License-Identifier: BSD-3-Clause
 * Counts that metrics are made of, and sums of counts. */
#include "metric/tally.h"

#include <math.h>
#include <string.h>

struct hpm_tally
hpm_tally_refuse(const char *counter, enum hpm_privilege privilege)
{
    return (struct hpm_tally){.is_present = true,
                              .state = HPM_STATE_UNSUPPORTED,
                              .value = NAN,
                              .privilege = privilege,
                              .refused = counter};
}

bool
hpm_tally_is_of_process(const char *counter)
{
    static const char sde[] = "sde:::";

    return strncmp(counter, sde, strlen(sde)) == 0 ||
           hpm_tally_is_peak(counter) || hpm_tally_is_of_node(counter);
}

bool
hpm_tally_is_of_node(const char *counter)
{
    static const char node[] = "node::";

    return strncmp(counter, node, strlen(node)) == 0;
}

const char *
hpm_tally_same(const char *counter)
{
    return hpm_tally_is_of_node(counter)
               ? "belongs to the node: each task's value has what all did "
                 "there meanwhile"
               : "belongs to the process: each thread's value has what all "
                 "threads did meanwhile";
}

bool
hpm_tally_is_peak(const char *counter)
{
    return strcmp(counter, "ru::maxrss") == 0;
}

const struct hpm_runs *
hpm_runs_of_both(const struct hpm_runs *a, const struct hpm_runs *b)
{
    if (a == NULL || a == b)
        return b;
    return b == NULL ? a : a->both(a, b);
}

static void
add_exact(struct hpm_tally *sum, const struct hpm_tally *more)
{
    if (sum->is_present)
        sum->is_exact =
            sum->is_exact && more->is_exact &&
            !__builtin_add_overflow(sum->exact, more->exact, &sum->exact);
    else if ((sum->is_exact = more->is_exact))
        sum->exact = more->exact;
}

void
hpm_tally_add(struct hpm_tally *sum, const struct hpm_tally *more,
              bool are_of_process)
{
    if (more->cause != HPM_CAUSE_NONE)
        sum->cause = more->cause;
    else if (are_of_process)
        sum->cause = HPM_CAUSE_PROCESS;
    sum->place = more->place;
    sum->omits_children =
        more->omits_children && (sum->omits_children || !sum->is_present);
    sum->is_events = more->is_events && (sum->is_events || !sum->is_present);
    sum->runs =
        sum->is_present ? hpm_runs_of_both(sum->runs, more->runs) : more->runs;
    add_exact(sum, more);
    sum->is_present = true;
    sum->is_partial |= more->is_partial;
    sum->privilege = more->privilege;
    if (more->refused != NULL)
        sum->refused = more->refused;
    sum->value = sum->is_exact ? (double)sum->exact : sum->value + more->value;
    sum->error += more->error;
    sum->spread += more->spread;
    sum->resolution += more->resolution;
    if (more->doubt > sum->doubt)
        sum->doubt = more->doubt;
    if (more->state > sum->state)
        sum->state = more->state;
}
