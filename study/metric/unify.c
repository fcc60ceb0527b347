/* SPDX-License-Identifier: BSD-3-Clause
 * One name for a counter that several runs call by different names. */
#include "study/metric/unify.h"

#include <string.h>

#include "base/names.h"
#include "host/memory.h"
#include "metric/alias.h"

/* An event by its spelling, domain and unit, as one text; and the name it
 * gets. */
struct unification {
    struct hpm_names events;
    const char **names; /* by event */
    size_t capacity;
};

static const struct hpm_task_counter *
find_counter(const struct hpm_task *task, const char *name)
{
    for (size_t i = 0; i < task->n_counters; i++) {
        if (strcmp(task->counters[i].name, name) == 0)
            return &task->counters[i];
    }
    return NULL;
}

/* The domain on which all tasks that count it agree; NULL without one. */
static const char *
domain_of(const struct hpm_study *study, const char *name)
{
    const char *domain = NULL;

    for (size_t i = 0; i < study->n_tasks; i++) {
        const struct hpm_task_counter *counter =
            find_counter(&study->tasks[i], name);

        if (counter == NULL)
            continue;
        if (counter->domain == NULL ||
            (domain != NULL && strcmp(domain, counter->domain) != 0))
            return NULL;
        domain = counter->domain;
    }
    return domain;
}

/* The event of a column; HPM_NO_NAME, and *ret_is_bad false, for a column with
 * no other name. */
static uint32_t
event_of(struct unification *unification, const struct hpm_study *study,
         const struct hpm_column *column, bool *ret_is_bad)
{
    const char *domain;
    struct hpm_string text = {0};
    uint32_t event = HPM_NO_NAME;

    *ret_is_bad = false;
    if (column->kind != HPM_COLUMN_COUNTER && column->kind != HPM_COLUMN_TIME)
        return HPM_NO_NAME;
    domain = domain_of(study, column->name);
    if (domain == NULL)
        return HPM_NO_NAME;
    hpm_alias_add(&text, column->name);
    hpm_string_add_format(&text, " %s %s %d", domain,
                          column->unit != NULL ? column->unit : "",
                          column->kind);
    if (!text.failed)
        event = hpm_names_add(&unification->events, hpm_string_text(&text),
                              text.length);
    hpm_string_free(&text);
    *ret_is_bad = event == HPM_NO_NAME ||
                  !hpm_memory_grow(&unification->names, &unification->capacity,
                                   event + 1u, sizeof *unification->names);
    return event;
}

/* Take the alphabetically first name of each event. */
static bool
take_names(struct unification *unification, const struct hpm_study *study)
{
    for (uint32_t i = 0; i < study->n_columns; i++) {
        const char *name = study->columns[i].name;
        bool is_bad;
        uint32_t event =
            event_of(unification, study, &study->columns[i], &is_bad);

        if (is_bad)
            return false;
        if (event != HPM_NO_NAME &&
            (unification->names[event] == NULL ||
             strcmp(name, unification->names[event]) < 0))
            unification->names[event] = name;
    }
    return true;
}

static void
rename_counters(struct hpm_study *study, const char *from, const char *to)
{
    for (size_t i = 0; i < study->n_tasks; i++) {
        struct hpm_task *task = &study->tasks[i];

        for (size_t j = 0; j < task->n_counters; j++) {
            if (strcmp(task->counters[j].name, from) == 0)
                task->counters[j].name = to;
        }
    }
}

static bool
has_twice(struct unification *unification, const struct hpm_study *study,
          uint32_t event)
{
    size_t n = 0;
    bool is_bad;

    for (uint32_t i = 0; i < study->n_columns; i++)
        n += event_of(unification, study, &study->columns[i], &is_bad) == event;
    return n > 1;
}

static bool
give_names(struct unification *unification, struct hpm_study *study)
{
    for (uint32_t i = 0; i < study->n_columns; i++) {
        const char *name = study->columns[i].name, *kept;
        bool is_bad;
        uint32_t event =
            event_of(unification, study, &study->columns[i], &is_bad);

        if (is_bad)
            return false;
        if (event == HPM_NO_NAME ||
            strcmp(name, unification->names[event]) == 0 ||
            has_twice(unification, study, event))
            continue;
        kept = hpm_names_keep_text(&study->names, unification->names[event]);
        if (kept == NULL || !hpm_study_rename_column(study, i, kept))
            return false;
        rename_counters(study, name, kept);
    }
    return true;
}

bool
hpm_unify(struct hpm_study *const *studies, size_t n, struct hpm_error *err)
{
    struct unification unification = {.names = NULL};
    bool is_good = true;

    for (size_t i = 0; i < n && is_good; i++)
        is_good = take_names(&unification, studies[i]);
    for (size_t i = 0; i < n && is_good; i++)
        is_good = give_names(&unification, studies[i]);
    hpm_names_free(&unification.events);
    hpm_memory_free(unification.names);
    return is_good || hpm_error_no_memory(err);
}
