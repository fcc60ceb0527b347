/* SPDX-License-Identifier: BSD-3-Clause
 * hpm-empty-sections: the program that `hpm doctor --overhead` measures.
 *
 *     hpm-empty-sections PATTERN SECTIONS ROUNDS
 *
 * Makes SECTIONS sections "measured", each ROUNDS times in a row.  With
 * HPM_SKIP=ROUNDS-1 each has exactly one call in the performance file, and its
 * values are those of a single call.  The program is linked like users'
 * programs, and calls libhpm as they do. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libhpm.h"
#include "source/clock.h"

/* Keeps the call before it out of tail position: otherwise the rest of the
 * caller would run inside the section. */
#define END_OF_PATTERN() __asm__ volatile("" ::: "memory")

enum { INSIDE = -1 };

static void
empty(int id)
{
    hpmTstart(id, "measured");
    hpmTstop(id);
    END_OF_PATTERN();
}

static void
around(int id)
{
    hpmTstart(id, "measured");
    hpmTstart(INSIDE, "inside");
    hpmTstop(INSIDE);
    hpmTstop(id);
    END_OF_PATTERN();
}

static void
process_empty(int id)
{
    hpmStart(id, "measured");
    hpmStop(id);
    END_OF_PATTERN();
}

static void
process_around(int id)
{
    hpmStart(id, "measured");
    hpmStart(INSIDE, "inside");
    hpmStop(INSIDE);
    hpmStop(id);
    END_OF_PATTERN();
}

/* Each section reads the clock twice, at its start and at its stop. */
static void
clock_twice(int id)
{
    hpmTstart(id, "measured");
    hpm_clock_read();
    hpm_clock_read();
    hpmTstop(id);
    END_OF_PATTERN();
}

static const struct {
    const char *name;
    void (*run)(int id);
} patterns[] = {
    {"empty", empty},
    {"around", around},
    {"process-empty", process_empty},
    {"process-around", process_around},
    {"clock", clock_twice},
};

enum { N_PATTERNS = sizeof patterns / sizeof patterns[0], MOST = 60000 };

/* A whole number from 1 to MOST; 0 for any other text. */
static int
number_from(const char *text)
{
    char *end;
    long number;

    errno = 0;
    number = strtol(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && number >= 1 &&
                   number <= MOST
               ? (int)number
               : 0;
}

static int
refuse(void)
{
    fputs("hpm-empty-sections: expected PATTERN SECTIONS ROUNDS; it is run by "
          "'hpm doctor --overhead'\n",
          stderr);
    return 2;
}

int
main(int argc, char **argv)
{
    int pattern = 0, n_sections, n_rounds;

    if (argc != 4)
        return refuse();
    while (pattern < N_PATTERNS && strcmp(patterns[pattern].name, argv[1]) != 0)
        pattern++;
    n_sections = number_from(argv[2]);
    n_rounds = number_from(argv[3]);
    if (pattern == N_PATTERNS || n_sections == 0 || n_rounds == 0)
        return refuse();
    hpm_clock_init();
    hpmInit(-1, NULL);
    for (int id = 0; id < n_sections; id++) {
        for (int round = 0; round < n_rounds; round++)
            patterns[pattern].run(id);
    }
    hpmTerminate(-1);
    return 0;
}
