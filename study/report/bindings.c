/* SPDX-License-Identifier: BSD-3-Clause
 * On which processors the tasks of a job ran. */
#include "study/report/bindings.h"

#include <stdio.h>
#include <string.h>

#include "host/memory.h"
#include "study/report/paragraph.h"
#include "study/report/tasklist.h"
#include "study/words/words.h"

enum { MOST_BINDINGS = 8 };

/* The texts are the study's: equal ones have one address. */
struct binding {
    const char *processors, *nodes;
};

/* May the task use all processors of its node, or is that not known? */
static bool
is_free(const struct hpm_task_machine *machine)
{
    char all[32];
    int64_t n;

    if (machine->binding == NULL ||
        !hpm_number_to_integer(machine->n_cpus, 1, INT32_MAX, &n))
        return true;
    snprintf(all, sizeof all, n > 1 ? "0-%d" : "0", (int)n - 1);
    return strcmp(machine->binding, all) == 0;
}

static bool
has_binding(const struct hpm_task_machine *machine,
            const struct binding *binding)
{
    return machine->binding == binding->processors &&
           machine->numa_nodes == binding->nodes;
}

/* The different ones, the first few; *ret_n_more tasks have others. */
static size_t
find_bindings(const struct hpm_study *study, struct binding *ret_bindings,
              size_t *ret_n_more)
{
    size_t n = 0;

    *ret_n_more = 0;
    for (size_t i = 0; i < study->n_tasks; i++) {
        const struct hpm_task_machine *machine = &study->tasks[i].machine;
        size_t j = 0;

        if (is_free(machine))
            continue;
        while (j < n && !has_binding(machine, &ret_bindings[j]))
            j++;
        if (j == MOST_BINDINGS)
            ++*ret_n_more;
        else if (j == n)
            ret_bindings[n++] =
                (struct binding){machine->binding, machine->numa_nodes};
    }
    return n;
}

/* More than one number? */
static bool
is_list(const char *numbers)
{
    return strpbrk(numbers, ",-") != NULL;
}

static void
add_binding(struct hpm_string *string, const struct hpm_study *study,
            const struct binding *binding, bool *is_in, size_t width)
{
    struct hpm_string line = {0};

    for (size_t i = 0; i < study->n_tasks; i++)
        is_in[i] = has_binding(&study->tasks[i].machine, binding);
    hpm_string_add_format(&line,
                          is_list(binding->processors)
                              ? _("bound to processors %s")
                              : _("bound to processor %s"),
                          binding->processors);
    if (binding->nodes != NULL)
        hpm_string_add_format(&line,
                              is_list(binding->nodes) ? _(" (NUMA nodes %s)")
                                                      : _(" (NUMA node %s)"),
                              binding->nodes);
    hpm_tasklist_add(&line, study, is_in, ": ");
    hpm_paragraph_add_line(string, &line, width);
    hpm_string_free(&line);
}

void
hpm_bindings_add(struct hpm_string *string, const struct hpm_study *study,
                 size_t width)
{
    struct binding bindings[MOST_BINDINGS];
    size_t n, n_more;
    bool *is_in;

    if (study->n_tasks < 2)
        return;
    n = find_bindings(study, bindings, &n_more);
    is_in = n > 0 ? hpm_memory_new(study->n_tasks, sizeof *is_in) : NULL;
    string->failed |= n > 0 && is_in == NULL;
    for (size_t i = 0; i < n && is_in != NULL; i++)
        add_binding(string, study, &bindings[i], is_in, width);
    if (n_more > 0)
        hpm_string_add_format(
            string, _("and %zu tasks bound to other processors\n"), n_more);
    hpm_memory_free(is_in);
}
