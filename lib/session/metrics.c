/* SPDX-License-Identifier: BSD-3-Clause
 * Definitions of metrics in a measured program. */
#include "session/metrics.h"

#include <string.h>

#include "base/memory.h"
#include "metric/binding.h"
#include "record/run.h"
#include "session/voice.h"

/* A program's standard error is no place for hundreds of lines. */
enum { MAX_LINES = 5 };

static void
say_complaints(const struct hpm_spec *spec)
{
    const char *line = hpm_string_text(&spec->complaints);

    for (size_t i = 0; i < MAX_LINES && *line != '\0'; i++) {
        size_t length = strcspn(line, "\n");

        hpm_voice_say_format("%.*s", (int)length, line);
        line += length + 1;
    }
    if (spec->n_complaints > MAX_LINES)
        hpm_voice_say_format("%zu more faults in definitions of metrics; "
                             "'hpmcount -l' names them",
                             spec->n_complaints - MAX_LINES);
}

bool
hpm_session_open_library(struct hpm_library *library, struct hpm_error *err)
{
    struct hpm_machine machine = {0};
    struct hpm_platform platform;
    bool is_good;

    if (library->metrics != NULL)
        return true;
    is_good = hpm_run_describe_pmu(&machine) || hpm_error_no_memory(err);
    platform = hpm_platform_of(&machine);
    is_good = is_good && hpm_library_open(library, NULL, &platform, err);
    hpm_memory_free(machine.pmu);
    hpm_memory_free(machine.facts);
    if (is_good)
        say_complaints(library->spec);
    return is_good;
}
