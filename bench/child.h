/* SPDX-License-Identifier: BSD-3-Clause
 * Children: libhpm is set up once in a process, by its environment, so each
 * way to set it up needs a process of its own. */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include <stdbool.h>
#include <stddef.h>

enum { BENCH_MAX_SETTINGS = 2 };

/* One kind of child. */
struct bench_child {
    const char *name;      /* its series are NAME.VARIANT */
    const char *arguments; /* the job; for an anchor its mode and events */
    bool is_anchor;
    bool is_for_profile;                      /* the profile needs it, too */
    int max_rounds;                           /* 0: every round */
    const char *settings[BENCH_MAX_SETTINGS]; /* HPM_* variables */
    /* looks at its performance file; may refuse it */
    void (*inspect)(struct bench_child *child, const char *text, int round);
    char refusal[256]; /* why it cannot be measured; "" if it can */
};

/* Make the folder in which children run and leave their files, and keep which
 * program is the anchor; NULL for none. */
bool bench_child_begin(const char *anchor);

/* Run it and keep what it measured.  False, and said, when it broke. */
bool bench_child_run(struct bench_child *child, int round);

/* Keep a value of the child's in that round. */
void bench_child_add(const struct bench_child *child, const char *variant,
                     int round, double value);

/* Remove the folder. */
void bench_child_end(void);

#endif
