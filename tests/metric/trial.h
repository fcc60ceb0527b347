/* SPDX-License-Identifier: BSD-3-Clause
 * Definitions and counts for tests of metrics. */
#ifndef TESTS_METRIC_TRIAL_H
#define TESTS_METRIC_TRIAL_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metric/evaluate.h"
#include "metric/language/builtin.h"
#include "metric/language/spec.h"
#include "metric/making.h"

/* Read a text as the file "test.hpm" of the user, or shipped with layer 0. */
static inline struct hpm_spec *
read_text(const char *text, unsigned layer)
{
    struct hpm_spec *spec = hpm_spec_new();

    hpm_spec_read(spec, "test.hpm", text, strlen(text), layer, NULL, NULL,
                  NULL);
    return spec;
}

/* The bytes of a file in the source folder. */
static inline bool
read_bytes(struct hpm_string *text, const char *path)
{
    const char *root = getenv("top_srcdir");
    char name[512], buffer[4096];
    size_t n;
    FILE *file;

    snprintf(name, sizeof name, "%s/%s", root != NULL ? root : ".", path);
    file = fopen(name, "r");
    if (file == NULL) {
        printf("# cannot open %s\n", name);
        return false;
    }
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
        hpm_string_add_bytes(text, buffer, n);
    fclose(file);
    return true;
}

/* The text of a shipped file; programs do not contain it. */
static inline bool
read_shipped_bytes(struct hpm_string *text, size_t file)
{
    char path[128];

    snprintf(path, sizeof path, "metrics/%s", hpm_builtins[file].name);
    return read_bytes(text, path);
}

/* Read a file in the source folder into the spec, under its path there. */
static inline bool
read_file(struct hpm_spec *spec, const char *path, unsigned layer)
{
    struct hpm_string text = {0};
    bool is_good =
        read_bytes(&text, path) &&
        hpm_spec_read(spec, strrchr(path, '/') + 1, hpm_string_text(&text),
                      text.length, layer, NULL, NULL, NULL);

    hpm_string_free(&text);
    return is_good;
}

/* All definitions that programs carry, without installed ones and the
 * environment. */
static inline struct hpm_spec *
read_carried(void)
{
    struct hpm_spec *spec = hpm_spec_new();
    char path[128];

    for (size_t i = 0; i < hpm_n_builtins; i++) {
        snprintf(path, sizeof path, "metrics/%s", hpm_builtins[i].name);
        read_file(spec, path, 0);
    }
    return spec;
}

/* The same, and the models of the papers' processors. */
static inline struct hpm_spec *
read_shipped(void)
{
    static const char *const models[] = {"core",   "nhm",    "opteron",
                                         "power3", "power4", "ultra3"};
    struct hpm_spec *spec = read_carried();
    char path[128];

    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        snprintf(path, sizeof path, "metrics/models/%s.hpm", models[i]);
        read_file(spec, path, 0);
    }
    return spec;
}

/* The metrics for one PMU (NULL: not known) of a machine with these facts. */
static inline struct hpm_metrics *
choose(struct hpm_spec *spec, const char *pmu, unsigned facts)
{
    struct hpm_platform platform = {.pmu = pmu, .facts = facts, .known = 63};

    return hpm_metrics_new(spec, &platform, NULL);
}

/* Values from "NAME 5, OTHER 7.5, THIRD lost"; events that are not named were
 * not counted.  To be freed. */
static inline struct hpm_metric_value *
evaluate(const struct hpm_metrics *metrics, const char *list)
{
    struct hpm_tally *counts = calloc(metrics->n_leaves + 1, sizeof *counts);
    struct hpm_metric_value *values =
        calloc(metrics->n_metrics + 1, sizeof *values);
    char *copy = strdup(list), *rest = copy, *item;

    while ((item = strtok_r(rest, ",", &rest)) != NULL) {
        char name[128], number[32];

        if (sscanf(item, "%127s %31s", name, number) != 2)
            continue;
        for (size_t i = 0; i < metrics->n_leaves; i++) {
            if (strcmp(metrics->leaves[i], name) != 0)
                continue;
            counts[i].is_present = true;
            counts[i].value = strtod(number, NULL);
            counts[i].is_exact = number[strspn(number, "0123456789")] == '\0';
            counts[i].exact = (hpm_exact)strtoull(number, NULL, 10);
            for (int s = HPM_STATE_SHARED; s <= HPM_STATE_UNSUPPORTED; s++) {
                if (strcmp(number, hpm_state_name(s)) == 0)
                    counts[i].state = s;
            }
            /* states up to "recorded" have a value */
            if (counts[i].state != 0)
                counts[i].value = 100.0;
        }
    }
    hpm_metrics_evaluate(metrics, counts, NULL, values);
    free(counts);
    free(copy);
    return values;
}

/* The text shown for a metric: "~12 inferred", "-", or "- REASON"; valid until
 * the eighth call after this. */
static inline const char *
shown(const struct hpm_metrics *metrics, const struct hpm_metric_value *values,
      const char *name)
{
    static char texts[8][256];
    static int turn;
    char *text = texts[turn++ % 8];
    size_t i = hpm_metrics_find(metrics, name);
    struct hpm_string reason = {0};

    if (i == HPM_NO_METRIC)
        return "no such metric";
    hpm_metric_value_explain(&values[i], &reason);
    if (!values[i].is_present)
        snprintf(text, 256, "not shown: %s", hpm_string_text(&reason));
    else if (isnan(values[i].value))
        snprintf(text, 256, "%s: %s", hpm_state_name(values[i].state),
                 hpm_string_text(&reason));
    else
        snprintf(text, 256, "%s%.6g%s%s", values[i].is_partial ? "~" : "",
                 values[i].value / metrics->metrics[i].scale,
                 values[i].state != HPM_STATE_COUNTED ? " " : "",
                 values[i].state != HPM_STATE_COUNTED
                     ? hpm_state_name(values[i].state)
                     : "");
    hpm_string_free(&reason);
    return text;
}

#endif
