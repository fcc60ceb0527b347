/* SPDX-License-Identifier: BSD-3-Clause
 * The call stacks of samples. */
#include "study/hotspot/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/mark.h"
#include "host/memory.h"
#include "study/hotspot/hotspots.h"

/* ---- names ----------------------------------------------------------- */

static bool
is_of_thread(const struct hpm_study *study, const struct hpm_study_hit *hit)
{
    return hpm_study_section_of(study, hit->row)->scope == HPM_SCOPE_THREAD;
}

/* A call returns to the address after it, which may belong to the next function
 * or line: look up the byte before. */
static bool
name_caller(struct hpm_stacks *stacks, const struct hpm_study_chain *chain,
            struct hpm_stacks_frame *frame)
{
    const struct hpm_study_hit place = {
        .module = chain->module,
        .offset = chain->offset > 0 ? chain->offset - 1 : 0};

    if (chain->module == HPM_MODULE_CUT) {
        *frame = (struct hpm_stacks_frame){stacks->more, stacks->naming.none};
        return true;
    }
    return hpm_naming_find(&stacks->naming, &place, &frame->name,
                           &frame->module);
}

static bool
name_callers(struct hpm_stacks *stacks)
{
    const struct hpm_study *study = stacks->study;

    stacks->more = hpm_names_add(&stacks->names, N_("(more callers)"), 14);
    stacks->callers =
        hpm_memory_new(study->n_chains + 1, sizeof *stacks->callers);
    if (stacks->callers == NULL || stacks->more == HPM_NO_NAME)
        return false;
    for (size_t i = 0; i < study->n_chains; i++) {
        if (!name_caller(stacks, &study->chains[i], &stacks->callers[i + 1]))
            return false;
    }
    return true;
}

bool
hpm_stacks_begin(struct hpm_stacks *stacks, const struct hpm_study *study)
{
    stacks->study = study;
    stacks->naming = (struct hpm_naming){
        .kind = HPM_NAMING_FUNCTION, .study = study, .names = &stacks->names};
    stacks->has_threads =
        hpm_memory_new(study->n_sampled + 1, sizeof *stacks->has_threads);
    if (stacks->has_threads == NULL || !hpm_naming_begin(&stacks->naming))
        return false;
    for (size_t i = 0; i < study->n_hits; i++) {
        if (is_of_thread(study, &study->hits[i]))
            stacks->has_threads[study->hits[i].sampled] = true;
    }
    return name_callers(stacks);
}

void
hpm_stacks_end(struct hpm_stacks *stacks)
{
    if (stacks->study != NULL)
        hpm_naming_end(&stacks->naming);
    hpm_names_free(&stacks->names);
    hpm_memory_free(stacks->callers);
    hpm_memory_free(stacks->has_threads);
    hpm_memory_free(stacks->frames);
}

/* ---- stacks ---------------------------------------------------------- */

bool
hpm_stacks_counts(const struct hpm_stacks *stacks,
                  const struct hpm_study_hit *hit)
{
    return hit->module != HPM_MODULE_LOST &&
           is_of_thread(stacks->study, hit) ==
               stacks->has_threads[hit->sampled];
}

static bool
add_frame(struct hpm_stacks *stacks, struct hpm_stacks_frame frame)
{
    if (!hpm_memory_grow(&stacks->frames, &stacks->capacity,
                         stacks->n_frames + 1, sizeof *stacks->frames))
        return false;
    stacks->frames[stacks->n_frames++] = frame;
    return true;
}

bool
hpm_stacks_find(struct hpm_stacks *stacks, const struct hpm_study_hit *hit)
{
    struct hpm_stacks_frame own;

    stacks->n_frames = 0;
    if (!hpm_naming_find(&stacks->naming, hit, &own.name, &own.module) ||
        !add_frame(stacks, own))
        return false;
    for (uint32_t chain = hit->chain; chain != 0;
         chain = stacks->study->chains[chain - 1].caller) {
        if (!add_frame(stacks, stacks->callers[chain]))
            return false;
    }
    return true;
}

void
hpm_stacks_count(const struct hpm_stacks *stacks, uint32_t sampled,
                 uint64_t *ret_n, uint64_t *ret_n_called)
{
    const struct hpm_study *study = stacks->study;

    *ret_n = *ret_n_called = 0;
    for (size_t i = 0; i < study->n_hits; i++) {
        const struct hpm_study_hit *hit = &study->hits[i];

        if (hit->sampled != sampled || !hpm_stacks_counts(stacks, hit))
            continue;
        *ret_n += hit->n;
        *ret_n_called += hit->chain != 0 ? hit->n : 0;
    }
}

/* ---- folded ---------------------------------------------------------- */

struct line {
    const char *text;
    uint64_t n;
};

/* Add a name without control characters; a semicolon separates functions, so
 * the name must not have one. */
static void
add_name(struct hpm_string *string, const char *name)
{
    size_t begin = string->length;

    hpm_string_add_safe(string, name);
    for (size_t i = begin; i < string->length; i++) {
        if (string->text[i] == ';')
            string->text[i] = ':';
    }
}

/* Add an event exactly, as "cpu-clock@997000ns user": two events with equal
 * names would become one. */
static void
add_event(struct hpm_string *string, const struct hpm_study *study,
          const struct hpm_study_sampled *sampled)
{
    add_name(string, sampled->name);
    if (!hpm_hotspots_is_one_of_several(study, sampled))
        return;
    hpm_string_add_format(string, "@%llu", (unsigned long long)sampled->period);
    if (sampled->unit != NULL)
        add_name(string, sampled->unit);
    if (sampled->domain != NULL) {
        hpm_string_add_char(string, ' ');
        add_name(string, sampled->domain);
    }
}

/* Texts are kept once, so the address identifies a text. */
static const char *
fold(struct hpm_stacks *stacks, const struct hpm_study_hit *hit,
     struct hpm_string *scratch)
{
    hpm_string_clear(scratch);
    if (stacks->study->n_sampled > 1) {
        add_event(scratch, stacks->study,
                  &stacks->study->sampled[hit->sampled]);
        hpm_string_add_char(scratch, ';');
    }
    for (size_t i = stacks->n_frames; i-- > 0;) {
        add_name(scratch,
                 hpm_names_text(&stacks->names, stacks->frames[i].name));
        if (i > 0)
            hpm_string_add_char(scratch, ';');
    }
    return scratch->failed
               ? NULL
               : hpm_names_keep_text(&stacks->names, hpm_string_text(scratch));
}

static int
compare_lines(const void *first, const void *second)
{
    const struct line *a = first, *b = second;

    return strcmp(a->text, b->text);
}

static void
add_lines(struct hpm_string *string, struct line *lines, size_t n)
{
    if (n > 0)
        qsort(lines, n, sizeof *lines, compare_lines);
    for (size_t i = 0, end; i < n; i = end) {
        uint64_t sum = 0;

        for (end = i; end < n && lines[end].text == lines[i].text; end++)
            sum += lines[end].n;
        hpm_string_add_format(string, "%s %llu\n", lines[i].text,
                              (unsigned long long)sum);
    }
}

bool
hpm_stacks_add_folded(struct hpm_string *string, struct hpm_stacks *stacks)
{
    const struct hpm_study *study = stacks->study;
    struct line *lines = hpm_memory_new(study->n_hits + 1, sizeof *lines);
    struct hpm_string scratch = {0};
    size_t n = 0;
    bool is_good = lines != NULL;

    for (size_t i = 0; is_good && i < study->n_hits; i++) {
        const struct hpm_study_hit *hit = &study->hits[i];

        if (!hpm_stacks_counts(stacks, hit))
            continue;
        is_good = hpm_stacks_find(stacks, hit);
        if (is_good)
            lines[n] = (struct line){fold(stacks, hit, &scratch), hit->n};
        is_good = is_good && lines[n++].text != NULL;
    }
    if (is_good)
        add_lines(string, lines, n);
    hpm_string_free(&scratch);
    hpm_memory_free(lines);
    return is_good;
}
