/* SPDX-License-Identifier: BSD-3-Clause
 * The values of constants on one machine. */
#include "metric/choose.h"

#include <math.h>
#include <string.h>

#include "host/memory.h"

const char hpm_fact_names[HPM_N_FACTS][5] = {"L2",  "L3", "SMT",
                                             "FMA", "VM", "NUMA"};

const char *const hpm_machine_numbers[HPM_N_MACHINE_NUMBERS] = {
    [HPM_MACHINE_LINE] = "LINE",
    [HPM_MACHINE_L2_SIZE] = "L2_SIZE",
    [HPM_MACHINE_L3_SIZE] = "L3_SIZE",
    [HPM_MACHINE_MHZ] = "MHZ",
    [HPM_MACHINE_WIDTH] = "WIDTH",
    [HPM_MACHINE_VECTOR_BYTES] = "VECTOR_BYTES",
};

/* The definition to use here, or NULL: one that holds, if there is any; of
 * several the one of the highest rank; of these the last. */
static const struct hpm_statement *
find_constant(const struct hpm_choice *choice, uint32_t name)
{
    const struct hpm_statement *found = NULL;
    unsigned highest = 0;

    for (size_t i = choice->last[name]; i != 0; i = choice->before[i - 1]) {
        const struct hpm_statement *here = &choice->spec->statements[i - 1];
        unsigned grade = hpm_spec_rank(here) + 1;

        if (choice->metrics->holds[i - 1])
            grade += 1u << 16; /* above all ranks */
        if (here->kind == HPM_STATEMENT_CONST && grade > highest) {
            highest = grade;
            found = here;
        }
    }
    return found;
}

static bool
is_set_by_user(const struct hpm_choice *choice, uint32_t name, double *value)
{
    const char *text = hpm_spec_text(choice->spec, name);

    for (size_t i = 0; i < choice->platform->n_settings; i++) {
        if (strcmp(choice->platform->settings[i].name, text) == 0) {
            *value = choice->platform->settings[i].value;
            return true;
        }
    }
    return false;
}

/* The machine's own number replaces the one of a shipped file, also of a model, but
 * not a user's. */
static void
ask_machine(const struct hpm_choice *choice,
            const struct hpm_statement *statement, double *value)
{
    const char *text = hpm_spec_text(choice->spec, statement->name);

    if (statement->layer > choice->spec->n_model_layers)
        return;
    for (size_t i = 0; i < HPM_N_MACHINE_NUMBERS; i++) {
        if (choice->platform->numbers[i] > 0.0 &&
            strcmp(hpm_machine_numbers[i], text) == 0)
            *value = choice->platform->numbers[i];
    }
}

static double
apply(enum hpm_op_kind kind, double a, double b)
{
    switch (kind) {
    case HPM_OP_ADD:
        return a + b;
    case HPM_OP_SUBTRACT:
        return a - b;
    case HPM_OP_MULTIPLY:
        return a * b;
    case HPM_OP_DIVIDE:
        return b != 0.0 ? a / b : NAN;
    case HPM_OP_MIN:
        return isless(a, b) || isnan(b) ? a : b;
    case HPM_OP_LESS:
        return isless(a, b) ? 1.0 : 0.0;
    default:
        return isgreater(a, b) || isnan(b) ? a : b;
    }
}

static double find_value(struct hpm_choice *choice, const struct hpm_op *op,
                         int depth);

static double
calculate(struct hpm_choice *choice, struct hpm_range ops, int depth)
{
    double stack[HPM_MAX_OPERANDS];
    size_t n = 0;

    for (size_t i = ops.first; i < ops.first + ops.count; i++) {
        const struct hpm_op *op = &choice->spec->ops[i];

        if (op->kind == HPM_OP_NUMBER) {
            stack[n++] = op->number;
        } else if (op->kind == HPM_OP_NAME || op->kind == HPM_OP_TOTAL) {
            double value = find_value(choice, op, depth);

            if (isnan(value))
                return NAN;
            stack[n++] = value;
        } else if (op->kind == HPM_OP_NEGATE) {
            stack[n - 1] = -stack[n - 1];
        } else {
            n--;
            stack[n - 1] = apply(op->kind, stack[n - 1], stack[n]);
            if (!isfinite(stack[n - 1])) {
                hpm_spec_complain(choice->spec, op->place, "%s among constants",
                                  op->kind == HPM_OP_DIVIDE ? "division by zero"
                                                            : "overflow");
                return NAN;
            }
        }
    }
    return stack[0] + 0.0; /* no -0 */
}

/* A name without a definition that holds is still a constant, but has no
 * value. */
static void
work_out(struct hpm_choice *choice, const struct hpm_statement *statement,
         int depth)
{
    struct hpm_metrics *metrics = choice->metrics;

    if (!metrics->holds[statement - choice->spec->statements])
        hpm_choice_note(choice, statement->name, statement->guard,
                        &choice->lack);
    else
        metrics->constant_of[statement->name] =
            calculate(choice, statement->ops, depth);
    metrics->constant_lack[statement->name] = choice->lack;
}

/* The value of a constant in a formula, calculated when first asked for. */
static double
find_value(struct hpm_choice *choice, const struct hpm_op *op, int depth)
{
    double *value = &choice->metrics->constant_of[op->name];
    const struct hpm_statement *statement = find_constant(choice, op->name);
    const char *name = hpm_spec_text(choice->spec, op->name);

    if (!isnan(*value))
        return *value;
    if (choice->metrics->constant_lack[op->name].name != NULL) {
        choice->lack = choice->metrics->constant_lack[op->name];
        return NAN;
    }
    if (statement == NULL) {
        hpm_spec_complain(choice->spec, op->place,
                          "'%s' is no constant; only numbers and constants "
                          "can stand here%s",
                          name,
                          strchr(name, '/') != NULL
                              ? ", and division needs blanks around '/'"
                              : "");
        return NAN;
    }
    if (depth >= HPM_MAX_NESTING) {
        hpm_spec_complain(choice->spec, op->place,
                          "the constant '%s' needs itself, or more than %d "
                          "others in turn",
                          name, HPM_MAX_NESTING);
        return NAN;
    }
    work_out(choice, statement, depth + 1);
    return *value;
}

double
hpm_choice_constant(struct hpm_choice *choice, struct hpm_range ops)
{
    choice->lack = (struct hpm_lack){0};
    return calculate(choice, ops, 0);
}

bool
hpm_choice_set_constants(struct hpm_choice *choice)
{
    struct hpm_metrics *metrics = choice->metrics;
    size_t n_names = choice->spec->names.n_texts;

    metrics->constant_of =
        hpm_memory_new(n_names, sizeof *metrics->constant_of);
    metrics->constant_lack =
        hpm_memory_new(n_names, sizeof *metrics->constant_lack);
    metrics->is_constant = hpm_memory_new(n_names, sizeof(bool));
    if (metrics->constant_of == NULL || metrics->constant_lack == NULL ||
        metrics->is_constant == NULL)
        return false;
    for (size_t i = 0; i < n_names; i++) {
        const struct hpm_statement *statement =
            find_constant(choice, (uint32_t)i);

        metrics->constant_of[i] = NAN;
        metrics->is_constant[i] = statement != NULL;
        if (statement != NULL &&
            !is_set_by_user(choice, (uint32_t)i, &metrics->constant_of[i]))
            ask_machine(choice, statement, &metrics->constant_of[i]);
    }
    for (size_t i = 0; i < n_names; i++) {
        const struct hpm_statement *statement =
            find_constant(choice, (uint32_t)i);

        if (statement != NULL && isnan(metrics->constant_of[i])) {
            choice->lack = (struct hpm_lack){0};
            work_out(choice, statement, 1);
        }
    }
    return true;
}
