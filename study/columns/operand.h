/* SPDX-License-Identifier: BSD-3-Clause
 * A value that is to be combined with others of its kind (combine.h), and of how
 * many runs it tells. */
#ifndef HPM_STUDY_COLUMNS_OPERAND_H
#define HPM_STUDY_COLUMNS_OPERAND_H

#include "study/columns/study.h"

/* A value, and how often its section was called (outermost calls; NAN where
 * that is not known), which `mean` and `sdev` are over. */
struct hpm_operand {
    struct hpm_datum datum;
    double n_calls;
    bool is_zero; /* of hpm_combine_zero */
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

/* An inclusive or an exclusive value, in a state that has values. */
bool hpm_operand_has_any_value(const struct hpm_operand *operand);

/* Can this be a number of runs that a file tells? */
bool hpm_operand_is_runs(struct hpm_number runs);

/* How many runs an operand's inclusive value is the mean of. */
uint64_t hpm_operand_runs(const struct hpm_operand *operand);

/* Of these, some may have had the exclusive value only. */
uint64_t hpm_operand_exclusive_runs(const struct hpm_operand *operand);

/* The larger of the two; the same of the two numbers of any datum. */
uint64_t hpm_operand_most_runs(const struct hpm_operand *operand);
uint64_t hpm_operand_runs_of_both(struct hpm_number runs,
                                  struct hpm_number exclusive);

/* How many runs a field of an operand is the mean of: what is said beside an
 * inclusive value is said of it. */
uint64_t hpm_operand_weight(const struct hpm_operand *operand,
                            enum hpm_field field);

/* The sum of a field; operands without it add nothing. */
struct hpm_number hpm_operand_total(const struct hpm_operand *operands,
                                    size_t n, enum hpm_field field);

#endif
