/* SPDX-License-Identifier: BSD-3-Clause
 * Events and processors whose codes definitions give.  Sources know no metrics:
 * a definer, which can read definitions, answers here. */
#ifndef HPM_SOURCE_DEFINED_H
#define HPM_SOURCE_DEFINED_H

#include <stdbool.h>
#include <stddef.h>

/* A definition's answer on an event; the texts live as long as the process, or
 * the definitions. */
struct hpm_defined_event {
    const char *code;  /* "cpu/event=0xa4,umask=0x2/" */
    const char *label; /* NULL: none */
    const char *unit;  /* NULL: none */
};

struct hpm_definer {
    /* The event of a name, "EVENT:MASK" or "pmu::EVENT:MASK"; false if no
     * definition has it.  Any thread. */
    bool (*find)(const char *name, struct hpm_defined_event *ret_event);

    /* The PMU of this processor; false if no definition has it. */
    bool (*name_pmu)(char *ret_pmu, size_t size);

    /* Call `visit` with every event of this processor. */
    void (*list)(void (*visit)(const char *name, void *context), void *context);
};

/* From now on ask this definer, which must live as long as the process; until
 * then there are no answers.  Not while other threads ask. */
void hpm_defined_set(const struct hpm_definer *definer) __attribute__((cold));

/* Ask the definer. */
bool hpm_defined_find(const char *name, struct hpm_defined_event *ret_event)
    __attribute__((cold));
bool hpm_defined_name_pmu(char *ret_pmu, size_t size) __attribute__((cold));
void hpm_defined_list(void (*visit)(const char *name, void *context),
                      void *context) __attribute__((cold));

#endif
