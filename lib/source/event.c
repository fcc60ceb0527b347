/* SPDX-License-Identifier: BSD-3-Clause
 * An event: something a source can count. */
#include "source/event.h"

#include <stdio.h>
#include <string.h>

#include "base/string.h"
#include "host/memory.h"

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
hpm_event_refuse(struct hpm_event *event, const char *reason)
{
    event->source = NULL;
    event->state = HPM_STATE_UNSUPPORTED;
    event->reason = hpm_memory_copy_text(reason);
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

bool
hpm_domain_split(const char *name, char *ret_name, size_t size,
                 enum hpm_domain *ret_domain)
{
    static const struct {
        const char *letters;
        enum hpm_domain domain;
    } modifiers[] = {{"u", HPM_DOMAIN_USER},
                     {"k", HPM_DOMAIN_KERNEL},
                     {"uk", HPM_DOMAIN_ALL},
                     {"ku", HPM_DOMAIN_ALL}};
    size_t length = strlen(name);
    const char *slash = strchr(name, '/');

    snprintf(ret_name, size, "%s", name);
    for (size_t i = 0; i < sizeof modifiers / sizeof modifiers[0]; i++) {
        size_t at = length - 1 - strlen(modifiers[i].letters);
        bool is_after_slash;

        if (at == 0 || at >= length || length >= size ||
            strcmp(name + at + 1, modifiers[i].letters) != 0)
            continue;
        is_after_slash = name[at] == '/' && name + at > slash;
        if (name[at] != ':' && !is_after_slash)
            continue;
        ret_name[at + is_after_slash] = '\0';
        *ret_domain = modifiers[i].domain;
        return true;
    }
    return false;
}
