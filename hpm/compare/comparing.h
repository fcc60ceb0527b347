/* SPDX-License-Identifier: BSD-3-Clause
 * Running commands in turns, counted by hpmcount, for hpm compare. */
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

/* How the commands are run. */
struct comparing_options {
    const char *events;  /* for hpmcount; NULL: the usual ones */
    const char *prepare; /* a shell line before each run, or NULL */
    uint64_t n_warmups;
    bool shows_output;
    bool ignores_status; /* use runs that failed */
    bool has_sections;   /* the programs count themselves, with libhpm */
    const char *folder;  /* where to keep performance files; NULL: nowhere */
    struct hpm_intake_choice choice;
    uint64_t seed;
};

struct comparing_command {
    char *const *words;
    size_t n_words;
    const char *variable; /* environment variable set to `value`, or NULL */
    const char *value;
    int last_exit;   /* of the last failed run: exit status, or 128 + signal */
    size_t n_runs;   /* counted runs */
    size_t n_failed; /* counted runs that did not end with 0 */
};

struct comparing {
    const struct comparing_options *options;
    struct comparing_command *commands; /* owned by the caller */
    size_t n_commands;
    size_t first_side; /* index of the first command's side */
    struct hpm_samples *samples;
    struct hpm_intake *intake;
    struct hpm_random random;
    struct hpm_string hpmcount;
    struct hpm_string folder; /* where runs write */
    struct hpm_string notes;  /* lines about events not counted */
    bool is_noted;            /* the notes were made */
    bool is_temporary;        /* remove the folder at the end */
    off_t input_at;           /* start offset of standard input; -1: not a
                               * file */
    size_t n_started;         /* runs, including those before the first round */
};

/* Start from {0} with options and commands set.  False, with the reason, where
 * nothing can be run. */
bool comparing_open(struct comparing *comparing, struct hpm_samples *samples,
                    struct hpm_error *err);
void comparing_close(struct comparing *comparing);

/* How a round ended. */
enum comparing_end {
    COMPARING_GOOD,
    COMPARING_INTERRUPTED, /* by a signal from the user */
    COMPARING_FAILED       /* the reason was reported */
};

/* Run every command n_warmups times, uncounted. */
enum comparing_end comparing_warm_up(struct comparing *comparing);

/* Run every command n_rounds times, at most HPM_COMPARISON_BLOCK, all together
 * in random order. */
enum comparing_end comparing_make_block(struct comparing *comparing,
                                        size_t n_rounds,
                                        struct progress *progress);

/* The number of rounds so far: every command ran at least so often. */
size_t comparing_n_rounds(const struct comparing *comparing);

/* Append the number of runs of each command: "A 4, B 2". */
void comparing_add_numbers(const struct comparing *comparing,
                           struct hpm_string *numbers);

/* Append lines about failed runs. */
void comparing_add_notes(struct comparing *comparing, struct hpm_string *notes);

#endif
