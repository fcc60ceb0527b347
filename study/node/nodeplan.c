/* SPDX-License-Identifier: BSD-3-Clause
 * How a count of the whole node is made. */
#include "study/node/nodeplan.h"

#include "host/memory.h"

bool
hpm_nodeplan_add_counter(struct hpm_nodeplan *plan,
                         const struct hpm_nodecounter *counter,
                         struct hpm_error *err)
{
    if (!hpm_memory_grow(&plan->counters, &plan->counters_capacity,
                         plan->n_counters + 1, sizeof *plan->counters))
        return hpm_error_no_memory(err);
    plan->counters[plan->n_counters++] = *counter;
    return true;
}

bool
hpm_nodeplan_add_zone(struct hpm_nodeplan *plan,
                      const struct hpm_nodezone *zone, struct hpm_error *err)
{
    if (!hpm_memory_grow(&plan->zones, &plan->zones_capacity, plan->n_zones + 1,
                         sizeof *plan->zones))
        return hpm_error_no_memory(err);
    plan->zones[plan->n_zones++] = *zone;
    return true;
}

struct hpm_event
hpm_nodeplan_event(const struct hpm_nodecounter *counter)
{
    return (struct hpm_event){.domain = HPM_DOMAIN_ALL,
                              .encoding = counter->encoding};
}

void
hpm_nodeplan_clear(struct hpm_nodeplan *plan)
{
    hpm_memory_free(plan->counters);
    hpm_memory_free(plan->zones);
    *plan = (struct hpm_nodeplan){0};
}
