/* SPDX-License-Identifier: BSD-3-Clause
 * Is PAPI installed, and does it count hardware events here? */
#include "config.h"

#include "hpm/diagnosis/papihealth.h"

#if HAVE_PAPI

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "source/papilib.h"

/* Newer PAPI initializes a component when the first of its events is
 * requested. */
static const PAPI_component_info_t *
start_component(const struct hpm_papilib *papi, int component)
{
    int code = PAPI_NATIVE_MASK;

    papi->enum_cmp_event(&code, PAPI_ENUM_FIRST, component);
    return papi->get_component_info(component);
}

/* The component of the processor's counters; NULL where PAPI was built without
 * it. */
static const PAPI_component_info_t *
find_component(const struct hpm_papilib *papi)
{
    for (int i = 0; i < papi->num_components(); i++) {
        const PAPI_component_info_t *info = papi->get_component_info(i);

        if (info == NULL || strcmp(info->name, "perf_event") != 0)
            continue;
        return info->disabled == PAPI_EDELAY_INIT ? start_component(papi, i)
                                                  : info;
    }
    return NULL;
}

/* Without a PMU the component exists but has no events, so try to count one. */
static bool
counts_cycles(const struct hpm_papilib *papi, struct hpm_error *why)
{
    static const char event[] = "PAPI_TOT_CYC";
    volatile unsigned long sink = 0;
    long long count = 0;
    int set = PAPI_NULL, result = papi->create_eventset(&set);

    if (result == PAPI_OK)
        result = papi->add_named_event(set, event);
    if (result == PAPI_OK)
        result = papi->start(set);
    if (result == PAPI_OK) {
        for (unsigned long i = 0; i < 100000; i++)
            sink = sink + i;
        result = papi->stop(set, &count);
    }
    if (set != PAPI_NULL) {
        papi->cleanup_eventset(set);
        papi->destroy_eventset(&set);
    }
    if (result != PAPI_OK)
        return hpm_error_set(why, "%s: %s", event, papi->strerror(result));
    return count != 0 || hpm_error_set(why, "%s reads 0", event);
}

static enum hpm_papihealth
ask(const struct hpm_papilib *papi, struct hpm_error *why)
{
    const PAPI_component_info_t *info = find_component(papi);

    if (info == NULL)
        hpm_error_set(why, "it was built without the component perf_event");
    else if (info->disabled != PAPI_OK)
        hpm_error_set(why, "%s", info->disabled_reason);
    else if (counts_cycles(papi, why))
        return HPM_PAPIHEALTH_GOOD;
    return HPM_PAPIHEALTH_NO_HARDWARE;
}

enum hpm_papihealth
hpm_papihealth_check(char *ret_version, size_t size, struct hpm_error *why)
{
    enum hpm_papihealth health = HPM_PAPIHEALTH_MISSING;
    const struct hpm_papilib *papi;

    ret_version[0] = '\0';
    hpm_papilib_lock();
    papi = hpm_papilib_get(why);
    if (papi != NULL) {
        int version = papi->get_opt(PAPI_LIB_VERSION, NULL);

        snprintf(ret_version, size, "%d.%d.%d", PAPI_VERSION_MAJOR(version),
                 PAPI_VERSION_MINOR(version), PAPI_VERSION_REVISION(version));
        health = ask(papi, why);
    }
    hpm_papilib_unlock();
    return health;
}

#else

enum hpm_papihealth
hpm_papihealth_check(char *ret_version, size_t size, struct hpm_error *why)
{
    (void)size;
    ret_version[0] = '\0';
    hpm_error_set(why, "this build has no PAPI (configure found no papi.h)");
    return HPM_PAPIHEALTH_MISSING;
}

#endif
