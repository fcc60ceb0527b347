/* SPDX-License-Identifier: BSD-3-Clause
 * The samples of a journal. */
#include "study/recover/samples.h"

#include <string.h>

#include "host/memory.h"
#include "record/snapshot.h"

/* The most samples of one place, and the largest count of an event, that a file
 * can hold: no sum may be larger, even if the journal is broken. */
#define MOST_SAMPLES (UINT64_C(1) << 40)
#define MOST_COUNTED ((uint64_t)INT64_MAX)

/* Add n to a sum, which may be at most `most`. */
static uint64_t
add_up_to(uint64_t most, uint64_t *sum, uint64_t n, struct hpm_words *words)
{
    if (n > most - *sum)
        words->is_wrong = true;
    else
        *sum += n;
    return n;
}

/* ---- the run --------------------------------------------------------- */

static void
read_module(struct hpm_modules *modules, struct hpm_words *words)
{
    struct hpm_module *module = &modules->modules[modules->n_modules];
    char *path = hpm_words_text(words), *build_id = hpm_words_text(words);

    if (path == NULL || build_id == NULL ||
        strlen(build_id) >= sizeof module->build_id) {
        words->is_wrong = true;
        hpm_memory_free(path);
    } else {
        module->path = path;
        strcpy(module->build_id, build_id);
        modules->n_modules++;
    }
    hpm_memory_free(build_id);
}

static void
read_part(struct hpm_modules *modules, struct hpm_words *words)
{
    struct hpm_module_part *part = &modules->parts[modules->n_parts];

    part->start = hpm_words_word(words);
    part->end = hpm_words_word(words);
    part->offset = hpm_words_word(words);
    part->module = (size_t)hpm_words_word(words);
    words->is_wrong |= part->module >= modules->n_modules;
    modules->n_parts++;
}

static void
read_modules(struct hpm_modules *modules, struct hpm_words *words)
{
    size_t n = hpm_words_count(words, 2);

    modules->modules = hpm_memory_new(n + 1, sizeof *modules->modules);
    words->is_wrong |= modules->modules == NULL;
    for (size_t i = 0; i < n && !words->is_wrong; i++)
        read_module(modules, words);
    n = hpm_words_count(words, 4);
    modules->parts = hpm_memory_new(n + 1, sizeof *modules->parts);
    words->is_wrong |= modules->parts == NULL;
    for (size_t i = 0; i < n && !words->is_wrong; i++)
        read_part(modules, words);
}

static void
read_sampled(struct hpm_sampling *sampling, struct hpm_words *words)
{
    struct hpm_sampled *sampled = &sampling->events[sampling->n_events++];

    *sampled = (struct hpm_sampled){.period = 0};
    hpm_words_fields(words, hpm_snapshot_sampled, sampled);
    words->is_wrong |= sampled->period == 0 || sampled->period > MOST_COUNTED ||
                       (unsigned)sampled->event.domain > HPM_DOMAIN_ALL;
}

void
hpm_samples_read_run(struct hpm_samples_run *run, struct hpm_words *words)
{
    size_t n = hpm_words_count(words, 4);

    hpm_modules_init(&run->modules);
    words->is_wrong |= n > HPM_MAX_SAMPLED;
    if (n == 0 || words->is_wrong)
        return;
    for (size_t i = 0; i < n && !words->is_wrong; i++)
        read_sampled(&run->sampling, words);
    run->n_without = hpm_words_word(words);
    words->is_wrong |= run->n_without > MOST_SAMPLES;
    read_modules(&run->modules, words);
}

void
hpm_samples_clear_run(struct hpm_samples_run *run)
{
    hpm_sampling_clear(&run->sampling);
    hpm_modules_clear(&run->modules);
}

/* ---- a table --------------------------------------------------------- */

/* Stands for a section that is not in the journal. */
static const struct hpm_node elsewhere = {.index = HPM_NO_RECORD};

static const struct hpm_node *
find_node(struct hpm_samples_nodes nodes, uint64_t number,
          struct hpm_words *words)
{
    words->is_wrong |= number > nodes.n;
    return number == 0 || words->is_wrong ? NULL : nodes.all[number - 1];
}

/* The process's table may be older than the thread's. */
static const struct hpm_node *
find_within(struct hpm_samples_nodes process, uint64_t number)
{
    if (number == 0)
        return NULL;
    return number <= process.n && process.all[number - 1]->outer > 0
               ? process.all[number - 1]
               : &elsewhere;
}

static void
read_sample(struct hpm_samples_run *run, struct hpm_samples_nodes nodes,
            struct hpm_samples_nodes process, struct hpm_sample_count *count,
            struct hpm_words *words)
{
    uint64_t sample[HPM_SNAPSHOT_SAMPLE_WORDS] = {0}, part;

    hpm_words_take(words, sample, HPM_SNAPSHOT_SAMPLE_WORDS);
    part = sample[HPM_SNAPSHOT_PART];
    if (part >= run->modules.n_parts)
        part = HPM_MODULES_NO_PART;
    words->is_wrong |= sample[HPM_SNAPSHOT_SAMPLED] >= run->sampling.n_events;
    *count = (struct hpm_sample_count){
        .node = find_node(nodes, sample[HPM_SNAPSHOT_NODE], words),
        .within = find_within(process, sample[HPM_SNAPSHOT_WITHIN]),
        .address = sample[HPM_SNAPSHOT_ADDRESS],
        .part = (uint32_t)part,
        .event = (uint32_t)sample[HPM_SNAPSHOT_SAMPLED],
        .n = add_up_to(MOST_SAMPLES, &run->n_read, sample[HPM_SNAPSHOT_N],
                       words)};
    if (count->within == &elsewhere && !words->is_wrong)
        run->n_elsewhere += count->n;
}

struct hpm_sampler *
hpm_samples_read(struct hpm_samples_run *run, struct hpm_samples_nodes nodes,
                 struct hpm_samples_nodes process, struct hpm_words *words)
{
    size_t n_totals = hpm_words_count(words, 3);
    struct hpm_sampler *samples =
        n_totals > 0 ? hpm_memory_new(1, sizeof *samples) : NULL;

    words->is_wrong |=
        n_totals > HPM_MAX_SAMPLED || (n_totals > 0 && samples == NULL);
    for (size_t i = 0; i < n_totals && !words->is_wrong; i++) {
        hpm_words_fields(words, hpm_snapshot_total, &samples->totals[i]);
        add_up_to(MOST_COUNTED, &run->counts[i], samples->totals[i].count,
                  words);
    }
    if (samples == NULL || words->is_wrong)
        return samples;
    samples->n_dropped =
        add_up_to(MOST_SAMPLES, &run->n_read, hpm_words_word(words), words);
    samples->n_slots = hpm_words_count(words, HPM_SNAPSHOT_SAMPLE_WORDS);
    samples->counts =
        hpm_memory_new(samples->n_slots + 1, sizeof *samples->counts);
    words->is_wrong |= samples->counts == NULL;
    for (size_t i = 0; i < samples->n_slots && !words->is_wrong; i++)
        read_sample(run, nodes, process, &samples->counts[i], words);
    return samples;
}
