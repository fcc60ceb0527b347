/* SPDX-License-Identifier: BSD-3-Clause
 * Commands that are run in turns, and counted by hpmcount, for hpm compare. */
#ifndef HPM_COMPARING_H
#define HPM_COMPARING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/string.h"
#include "hpm/frame/progress.h"
#include "hpm/frame/subcommand.h"
#include "study/compare/comparison.h"
#include "study/compare/intake.h"
#include "study/compare/samples.h"
#include "study/inference/random.h"

/* How they are run. */
struct comparing_options {
    const char *events;  /* of hpmcount; NULL: what is usual here */
    const char *prepare; /* a line for the shell before each run, or NULL */
    uint64_t n_warmups;
    bool shows_output;
    bool ignores_status; /* a run that fails is a run */
    bool has_sections;   /* the programs count themselves, by libhpm */
    const char *folder;  /* keep the performance files here; NULL: nowhere */
    struct hpm_intake_choice choice;
    uint64_t seed;
};

struct comparing_command {
    char *const *words;
    size_t n_words;
    const char *variable; /* of its environment, with `value`; NULL: none */
    const char *value;
    int last_exit; /* exit status, or 128 + a signal; of the last that failed */
    size_t n_runs; /* that were counted */
    size_t n_failed; /* of these runs, how many ended otherwise than with 0 */
};

struct comparing {
    const struct comparing_options *options;
    struct comparing_command *commands; /* the caller's */
    size_t n_commands;
    size_t first_side; /* that of the first command */
    struct hpm_samples *samples;
    struct hpm_intake *intake;
    struct hpm_random random;
    struct hpm_string hpmcount;
    struct hpm_string folder; /* where runs write */
    struct hpm_string notes;  /* on what was not counted, in lines */
    bool is_noted;            /* that was looked at */
    bool is_temporary;        /* the folder is ours */
    off_t input_at;           /* where standard input begins, -1: no file */
    size_t n_started;         /* runs, with those before the first round */
};

/* Start from {0} with options and commands set.  False, and why, where nothing
 * can be run. */
bool comparing_open(struct comparing *comparing, struct hpm_samples *samples,
                    struct hpm_error *err);
void comparing_close(struct comparing *comparing);

/* How a round went. */
enum comparing_end {
    COMPARING_GOOD,
    COMPARING_INTERRUPTED, /* by a signal of the user */
    COMPARING_FAILED       /* said why */
};

/* Every command n_warmups times, uncounted. */
enum comparing_end comparing_warm_up(struct comparing *comparing);

/* Every command n_rounds times, at most HPM_COMPARISON_BLOCK, all mixed in one
 * order by chance. */
enum comparing_end comparing_make_block(struct comparing *comparing,
                                        size_t n_rounds,
                                        struct progress *progress);

/* How often every command has run. */
size_t comparing_n_rounds(const struct comparing *comparing);

/* How many runs each command has: "A 4, B 2". */
void comparing_add_numbers(const struct comparing *comparing,
                           struct hpm_string *numbers);

/* Lines on runs that failed. */
void comparing_add_notes(struct comparing *comparing, struct hpm_string *notes);

#endif
