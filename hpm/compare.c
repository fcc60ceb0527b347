/* SPDX-License-Identifier: BSD-3-Clause
 * hpm compare: do commands, or builds of a program, differ, and how much? */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host/memory.h"
#include "hpm/compare/compareoptions.h"
#include "hpm/frame/childrun.h"
#include "study/compare/stopping.h"
#include "study/compare/sweep.h"
#include "study/compare/words.h"
#include "study/report/terminal.h"
#include "study/words/words.h"

enum { USUAL_ROUNDS = 10, MOST_UNTIL = 300, BY_SIGNAL = 128 };

/* The options, and the results. */
struct task {
    struct compareoptions options;
    struct comparing comparing;
    struct hpm_samples samples;
    struct hpm_comparisons comparisons;
    size_t most; /* the largest number of rounds */
    size_t n_looks;
    struct hpm_string notes, limits;
    size_t n_crossed;
};

/* ---- rounds ------------------------------------------------------------ */

static uint64_t
any_seed(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return ((uint64_t)now.tv_sec * UINT64_C(1000000) +
            (uint64_t)now.tv_nsec / 1000) %
           UINT64_C(1000000000);
}

static bool
compare(struct task *task, struct hpm_error *err)
{
    hpm_comparisons_clear(&task->comparisons);
    return hpm_comparisons_make(&task->comparisons, &task->samples,
                                task->n_looks, task->options.comparing.seed,
                                err);
}

/* Does --until apply to this comparison?  With limits, to those that have one;
 * else, for the whole program, to the metrics of --only, or to the time. */
static bool
is_watched(const struct task *task, const struct hpm_comparison *one)
{
    const struct hpm_gate *limits = &task->options.limits;

    for (size_t i = 0; i < limits->n; i++) {
        if (hpm_gate_judge(&limits->all[i], &task->samples, one) !=
            HPM_GATE_OTHER)
            return true;
    }
    if (limits->n > 0 || one->subject != 0)
        return false;
    return task->options.comparing.choice.metrics != NULL ||
           strcmp(task->samples.metrics[one->metric].name, HPM_INTAKE_TIME) ==
               0;
}

/* Is every answer clear, or can it not become clear? */
static bool
may_stop(const struct task *task)
{
    for (size_t i = 0; i < task->comparisons.n; i++) {
        const struct hpm_comparison *one = &task->comparisons.all[i];

        if (is_watched(task, one) &&
            hpm_stopping_judge(one, task->options.until, task->most) ==
                HPM_STOPPING_GO_ON)
            return false;
    }
    return true;
}

/* Report the comparisons that are not clear in the end, and how many runs they
 * would need. */
static void
note_unclear(struct task *task)
{
    double until = task->options.until;

    for (size_t i = 0; i < task->comparisons.n; i++) {
        const struct hpm_comparison *one = &task->comparisons.all[i];

        if (!is_watched(task, one) ||
            hpm_stopping_judge(one, until, task->most) == HPM_STOPPING_CLEAR)
            continue;
        hpm_string_add_format(&task->notes, "To see %s of %c differ by ",
                              task->samples.metrics[one->metric].name,
                              (int)('A' + one->side));
        hpm_words_add_part(&task->notes, until);
        hpm_string_add(&task->notes, " would take about ");
        hpm_string_add_fixed(&task->notes, hpm_stopping_runs(one, until), 0);
        hpm_string_add(&task->notes, " runs of\neach on this machine as it is "
                                     "now; a count that repeats says it "
                                     "sooner.\n");
    }
}

/* Make rounds up to the next look; without --until all of them. */
static enum comparing_end
make_rounds(struct task *task, struct progress *progress)
{
    struct comparing *comparing = &task->comparing;
    size_t n = comparing_n_rounds(comparing);
    size_t next = task->options.until > 0.0 ? hpm_stopping_next(n, task->most)
                                            : task->most;
    enum comparing_end end = COMPARING_GOOD;

    for (; n < next && end == COMPARING_GOOD; n = comparing_n_rounds(comparing))
        end = comparing_make_block(
            comparing,
            next - n < HPM_COMPARISON_BLOCK ? next - n : HPM_COMPARISON_BLOCK,
            progress);
    return end;
}

static enum comparing_end
make_all(struct task *task, struct hpm_error *err)
{
    struct comparing *comparing = &task->comparing;
    struct progress progress;
    enum comparing_end end;
    bool is_done = false;

    progress_begin(&progress, "compare", N_("runs"),
                   task->most * comparing->n_commands);
    end = comparing_warm_up(comparing);
    while (end == COMPARING_GOOD && !is_done) {
        end = make_rounds(task, &progress);
        if (end == COMPARING_GOOD && !compare(task, err)) {
            subcommand_say("compare", "%s", err->text);
            end = COMPARING_FAILED;
        }
        is_done = comparing_n_rounds(comparing) >= task->most ||
                  (task->options.until > 0.0 && may_stop(task));
    }
    progress_hide(&progress);
    return end;
}

/* ---- the report -------------------------------------------------------- */

static void
add_command(const struct storedruns_side *words, struct hpm_string *command)
{
    for (size_t i = 0; i < words->n_words; i++)
        hpm_string_add_format(command, "%s%s", i > 0 ? " " : "",
                              words->words[i]);
}

static bool
draw(const struct hpm_sweep *sweep, const char *path, struct hpm_error *err)
{
    struct hpm_string svg = {0};
    bool is_good;

    hpm_sweep_add_svg(&svg, sweep);
    is_good = storedruns_replace(path, &svg, err);
    hpm_string_free(&svg);
    return is_good;
}

static void
add_report(const struct hpm_compare_view *view, unsigned format,
           struct hpm_string *text)
{
    if (format == COMPARE_JSON)
        hpm_compare_add_json(text, view);
    else if (format == COMPARE_MARKDOWN)
        hpm_compare_add_markdown(text, view);
    else if (view->sweep != NULL)
        hpm_sweep_add_text(text, view->sweep);
    else
        hpm_compare_add_text(text, view);
}

static enum status
print(struct task *task, enum status otherwise)
{
    const struct compareoptions *options = &task->options;
    struct hpm_string text = {0}, command = {0};
    struct hpm_compare_view view = {
        .samples = &task->samples,
        .comparisons = &task->comparisons,
        .notes = hpm_string_text(&task->notes),
        .limits = hpm_string_text(&task->limits),
        .n_crossed = task->n_crossed,
        .seed = options->comparing.seed,
        .has_order = task->samples.block > 0,
        .width = hpm_terminal_width(STDOUT_FILENO),
        .is_coloured = hpm_terminal_has_colours(STDOUT_FILENO)};
    struct hpm_sweep sweep = {.name = options->sweep.name,
                              .values =
                                  (const char *const *)options->sweep.values,
                              .view = &view};
    struct hpm_error err;

    add_command(&options->sweep.command, &command);
    sweep.command = hpm_string_text(&command);
    view.sweep = options->sweep.name != NULL ? &sweep : NULL;
    add_report(&view, options->format, &text);
    if (options->svg != NULL && !draw(&sweep, options->svg, &err))
        otherwise = subcommand_fail("compare", &err, OUTPUT);
    hpm_string_finish(&command, &text.failed);
    return subcommand_print("compare", &text, otherwise);
}

/* Write the report; SOME_BAD where a limit is crossed, else `otherwise`. */
static enum status
report(struct task *task, enum status otherwise)
{
    const struct compareoptions *options = &task->options;
    struct hpm_error err;

    if (task->comparisons.n == 0) {
        subcommand_say("compare", "no side has a value that A has, too: there "
                                  "is nothing to compare");
        return NOTHING;
    }
    if (!hpm_gate_report(&options->limits, &task->samples, &task->comparisons,
                         &task->limits, &task->n_crossed, &err))
        return subcommand_fail("compare", &err, NOTHING);
    if (options->until > 0.0)
        note_unclear(task);
    return print(task, task->n_crossed > 0 ? SOME_BAD : otherwise);
}

/* Write the last side as the baseline; `otherwise` where this worked. */
static enum status
renew(struct task *task, enum status otherwise)
{
    const char *path = task->options.baseline;
    size_t side = task->samples.n_sides - 1;
    struct hpm_error err;

    if (task->n_crossed > 0) {
        subcommand_say("compare",
                       "'%.200s' is left as it was: a limit is crossed", path);
        return otherwise;
    }
    if (!storedruns_write_baseline(&task->samples, side, path, &err))
        return subcommand_fail("compare", &err, OUTPUT);
    subcommand_say("compare", "'%.200s' has %zu runs of '%.200s' now", path,
                   task->samples.sides[side].n_runs,
                   task->samples.sides[side].name);
    return otherwise;
}

/* ---- commands and files ------------------------------------------------ */

static int
end_interrupted(struct task *task, struct hpm_error *err)
{
    size_t n = comparing_n_rounds(&task->comparing);
    int code = BY_SIGNAL + childrun_signal();
    struct hpm_string numbers = {0};

    if (n == 0) {
        subcommand_say("compare", "interrupted before each command had run");
        return code;
    }
    comparing_add_numbers(&task->comparing, &numbers);
    subcommand_say(
        "compare",
        "interrupted; of %zu runs of each command these were made: %s",
        task->most, hpm_string_text(&numbers));
    hpm_string_free(&numbers);
    if (!compare(task, err))
        return subcommand_fail("compare", err, NOTHING);
    if (task->samples.n_sides > 1)
        report(task, GOOD);
    return code;
}

static void
set_rounds(struct task *task)
{
    struct compareoptions *options = &task->options;

    if (!options->has_seed)
        options->comparing.seed = any_seed();
    task->most = USUAL_ROUNDS;
    if (options->until > 0.0)
        task->most = MOST_UNTIL;
    if (options->n_rounds > 0)
        task->most = options->n_rounds;
    if (options->until > 0.0)
        task->n_looks = hpm_stopping_n_looks(task->most);
}

static int
compare_commands(struct task *task, struct hpm_error *err)
{
    struct comparing *comparing = &task->comparing;
    enum comparing_end end;

    set_rounds(task);
    comparing->options = &task->options.comparing;
    comparing->commands = task->options.commands;
    comparing->n_commands = task->options.n_commands;
    if (!comparing_open(comparing, &task->samples, err))
        return subcommand_fail("compare", err, NOTHING);
    childrun_watch();
    end = make_all(task, err);
    childrun_leave();
    comparing_add_notes(comparing, &task->notes);
    if (end == COMPARING_FAILED)
        return NOTHING;
    if (end == COMPARING_INTERRUPTED)
        return end_interrupted(task, err);
    return GOOD;
}

static int
compare_files(struct task *task, struct hpm_error *err)
{
    const struct compareoptions *options = &task->options;
    enum status status = storedruns_read(options->files, options->n_files,
                                         &options->comparing.choice,
                                         options->is_forced, &task->samples);

    if (status != NOTHING && !compare(task, err))
        status = subcommand_fail("compare", err, NOTHING);
    return status;
}

/* Is the baseline read?  A baseline that is only written is not: the old file
 * may contain anything.  With limits it is read, if it exists. */
static bool
reads_baseline(const struct compareoptions *options)
{
    if (options->baseline == NULL || !options->renews)
        return options->baseline != NULL;
    return options->limits.n > 0 &&
           (access(options->baseline, F_OK) == 0 || errno != ENOENT);
}

/* Check all files before anything runs; GOOD, or the status of the problem
 * reported. */
static enum status
open_files(struct task *task, struct hpm_error *err)
{
    const struct compareoptions *options = &task->options;

    if ((options->renews && !storedruns_may_replace(options->baseline, err)) ||
        (options->svg != NULL && !storedruns_may_replace(options->svg, err)))
        return subcommand_fail("compare", err, OUTPUT);
    if (!reads_baseline(options))
        return GOOD;
    if (!storedruns_read_baseline(&task->samples, options->baseline, err))
        return subcommand_fail("compare", err, NOTHING);
    hpm_string_add(&task->notes,
                   "A was measured at another time: times and memory may "
                   "differ by what else the\nmachine did then; counts that "
                   "repeat do not.\n");
    return GOOD;
}

/* Report first, then write the baseline: runs that cross a limit do not become
 * the new baseline. */
static enum status
conclude(struct task *task, enum status status)
{
    const struct compareoptions *options = &task->options;

    if (task->samples.n_sides > 1)
        status = report(task, status);
    else if (options->limits.n > 0)
        subcommand_say("compare",
                       "there is no '%.200s' yet: no limit was judged",
                       options->baseline);
    return options->renews && status <= SOME_BAD ? renew(task, status) : status;
}

static int
conduct(struct task *task, struct hpm_error *err)
{
    int code = (int)open_files(task, err);

    task->n_looks = 1;
    if (code == GOOD)
        code = task->options.n_files > 0 ? compare_files(task, err)
                                         : compare_commands(task, err);
    return code <= SOME_BAD ? (int)conclude(task, (enum status)code) : code;
}

static enum status
run(int argc, char **argv)
{
    struct task *task = hpm_memory_new(1, sizeof *task);
    struct hpm_error err;
    int code;

    if (task == NULL) {
        subcommand_say("compare", "there is no memory");
        return NOTHING;
    }
    code = compareoptions_parse(&task->options, argc, argv, &err)
               ? conduct(task, &err)
               : (int)subcommand_fail("compare", &err, USAGE);
    hpm_comparisons_clear(&task->comparisons);
    comparing_close(&task->comparing);
    hpm_samples_clear(&task->samples);
    compareoptions_clear(&task->options);
    hpm_string_free(&task->notes);
    hpm_string_free(&task->limits);
    hpm_memory_free(task);
    return (enum status)code;
}

const struct subcommand subcommand_compare = {
    .name = "compare",
    .summary = N_("do commands, or builds of a program, differ, and how far?"),
    .help =
        "Usage: hpm compare [options] -- A... -- B... [-- C...]\n"
        "       hpm compare [options] A.hpm.xml... -- B.hpm.xml...\n"
        "\n"
        "Run commands mixed in an order by chance, or take files of runs, and "
        "say for time,\n"
        "memory and every counter how B differs from A: the ratio of the "
        "medians with its\n"
        "95 % interval, whether it differs, and the smallest difference these "
        "runs could\n"
        "have shown.\n"
        "\n" COMPAREOPTIONS_HELP "\n"
        "Exit status: 0 no limit is crossed, 1 one is, or some files are bad, "
        "2 wrong usage,\n"
        "3 nothing could be compared, or a command failed, 4 output failed, "
        "128 + the number\n"
        "of the signal that interrupted it.\n",
    .run = run,
};
