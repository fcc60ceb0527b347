/* SPDX-License-Identifier: BSD-3-Clause
 * Definitions of metrics as they were written. */
#include "metric/language/spec.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/globs.h"
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
    /* a fault found for one machine is found again for the next: keep it
     * once */
    if (strstr(hpm_string_text(&spec->complaints), hpm_string_text(&line)) ==
            NULL &&
        ++spec->n_complaints <= HPM_MAX_COMPLAINTS)
        hpm_string_add(&spec->complaints, hpm_string_text(&line));
    hpm_string_finish(&line, &spec->complaints.failed);
}

bool
hpm_spec_is_here(const struct hpm_spec *spec, size_t arch, const char *pmu)
{
    const struct hpm_range pmus = spec->arches[arch].pmus;

    if (pmus.count == 0)
        return true;
    for (size_t i = 0; i < pmus.count && pmu != NULL; i++) {
        if (strcmp(hpm_spec_text(spec, spec->pmus[pmus.first + i]), pmu) == 0)
            return true;
    }
    return false;
}

static bool
is_same_event(const char *a, const char *b)
{
    for (; *a != '\0' || *b != '\0'; a++, b++) {
        char x = *a == '.' ? ':' : *a, y = *b == '.' ? ':' : *b;

        if (x >= 'a' && x <= 'z')
            x = (char)(x - 'a' + 'A');
        if (y >= 'a' && y <= 'z')
            y = (char)(y - 'a' + 'A');
        if (x != y)
            return false;
    }
    return true;
}

unsigned
hpm_spec_rank(const struct hpm_statement *statement)
{
    return 2 * statement->layer + (statement->arch != 0);
}

void
hpm_spec_end_statement(struct hpm_spec *spec)
{
    struct hpm_statement *last = &spec->statements[spec->n_statements++];

    if (last->kind != HPM_STATEMENT_EVENT)
        return;
    last->event_before = spec->last_event;
    spec->last_event = spec->n_statements;
}

/* Goes backwards, so that of equally special events the last is found. */
const struct hpm_statement *
hpm_spec_find_event(const struct hpm_spec *spec, const char *pmu,
                    const char *name)
{
    const struct hpm_statement *found = NULL, *here;

    for (size_t i = spec->last_event; i > 0; i = here->event_before) {
        here = &spec->statements[i - 1];
        if ((found == NULL || hpm_spec_rank(here) > hpm_spec_rank(found)) &&
            hpm_spec_is_here(spec, here->arch, pmu) &&
            is_same_event(hpm_spec_text(spec, here->name), name))
            found = here;
    }
    return found;
}

/* Does a glob match the identity, or the part before one of its hyphens
 * (without the stepping)? */
static bool
is_of(const char *globs, const char *identity)
{
    char part[128];

    snprintf(part, sizeof part, "%s", identity);
    for (;;) {
        char *hyphen = strrchr(part, '-');

        if (hpm_globs_match(globs, part))
            return true;
        if (hyphen == NULL)
            return false;
        *hyphen = '\0';
    }
}

const char *
hpm_spec_find_processor(const struct hpm_spec *spec, const char *identity)
{
    const char *found = NULL;

    for (size_t i = 0; i < spec->n_statements; i++) {
        const struct hpm_statement *here = &spec->statements[i];
        const char *name = hpm_spec_text(spec, here->name);

        if (here->kind == HPM_STATEMENT_PROCESSOR &&
            (strcmp(name, identity) == 0 ||
             is_of(hpm_spec_text(spec, here->attributes.texts[HPM_TEXT_CODE]),
                   identity)))
            found = name;
    }
    return found;
}

const char *
hpm_spec_text(const struct hpm_spec *spec, uint32_t name)
{
    return hpm_names_text(&spec->names, name);
}
