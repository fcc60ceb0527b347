/* SPDX-License-Identifier: BSD-3-Clause
 * An event: something a source can count. */
#include "source/event.h"

#include "base/memory.h"
#include "base/string.h"

static const char *const domain_names[] = {"user", "kernel", "all"};

const char *
hpm_domain_name(enum hpm_domain domain)
{
    return domain_names[domain];
}

bool
hpm_domain_from_name(const char *name, enum hpm_domain *ret_domain)
{
    for (int i = 0; i < 3; i++) {
        if (hpm_string_same_word(name, domain_names[i])) {
            *ret_domain = (enum hpm_domain)i;
            return true;
        }
    }
    return false;
}

void
hpm_event_clear(struct hpm_event *event)
{
    hpm_memory_free(event->name);
    hpm_memory_free(event->description);
    hpm_memory_free(event->unit);
    hpm_memory_free(event->reason);
    *event = (struct hpm_event){0};
}
