/* SPDX-License-Identifier: BSD-3-Clause
 * The calls as external procedures of Fortran: every argument by address, the
 * lengths of character arguments after all others, no NUL at their end.  A
 * string or line that is left out (optional in hpm.f90) is NULL.
 *
 * A compiler appends an underscore to the name of a procedure or, like XL and
 * with -fno-underscoring, does not: each call has both names. */
#include <stdint.h>

#include "counted.h"
#include "libhpm.h"

/* Declare and define `name`_, and `name` as another name of it. */
#define ENTRY(name, ...)                                                       \
    void name##_(__VA_ARGS__);                                                 \
    void name(__VA_ARGS__) __attribute__((alias(#name "_")));                  \
    void name##_(__VA_ARGS__)

/* The same for the short names that -DHPM_SHORT gives the calls: weak, since a
 * program may have procedures of these names. */
#define SHORT_ENTRY(name, ...)                                                 \
    void name##_(__VA_ARGS__) __attribute__((weak));                           \
    void name(__VA_ARGS__) __attribute__((weak, alias(#name "_")));            \
    void name##_(__VA_ARGS__)

static const struct hpm_counted nowhere;

static inline struct hpm_counted
counted(const char *bytes, size_t length)
{
    return (struct hpm_counted){bytes, length};
}

static inline int
line_of(const int *line)
{
    return line != NULL ? *line : 0;
}

/* Copy a name, which is short, without taking memory: here a signal handler may
 * interrupt and call the library. */
static void
copy_name(struct hpm_text *ret_name, const char *bytes, size_t length)
{
    if (length >= HPM_TEXT_ROOM && length <= PTRDIFF_MAX)
        length = HPM_TEXT_ROOM - 1;
    hpm_text_init(ret_name, counted(bytes, length));
}

/* ---- begin and end --------------------------------------------------- */

ENTRY(f_hpminit, const int *task, const char *program, size_t length)
{
    struct hpm_text name;

    copy_name(&name, program, length);
    hpmInit(*task, name.text);
}

ENTRY(f_hpmterminate, const int *task)
{
    hpmTerminate(*task);
}

/* ---- starts and stops with file and line: f_hpm.h and hpm.f90 ------- */

ENTRY(f_hpmtstartat, const int *id, const char *label, const char *file,
      const int *line, size_t label_length, size_t file_length)
{
    hpm_counted_tstart(*id, HPM_AUTO_PARENT, counted(label, label_length),
                       counted(file, file_length), line_of(line));
}

ENTRY(f_hpmtstopat, const int *id, const char *file, const int *line,
      size_t file_length)
{
    hpm_counted_tstop(*id, counted(file, file_length), line_of(line));
}

ENTRY(f_hpmtstartxat, const int *id, const int *parent, const char *label,
      const char *file, const int *line, size_t label_length,
      size_t file_length)
{
    hpm_counted_tstart(*id, *parent, counted(label, label_length),
                       counted(file, file_length), line_of(line));
}

ENTRY(f_hpmstartat, const int *id, const char *label, const char *file,
      const int *line, size_t label_length, size_t file_length)
{
    hpm_counted_start(*id, HPM_AUTO_PARENT, counted(label, label_length),
                      counted(file, file_length), line_of(line));
}

ENTRY(f_hpmstopat, const int *id, const char *file, const int *line,
      size_t file_length)
{
    hpm_counted_stop(*id, counted(file, file_length), line_of(line));
}

ENTRY(f_hpmstartxat, const int *id, const int *parent, const char *label,
      const char *file, const int *line, size_t label_length,
      size_t file_length)
{
    hpm_counted_start(*id, *parent, counted(label, label_length),
                      counted(file, file_length), line_of(line));
}

/* ---- plain starts and stops: sources without the header ------------- */

ENTRY(f_hpmtstart, const int *id, const char *label, size_t length)
{
    hpm_counted_tstart(*id, HPM_AUTO_PARENT, counted(label, length), nowhere,
                       0);
}

ENTRY(f_hpmtstop, const int *id)
{
    hpm_counted_tstop(*id, nowhere, 0);
}

ENTRY(f_hpmtstartx, const int *id, const int *parent, const char *label,
      size_t length)
{
    hpm_counted_tstart(*id, *parent, counted(label, length), nowhere, 0);
}

ENTRY(f_hpmstart, const int *id, const char *label, size_t length)
{
    hpm_counted_start(*id, HPM_AUTO_PARENT, counted(label, length), nowhere, 0);
}

ENTRY(f_hpmstop, const int *id)
{
    hpm_counted_stop(*id, nowhere, 0);
}

ENTRY(f_hpmstartx, const int *id, const int *parent, const char *label,
      size_t length)
{
    hpm_counted_start(*id, *parent, counted(label, length), nowhere, 0);
}

/* ---- starts and stops with the line: -DHPM_SHORT, 4 and 8 bytes ----- */

#define SHORT_EDGES(prefix, type)                                              \
    SHORT_ENTRY(prefix##ts, const type *id, const char *label,                 \
                const type *line, size_t length)                               \
    {                                                                          \
        hpm_counted_tstart((int)*id, HPM_AUTO_PARENT, counted(label, length),  \
                           nowhere, (int)*line);                               \
    }                                                                          \
    SHORT_ENTRY(prefix##tp, const type *id, const type *line)                  \
    {                                                                          \
        hpm_counted_tstop((int)*id, nowhere, (int)*line);                      \
    }                                                                          \
    SHORT_ENTRY(prefix##tsx, const type *id, const type *parent,               \
                const char *label, const type *line, size_t length)            \
    {                                                                          \
        hpm_counted_tstart((int)*id, (int)*parent, counted(label, length),     \
                           nowhere, (int)*line);                               \
    }                                                                          \
    SHORT_ENTRY(prefix##s, const type *id, const char *label,                  \
                const type *line, size_t length)                               \
    {                                                                          \
        hpm_counted_start((int)*id, HPM_AUTO_PARENT, counted(label, length),   \
                          nowhere, (int)*line);                                \
    }                                                                          \
    SHORT_ENTRY(prefix##p, const type *id, const type *line)                   \
    {                                                                          \
        hpm_counted_stop((int)*id, nowhere, (int)*line);                       \
    }                                                                          \
    SHORT_ENTRY(prefix##sx, const type *id, const type *parent,                \
                const char *label, const type *line, size_t length)            \
    {                                                                          \
        hpm_counted_start((int)*id, (int)*parent, counted(label, length),      \
                          nowhere, (int)*line);                                \
    }

SHORT_EDGES(h9, int32_t)
SHORT_EDGES(q9, int64_t)

/* ---- work and readings ------------------------------------------------ */

static void
add_work(int id, int64_t amount, const char *unit, size_t length)
{
    struct hpm_text name;

    copy_name(&name, unit, length);
    hpmWork(id, amount, name.text);
}

/* The amount always has 8 bytes, whatever the size of a default integer. */
ENTRY(f_hpmwork, const int *id, const int64_t *amount, const char *unit,
      size_t length)
{
    add_work(*id, *amount, unit, length);
}

SHORT_ENTRY(h9, const int32_t *id, const int64_t *amount, const char *unit,
            size_t length)
{
    add_work(*id, *amount, unit, length);
}

SHORT_ENTRY(q9work, const int64_t *id, const int64_t *amount, const char *unit,
            size_t length)
{
    add_work((int)*id, *amount, unit, length);
}

ENTRY(f_hpmgettimeandcounters, const int *n, double *time, long long *values)
{
    hpmGetTimeAndCounters(*n, time, values);
}

ENTRY(f_hpmgetcounters, long long *values)
{
    hpmGetCounters(values);
}

/* The only function; all others are subroutines. */
int f_hpmerrorcount_(void);
int f_hpmerrorcount(void) __attribute__((alias("f_hpmerrorcount_")));

int
f_hpmerrorcount_(void)
{
    return hpm_error_count;
}
