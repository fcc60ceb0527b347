/* SPDX-License-Identifier: BSD-3-Clause
 * The definitions and the metrics they make on one machine. */
#include "metric/library.h"

#include <string.h>

#include "base/env.h"
#include "host/memory.h"
#include "metric/language/definitions.h"
#include "metric/making.h"

static const enum hpm_variable latencies[] = {
    HPM_VARIABLE_L2_LATENCY, HPM_VARIABLE_L3_LATENCY, HPM_VARIABLE_MEM_LATENCY,
    HPM_VARIABLE_TLB_LATENCY};

enum { N_LATENCIES = sizeof latencies / sizeof latencies[0] };

/* Put the platform's settings before those of the environment: the first
 * setting of a constant wins. */
static bool
choose(struct hpm_library *library, const struct hpm_platform *platform,
       struct hpm_error *err)
{
    struct hpm_platform whole = *platform;
    struct hpm_setting *settings =
        hpm_memory_new(platform->n_settings + N_LATENCIES, sizeof *settings);
    size_t n = platform->n_settings;

    if (settings == NULL)
        return hpm_error_no_memory(err);
    for (size_t i = 0; i < n; i++)
        settings[i] = platform->settings[i];
    for (size_t i = 0; i < N_LATENCIES; i++) {
        unsigned long cycles = hpm_env_number(latencies[i], 1, 0);

        if (cycles > 0)
            settings[n++] = (struct hpm_setting){
                hpm_env_name(latencies[i]) + strlen("HPM_"), (double)cycles};
    }
    whole.settings = settings;
    whole.n_settings = n;
    library->metrics = hpm_metrics_new(library->spec, &whole, err);
    hpm_memory_free(settings);
    return library->metrics != NULL;
}

bool
hpm_library_open(struct hpm_library *library, const char *paths,
                 const struct hpm_platform *platform, struct hpm_error *err)
{
    *library = (struct hpm_library){.spec = hpm_spec_new()};
    if (library->spec == NULL)
        return hpm_error_no_memory(err);
    if (hpm_definitions_read_for(library->spec, paths, platform->pmu, err) &&
        choose(library, platform, err))
        return true;
    hpm_library_close(library);
    return false;
}

void
hpm_library_close(struct hpm_library *library)
{
    hpm_metrics_free(library->metrics);
    hpm_spec_free(library->spec);
    *library = (struct hpm_library){0};
}
