/* SPDX-License-Identifier: BSD-3-Clause
 * The few derived lines of a report. */
#include "hpmcount/derived.h"

#include <math.h>

#include "base/string.h"

/* Until metrics are definitions that users edit, these few are fixed. */
const struct derived derived_lines[] = {
    {"CPU utilisation", "(user + system time) / wall clock", "%", 100.0,
     {"ru::utime", "ru::stime"}, "time::wall"},
    {"system share", "system time / (user + system time)", "%", 100.0,
     {"ru::stime"}, "time::cpu"},
    {"page faults per second", "page faults / wall clock", "1/s", 1e9,
     {"ru::minflt", "ru::majflt"}, "time::wall"},
    {"waits per second", "voluntary switches / wall clock", "1/s", 1e9,
     {"ru::nvcsw"}, "time::wall"},
    {"instructions per cycle", "instructions / cycles", "", 1.0,
     {"instructions"}, "cycles"},
    {"branches mispredicted", "branch-misses / branches", "%", 100.0,
     {"branch-misses"}, "branches"},
    {"cache misses", "cache-misses / cache-references", "%", 100.0,
     {"cache-misses"}, "cache-references"},
};

const size_t derived_n_lines = sizeof derived_lines / sizeof derived_lines[0];

/* A counter of the record or a resource of the run; times in nanoseconds. */
static double
find_value(const struct hpm_experiment *experiment, const char *name)
{
    if (hpm_string_same_word(name, "time::wall"))
        return (double)experiment->records[0].time.total;
    if (hpm_string_same_word(name, "time::cpu"))
        return find_value(experiment, "ru::utime") +
               find_value(experiment, "ru::stime");
    for (size_t i = 0; i < experiment->n_resources; i++) {
        const struct hpm_resource *resource = &experiment->resources[i];

        if (hpm_string_same_word(name, resource->name))
            return resource->is_known ? (double)resource->value : NAN;
    }
    for (size_t i = 0; i < experiment->n_counters; i++) {
        const struct hpm_value *value = hpm_experiment_value(experiment, 0, i);

        if (hpm_string_same_word(name, experiment->counters[i].name))
            return hpm_state_has_value(value->state) ? (double)value->total
                                                     : NAN;
    }
    return NAN;
}

double
derived_value(const struct derived *line,
              const struct hpm_experiment *experiment)
{
    double below = find_value(experiment, line->below);
    double above = 0.0;

    for (size_t i = 0; line->above[i] != NULL; i++)
        above += find_value(experiment, line->above[i]);
    return below > 0.0 ? line->factor * above / below : NAN;
}
