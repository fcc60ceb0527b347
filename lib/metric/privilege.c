/* SPDX-License-Identifier: BSD-3-Clause
 * User or kernel: which domain a counter counts, and which metrics can use
 * it. */
#include "metric/privilege.h"

#include <string.h>

#include "base/string.h"
#include "metric/alias.h"

/* The domain in an event's name; ANY if the name has none. */
static enum hpm_privilege
privilege_in_name(const char *name)
{
    static const struct {
        const char *part;
        enum hpm_privilege privilege;
    } parts[] = {
        {"u", HPM_PRIVILEGE_USER},   {"u=1", HPM_PRIVILEGE_USER},
        {"k", HPM_PRIVILEGE_KERNEL}, {"k=1", HPM_PRIVILEGE_KERNEL},
        {"uk", HPM_PRIVILEGE_ALL},   {"ku", HPM_PRIVILEGE_ALL},
    };
    unsigned found = 0; /* bits: user is 1, kernel 2, all 3 */

    for (const char *c = strchr(name, ':'); c != NULL; c = strchr(c, ':')) {
        size_t length = strcspn(++c, ":");

        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
            if (strlen(parts[i].part) == length &&
                strncmp(c, parts[i].part, length) == 0)
                found |= (unsigned)parts[i].privilege;
        }
    }
    return (enum hpm_privilege)found;
}

static enum hpm_privilege
privilege_of_domain(const char *domain)
{
    if (strcmp(domain, "user") == 0)
        return HPM_PRIVILEGE_USER;
    if (strcmp(domain, "kernel") == 0)
        return HPM_PRIVILEGE_KERNEL;
    return strcmp(domain, "all") == 0 ? HPM_PRIVILEGE_ALL : HPM_PRIVILEGE_ANY;
}

/* Software events that the kernel counts in user and kernel mode alike. */
static bool
is_software(const char *name)
{
    static const char *const names[] = {
        "task-clock",     "cpu-clock",        "page-faults",
        "minor-faults",   "major-faults",     "context-switches",
        "cpu-migrations", "alignment-faults", "emulation-faults",
    };
    struct hpm_string spelling = {0};
    bool is_found = false;

    hpm_alias_add(&spelling, name);
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !is_found; i++)
        is_found = !spelling.failed &&
                   strcmp(hpm_string_text(&spelling), names[i]) == 0;
    hpm_string_free(&spelling);
    return is_found;
}

struct hpm_reach
hpm_reach_of(const char *name, const char *domain, const char *unit)
{
    enum hpm_privilege named = privilege_in_name(name);
    struct hpm_reach reach = {.privilege = named,
                              .is_named = named != HPM_PRIVILEGE_ANY};

    if (domain != NULL && domain[0] != '\0')
        reach.privilege = privilege_of_domain(domain);
    if (reach.privilege == HPM_PRIVILEGE_ALL &&
        ((unit != NULL && unit[0] != '\0') || is_software(name)))
        reach.privilege = HPM_PRIVILEGE_ANY;
    return reach;
}

/* A counter that cannot choose a domain counts all (for example the memory
 * controller's): it says less than one that counts user or kernel. */
enum hpm_privilege
hpm_privilege_learn(enum hpm_privilege so_far, struct hpm_reach reach)
{
    bool is_known =
        so_far == HPM_PRIVILEGE_USER || so_far == HPM_PRIVILEGE_KERNEL;

    if (is_known || reach.is_named || reach.privilege == HPM_PRIVILEGE_ANY)
        return so_far;
    return reach.privilege;
}

bool
hpm_reach_serves(struct hpm_reach reach, const char *leaf,
                 enum hpm_privilege base, enum hpm_privilege *ret_privilege)
{
    enum hpm_privilege wanted = privilege_in_name(leaf);

    if (base == HPM_PRIVILEGE_ANY)
        base = HPM_PRIVILEGE_USER;
    *ret_privilege = reach.privilege;
    if (wanted != HPM_PRIVILEGE_ANY) {
        /* a formula that names domains may combine several */
        *ret_privilege = HPM_PRIVILEGE_ANY;
        return reach.privilege == HPM_PRIVILEGE_ANY ||
               reach.privilege == wanted;
    }
    if (!reach.is_named) {
        if (reach.privilege == HPM_PRIVILEGE_ALL && base != HPM_PRIVILEGE_ALL)
            *ret_privilege = HPM_PRIVILEGE_ANY;
        return true;
    }
    return reach.privilege == base || reach.privilege == HPM_PRIVILEGE_ALL ||
           reach.privilege == HPM_PRIVILEGE_ANY;
}
