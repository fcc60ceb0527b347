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
 * file per task is written (see hpm(7), FILES).
 *
 * Rules for all calls.  Every call may come from any thread.  None returns a
 * value, sets errno, changes a signal handler or mask, or ends the program:
 * on trouble the library says so in one line on standard error, once, and
 * then leaves the program alone.  A call made from a signal handler while the
 * same thread is inside another call is dropped and counted in the file.
 * After hpmTerminate all calls do nothing.  In a program that runs with
 * raised privileges (AT_SECURE) the library is off.
 */
#ifndef LIBHPM_H
#define LIBHPM_H

#ifdef __cplusplus
extern "C" {
#endif

/* Start measuring and fix where the performance file goes.
 *
 * task     number of this task in the parallel job; -1 takes the launcher's
 *          rank (Open MPI, PMIx, PMI, Slurm), or 0 where there is none.
 * program  name for the file and the report; NULL or "" takes the name of
 *          the executable.  The string is copied.
 *
 * Optional: the first hpmStart or hpmTstart does hpmInit(-1, NULL).  A second
 * hpmInit does nothing but say so.  The environment (HPM_EVENTS ..., see
 * hpm(7)) is read here and never again. */
void hpmInit(int task, const char *program);

/* End measuring and write the performance file.
 *
 * task     as in hpmInit; kept for old programs, its value is not used.
 *
 * Sections still open are closed here and marked open="yes".  Optional: a
 * program that exits (returns from main, calls exit) gets its file without
 * this call; one that calls _exit, execs or dies by a signal does not. */
void hpmTerminate(int task);

/* Start and stop a section of the CALLING THREAD.
 *
 * id       number of the section, chosen by the caller; any int.
 * label    its name, NULL for none ("#id" is shown).  Copied; at most 1,024
 *          bytes are kept.
 *
 * Sections nest, may be entered again (counts and times add up), may recurse
 * (a section that is already open only counts one call more) and may overlap.
 * A section is known by id, label, base name of the source file and line of
 * its start, and by the sections open around it.  hpmTstop closes the
 * innermost open section with that id in the calling thread.  At most 256
 * sections can be open in a thread at a time; what is deeper is not measured.
 * A thread keeps at most 65,536 different ones; what is beyond is measured
 * together as "(other)".  Both are said once and counted in the file. */
#define hpmTstart(id, label) hpmTstartAt((id), (label), __FILE__, __LINE__)
#define hpmTstop(id) hpmTstopAt((id), __FILE__, __LINE__)

/* Start and stop a section of the WHOLE PROCESS: all its threads, and the
 * children it starts.
 *
 * id, label and the rules are those of hpmTstart, with one difference: the
 * section may be stopped by another thread than the one that started it.
 * Thread sections and process sections are two separate trees; neither is
 * part of the other.  Edges of process sections take a lock and read the
 * counters of every thread: use them around parallel regions, hpmTstart
 * inside. */
#define hpmStart(id, label) hpmStartAt((id), (label), __FILE__, __LINE__)
#define hpmStop(id) hpmStopAt((id), __FILE__, __LINE__)

/* What the macros above call.  Wrappers that know the caller's place better
 * than the compiler does (other languages, profiling layers) may use them.
 *
 * file     source file, NULL for none; the string is copied.
 * line     line in it, 0 for none. */
void hpmTstartAt(int id, const char *label, const char *file, int line);
void hpmTstopAt(int id, const char *file, int line);
void hpmStartAt(int id, const char *label, const char *file, int line);
void hpmStopAt(int id, const char *file, int line);

/* The same calls as plain functions, without file and line, for callers that
 * cannot use macros (dlsym, foreign function interfaces). */
void(hpmTstart)(int id, const char *label);
void(hpmTstop)(int id);
void(hpmStart)(int id, const char *label);
void(hpmStop)(int id);

#ifdef __cplusplus
}
#endif

#endif
