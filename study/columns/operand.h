/* SPDX-License-Identifier: BSD-3-Clause
 * A value that is to be combined with others of its kind (combine.h), and the
 * number of its runs. */
#ifndef HPM_STUDY_COLUMNS_OPERAND_H
#define HPM_STUDY_COLUMNS_OPERAND_H

#include "study/columns/study.h"

/* A value, and the number of outermost calls of its section (NAN: not known),
 * over which `mean` and `sdev` are. */
struct hpm_operand {
    struct hpm_datum datum;
    double n_calls;
    bool is_zero; /* made by hpm_combine_zero */
};

static inline struct hpm_number
hpm_operand_number(const struct hpm_operand *operand, enum hpm_field field)
{
    return operand->datum.numbers[field];
}

static inline double
hpm_operand_real(const struct hpm_operand *operand, enum hpm_field field)
{
    return hpm_number_to_real(hpm_operand_number(operand, field));
}

static inline bool
hpm_operand_has(const struct hpm_operand *operand, enum hpm_field field)
{
    return hpm_operand_number(operand, field).kind != HPM_NUMBER_NONE;
}

/* Has the operand an inclusive or an exclusive value, in a state with
 * values? */
bool hpm_operand_has_any_value(const struct hpm_operand *operand);

/* Is this number, read from a file, a possible number of runs? */
bool hpm_operand_is_runs(struct hpm_number runs);

/* How many runs an operand's inclusive value is the mean of. */
uint64_t hpm_operand_runs(const struct hpm_operand *operand);

/* The number of runs of its exclusive value: some runs may have only that. */
uint64_t hpm_operand_exclusive_runs(const struct hpm_operand *operand);

/* The larger of the two numbers of runs; the second call is for any datum. */
uint64_t hpm_operand_most_runs(const struct hpm_operand *operand);
uint64_t hpm_operand_runs_of_both(struct hpm_number runs,
                                  struct hpm_number exclusive);

/* How many runs a field of an operand is the mean of; fields that describe the
 * inclusive value have its number of runs. */
uint64_t hpm_operand_weight(const struct hpm_operand *operand,
                            enum hpm_field field);

/* The sum of a field; operands without the field add nothing. */
struct hpm_number hpm_operand_total(const struct hpm_operand *operands,
                                    size_t n, enum hpm_field field);

#endif
