/* SPDX-License-Identifier: BSD-3-Clause
 * Calls as a program makes them: by the public names (through the dynamic
 * linker's table), with the header's macros, their arguments set just before
 * the call, and never in tail position, where the rest of the caller would run
 * inside the section.  So what is measured here holds for the program's
 * calls. */
#include "session/patterns.h"

#include <stddef.h>

#include "libhpm.h"
#include "record/timecost.h"

/* Keeps the call before it out of tail position. */
#define END_OF_PATTERN() __asm__ volatile("" ::: "memory")

/* `id` differs in each call; computing it must not be in a window.  Each start
 * in one function has a label of its own, as in programs: the compiler would
 * keep the address of a label used twice in a register. */
#define PATTERN(name)                                                          \
    static __attribute__((noinline)) void name(__attribute__((unused)) int id, \
                                               __attribute__((unused))         \
                                               const char *file)

/* The file of a stop is loaded anew each time, as compilers do in a function
 * with one section, and without optimization (the section's start has a call
 * site, and needs no file).  So each stop has a text of its own: the compiler
 * would keep the address of one text in a register.  The starts and stops of
 * process sections, and starts without a call site, have the file in a
 * register. */
#define TEXT_OF(number) #number
#define TEXT_OF_LINE(line) TEXT_OF(line)
#undef hpmTstop
#undef hpmStart
#undef hpmStop
#define hpmTstop(id) hpmTstopAt((id), TEXT_OF_LINE(__LINE__), __LINE__)
#define hpmStart(id, label) hpmStartAt((id), (label), file, __LINE__)
#define hpmStop(id) hpmStopAt((id), file, __LINE__)

PATTERN(empty)
{
    hpmTstart(HPM_PATTERN_EMPTY, "empty");
    hpmTstop(HPM_PATTERN_EMPTY);
    END_OF_PATTERN();
}

PATTERN(overlapped)
{
    hpmTstart(HPM_PATTERN_OVERLAPPED, "overlapped");
    hpmTstart(HPM_PATTERN_OTHER, "other");
    hpmTstop(HPM_PATTERN_OVERLAPPED);
    hpmTstop(HPM_PATTERN_OTHER);
    END_OF_PATTERN();
}

/* By the call without a site. */
PATTERN(overlapped_at)
{
    hpmTstart(HPM_PATTERN_OVERLAPPED_AT, "overlapped at");
    hpmTstartAt(HPM_PATTERN_OTHER, "other", file, __LINE__);
    hpmTstop(HPM_PATTERN_OVERLAPPED_AT);
    hpmTstop(HPM_PATTERN_OTHER);
    END_OF_PATTERN();
}

PATTERN(nested)
{
    hpmTstart(HPM_PATTERN_NESTED, "nested");
    hpmTstart(HPM_PATTERN_OTHER, "other");
    hpmTstop(HPM_PATTERN_OTHER);
    hpmTstop(HPM_PATTERN_NESTED);
    END_OF_PATTERN();
}

/* Both starts are in one line: in different lines they would be different
 * sections. */
#define START_TWICE(id, label, between)                                        \
    do {                                                                       \
        hpmTstart(id, label);                                                  \
        between;                                                               \
        hpmTstart(id, label);                                                  \
    } while (0)

PATTERN(again_inner)
{
    START_TWICE(HPM_PATTERN_OTHER, "open",
                hpmTstart(HPM_PATTERN_AGAIN_INNER, "again inner"));
    hpmTstop(HPM_PATTERN_AGAIN_INNER);
    hpmTstop(HPM_PATTERN_OTHER);
    hpmTstop(HPM_PATTERN_OTHER);
    END_OF_PATTERN();
}

/* Like START_TWICE, by calls without a site. */
#define START_TWICE_AT(id, label, between)                                     \
    do {                                                                       \
        hpmTstartAt(id, label, file, __LINE__);                                \
        between;                                                               \
        hpmTstartAt(id, label, file, __LINE__);                                \
    } while (0)

PATTERN(again_inner_at)
{
    START_TWICE_AT(HPM_PATTERN_OTHER, "open",
                   hpmTstart(HPM_PATTERN_AGAIN_INNER_AT, "again inner at"));
    hpmTstop(HPM_PATTERN_AGAIN_INNER_AT);
    hpmTstop(HPM_PATTERN_OTHER);
    hpmTstop(HPM_PATTERN_OTHER);
    END_OF_PATTERN();
}

PATTERN(long_again_at)
{
    START_TWICE_AT(id, "new again",
                   hpmTstart(HPM_PATTERN_LONG_AGAIN_AT, "long again at"));
    hpmTstop(HPM_PATTERN_LONG_AGAIN_AT);
    hpmTstop(id);
    hpmTstop(id);
    END_OF_PATTERN();
}

PATTERN(long_start_at)
{
    hpmTstart(HPM_PATTERN_LONG_START_AT, "long start at");
    hpmTstartAt(id, "new", file, __LINE__);
    hpmTstop(id);
    hpmTstop(HPM_PATTERN_LONG_START_AT);
    END_OF_PATTERN();
}

PATTERN(again)
{
    START_TWICE(HPM_PATTERN_AGAIN, "again", (void)0);
    hpmTstop(HPM_PATTERN_AGAIN);
    hpmTstop(HPM_PATTERN_AGAIN);
    END_OF_PATTERN();
}

/* The window includes the loop's own time, an eighth of a round per call.  All
 * calls have the same label address, and are one section. */
#define TWICE(calls)                                                           \
    do {                                                                       \
        calls;                                                                 \
        calls;                                                                 \
    } while (0)
#define MANY_TIMES(calls)                                                      \
    for (int round = 0; round < HPM_TIMECOST_CALLS; round += 8)                \
    TWICE(TWICE(TWICE(calls)))

#define PAIR_OF(start, stop)                                                   \
    do {                                                                       \
        start(HPM_PATTERN_OTHER, "other");                                     \
        stop(HPM_PATTERN_OTHER);                                               \
    } while (0)

PATTERN(many_pairs)
{
    hpmTstart(HPM_PATTERN_MANY_PAIRS, "many pairs");
    MANY_TIMES(PAIR_OF(hpmTstart, hpmTstop));
    hpmTstop(HPM_PATTERN_MANY_PAIRS);
    END_OF_PATTERN();
}

/* All starts are in one line, so they are one section: each but the first
 * starts it again. */
#define START_MANY_TIMES(label)                                                \
    do {                                                                       \
        for (int i = 0; i <= HPM_TIMECOST_CALLS; i++)                          \
            hpmTstart(HPM_PATTERN_MANY_AGAIN, label);                          \
    } while (0)

PATTERN(many_again)
{
    START_MANY_TIMES("many again");
    MANY_TIMES(hpmTstop(HPM_PATTERN_MANY_AGAIN));
    hpmTstop(HPM_PATTERN_MANY_AGAIN);
    END_OF_PATTERN();
}

PATTERN(many_process_pairs)
{
    hpmStart(HPM_PATTERN_MANY_PROCESS_PAIRS, "many process pairs");
    MANY_TIMES(PAIR_OF(hpmStart, hpmStop));
    hpmStop(HPM_PATTERN_MANY_PROCESS_PAIRS);
    END_OF_PATTERN();
}

PATTERN(long_start)
{
    hpmTstart(HPM_PATTERN_LONG_START, "long start");
    hpmTstart(id, "new");
    hpmTstop(id);
    hpmTstop(HPM_PATTERN_LONG_START);
    END_OF_PATTERN();
}

/* Both inner sections are new.  A section that was stopped while one inside it
 * was open is not started again by the fast path; new sections are known to
 * take the same path each time. */
PATTERN(long_stop)
{
    hpmTstart(HPM_PATTERN_LONG_STOP, "long stop");
    hpmTstart(id, "new");
    hpmTstart(HPM_PATTERN_ANOTHER, "another");
    hpmTstop(id);
    hpmTstop(HPM_PATTERN_ANOTHER);
    hpmTstop(HPM_PATTERN_LONG_STOP);
    END_OF_PATTERN();
}

PATTERN(long_again)
{
    START_TWICE(id, "new again",
                hpmTstart(HPM_PATTERN_LONG_AGAIN, "long again"));
    hpmTstop(HPM_PATTERN_LONG_AGAIN);
    hpmTstop(id);
    hpmTstop(id);
    END_OF_PATTERN();
}

PATTERN(off)
{
    hpmTstart(HPM_PATTERN_OFF, "off");
    hpmTstart(HPM_PATTERN_OTHER, "left out");
    hpmTstop(HPM_PATTERN_OTHER);
    hpmTstop(HPM_PATTERN_OFF);
    END_OF_PATTERN();
}

PATTERN(work)
{
    hpmTstart(HPM_PATTERN_WORK, "work");
    hpmWork(HPM_PATTERN_WORK, 1, "calls");
    hpmTstop(HPM_PATTERN_WORK);
    END_OF_PATTERN();
}

PATTERN(reading)
{
    hpmTstart(HPM_PATTERN_READING, "reading");
    hpmGetTimeAndCounters(0, NULL, NULL);
    hpmTstop(HPM_PATTERN_READING);
    END_OF_PATTERN();
}

/* Fortran's calls, with arguments as its compilers pass them: numbers in
 * constant memory, strings without NUL.  Each number is used once: the compiler
 * would keep the address of a number used twice in a register, which takes an
 * instruction. */
#define COUNTED_IDS                                                            \
    {                                                                          \
        [HPM_PATTERN_COUNTED] = HPM_PATTERN_COUNTED,                           \
        [HPM_PATTERN_COUNTED_OVERLAPPED] = HPM_PATTERN_COUNTED_OVERLAPPED,     \
        [HPM_PATTERN_COUNTED_NESTED] = HPM_PATTERN_COUNTED_NESTED,             \
        [HPM_PATTERN_COUNTED_LONG_START] = HPM_PATTERN_COUNTED_LONG_START,     \
        [HPM_PATTERN_COUNTED_LONG_STOP] = HPM_PATTERN_COUNTED_LONG_STOP,       \
        [HPM_PATTERN_OTHER] = HPM_PATTERN_OTHER,                               \
        [HPM_PATTERN_ANOTHER] = HPM_PATTERN_ANOTHER                            \
    }

static const struct {
    int line;
    int at_start[HPM_N_PATTERN_IDS], at_stop[HPM_N_PATTERN_IDS];
} numbers = {1, COUNTED_IDS, COUNTED_IDS};

#define COUNTED_START(id, label)                                               \
    f_hpmtstartat_((id), (label), __FILE__, &numbers.line, sizeof(label) - 1,  \
                   sizeof __FILE__ - 1)
#define COUNTED_STOP(id)                                                       \
    f_hpmtstopat_((id), __FILE__, &numbers.line, sizeof __FILE__ - 1)

PATTERN(counted)
{
    COUNTED_START(&numbers.at_start[HPM_PATTERN_COUNTED], "counted");
    COUNTED_STOP(&numbers.at_stop[HPM_PATTERN_COUNTED]);
    END_OF_PATTERN();
}

PATTERN(counted_overlapped)
{
    COUNTED_START(&numbers.at_start[HPM_PATTERN_COUNTED_OVERLAPPED],
                  "counted overlapped");
    COUNTED_START(&numbers.at_start[HPM_PATTERN_OTHER], "counted other");
    COUNTED_STOP(&numbers.at_stop[HPM_PATTERN_COUNTED_OVERLAPPED]);
    COUNTED_STOP(&numbers.at_stop[HPM_PATTERN_OTHER]);
    END_OF_PATTERN();
}

PATTERN(counted_nested)
{
    COUNTED_START(&numbers.at_start[HPM_PATTERN_COUNTED_NESTED],
                  "counted nested");
    COUNTED_START(&numbers.at_start[HPM_PATTERN_OTHER], "counted other");
    COUNTED_STOP(&numbers.at_stop[HPM_PATTERN_OTHER]);
    COUNTED_STOP(&numbers.at_stop[HPM_PATTERN_COUNTED_NESTED]);
    END_OF_PATTERN();
}

PATTERN(counted_long_start)
{
    COUNTED_START(&numbers.at_start[HPM_PATTERN_COUNTED_LONG_START],
                  "counted long start");
    COUNTED_START(&id, "counted new");
    COUNTED_STOP(&id);
    COUNTED_STOP(&numbers.at_stop[HPM_PATTERN_COUNTED_LONG_START]);
    END_OF_PATTERN();
}

PATTERN(counted_long_stop)
{
    COUNTED_START(&numbers.at_start[HPM_PATTERN_COUNTED_LONG_STOP],
                  "counted long stop");
    COUNTED_START(&id, "counted new");
    COUNTED_START(&numbers.at_start[HPM_PATTERN_ANOTHER], "counted another");
    COUNTED_STOP(&id);
    COUNTED_STOP(&numbers.at_stop[HPM_PATTERN_ANOTHER]);
    COUNTED_STOP(&numbers.at_stop[HPM_PATTERN_COUNTED_LONG_STOP]);
    END_OF_PATTERN();
}

PATTERN(process_start)
{
    hpmTstart(HPM_PATTERN_PROCESS_START, "process start");
    hpmStart(HPM_PATTERN_OTHER, "other");
    hpmTstop(HPM_PATTERN_PROCESS_START);
    hpmStop(HPM_PATTERN_OTHER);
    END_OF_PATTERN();
}

PATTERN(process_stop)
{
    hpmStart(HPM_PATTERN_OTHER, "other");
    hpmTstart(HPM_PATTERN_PROCESS_STOP, "process stop");
    hpmStop(HPM_PATTERN_OTHER);
    hpmTstop(HPM_PATTERN_PROCESS_STOP);
    END_OF_PATTERN();
}

PATTERN(process_empty)
{
    hpmStart(HPM_PATTERN_PROCESS_EMPTY, "process empty");
    hpmStop(HPM_PATTERN_PROCESS_EMPTY);
    END_OF_PATTERN();
}

PATTERN(process_nested)
{
    hpmStart(HPM_PATTERN_PROCESS_NESTED, "process nested");
    hpmStart(HPM_PATTERN_OTHER, "other");
    hpmStop(HPM_PATTERN_OTHER);
    hpmStop(HPM_PATTERN_PROCESS_NESTED);
    END_OF_PATTERN();
}

static void (*const patterns[HPM_N_PATTERNS])(int, const char *) = {
    [HPM_PATTERN_EMPTY] = empty,
    [HPM_PATTERN_OVERLAPPED] = overlapped,
    [HPM_PATTERN_OVERLAPPED_AT] = overlapped_at,
    [HPM_PATTERN_NESTED] = nested,
    [HPM_PATTERN_AGAIN_INNER] = again_inner,
    [HPM_PATTERN_AGAIN_INNER_AT] = again_inner_at,
    [HPM_PATTERN_LONG_AGAIN_AT] = long_again_at,
    [HPM_PATTERN_LONG_START_AT] = long_start_at,
    [HPM_PATTERN_AGAIN] = again,
    [HPM_PATTERN_MANY_PAIRS] = many_pairs,
    [HPM_PATTERN_MANY_AGAIN] = many_again,
    [HPM_PATTERN_MANY_PROCESS_PAIRS] = many_process_pairs,
    [HPM_PATTERN_LONG_START] = long_start,
    [HPM_PATTERN_LONG_STOP] = long_stop,
    [HPM_PATTERN_LONG_AGAIN] = long_again,
    [HPM_PATTERN_OFF] = off,
    [HPM_PATTERN_WORK] = work,
    [HPM_PATTERN_READING] = reading,
    [HPM_PATTERN_COUNTED] = counted,
    [HPM_PATTERN_COUNTED_OVERLAPPED] = counted_overlapped,
    [HPM_PATTERN_COUNTED_NESTED] = counted_nested,
    [HPM_PATTERN_COUNTED_LONG_START] = counted_long_start,
    [HPM_PATTERN_COUNTED_LONG_STOP] = counted_long_stop,
    [HPM_PATTERN_PROCESS_START] = process_start,
    [HPM_PATTERN_PROCESS_STOP] = process_stop,
    [HPM_PATTERN_PROCESS_EMPTY] = process_empty,
    [HPM_PATTERN_PROCESS_NESTED] = process_nested,
};

void
hpm_pattern_make(enum hpm_pattern pattern, int id)
{
    patterns[pattern](id, __FILE__);
}
