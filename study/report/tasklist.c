/* SPDX-License-Identifier: BSD-3-Clause
 * Some of the tasks of a study, by their numbers. */
#include "study/report/tasklist.h"
#include "study/words/words.h"

void
hpm_tasklist_add(struct hpm_string *line, const struct hpm_study *study,
                 const bool *is_in, const char *before)
{
    size_t n = 0, i = 0;

    for (size_t j = 0; j < study->n_tasks; j++)
        n += is_in[j];
    if (n == study->n_tasks)
        return;
    hpm_string_add_format(line, "%s%s ", before,
                          hpm_words_of("task", "tasks", n));
    for (const char *comma = ""; i < study->n_tasks; comma = ", ") {
        size_t first = i;

        while (first < study->n_tasks && !is_in[first])
            first++;
        if (first == study->n_tasks)
            break;
        for (i = first; i < study->n_tasks && is_in[i]; i++)
            continue;
        hpm_string_add_format(line, "%s%d", comma, study->tasks[first].number);
        if (i > first + 1)
            hpm_string_add_format(line, "-%d", study->tasks[i - 1].number);
    }
}
