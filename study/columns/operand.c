/* SPDX-License-Identifier: BSD-3-Clause
 * Values to be combined, and the number of runs of each. */
#include "study/columns/operand.h"

bool
hpm_operand_has_any_value(const struct hpm_operand *operand)
{
    return hpm_state_has_value(operand->datum.state) &&
           (hpm_operand_has(operand, HPM_FIELD_VALUE) ||
            hpm_operand_has(operand, HPM_FIELD_EXCLUSIVE));
}

bool
hpm_operand_is_runs(struct hpm_number runs)
{
    return runs.kind == HPM_NUMBER_COUNT && runs.amount > 0 &&
           runs.amount < UINT32_MAX;
}

uint64_t
hpm_operand_runs(const struct hpm_operand *operand)
{
    struct hpm_number runs = hpm_operand_number(operand, HPM_FIELD_RUNS);

    return hpm_operand_is_runs(runs) ? runs.amount : 1;
}

uint64_t
hpm_operand_exclusive_runs(const struct hpm_operand *operand)
{
    struct hpm_number runs =
        hpm_operand_number(operand, HPM_FIELD_RUNS_EXCLUSIVE);

    return hpm_operand_is_runs(runs) ? runs.amount : hpm_operand_runs(operand);
}

uint64_t
hpm_operand_weight(const struct hpm_operand *operand, enum hpm_field field)
{
    bool is_exclusive = field == HPM_FIELD_EXCLUSIVE ||
                        field == HPM_FIELD_ERROR_EXCLUSIVE ||
                        field == HPM_FIELD_BASE_EXCLUSIVE ||
                        !hpm_operand_has(operand, HPM_FIELD_VALUE);

    return is_exclusive ? hpm_operand_exclusive_runs(operand)
                        : hpm_operand_runs(operand);
}

uint64_t
hpm_operand_most_runs(const struct hpm_operand *operand)
{
    return hpm_operand_runs_of_both(
        hpm_operand_number(operand, HPM_FIELD_RUNS),
        hpm_operand_number(operand, HPM_FIELD_RUNS_EXCLUSIVE));
}

uint64_t
hpm_operand_runs_of_both(struct hpm_number runs, struct hpm_number exclusive)
{
    uint64_t of_value = hpm_operand_is_runs(runs) ? runs.amount : 1;
    uint64_t of_part = hpm_operand_is_runs(exclusive) ? exclusive.amount : 1;

    return of_value > of_part ? of_value : of_part;
}

struct hpm_number
hpm_operand_total(const struct hpm_operand *operands, size_t n,
                  enum hpm_field field)
{
    struct hpm_number sum = {0};

    for (size_t i = 0; i < n; i++)
        sum = hpm_number_total(sum, hpm_operand_number(&operands[i], field));
    return sum;
}
