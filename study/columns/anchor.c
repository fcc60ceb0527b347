/* SPDX-License-Identifier: BSD-3-Clause
 * Are repeated runs alike? */
#include "study/columns/anchor.h"

#include <math.h>

#include "study/columns/agree.h"
#include "study/statistics/quantile.h"

/* All names of cycles and instructions that the kernel, PAPI and the supported
 * processors use, without the PMU before the name and attributes behind it. */
static const char *const names[] = {"cycles",
                                    "cpu-cycles",
                                    "PERF_COUNT_HW_CPU_CYCLES",
                                    "PAPI_TOT_CYC",
                                    "CPU_CLK_UNHALTED",
                                    "CPU_CLOCKS_UNHALTED",
                                    "CYCLES_NOT_IN_HALT",
                                    "CPU_CYCLES",
                                    "UNHALTED_CORE_CYCLES",
                                    "PM_CYC",
                                    "PM_RUN_CYC",
                                    "Cycle_cnt",
                                    "CYCLES",
                                    "instructions",
                                    "PERF_COUNT_HW_INSTRUCTIONS",
                                    "PAPI_TOT_INS",
                                    "INST_RETIRED",
                                    "INSTRUCTION_RETIRED",
                                    "INSTRUCTIONS_RETIRED",
                                    "RETIRED_INSTRUCTIONS",
                                    "FR_X86_INS",
                                    "PM_INST_CMPL",
                                    "PM_RUN_INST_CMPL",
                                    "Instr_cnt",
                                    "INSTRUCTION"};

bool
hpm_anchor_is_one(const char *name)
{
    const char *start = strstr(name, "::");
    size_t length;

    start = start != NULL ? start + 2 : name;
    length = strcspn(start, ":");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i]) == length && strncmp(names[i], start, length) == 0)
            return true;
    }
    return false;
}

/* The total of a counter in a study: the sum of the exclusive values of all
 * threads, which counts nothing twice; where no thread has a value, the sum for
 * the process. */
static double
total_of(const struct hpm_study *study, uint32_t column)
{
    long double totals[2] = {0, 0};
    bool has[2] = {false, false};

    for (uint32_t i = 0; i < study->n_rows; i++) {
        uint32_t section = hpm_study_row(study, i)->section;
        int scope = study->sections[section].scope;
        struct hpm_number number =
            hpm_study_number(study, i, column, HPM_FIELD_EXCLUSIVE);

        if (hpm_study_number(study, i, column, HPM_FIELD_PARTIAL).kind !=
            HPM_NUMBER_NONE)
            return NAN; /* a sum of only some parts */
        if (number.kind == HPM_NUMBER_NONE)
            continue;
        totals[scope] += hpm_number_to_real(number);
        has[scope] = true;
    }
    if (has[HPM_SCOPE_THREAD])
        return (double)totals[HPM_SCOPE_THREAD];
    return has[HPM_SCOPE_PROCESS] ? (double)totals[HPM_SCOPE_PROCESS] : NAN;
}

/* ---- flags ----------------------------------------------------------- */

/* The problem is added to the first task that the study has. */
static bool
flag(struct hpm_align *align, size_t which, const char *counter, double value,
     double middle)
{
    struct hpm_study *result = align->result;
    struct hpm_string text = {0};
    const char *kept;

    hpm_agree_add_name(align->studies[which], &text);
    hpm_string_add(&text, ": its ");
    hpm_string_add(&text, counter);
    hpm_string_add(&text, " are ");
    hpm_string_add_fixed(&text, fabs(value - middle) / middle * 100, 1);
    hpm_string_add_format(&text,
                          " %% %s the median of the runs; was it another "
                          "input, or a busy machine?",
                          value < middle ? "below" : "above");
    kept = hpm_study_keep(result, &text);
    for (size_t i = 0; i < result->n_tasks && kept != NULL; i++) {
        if (align->tasks[i * align->n + which] != HPM_NO_INDEX)
            return hpm_study_add_problem(result, (uint32_t)i, kept);
    }
    return kept != NULL;
}

/* What is known of the runs. */
struct anchoring {
    double tolerance;
    double *totals, *sorted; /* one element for each run */
    bool *is_compared;       /* by run: was it compared with another run? */
};

static bool
check_column(struct hpm_align *align, uint32_t column,
             struct anchoring *anchoring)
{
    double *totals = anchoring->totals, *sorted = anchoring->sorted;
    size_t n = 0;
    double middle;

    for (size_t i = 0; i < align->n; i++) {
        uint32_t from = align->columns[(size_t)column * align->n + i];

        totals[i] =
            from != HPM_NO_INDEX ? total_of(align->studies[i], from) : NAN;
        if (!isnan(totals[i]))
            sorted[n++] = totals[i];
    }
    if (n < 2)
        return true;
    hpm_quantile_sort(sorted, n);
    middle = hpm_quantile_median(sorted, n);
    for (size_t i = 0; i < align->n; i++) {
        anchoring->is_compared[i] |= !isnan(totals[i]);
        if (!isnan(totals[i]) && middle > 0 &&
            fabs(totals[i] - middle) > anchoring->tolerance * middle &&
            !flag(align, i, align->result->columns[column].name, totals[i],
                  middle))
            return false;
    }
    return true;
}

/* ---- runs that cannot be compared ------------------------------------- */

/* Where all runs counted the same counters, the spread of each value already
 * shows how the runs differ. */
static bool
counted_the_same(const struct hpm_align *align)
{
    for (size_t i = 0; i < align->result->n_columns; i++) {
        if (align->result->columns[i].kind != HPM_COLUMN_COUNTER)
            continue;
        for (size_t j = 0; j < align->n; j++) {
            if (align->columns[i * align->n + j] == HPM_NO_INDEX)
                return false;
        }
    }
    return true;
}

static bool
note_uncompared(struct hpm_align *align, const bool *is_compared)
{
    struct hpm_string text = {0}, first = {0};
    size_t n = 0;
    const char *kept;

    for (size_t i = 0; i < align->n; i++) {
        if (!is_compared[i] && n++ == 0)
            hpm_agree_add_name(align->studies[i], &first);
    }
    if (n > 0 && align->result->n_tasks > 0 && !counted_the_same(align)) {
        hpm_string_add_format(&text,
                              "nothing shows whether %zu of the %zu runs did "
                              "the same as the others, for they counted no "
                              "cycles or instructions that another run counted "
                              "as well; the first is %s",
                              n, align->n, hpm_string_text(&first));
        text.failed |= first.failed;
        kept = hpm_study_keep(align->result, &text);
        hpm_string_free(&first);
        return kept != NULL && hpm_study_add_problem(align->result, 0, kept);
    }
    hpm_string_free(&first);
    return true;
}

bool
hpm_anchor_check(struct hpm_align *align, double tolerance)
{
    struct anchoring anchoring = {
        .tolerance = tolerance > 0 ? tolerance : 0.05,
        .totals =
            hpm_arena_new(&align->arena, align->n, sizeof *anchoring.totals),
        .sorted =
            hpm_arena_new(&align->arena, align->n, sizeof *anchoring.sorted),
        .is_compared = hpm_arena_new(&align->arena, align->n,
                                     sizeof *anchoring.is_compared)};

    if (anchoring.totals == NULL || anchoring.sorted == NULL ||
        anchoring.is_compared == NULL)
        return false;
    for (uint32_t i = 0; i < align->result->n_columns; i++) {
        if (hpm_anchor_is_one(align->result->columns[i].name) &&
            !check_column(align, i, &anchoring))
            return false;
    }
    return align->n < 2 || note_uncompared(align, anchoring.is_compared);
}
