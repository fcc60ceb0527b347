/* SPDX-License-Identifier: BSD-3-Clause
 * The total counts of several rows. */
#include "study/metric/sum.h"

#include <math.h>

#include "host/memory.h"
#include "study/columns/family.h"

bool
hpm_sum_init(struct hpm_sum *sum, const struct hpm_studymetrics *studymetrics,
             struct hpm_error *err)
{
    size_t n = studymetrics->metrics->n_leaves;

    *sum = (struct hpm_sum){.n_leaves = n,
                            .live = studymetrics->live,
                            .n_live = studymetrics->n_live};
    sum->tallies = hpm_memory_new(n, sizeof *sum->tallies);
    sum->n_present = hpm_memory_new(n, sizeof *sum->n_present);
    return (sum->tallies != NULL && sum->n_present != NULL) ||
           hpm_error_no_memory(err);
}

void
hpm_sum_clear(struct hpm_sum *sum)
{
    hpm_memory_free(sum->tallies);
    hpm_memory_free(sum->n_present);
    *sum = (struct hpm_sum){0};
}

void
hpm_sum_reset(struct hpm_sum *sum)
{
    for (size_t i = 0; i < sum->n_live; i++) {
        sum->tallies[sum->live[i]] = (struct hpm_tally){0};
        sum->n_present[sum->live[i]] = 0;
    }
    sum->n_rows = 0;
    sum->slowest = (struct hpm_slowest){0};
}

/* A section so short that measuring took as long as the section is not
 * judged. */
static struct hpm_tally
doubt_short(const struct hpm_study *study, uint32_t row, struct hpm_tally tally)
{
    if ((hpm_study_row(study, row)->flags & HPM_ROW_SHORT) != 0 &&
        tally.doubt < HPM_DOUBT_SHORT)
        tally.doubt = HPM_DOUBT_SHORT;
    return tally;
}

/* Counts of the process have no sum over its threads, and counts of the node
 * none over its tasks. */
static void
add(const struct hpm_studymetrics *studymetrics, size_t leaf,
    struct hpm_tally *sum, const struct hpm_tally *more)
{
    const struct hpm_study *study = studymetrics->study;
    bool has_places = sum->place != 0 && more->place != 0;
    bool are_same =
        has_places &&
        (hpm_study_are_of_process(study, sum->place - 1, more->place - 1) ||
         (studymetrics->shares_nodes && sum->place != more->place &&
          hpm_tally_is_of_node(studymetrics->metrics->leaves[leaf])));

    hpm_tally_add(sum, more, are_same);
}

/* For facts about the machine, which are not counted: no sum, and no value
 * where machines differ. */
static void
agree(struct hpm_tally *sum, const struct hpm_tally *more)
{
    if (!sum->is_present) {
        *sum = *more;
    } else if (sum->value != more->value) {
        sum->state = HPM_STATE_UNSUPPORTED;
        sum->value = NAN;
        sum->is_exact = false;
    }
}

static void
add_tally(struct hpm_sum *sum, const struct hpm_studymetrics *studymetrics,
          size_t leaf, const struct hpm_tally *tally)
{
    if (!tally->is_present)
        return;
    sum->n_present[leaf]++;
    if (studymetrics->origins[leaf] == HPM_ORIGIN_MHZ ||
        studymetrics->origins[leaf] == HPM_ORIGIN_CPUS ||
        studymetrics->origins[leaf] == HPM_ORIGIN_ROOF ||
        studymetrics->origins[leaf] == HPM_ORIGIN_ALLOWED)
        agree(&sum->tallies[leaf], tally);
    else
        add(studymetrics, leaf, &sum->tallies[leaf], tally);
}

void
hpm_sum_add_row(struct hpm_sum *sum,
                const struct hpm_studymetrics *studymetrics, uint32_t row,
                enum hpm_span span, enum hpm_studymetrics_side side)
{
    sum->n_rows++;
    hpm_slowest_add_row(&sum->slowest, studymetrics->study, row, span);
    for (size_t i = 0; i < studymetrics->n_live; i++) {
        size_t leaf = studymetrics->live[i];
        struct hpm_tally tally = doubt_short(
            studymetrics->study, row,
            hpm_studymetrics_count(studymetrics, leaf, row, span, side));

        add_tally(sum, studymetrics, leaf, &tally);
    }
}

void
hpm_sum_add_own(struct hpm_sum *sum,
                const struct hpm_studymetrics *studymetrics, uint32_t row,
                enum hpm_studymetrics_side side)
{
    bool is_root =
        hpm_study_row(studymetrics->study, row)->parent == HPM_NO_INDEX;

    sum->n_rows++;
    for (size_t i = 0; i < studymetrics->n_live; i++) {
        size_t leaf = studymetrics->live[i];
        struct hpm_tally tally = hpm_studymetrics_count(
            studymetrics, leaf, row, HPM_SPAN_EXCLUSIVE, side);

        if (!tally.is_present && is_root)
            tally = hpm_studymetrics_count(studymetrics, leaf, row,
                                           HPM_SPAN_INCLUSIVE, side);
        add_tally(sum, studymetrics, leaf, &tally);
    }
}

static void
take_longer(struct hpm_tally *sum, const struct hpm_tally *more)
{
    struct hpm_tally other = *more;

    if (!sum->is_present || more->value > sum->value) {
        other = *sum;
        *sum = *more;
    }
    /* the result does not depend on the order of threads */
    sum->is_partial |= other.is_partial;
    if (sum->cause == HPM_CAUSE_NONE)
        sum->cause = other.cause;
    if (other.state > sum->state)
        sum->state = other.state;
    if (other.doubt > sum->doubt)
        sum->doubt = other.doubt;
}

void
hpm_sum_add_sum(struct hpm_sum *sum,
                const struct hpm_studymetrics *studymetrics,
                const struct hpm_sum *other, size_t n_threads)
{
    sum->n_rows += other->n_rows;
    hpm_slowest_add(&sum->slowest, &other->slowest);
    for (size_t i = 0; i < studymetrics->n_live; i++) {
        size_t leaf = studymetrics->live[i];
        struct hpm_tally *here = &sum->tallies[leaf];
        const struct hpm_tally *more = &other->tallies[leaf];

        sum->n_present[leaf] += other->n_present[leaf];
        if (!more->is_present)
            continue;
        if (studymetrics->origins[leaf] == HPM_ORIGIN_WALL) {
            struct hpm_tally mean = *more;

            mean.value /= (double)n_threads;
            mean.is_exact = false;
            mean.error /= (double)n_threads;
            mean.spread /= (double)n_threads;
            take_longer(here, &mean);
        } else if (studymetrics->origins[leaf] == HPM_ORIGIN_COUNTER ||
                   studymetrics->origins[leaf] == HPM_ORIGIN_CALLS ||
                   studymetrics->origins[leaf] == HPM_ORIGIN_RESOURCE ||
                   studymetrics->origins[leaf] == HPM_ORIGIN_ALLOWED)
            add(studymetrics, leaf, here, more);
        else
            agree(here, more);
    }
}

void
hpm_sum_know_longest(struct hpm_sum *sum,
                     const struct hpm_studymetrics *studymetrics,
                     double seconds, size_t n_threads)
{
    for (size_t i = 0; i < studymetrics->n_live; i++) {
        size_t leaf = studymetrics->live[i];
        struct hpm_tally *tally = &sum->tallies[leaf];

        if (studymetrics->origins[leaf] != HPM_ORIGIN_WALL ||
            !tally->is_present)
            continue;
        tally->value = seconds * (double)n_threads;
        tally->is_exact = false;
    }
}

static void
refuse_twice(struct hpm_sum *sum, const struct hpm_studymetrics *studymetrics)
{
    for (size_t i = 0; i < studymetrics->n_live; i++) {
        size_t leaf = studymetrics->live[i];
        struct hpm_tally *tally = &sum->tallies[leaf];

        if (studymetrics->origins[leaf] == HPM_ORIGIN_COUNTER &&
            tally->is_present && !tally->omits_children)
            tally->cause = HPM_CAUSE_TWICE;
    }
}

static void
doubt_slowest(struct hpm_sum *sum, const struct hpm_studymetrics *studymetrics)
{
    if (!hpm_slowest_may_differ(&sum->slowest))
        return;
    for (size_t i = 0; i < studymetrics->n_live; i++) {
        size_t leaf = studymetrics->live[i];

        if (studymetrics->origins[leaf] == HPM_ORIGIN_WALL &&
            sum->tallies[leaf].doubt < HPM_DOUBT_SLOWEST)
            sum->tallies[leaf].doubt = HPM_DOUBT_SLOWEST;
    }
}

void
hpm_sum_end(struct hpm_sum *sum, const struct hpm_studymetrics *studymetrics,
            bool has_twice)
{
    if (has_twice)
        refuse_twice(sum, studymetrics);
    doubt_slowest(sum, studymetrics);
    for (size_t j = 0; j < sum->n_live; j++) {
        size_t i = sum->live[j];

        if (sum->n_present[i] == 0 || sum->n_present[i] == sum->n_rows)
            continue;
        sum->tallies[i].value = NAN;
        sum->tallies[i].is_exact = false;
        sum->tallies[i].is_partial = true;
    }
}

static void
set_wall(struct hpm_sum *sum, const struct hpm_studymetrics *studymetrics,
         double seconds)
{
    for (size_t i = 0; i < studymetrics->n_live; i++) {
        size_t leaf = studymetrics->live[i];

        if (studymetrics->origins[leaf] == HPM_ORIGIN_WALL)
            sum->tallies[leaf] = (struct hpm_tally){
                .is_present = !isnan(seconds), .value = seconds};
    }
}

void
hpm_sum_end_whole(struct hpm_sum *sum,
                  const struct hpm_studymetrics *studymetrics, int scope,
                  double seconds)
{
    const struct hpm_study *study = studymetrics->study;
    bool is_difference = study->kind == HPM_STUDY_DIFF;

    hpm_sum_end(sum, studymetrics,
                scope == HPM_SCOPE_PROCESS && hpm_family_counts_twice(study));
    if (is_difference || !isnan(seconds))
        set_wall(sum, studymetrics, is_difference ? NAN : seconds);
}
