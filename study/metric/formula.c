/* SPDX-License-Identifier: BSD-3-Clause
 * The rules of metrics as readable formulas. */
#include "study/metric/formula.h"

#include <string.h>

#include "host/memory.h"
#include "study/words/words.h"

/* Longer formulas are not readable. */
enum { MAX_STEPS = 400 };

/* The precedence of operators. */
enum { BINDS_SUM = 1, BINDS_PRODUCT, BINDS_WHOLE };

/* A part of a formula, as text. */
struct part {
    struct hpm_string text;
    int binds;
};

/* Append a name, or "[its meaning]" where that is known. */
typedef void add_name(struct hpm_string *string,
                      const struct hpm_metrics *metrics,
                      struct hpm_input input);

static void
add_plain(struct hpm_string *string, const struct hpm_metrics *metrics,
          struct hpm_input input)
{
    hpm_string_add(string, input.is_metric ? metrics->metrics[input.index].name
                                           : metrics->leaves[input.index]);
}

static void
add_words(struct hpm_string *string, const struct hpm_metrics *metrics,
          struct hpm_input input)
{
    static const struct {
        const char *name;
        const char *words;
    } known[] = {{"time::wall", N_("time that passed, in seconds")},
                 {"Count", N_("calls")},
                 {"cpu::mhz", N_("clock in MHz")},
                 {"cpu::count", N_("processors of the machine")},
                 {"cpu::allowed", N_("processors it may use")},
                 {"roof::processors", N_("processors that share the roofs")}};
    const char *words = NULL;

    if (input.is_metric)
        words = metrics->metrics[input.index].texts[HPM_TEXT_LABEL];
    for (size_t i = 0; !input.is_metric && i < sizeof known / sizeof known[0];
         i++) {
        if (strcmp(known[i].name, metrics->leaves[input.index]) == 0)
            words = known[i].words;
    }
    if (words != NULL)
        hpm_string_add_format(string, "[%s]", hpm_words_get(words));
    else
        add_plain(string, metrics, input);
}

static void
add_part(struct hpm_string *string, const struct part *part, int least)
{
    bool has_brackets = part->binds < least;

    hpm_string_add(string, has_brackets ? "(" : "");
    hpm_string_add(string, hpm_string_text(&part->text));
    hpm_string_add(string, has_brackets ? ")" : "");
    string->failed |= part->text.failed;
}

static struct part
operand(const struct hpm_metrics *metrics, const struct hpm_step *step,
        add_name *add)
{
    struct part part = {.binds = BINDS_WHOLE};

    if (step->kind == HPM_OP_NUMBER)
        hpm_string_add_real(&part.text, step->number);
    else if (step->kind == HPM_OP_TOTAL)
        hpm_string_add(&part.text, "total(");
    if (step->kind != HPM_OP_NUMBER)
        add(&part.text, metrics, step->input);
    if (step->kind == HPM_OP_TOTAL)
        hpm_string_add_char(&part.text, ')');
    return part;
}

/* a - (b + c), a / (b * c): the right operand needs a higher precedence. */
static struct part
join(enum hpm_op_kind kind, struct part *a, struct part *b)
{
    static const struct {
        const char *sign;
        int binds;
    } signs[] = {
        [HPM_OP_ADD] = {" + ", BINDS_SUM},
        [HPM_OP_SUBTRACT] = {" - ", BINDS_SUM},
        [HPM_OP_MULTIPLY] = {" * ", BINDS_PRODUCT},
        [HPM_OP_DIVIDE] = {" / ", BINDS_PRODUCT},
    };
    static const char *const functions[] = {
        [HPM_OP_MIN] = "min(", [HPM_OP_MAX] = "max(", [HPM_OP_LESS] = "less("};
    struct part whole = {.binds = BINDS_WHOLE};

    if (kind >= HPM_OP_MIN) {
        hpm_string_add(&whole.text, functions[kind]);
        add_part(&whole.text, a, 0);
        hpm_string_add(&whole.text, ", ");
        add_part(&whole.text, b, 0);
        hpm_string_add(&whole.text, ")");
    } else {
        bool is_plain = kind == HPM_OP_ADD || kind == HPM_OP_MULTIPLY;

        whole.binds = signs[kind].binds;
        add_part(&whole.text, a, whole.binds);
        hpm_string_add(&whole.text, signs[kind].sign);
        add_part(&whole.text, b, whole.binds + !is_plain);
    }
    hpm_string_free(&a->text);
    hpm_string_free(&b->text);
    return whole;
}

static struct part
negate(struct part *a)
{
    struct part whole = {.binds = BINDS_WHOLE};

    hpm_string_add(&whole.text, "-");
    add_part(&whole.text, a, BINDS_WHOLE);
    hpm_string_free(&a->text);
    return whole;
}

static void
add_steps(struct hpm_string *string, const struct hpm_metrics *metrics,
          struct hpm_range steps, add_name *add)
{
    struct part *stack = hpm_memory_new(HPM_MAX_OPERANDS, sizeof *stack);
    size_t n = 0;

    if (stack == NULL) {
        string->failed = true;
        return;
    }
    if (steps.count > MAX_STEPS) {
        hpm_string_add_format(string, "a formula of %zu steps", steps.count);
        hpm_memory_free(stack);
        return;
    }
    for (size_t i = 0; i < steps.count; i++) {
        const struct hpm_step *step = &metrics->steps[steps.first + i];

        if (step->kind <= HPM_OP_TOTAL) {
            stack[n++] = operand(metrics, step, add);
        } else if (step->kind == HPM_OP_NEGATE) {
            stack[n - 1] = negate(&stack[n - 1]);
        } else {
            n--;
            stack[n - 1] = join(step->kind, &stack[n - 1], &stack[n]);
        }
    }
    add_part(string, &stack[0], 0);
    hpm_string_free(&stack[0].text);
    hpm_memory_free(stack);
}

static void
add_rule(struct hpm_string *string, const struct hpm_metrics *metrics,
         size_t rule, add_name *add)
{
    const struct hpm_rule *here = &metrics->rules[rule];
    const char *sign = here->kind == HPM_STATEMENT_MEASURE ? " | " : " + ";

    if (here->steps.count > 0)
        add_steps(string, metrics, here->steps, add);
    for (size_t i = 0; i < here->inputs.count; i++) {
        hpm_string_add(string, i > 0 ? sign : "");
        add(string, metrics, metrics->inputs[here->inputs.first + i]);
    }
}

void
hpm_formula_add(struct hpm_string *string, const struct hpm_metrics *metrics,
                size_t rule)
{
    add_rule(string, metrics, rule, add_plain);
}

void
hpm_formula_add_words(struct hpm_string *string,
                      const struct hpm_metrics *metrics, size_t rule)
{
    add_rule(string, metrics, rule, add_words);
}
