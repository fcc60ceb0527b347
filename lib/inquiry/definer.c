/* SPDX-License-Identifier: BSD-3-Clause
 * Answers from the definitions of this machine about events and processors. */
#include "inquiry/definer.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metric/language/definitions.h"
#include "source/defined.h"
#include "source/machine/cpuinfo.h"
#include "source/hardware.h"
#include "source/pfm.h"

struct definitions {
    const struct hpm_spec *spec; /* NULL: none */
    const char *pmu;             /* NULL: not known */
};

static struct definitions lent;

static struct {
    pthread_once_t once;
    struct hpm_spec *spec;
    char pmu[64];  /* "": not known */
    bool is_by_us; /* the definitions gave the name, not libpfm4 */
} own = {.once = PTHREAD_ONCE_INIT};

static void
read_for(const char *pmu)
{
    hpm_spec_free(own.spec);
    own.spec = hpm_spec_new();
    if (own.spec != NULL &&
        !hpm_definitions_read_for(own.spec, NULL, pmu, NULL)) {
        hpm_spec_free(own.spec);
        own.spec = NULL;
    }
}

/* Find the PMU.  The processor's identity in our definitions is more exact than
 * libpfm4's name, but a name the user forces wins, libpfm4's or ours.  If it is
 * another PMU, read the definitions again, for that PMU. */
static void
read_own(void)
{
    bool has_pmu = hpm_hardware_has_pmu();
    bool is_known = has_pmu && hpm_pfm_core(own.pmu, sizeof own.pmu);
    const char *forced = secure_getenv("LIBPFM_FORCE_PMU"), *pmu = NULL;

    read_for(is_known ? own.pmu : NULL);
    if (has_pmu && own.spec != NULL && (forced == NULL || !is_known))
        pmu = hpm_spec_find_processor(
            own.spec, forced != NULL ? forced : hpm_cpuinfo_get()->identity);
    own.is_by_us = pmu != NULL;
    if (pmu == NULL || strcmp(pmu, own.pmu) == 0)
        return;
    snprintf(own.pmu, sizeof own.pmu, "%s", pmu);
    read_for(own.pmu);
}

static struct definitions
here(void)
{
    if (lent.spec != NULL)
        return lent;
    pthread_once(&own.once, read_own);
    return (struct definitions){own.spec, own.pmu[0] != '\0' ? own.pmu : NULL};
}

/* ---- answers --------------------------------------------------------- */

static bool
find(const char *name, struct hpm_defined_event *ret_event)
{
    const struct definitions definitions = here();
    const char *owner = strstr(name, "::");
    const struct hpm_statement *event;

    if (definitions.spec == NULL)
        return false;
    if (owner != NULL && definitions.pmu != NULL &&
        strlen(definitions.pmu) == (size_t)(owner - name) &&
        strncmp(definitions.pmu, name, (size_t)(owner - name)) == 0)
        name = owner + 2;
    event = hpm_spec_find_event(definitions.spec, definitions.pmu, name);
    if (event == NULL)
        return false;
    *ret_event = (struct hpm_defined_event){
        hpm_spec_text(definitions.spec, event->attributes.texts[HPM_TEXT_CODE]),
        hpm_spec_text(definitions.spec,
                      event->attributes.texts[HPM_TEXT_LABEL]),
        hpm_spec_text(definitions.spec,
                      event->attributes.texts[HPM_TEXT_UNIT])};
    return true;
}

static bool
name_pmu(char *ret_pmu, size_t size)
{
    pthread_once(&own.once, read_own);
    if (own.is_by_us)
        snprintf(ret_pmu, size, "%s", own.pmu);
    return own.is_by_us;
}

static void
list(void (*visit)(const char *name, void *context), void *context)
{
    const struct definitions definitions = here();

    for (size_t i = 0;
         definitions.spec != NULL && i < definitions.spec->n_statements; i++) {
        const struct hpm_statement *event = &definitions.spec->statements[i];

        if (event->kind == HPM_STATEMENT_EVENT &&
            hpm_spec_is_here(definitions.spec, event->arch, definitions.pmu))
            visit(hpm_spec_text(definitions.spec, event->name), context);
    }
}

void
hpm_definer_serve(void)
{
    static const struct hpm_definer definer = {find, name_pmu, list};

    hpm_defined_set(&definer);
}

void
hpm_definer_lend(const struct hpm_spec *spec, const char *pmu)
{
    lent = (struct definitions){spec, pmu};
}
