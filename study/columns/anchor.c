/* SPDX-License-Identifier: BSD-3-Clause
 * Are repeated runs alike? */
#include "study/columns/anchor.h"

#include <math.h>

#include "study/columns/agree.h"
#include "study/statistics/quantile.h"

/* Every name the kernel, PAPI and the processors of the papers and of today
 * give them, without the name of the PMU in front and attributes behind. */
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

/* All of a counter in a study: exclusive values of the threads, which no
 * section counts twice, or of the process where no thread has any. */
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

/* In the first task that the study has. */
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

static bool
check_column(struct hpm_align *align, uint32_t column, double tolerance,
             double *totals, double *sorted)
{
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
        if (!isnan(totals[i]) && middle > 0 &&
            fabs(totals[i] - middle) > tolerance * middle &&
            !flag(align, i, align->result->columns[column].name, totals[i],
                  middle))
            return false;
    }
    return true;
}

bool
hpm_anchor_check(struct hpm_align *align, double tolerance)
{
    double *totals = hpm_arena_new(&align->arena, align->n, sizeof *totals);
    double *sorted = hpm_arena_new(&align->arena, align->n, sizeof *sorted);

    if (totals == NULL || sorted == NULL)
        return false;
    for (uint32_t i = 0; i < align->result->n_columns; i++) {
        if (hpm_anchor_is_one(align->result->columns[i].name) &&
            !check_column(align, i, tolerance > 0 ? tolerance : 0.05, totals,
                          sorted))
            return false;
    }
    return true;
}
