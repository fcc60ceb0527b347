/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the leaf of metrics that a counter is, in any spelling. */
#include "metric/matching.h"

#include <string.h>

#include "host/memory.h"
#include "metric/alias.h"

void
hpm_matching_clear(struct hpm_matching *matching)
{
    hpm_names_free(&matching->exact);
    hpm_names_free(&matching->folded);
    hpm_memory_free(matching->exact_of);
    hpm_memory_free(matching->leaves);
    hpm_memory_free(matching->is_claimed);
    *matching = (struct hpm_matching){0};
}

/* Mark the leaves that formulas, measures and compositions name.  The other
 * leaves stand for metrics, which may be counters themselves. */
static void
mark_events(const struct hpm_metrics *metrics, bool *is_event)
{
    for (size_t i = 0; i < metrics->n_inputs; i++) {
        if (!metrics->inputs[i].is_metric)
            is_event[metrics->inputs[i].index] = true;
    }
    for (size_t i = 0; i < metrics->n_steps; i++) {
        const struct hpm_step *step = &metrics->steps[i];

        if ((step->kind == HPM_OP_NAME || step->kind == HPM_OP_TOTAL) &&
            !step->input.is_metric)
            is_event[step->input.index] = true;
    }
}

/* `text` is a buffer to be used again. */
static uint32_t
add_alias(struct hpm_names *names, const char *name, struct hpm_string *text,
          void (*add)(struct hpm_string *string, const char *name))
{
    hpm_string_clear(text);
    add(text, name);
    return text->failed
               ? HPM_NO_NAME
               : hpm_names_add(names, hpm_string_text(text), text->length);
}

static bool
add_event(struct hpm_matching *matching, size_t leaf, struct hpm_string *text)
{
    const struct hpm_metrics *metrics = matching->metrics;
    size_t n_before = matching->folded.n_texts;
    uint32_t number = add_alias(&matching->folded, metrics->leaves[leaf], text,
                                hpm_alias_add_folded);

    if (number == HPM_NO_NAME ||
        !hpm_memory_grow(&matching->leaves, &matching->capacity, number + 1u,
                         sizeof *matching->leaves))
        return false;
    matching->leaves[number] = number < n_before ? SIZE_MAX : leaf;
    return true;
}

static bool
add_leaves(struct hpm_matching *matching)
{
    const struct hpm_metrics *metrics = matching->metrics;
    struct hpm_string text = {0};
    bool is_good = hpm_names_reserve(&matching->exact, metrics->n_leaves);

    for (size_t i = 0; i < metrics->n_leaves && is_good; i++) {
        matching->exact_of[i] = add_alias(&matching->exact, metrics->leaves[i],
                                          &text, hpm_alias_add);
        is_good = matching->exact_of[i] != HPM_NO_NAME;
    }
    hpm_string_free(&text);
    return is_good;
}

/* Called only if a counter has none of the exact names, which is rare: this
 * takes as long as all exact names together. */
static bool
add_events(struct hpm_matching *matching)
{
    const struct hpm_metrics *metrics = matching->metrics;
    bool *is_event = hpm_memory_new(metrics->n_leaves + 1, sizeof *is_event);
    bool is_good = is_event != NULL;
    struct hpm_string text = {0};
    uint32_t n_met = 0;

    if (is_good)
        mark_events(metrics, is_event);
    for (size_t i = 0; i < metrics->n_leaves && is_good; i++) {
        /* an event under two names counts once */
        bool is_first = matching->exact_of[i] == n_met;

        n_met += is_first;
        is_good = !is_first || !is_event[i] || add_event(matching, i, &text);
    }
    hpm_string_free(&text);
    hpm_memory_free(is_event);
    matching->has_events = is_good;
    return is_good;
}

bool
hpm_matching_init(struct hpm_matching *matching,
                  const struct hpm_metrics *metrics)
{
    size_t n = metrics->n_leaves + 1;
    bool is_good;

    *matching = (struct hpm_matching){.metrics = metrics};
    matching->exact_of = hpm_memory_new(n, sizeof *matching->exact_of);
    matching->is_claimed = hpm_memory_new(n, sizeof *matching->is_claimed);
    is_good = matching->exact_of != NULL && matching->is_claimed != NULL &&
              add_leaves(matching);
    if (!is_good)
        hpm_matching_clear(matching);
    return is_good;
}

const char *
hpm_matching_of_leaf(const struct hpm_matching *matching, size_t leaf)
{
    return hpm_names_text(&matching->exact, matching->exact_of[leaf]);
}

/* Is this no event of libpfm4 or PAPI in any case?  Our names (ru::maxrss,
 * Count) and the kernel's (page-faults) have one spelling only. */
static bool
is_in_one_case(const char *alias)
{
    return strstr(alias, "::") != NULL || strchr(alias, '-') != NULL ||
           strcmp(alias, "Count") == 0;
}

/* The number of a name among the leaves' aliases. */
static uint32_t
find_exact(struct hpm_matching *matching, const char *name, bool *ret_is_final)
{
    struct hpm_string text = {0};
    uint32_t number;

    hpm_alias_add(&text, name);
    number = hpm_names_find(&matching->exact, hpm_string_text(&text));
    *ret_is_final = is_in_one_case(hpm_string_text(&text));
    hpm_string_finish(&text, &matching->failed);
    return number;
}

void
hpm_matching_claim(struct hpm_matching *matching, const char *counter)
{
    bool is_final;
    uint32_t number = find_exact(matching, counter, &is_final);

    if (number != HPM_NO_NAME)
        matching->is_claimed[number] = true;
}

/* The leaf that names this event in another case; SIZE_MAX if there is none. */
static size_t
find_folded(struct hpm_matching *matching, const char *counter)
{
    struct hpm_string text = {0};
    size_t leaf = SIZE_MAX;
    uint32_t number;

    hpm_alias_add_folded(&text, counter);
    number = hpm_names_find(&matching->folded, hpm_string_text(&text));
    hpm_string_finish(&text, &matching->failed);
    if (number != HPM_NO_NAME)
        leaf = matching->leaves[number];
    if (leaf == SIZE_MAX)
        return SIZE_MAX;
    return !matching->is_claimed[matching->exact_of[leaf]] ? leaf : SIZE_MAX;
}

void
hpm_matching_add(struct hpm_string *string, struct hpm_matching *matching,
                 const char *counter)
{
    size_t leaf = SIZE_MAX;
    bool is_final;

    if (find_exact(matching, counter, &is_final) == HPM_NO_NAME && !is_final) {
        if (!matching->has_events && !add_events(matching))
            matching->failed = true;
        leaf = find_folded(matching, counter);
    }
    string->failed |= matching->failed;
    if (leaf != SIZE_MAX)
        hpm_string_add(string, hpm_matching_of_leaf(matching, leaf));
    else
        hpm_alias_add(string, counter);
}
