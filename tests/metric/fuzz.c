/* SPDX-License-Identifier: BSD-3-Clause
 * Any text as definitions: read, chosen for machines, evaluated.
 *
 * Built as a test it mutates the shipped definitions, the same way each time;
 * built with -fsanitize=fuzzer (tests/libfuzzer.sh) clang's libFuzzer makes the
 * texts. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "metric/trial.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* Every third leaf was not counted, the others have some value and state. */
static void
make_counts(struct hpm_tally *counts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        counts[i] = (struct hpm_tally){
            .is_present = i % 3 != 0,
            .state = (enum hpm_state)(i % 11 == 0 ? i % 8 : 0),
            .value = i % 7 == 0 ? 0.0 : (double)(i * i) - 20.0,
            .error = i % 5 == 0 ? 1.0 : 0.0};
}

/* Checks that hold for every value. */
static void
check_value(const struct hpm_metric_value *value)
{
    struct hpm_string reason = {0};
    bool has_value = value->is_present && !isnan(value->value);

    hpm_metric_value_explain(value, &reason);
    if (has_value &&
        (value->cause != HPM_CAUSE_NONE || !hpm_state_has_value(value->state)))
        abort();
    if (!has_value && value->is_partial)
        abort();
    if (value->is_present && !has_value &&
        (value->cause == HPM_CAUSE_NONE || hpm_state_has_value(value->state)))
        abort();
    hpm_string_free(&reason);
}

static void
evaluate_for(struct hpm_spec *spec, const char *pmu, unsigned facts)
{
    struct hpm_platform platform = {.pmu = pmu, .facts = facts, .known = facts};
    struct hpm_metrics *metrics = hpm_metrics_new(spec, &platform, NULL);
    struct hpm_tally *counts;
    struct hpm_metric_value *values;
    struct hpm_whole whole;

    if (metrics == NULL)
        abort();
    counts = calloc(metrics->n_leaves + 1, sizeof *counts);
    values = calloc(metrics->n_metrics + 1, sizeof *values);
    make_counts(counts, metrics->n_leaves);
    hpm_metrics_evaluate(metrics, counts, NULL, values);
    for (size_t i = 0; i < metrics->n_metrics; i++) {
        check_value(&values[i]);
        hpm_metrics_judge(metrics, values, i, HPM_PRECISION_DOUBLE);
        hpm_metrics_find(metrics, metrics->metrics[i].shown);
    }
    whole = (struct hpm_whole){counts, values};
    hpm_metrics_evaluate(metrics, counts, &whole, values);
    free(counts);
    free(values);
    hpm_metrics_free(metrics);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct hpm_spec *spec = hpm_spec_new();

    if (spec == NULL)
        abort();
    hpm_spec_read(spec, "fuzz.hpm", (const char *)bytes, length, 1, NULL, NULL,
                  NULL);
    evaluate_for(spec, NULL, 0);
    evaluate_for(spec, "skx", 63);
    hpm_spec_free(spec);
    return 0;
}

#ifndef HPM_LIBFUZZER

#include "tap.h"

enum { ROUNDS = 1500, LONGEST = 3000 };

/* xorshift: the same numbers everywhere. */
static uint32_t
next(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static const char *const pieces[] = {"compose",
                                     "measure",
                                     "compute",
                                     "ratio",
                                     "const",
                                     "set",
                                     "arch",
                                     "tune",
                                     "event A:B = r1a8",
                                     "processor",
                                     "cpu/event=0xa4,inv/",
                                     "remove",
                                     "include",
                                     "under",
                                     "scale",
                                     "bad",
                                     "if",
                                     "no",
                                     "total(",
                                     "timebase",
                                     "explains",
                                     "less(",
                                     "(",
                                     ")",
                                     "=",
                                     "+",
                                     "-",
                                     "*",
                                     " / ",
                                     "\"",
                                     "#",
                                     "\n",
                                     "~",
                                     "1e308",
                                     "0",
                                     "L3",
                                     "CYCLES",
                                     ":c=1",
                                     "::",
                                     ",",
                                     "|",
                                     "<",
                                     ">",
                                     "\xff",
                                     "x"};

/* Change some bytes, insert words, copy or remove parts. */
static size_t
mutate(char *text, size_t length, uint32_t *state)
{
    for (uint32_t n = 1 + next(state) % 8; n > 0 && length > 8; n--) {
        size_t at = next(state) % (length - 4);
        size_t some = 1 + next(state) % (length - at - 2);
        const char *piece =
            pieces[next(state) % (sizeof pieces / sizeof pieces[0])];

        switch (next(state) % 4) {
        case 0:
            text[at] = (char)next(state);
            break;
        case 1:
            memmove(text + at, text + at + some, length - at - some);
            length -= some;
            break;
        case 2:
            some = some > LONGEST - length ? LONGEST - length : some;
            memmove(text + at + some, text + at, length - at);
            length += some;
            break;
        default:
            if (length + strlen(piece) > LONGEST)
                break;
            memmove(text + at + strlen(piece), text + at, length - at);
            memcpy(text + at, piece, strlen(piece));
            length += strlen(piece);
            break;
        }
    }
    return length;
}

int
main(void)
{
    struct hpm_string *shipped = calloc(hpm_n_builtins, sizeof *shipped);
    uint32_t state = 2463534242u;
    char text[2 * LONGEST];

    for (size_t i = 0; i < hpm_n_builtins; i++) {
        if (!read_shipped_bytes(&shipped[i], i))
            return 1;
    }
    for (int i = 0; i < ROUNDS; i++) {
        const struct hpm_string *whole =
            &shipped[next(&state) % hpm_n_builtins];
        size_t length =
            whole->length > LONGEST / 2 ? LONGEST / 2 : whole->length;
        size_t start = next(&state) % (whole->length - length + 1);

        memcpy(text, hpm_string_text(whole) + start, length);
        length = mutate(text, length, &state);
        LLVMFuzzerTestOneInput((const uint8_t *)text, length);
    }
    for (size_t i = 0; i < hpm_n_builtins; i++)
        hpm_string_free(&shipped[i]);
    free(shipped);
    ok(true, "mutated definitions are read, chosen and evaluated");
    return done();
}

#endif
