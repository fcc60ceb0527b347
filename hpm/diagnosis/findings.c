/* SPDX-License-Identifier: BSD-3-Clause
 * The findings of hpm doctor. */
#include "hpm/diagnosis/findings.h"

#include <stdarg.h>
#include <stdio.h>

void
findings_add(struct findings *findings, const char *check,
             enum finding_state state, const char *remedy, const char *format,
             ...)
{
    struct finding *finding = &findings->list[findings->n];
    va_list arguments;

    if (findings->n == MOST_FINDINGS)
        return;
    findings->n++;
    finding->check = check;
    finding->state = state;
    snprintf(finding->remedy, sizeof finding->remedy, "%s", remedy);
    va_start(arguments, format);
    vsnprintf(finding->text, sizeof finding->text, format, arguments);
    va_end(arguments);
}

void
findings_add_obstacle(struct findings *findings, const char *check,
                      const struct hpm_obstacle *obstacle)
{
    findings_add(findings, check, FINDING_FAULT, obstacle->remedy, "%s",
                 obstacle->cause);
}

const struct finding *
findings_cause(const struct findings *findings)
{
    for (size_t i = 0; i < findings->n; i++) {
        if (findings->list[i].state == FINDING_FAULT)
            return &findings->list[i];
    }
    return NULL;
}

const char *
finding_state_name(enum finding_state state)
{
    static const char *const names[] = {"ok", "note", "fault"};

    return names[state];
}
