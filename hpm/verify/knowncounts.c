/* SPDX-License-Identifier: BSD-3-Clause
 * Expected counts of events, from hpm/verify/known-counts.txt. */
#include "hpm/verify/knowncounts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/metric/samename.h"

/* The first words of a line: "metric INSTRUCTION =". */
struct line {
    bool is_metric;
    char name[128];
    const char *rest; /* text after the "=", to the end of the line */
    size_t length;
};

static bool
read_line(const char *text, struct line *ret_line)
{
    char kind[8], equals[2];
    int n = 0;

    if (*text == '\n' || *text == '#')
        return false; /* sscanf would read on into the next line */
    if (sscanf(text, "%7s %127s %1s%n", kind, ret_line->name, equals, &n) !=
            3 ||
        equals[0] != '=')
        return false;
    ret_line->is_metric = strcmp(kind, "metric") == 0;
    ret_line->rest = text + n;
    ret_line->length = strcspn(ret_line->rest, "\n");
    return true;
}

/* Can the metric be measured by this event alone? */
static bool
is_measured_by(const struct hpm_request *request, const char *name, size_t leaf)
{
    const struct hpm_metrics *metrics = request->metrics;
    size_t metric = hpm_metrics_find(metrics, name);
    struct hpm_range rules = {0};

    if (metric != HPM_NO_METRIC)
        rules = metrics->metrics[metric].rules;
    for (size_t i = rules.first; i < rules.first + rules.count; i++) {
        const struct hpm_rule *rule = &metrics->rules[i];
        const struct hpm_input *input = &metrics->inputs[rule->inputs.first];

        if (rule->kind == HPM_STATEMENT_MEASURE && rule->inputs.count == 1 &&
            !input->is_metric && input->index == leaf)
            return true;
    }
    return false;
}

/* One word of "double-64 + double-128 / 2 extra 30". */
static bool
take_word(struct knowncount *known, const char *word, const char *before,
          struct hpm_error *err)
{
    enum quantity quantity = kernel_quantity_of(word);

    if (strcmp(before, "/") == 0)
        known->divisor = strtod(word, NULL);
    else if (strcmp(before, "extra") == 0)
        known->extra = strtod(word, NULL) / 100;
    else if (quantity < N_QUANTITIES)
        known->has[quantity] = true;
    else if (strcmp(word, "+") != 0 && strcmp(word, "/") != 0 &&
             strcmp(word, "extra") != 0)
        return hpm_error_set(
            err,
            "known-counts.txt: '%.40s' is nothing that a "
            "kernel does; expected a name of hpm/verify/kernels.c, "
            "'+', '/' or 'extra'",
            word);
    return true;
}

static bool
read_sum(const struct line *line, struct knowncount *ret_known,
         struct hpm_error *err)
{
    struct knowncount known = {.divisor = 1};
    char word[32], before[32] = "";
    size_t at = 0;
    int n;

    while (at < line->length &&
           sscanf(line->rest + at, "%31s%n", word, &n) == 1 &&
           at + (size_t)n <= line->length) {
        if (!take_word(&known, word, before, err))
            return false;
        strcpy(before, word);
        at += (size_t)n;
    }
    *ret_known = known;
    return true;
}

void
knowncounts_visit(void (*visit)(const char *metric, void *context),
                  void *context)
{
    for (const char *text = knowncounts_text; *text != '\0';
         text += strcspn(text, "\n"), text += *text == '\n') {
        struct line line;

        if (read_line(text, &line) && line.is_metric)
            visit(line.name, context);
    }
}

/* The known counts are those of user space. */
static bool
is_of_kernel(const char *name)
{
    const char *domain = strrchr(name, ':');

    return domain != NULL && strcmp(domain, ":k") == 0;
}

bool
knowncounts_find(const struct hpm_request *request, const char *name,
                 size_t leaf, struct knowncount *ret_known,
                 struct hpm_error *err)
{
    *ret_known = (struct knowncount){.divisor = 1};
    if (is_of_kernel(name))
        return true;
    for (const char *text = knowncounts_text; *text != '\0';
         text += strcspn(text, "\n"), text += *text == '\n') {
        struct line line;

        if (!read_line(text, &line) ||
            (line.is_metric ? !is_measured_by(request, line.name, leaf)
                            : !hpm_samename_is(line.name, name)))
            continue;
        return read_sum(&line, ret_known, err);
    }
    return true;
}

void
knowncount_add_text(struct hpm_string *string, const struct knowncount *known)
{
    bool is_first = true;

    for (size_t i = 0; i < N_QUANTITIES; i++) {
        if (!known->has[i])
            continue;
        hpm_string_add_format(string, "%s%s", is_first ? "" : " + ",
                              kernel_quantities[i]);
        is_first = false;
    }
    if (known->divisor != 1)
        hpm_string_add_format(string, " / %g", known->divisor);
}

struct amount
knowncount_amount(const struct knowncount *known, const struct kernel *kernel)
{
    struct amount sum = {.state = AMOUNT_UNKNOWN};

    for (size_t i = 0; i < N_QUANTITIES; i++) {
        struct amount part;

        if (!known->has[i])
            continue;
        part = kernel_amount(kernel, (enum quantity)i);
        if (part.state != AMOUNT_KNOWN)
            return part;
        sum.state = AMOUNT_KNOWN;
        sum.least += part.least / known->divisor;
        sum.most += part.most / known->divisor * (1 + known->extra);
    }
    return sum;
}
