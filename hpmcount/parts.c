/* SPDX-License-Identifier: BSD-3-Clause
 * The table of threads or cores in a text report. */
#include "hpmcount/parts.h"

#include <string.h>

#include "report/text.h"
#include "study/words/words.h"

enum { NUMBER_WIDTH = 10, NAME_WIDTH = 18, VALUE_WIDTH = 18 };

static size_t
width_of(const struct hpm_counter *counter)
{
    size_t length = hpm_text_width(counter->name) + 2;

    return length > VALUE_WIDTH ? length : VALUE_WIDTH;
}

static void
add_right(struct hpm_string *string, const char *text, size_t width)
{
    hpm_string_add_blanks(string, hpm_text_width(text), width);
    hpm_string_add(string, text);
}

/* Nanoseconds are shown as seconds. */
static void
add_value(struct hpm_string *string, const struct hpm_counter *counter,
          const struct hpm_value *value)
{
    struct hpm_string text = {0};

    if (!hpm_state_has_value(value->state)) {
        hpm_string_add_char(&text, '-');
    } else if (strcmp(counter->unit, "ns") == 0) {
        hpm_string_add_fixed(&text, (double)value->total / 1e9, 6);
        hpm_string_add(&text, " s");
    } else {
        hpm_string_add_grouped(&text, value->total);
    }
    add_right(string, hpm_string_text(&text), width_of(counter));
    hpm_string_finish(&text, &string->failed);
}

static void
add_part(struct hpm_string *string, const struct hpm_experiment *experiment,
         size_t record)
{
    struct hpm_string name = {0}, number = {0};

    hpm_string_add_format(&number, "%d", experiment->records[record].tid);
    hpm_string_add_safe(&name, experiment->records[record].label);
    add_right(string, hpm_string_text(&number), NUMBER_WIDTH);
    hpm_string_add_format(string, "  %s", hpm_string_text(&name));
    hpm_string_add_blanks(string, hpm_text_width(hpm_string_text(&name)),
                          NAME_WIDTH);
    for (size_t i = 0; i < experiment->n_counters; i++) {
        if (!experiment->counters[i].is_hidden)
            add_value(string, &experiment->counters[i],
                      hpm_experiment_value(experiment, record, i));
    }
    hpm_string_add_char(string, '\n');
    hpm_string_finish(&name, &string->failed);
    hpm_string_finish(&number, &string->failed);
}

void
parts_add_text(struct hpm_string *string,
               const struct hpm_experiment *experiment)
{
    if (experiment->n_records < 2)
        return;
    hpm_string_add_char(string, '\n');
    add_right(string, _("number"), NUMBER_WIDTH);
    hpm_string_add_format(string, "  %s", _("name"));
    hpm_string_add_blanks(string, hpm_text_width(_("name")), NAME_WIDTH);
    for (size_t i = 0; i < experiment->n_counters; i++) {
        const struct hpm_counter *counter = &experiment->counters[i];

        if (!counter->is_hidden)
            add_right(string, counter->name, width_of(counter));
    }
    hpm_string_add_char(string, '\n');
    for (size_t i = 1; i < experiment->n_records; i++)
        add_part(string, experiment, i);
}
