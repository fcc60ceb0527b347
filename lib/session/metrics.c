/* SPDX-License-Identifier: BSD-3-Clause
 * Opens the definitions of metrics in a measured program. */
#include "session/metrics.h"

#include <string.h>

#include "base/message.h"

/* Do not write hundreds of lines to a program's standard error. */
enum { MAX_LINES = 5 };

static void
say_complaints(const struct hpm_spec *spec)
{
    const char *line = hpm_string_text(&spec->complaints);

    for (size_t i = 0; i < MAX_LINES && *line != '\0'; i++) {
        size_t length = strcspn(line, "\n");

        hpm_message_say_format("%.*s", (int)length, line);
        line += length + 1;
    }
    if (spec->n_complaints > MAX_LINES)
        hpm_message_say_format("%zu more faults in definitions of metrics; "
                               "'hpm check' names them",
                               spec->n_complaints - MAX_LINES);
}

bool
hpm_session_inquire(struct hpm_inquiry *inquiry,
                    const struct hpm_source *const *sources,
                    enum hpm_domain domain, struct hpm_error *err)
{
    if (hpm_inquiry_is_open(inquiry))
        return true;
    if (!hpm_inquiry_open(inquiry, sources, domain, false, err))
        return false;
    say_complaints(inquiry->library.spec);
    return true;
}
