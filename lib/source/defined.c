/* SPDX-License-Identifier: BSD-3-Clause
 * Events and processors whose codes definitions give. */
#include "source/defined.h"

#include <string.h>

static const struct hpm_definer *answering;

void
hpm_defined_set(const struct hpm_definer *definer)
{
    answering = definer;
}

/* Names of other sources: definitions need not be read for them. */
static bool
is_of_others(const char *name)
{
    static const char *const spaces[] = {"PAPI_", "ru::", "proc::", "sde:::"};

    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++) {
        if (strncmp(name, spaces[i], strlen(spaces[i])) == 0)
            return true;
    }
    return false;
}

bool
hpm_defined_find(const char *name, struct hpm_defined_event *ret_event)
{
    return answering != NULL && !is_of_others(name) &&
           answering->find(name, ret_event);
}

bool
hpm_defined_name_pmu(char *ret_pmu, size_t size)
{
    return answering != NULL && answering->name_pmu(ret_pmu, size);
}

void
hpm_defined_list(void (*visit)(const char *name, void *context), void *context)
{
    if (answering != NULL)
        answering->list(visit, context);
}
