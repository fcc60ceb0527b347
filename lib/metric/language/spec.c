/* SPDX-License-Identifier: BSD-3-Clause
 * Definitions of metrics as they were written. */
#include "metric/language/spec.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "host/memory.h"

struct hpm_spec *
hpm_spec_new(void)
{
    struct hpm_spec *spec = hpm_memory_new(1, sizeof *spec);

    if (spec == NULL)
        return NULL;
    if (!hpm_memory_grow(&spec->arches, &spec->arches_capacity, 1,
                         sizeof *spec->arches)) {
        hpm_spec_free(spec);
        return NULL;
    }
    spec->arches[0].title = HPM_NO_NAME;
    spec->n_arches = 1;
    return spec;
}

void
hpm_spec_free(struct hpm_spec *spec)
{
    if (spec == NULL)
        return;
    hpm_names_free(&spec->names);
    hpm_memory_free(spec->statements);
    hpm_memory_free(spec->terms);
    hpm_memory_free(spec->ops);
    hpm_memory_free(spec->arches);
    hpm_memory_free(spec->pmus);
    hpm_memory_free(spec->pmu_places);
    hpm_string_free(&spec->complaints);
    hpm_memory_free(spec);
}

void
hpm_spec_complain(struct hpm_spec *spec, struct hpm_position place,
                  const char *format, ...)
{
    struct hpm_string line = {0};
    char sentence[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    hpm_string_add_format(&line, "%s:%d:%d: %s\n",
                          hpm_spec_text(spec, place.file), place.line,
                          place.column, sentence);
    /* what is wrong on one machine is wrong on the next, too */
    if (strstr(hpm_string_text(&spec->complaints), hpm_string_text(&line)) ==
            NULL &&
        ++spec->n_complaints <= HPM_MAX_COMPLAINTS)
        hpm_string_add(&spec->complaints, hpm_string_text(&line));
    hpm_string_finish(&line, &spec->complaints.failed);
}

const char *
hpm_spec_text(const struct hpm_spec *spec, uint32_t name)
{
    return hpm_names_text(&spec->names, name);
}
