/* SPDX-License-Identifier: BSD-3-Clause
 * libhpm: measure sections of a program.
 *
 *     #include <libhpm.h>
 *
 *     hpmInit(-1, "solver");             // optional
 *     hpmTstart(1, "assemble");
 *     assemble();
 *     hpmTstop(1);
 *     hpmTerminate(-1);                  // optional
 *
 * Compile with $(pkg-config --cflags libhpm), link with
 * $(pkg-config --libs libhpm).  When the program ends, one XML performance
 * file per task is written (see hpm-file(5)).
 *
 * Rules for all calls.  Every call may come from any thread.  No call but
 * hpmVersion returns a value.  No call sets errno, changes a signal handler or
 * mask, or ends the program: on trouble the library says so in one line on
 * standard error, once, and then leaves the program alone.  A call from a
 * signal handler, while the same thread is inside another call, is dropped and
 * counted in the file.  After hpmTerminate all calls do nothing.  In a program
 * that runs with raised privileges (AT_SECURE) the library is off.
 */
#ifndef LIBHPM_H
#define LIBHPM_H

/* No warnings of the compiler for code that these macros expand to: a static
 * variable in an inline function is intended. */
#ifdef __GNUC__
#pragma GCC system_header
#endif

/* In C++ a static variable of an inline function is a unique symbol, and a
 * plug-in with such a symbol cannot be unloaded.  A type with hidden visibility
 * avoids that. */
#if defined(__cplusplus) && defined(__GNUC__)
#define HPM_LOCAL __attribute__((visibility("hidden")))
#else
#define HPM_LOCAL
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header: major * 10000 + minor * 100 + patch. */
#define LIBHPM_VERSION 100

/* Start measuring and fix where the performance file goes.
 *
 * task     number of this task in the parallel job; -1 takes the launcher's
 *          rank (Open MPI, PMIx, PMI, Slurm), or 0 if there is none.
 * program  name for the file and the report; NULL or "" takes the name of
 *          the executable.  The string is copied.
 *
 * Optional: the first hpmStart or hpmTstart does hpmInit(-1, NULL).  A second
 * hpmInit only says that it does nothing.  The environment (HPM_EVENTS ...,
 * see hpm-environment(7)) is read here and never again. */
void hpmInit(int task, const char *program);

/* End measuring and write the performance file.
 *
 * task     as in hpmInit; kept for old programs, its value is not used.
 *
 * Sections that are still open are closed here and marked open="yes".
 * Optional: a program that exits (returns from main, calls exit) gets its file
 * without this call; a program that calls _exit, execs or dies by a signal does
 * not. */
void hpmTerminate(int task);

/* Start and stop a section of the CALLING THREAD.
 *
 * id       number of the section, chosen by the caller; any int.
 * label    its name, NULL for none ("#id" is shown).  Copied; at most 1,024
 *          bytes are kept.
 *
 * Sections nest, may be entered again (counts and times add up), may recurse
 * (a section that is already open only counts one call more) and may overlap.
 * Two starts mean the same section if id, label, base name of the source file
 * and line of the start are the same, and so are the sections open around them.
 * hpmTstop closes the innermost open section with that id in the calling
 * thread.  At most 256 sections can be open in a thread at a time; deeper ones
 * are not measured.  A thread keeps at most 65,536 different sections; further
 * ones are measured together as "(other)".  Both limits, when met, are said
 * once and counted in the file. */
#define hpmTstart(id, label) HPM_START_BY_SITE(id, label)
#define hpmTstop(id) hpmTstopAt((id), __FILE__, __LINE__)

/* Start and stop a section of the WHOLE PROCESS: all its threads, and the
 * children it starts.
 *
 * id, label and the rules are as for hpmTstart, with two differences: another
 * thread than the one that started the section may stop it, and while the
 * section is open another thread cannot start it again.
 * Thread sections and process sections are two separate trees; neither is
 * part of the other.  Starts and stops of process sections take a lock and read
 * the counters of every thread: use them around parallel regions, and hpmTstart
 * inside. */
#define hpmStart(id, label) hpmStartAt((id), (label), __FILE__, __LINE__)
#define hpmStop(id) hpmStopAt((id), __FILE__, __LINE__)

/* Start a section below a parent of the caller's choice: its place in the call
 * tree is below the open section with the id `parent`, in the same thread (or,
 * for hpmStartx, in the process).
 *
 * parent   an id, or HPM_AUTO_PARENT: the innermost open section, as for
 *          hpmTstart; HPM_NO_PARENT: the top level; HPM_ONLY_EXCLUSIVE: as
 *          HPM_AUTO_PARENT, but only exclusive values are kept.
 *
 * If the parent is not open, the library says so, counts that in the file, and
 * uses HPM_AUTO_PARENT.  The ids -1, -2 and -3 cannot be parents. */
#define HPM_NO_PARENT (-1)
#define HPM_AUTO_PARENT (-2)
#define HPM_ONLY_EXCLUSIVE (-3)
#define hpmTstartx(id, parent, label)                                          \
    hpmTstartxAt((id), (parent), (label), __FILE__, __LINE__)
#define hpmStartx(id, parent, label)                                           \
    hpmStartxAt((id), (parent), (label), __FILE__, __LINE__)

/* Add work that the program itself counts (cells, particles, bytes) to an open
 * section, as a counter named "work::UNIT".
 *
 * id       of an open section of the calling thread, else of the process.
 * amount   how much to add; 0 or greater.
 * unit     the unit of the work, one word; copied.
 *
 * The work is part of the section's exclusive value and of the inclusive
 * values of the sections above it in the call tree. */
void hpmWork(int id, long long amount, const char *unit);

/* Time and counts of the CALLING THREAD since its first call of the library,
 * whatever sections are open.
 *
 * n        number of elements of `values`; further counters are left out, and
 *          elements without a counter are filled with -1.
 * time     seconds; NULL to leave it out.
 * values   in the order of HPM_EVENTS (or of the default); -1 if a counter has
 *          no value.
 *
 * hpmGetCounters fills as many values as there are counters, at most 64.
 * If nothing is measured (hpmTerminate was called, HPM_DISABLE) the time is 0
 * and the values are -1. */
void hpmGetTimeAndCounters(int n, double *time, long long *values);
void hpmGetCounters(long long *values);

/* How many calls, in all threads, could not be measured correctly so far (a
 * stop without a start, a parent that is not open ...).  Read only. */
extern int hpm_error_count;

/* The version of the library in use, in the form of LIBHPM_VERSION. */
int hpmVersion(void);

/* The macros above call these functions.  Wrappers that know the caller's place
 * better than the compiler does (other languages, profiling layers) may call
 * them, too.
 *
 * file     source file, NULL for none; the string is copied.
 * line     line in the file, 0 for none.
 *
 * HPM_SCOPE_END as the line of hpmTstopAt is for wrappers whose sections end
 * with a scope.  An exception or a jump may have left sections open that other
 * calls of this thread started inside: these end here, too (HPM_NESTING in
 * hpm-environment(7)). */
#define HPM_SCOPE_END (-1)
void hpmTstartAt(int id, const char *label, const char *file, int line);
void hpmTstopAt(int id, const char *file, int line);
void hpmStartAt(int id, const char *label, const char *file, int line);
void hpmStopAt(int id, const char *file, int line);
void hpmTstartxAt(int id, int parent, const char *label, const char *file,
                  int line);
void hpmStartxAt(int id, int parent, const char *label, const char *file,
                 int line);

/* A place that starts a section whose label is a literal.  The library sets
 * `number`, which begins as 0.  Make one site for each place, zeroed except
 * label, file and line; it must not be changed, and must live as long as it is
 * used. */
struct HPM_LOCAL hpm_call_site {
    const char *label;
    const char *file;
    int line;
    unsigned number;
};

void hpmTstartSite(int id, struct hpm_call_site *site);

/* The expansion of hpmTstart.  In a static initializer __builtin_constant_p is
 * true only for literals, and not for variables whose value the compiler finds
 * out later.  With -DHPM_NO_SITES, and with other compilers, no site is
 * made. */
#if defined(__GNUC__) && !defined(HPM_NO_SITES)
#define HPM_LITERAL(label)                                                     \
    (__builtin_constant_p(label) ? (label) : (const char *)0)
#define HPM_START_BY_SITE(id, label)                                           \
    __extension__({                                                            \
        static const char *const hpm_literal_ = HPM_LITERAL(label);            \
        static struct hpm_call_site hpm_site_ = {HPM_LITERAL(label), __FILE__, \
                                                 __LINE__, 0};                 \
        if (hpm_literal_ != (const char *)0)                                   \
            hpmTstartSite((id), &hpm_site_);                                   \
        else                                                                   \
            hpmTstartAt((id), (label), __FILE__, __LINE__);                    \
    })
#else
#define HPM_START_BY_SITE(id, label)                                           \
    hpmTstartAt((id), (label), __FILE__, __LINE__)
#endif

/* These calls as plain functions, without file and line, for callers that
 * cannot use macros (dlsym, foreign function interfaces). */
void(hpmTstart)(int id, const char *label);
void(hpmTstop)(int id);
void(hpmStart)(int id, const char *label);
void(hpmStop)(int id);
void(hpmTstartx)(int id, int parent, const char *label);
void(hpmStartx)(int id, int parent, const char *label);

/* Short forms of IBM's toolkit: no label, and the program's own name. */
#define hpm_init(task) hpmInit((task), "")
#define hpm_terminate(task) hpmTerminate(task)
#define hpm_start(id) hpmStart((id), "")
#define hpm_stop(id) hpmStop(id)
#define hpm_tstart(id) hpmTstart((id), "")
#define hpm_tstop(id) hpmTstop(id)
#define hpm_startx(id, parent) hpmStartx((id), (parent), "")
#define hpm_tstartx(id, parent) hpmTstartx((id), (parent), "")

#ifdef __cplusplus
}
#endif

/* With -DHPM_OFF the calls in a source file are compiled to nothing: no
 * function is called, no argument is evaluated, and the library need not be
 * linked. */
#ifdef HPM_OFF
#undef hpmTstart
#undef hpmTstop
#undef hpmStart
#undef hpmStop
#undef hpmTstartx
#undef hpmStartx
#define hpmInit(task, program) ((void)0)
#define hpmTerminate(task) ((void)0)
#define hpmTstart(id, label) ((void)0)
#define hpmTstop(id) ((void)0)
#define hpmStart(id, label) ((void)0)
#define hpmStop(id) ((void)0)
#define hpmTstartx(id, parent, label) ((void)0)
#define hpmStartx(id, parent, label) ((void)0)
#define hpmWork(id, amount, unit) ((void)0)
#define hpmGetTimeAndCounters(n, time, values) ((void)0)
#define hpmGetCounters(values) ((void)0)
#define hpmVersion() LIBHPM_VERSION
#define hpm_error_count 0
#endif

#endif
