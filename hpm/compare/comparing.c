/* SPDX-License-Identifier: BSD-3-Clause
 * Running commands in turns, counted by hpmcount. */
#include "hpm/compare/comparing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/env.h"
#include "host/memory.h"
#include "host/path.h"
#include "hpm/frame/childrun.h"
#include "hpm/frame/helper.h"
#include "study/file/reader.h"

enum { NOT_COUNTED = 125, CANNOT_RUN = 126, NOT_FOUND = 127, BY_SIGNAL = 128 };

/* Counted without -e: events that repeat exactly, and cycles. */
static const char usual_events[] = "instructions,cycles,page-faults";

/* ---- the folder -------------------------------------------------------- */

static bool
make_temporary(struct hpm_string *folder, struct hpm_error *err)
{
    const char *parent = getenv("TMPDIR");

    hpm_string_add_format(folder, "%s/hpm-compare-XXXXXX",
                          parent != NULL && parent[0] != '\0' ? parent
                                                              : "/tmp");
    if (folder->failed)
        return hpm_error_no_memory(err);
    return mkdtemp(folder->text) != NULL ||
           hpm_error_set(err, "cannot make a folder '%.200s': %s; set TMPDIR",
                         folder->text, strerror(errno));
}

static bool
make_folder(struct comparing *comparing, struct hpm_error *err)
{
    const char *name = comparing->options->folder;

    comparing->is_temporary = name == NULL;
    if (name == NULL)
        return make_temporary(&comparing->folder, err);
    hpm_string_add(&comparing->folder, name);
    return mkdir(name, 0777) == 0 ||
           hpm_error_set(err, "cannot make the folder '%.200s': %s%s", name,
                         strerror(errno),
                         errno == EEXIST ? "; name another one" : "");
}

/* Append the path of a file in the folder. */
static void
add_path(const struct comparing *comparing, const char *name,
         struct hpm_string *path)
{
    hpm_string_add_format(path, "%s/%s", hpm_string_text(&comparing->folder),
                          name);
}

static void
empty_folder(const struct comparing *comparing)
{
    DIR *folder = opendir(hpm_string_text(&comparing->folder));
    const struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(folder), entry->d_name, 0);
    }
    if (folder != NULL)
        closedir(folder);
}

static int
letter(const struct comparing *comparing, size_t command)
{
    return (int)('A' + comparing->first_side + command);
}

/* ---- open and close ---------------------------------------------------- */

static void
add_name(const struct comparing_command *command, struct hpm_string *name)
{
    if (command->variable != NULL)
        hpm_string_add_format(name, "%s=%s ", command->variable,
                              command->value);
    for (size_t i = 0; i < command->n_words; i++)
        hpm_string_add_format(name, "%s%s", i > 0 ? " " : "",
                              command->words[i]);
}

bool
comparing_open(struct comparing *comparing, struct hpm_samples *samples,
               struct hpm_error *err)
{
    comparing->samples = samples;
    comparing->random.state = comparing->options->seed;
    comparing->input_at = lseek(STDIN_FILENO, 0, SEEK_CUR);
    comparing->first_side = samples->n_sides;
    samples->block = samples->n_sides == 0 ? HPM_COMPARISON_BLOCK : 0;
    hpm_samples_add_subject(samples, "");
    for (size_t i = 0; i < comparing->n_commands; i++) {
        struct hpm_string name = {0};

        add_name(&comparing->commands[i], &name);
        hpm_samples_add_side(samples, hpm_string_text(&name));
        hpm_string_finish(&name, &samples->failed);
    }
    comparing->intake =
        hpm_intake_new(samples, &comparing->options->choice, err);
    return comparing->intake != NULL && make_folder(comparing, err) &&
           helper_find_hpmcount(&comparing->hpmcount, err);
}

void
comparing_close(struct comparing *comparing)
{
    if (comparing->is_temporary && comparing->folder.length > 0) {
        empty_folder(comparing);
        rmdir(hpm_string_text(&comparing->folder));
    }
    hpm_intake_free(comparing->intake);
    hpm_string_free(&comparing->hpmcount);
    hpm_string_free(&comparing->folder);
    hpm_string_free(&comparing->notes);
}

/* ---- one run ----------------------------------------------------------- */

/* The environment of a run, set in the child: standard input is read from its
 * start if it is a file, else it is empty; output is dropped unless the user
 * wants it. */
struct stage {
    const struct comparing *comparing;
    const struct comparing_command *command;
    const char *errors;  /* a file for its standard error */
    const char *pattern; /* of its own performance files, or NULL */
};

static void
open_as(const char *path, int flags, int as)
{
    int fd = open(path, flags, 0666);

    if (fd >= 0 && fd != as) {
        dup2(fd, as);
        close(fd);
    }
}

static void
set_stage(void *owner)
{
    const struct stage *stage = owner;
    const struct comparing_options *options = stage->comparing->options;

    if (stage->comparing->input_at >= 0)
        lseek(STDIN_FILENO, stage->comparing->input_at, SEEK_SET);
    else
        open_as("/dev/null", O_RDONLY, STDIN_FILENO);
    if (stage->command->variable != NULL)
        setenv(stage->command->variable, stage->command->value, 1);
    if (stage->pattern != NULL) {
        setenv(hpm_env_name(HPM_VARIABLE_OUTPUT_NAME), stage->pattern, 1);
        if (options->events != NULL)
            setenv(hpm_env_name(HPM_VARIABLE_EVENTS), options->events, 1);
    }
    if (options->shows_output)
        return;
    open_as("/dev/null", O_WRONLY, STDOUT_FILENO);
    open_as(stage->errors, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
}

static const char not_counted[] = "hpmcount: not counted:";

/* Print the last lines that the run wrote to standard error. */
static void
say_errors(const char *path)
{
    char text[1001];
    FILE *file = fopen(path, "re");
    size_t length;

    if (file == NULL)
        return;
    if (fseek(file, -1000, SEEK_END) != 0)
        rewind(file);
    length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    for (const char *line = text; *line != '\0';) {
        size_t end = strcspn(line, "\n");

        /* the report says this, and it is not the reason of the failure */
        if (strncmp(line, not_counted, sizeof not_counted - 1) != 0)
            subcommand_say("compare", "%.*s", (int)end, line);
        line += end + (line[end] == '\n');
    }
}

/* The exit status as a shell has it. */
static int
code_of(int status)
{
    if (status == -1)
        return CANNOT_RUN;
    return WIFSIGNALED(status) ? BY_SIGNAL + WTERMSIG(status)
                               : WEXITSTATUS(status);
}

static void
say_failure(const struct comparing *comparing, size_t side, int code,
            const char *errors)
{
    const char *program = comparing->commands[side].words[0];

    say_errors(errors);
    if (code > BY_SIGNAL)
        subcommand_say("compare",
                       "%c ('%.100s') was ended by signal %d in run %zu",
                       letter(comparing, side), program, code - BY_SIGNAL,
                       comparing->commands[side].n_runs + 1);
    else
        subcommand_say("compare",
                       "%c ('%.100s') ended with exit status %d in run %zu%s",
                       letter(comparing, side), program, code,
                       comparing->commands[side].n_runs + 1,
                       code >= NOT_COUNTED && code <= NOT_FOUND
                           ? ""
                           : "; --ignore-status goes on");
}

/* The words before the command, and the command. */
static char **
make_words(const struct comparing *comparing, size_t side, const char *pattern)
{
    const struct comparing_command *command = &comparing->commands[side];
    const char *events = comparing->options->events;
    const char *const front[] = {hpm_string_text(&comparing->hpmcount),
                                 "-n",
                                 "-e",
                                 events != NULL ? events : usual_events,
                                 "-o",
                                 pattern,
                                 "--"};
    size_t n_front =
        comparing->options->has_sections ? 0 : sizeof front / sizeof front[0];
    char **words =
        hpm_memory_new(n_front + command->n_words + 1, sizeof *words);

    for (size_t i = 0; words != NULL && i < n_front; i++)
        words[i] = (char *)front[i];
    for (size_t i = 0; words != NULL && i < command->n_words; i++)
        words[n_front + i] = command->words[i];
    return words;
}

/* Run the command, which writes the file `path`; returns its exit status. */
static int
run_once(struct comparing *comparing, size_t side, const char *path,
         const char *errors)
{
    struct hpm_string pattern = {0};
    struct stage stage = {comparing, &comparing->commands[side], errors, NULL};
    char **words;
    int code = CANNOT_RUN;

    childrun_add_pattern(&pattern, path);
    if (comparing->options->has_sections)
        stage.pattern = hpm_string_text(&pattern);
    words = make_words(comparing, side, hpm_string_text(&pattern));
    if (words != NULL && !pattern.failed)
        code = code_of(childrun_wait("compare", words, set_stage, &stage));
    else
        subcommand_say("compare", "there is no memory");
    hpm_memory_free(words);
    hpm_string_free(&pattern);
    comparing->n_started++;
    return code;
}

static bool
prepare(const struct comparing *comparing)
{
    const char *line = comparing->options->prepare;
    char shell[] = "sh", option[] = "-c";
    char *const words[] = {shell, option, (char *)line, NULL};
    int code;

    if (line == NULL)
        return true;
    code = code_of(childrun_wait("compare", words, NULL, NULL));
    if (code != 0 && childrun_signal() == 0)
        subcommand_say("compare", "--prepare '%.100s' ended with status %d",
                       line, code);
    return code == 0;
}

/* A program that measures itself has a file for each process.  One of several
 * files must not stand for the whole run. */
static bool
is_one_file(const struct comparing *comparing, const char *path,
            struct hpm_error *err)
{
    DIR *folder = opendir(hpm_string_text(&comparing->folder));
    const char *name = hpm_path_base_name(path);
    size_t length = strcspn(name, "."), n = 0;
    const struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL)
        n += strncmp(entry->d_name, name, length) == 0;
    if (folder != NULL)
        closedir(folder);
    if (n == 0)
        return hpm_error_set(err, "a run has left no performance file; is the "
                                  "program linked with libhpm? Without "
                                  "--sections the whole program is counted");
    return n == 1 ||
           hpm_error_set(err,
                         "a run has left %zu performance files, of several "
                         "processes; merge those of each run (hpm merge), "
                         "and compare the results",
                         n);
}

/* Note events that this machine does not count, once after the first run. */
static void
note_uncounted(struct comparing *comparing, const struct hpm_study *study)
{
    const struct hpm_task *task = &study->tasks[0];
    bool is_first = true;

    if (comparing->is_noted || study->n_tasks == 0)
        return;
    comparing->is_noted = true;
    for (size_t i = 0; i < task->n_counters; i++) {
        if (hpm_said_state(task->counters[i].said_state) < HPM_STATE_LOST)
            continue;
        hpm_string_add_format(&comparing->notes, "%s%s",
                              is_first ? "Not counted: " : ", ",
                              task->counters[i].name);
        is_first = false;
    }
    if (!is_first)
        hpm_string_add(&comparing->notes, "; hpm doctor says why.\n");
}

/* Take the values from the file of a run. */
static bool
take(struct comparing *comparing, size_t side, const char *path,
     struct hpm_error *err)
{
    struct hpm_reader_report report = {.n_unknown = 0};
    struct hpm_study *study = NULL;
    bool is_good;

    if (!comparing->options->has_sections || is_one_file(comparing, path, err))
        study = hpm_reader_read(path, 0, &report, err);
    hpm_notes_free(&report.notes);
    if (study == NULL)
        return false;
    note_uncounted(comparing, study);
    is_good =
        hpm_intake_take(comparing->intake, study, comparing->first_side + side,
                        comparing->commands[side].n_runs, err);
    hpm_study_free(study);
    return is_good;
}

static bool
is_own_failure(int code)
{
    return code >= NOT_COUNTED && code <= NOT_FOUND;
}

/* Count a run whose values were taken.  A run ended by the user's signal is not
 * counted, nor is it a failure of the command. */
static void
note_run(struct comparing_command *command, int code)
{
    command->n_runs++;
    command->n_failed += code != 0;
    if (code != 0)
        command->last_exit = code;
}

/* Run a command and check how it ended; warm-up runs are not counted. */
static enum comparing_end
make_run(struct comparing *comparing, size_t side, bool is_counted)
{
    struct comparing_command *command = &comparing->commands[side];
    struct hpm_string path = {0}, errors = {0}, name = {0};
    enum comparing_end end = COMPARING_GOOD;
    struct hpm_error err;
    int code;

    hpm_string_add_format(&name, "%c-%04zu.hpm.xml", letter(comparing, side),
                          comparing->n_started + 1);
    add_path(comparing, hpm_string_text(&name), &path);
    add_path(comparing, "errors", &errors);
    code = run_once(comparing, side, hpm_string_text(&path),
                    hpm_string_text(&errors));
    if (childrun_signal() != 0) {
        end = COMPARING_INTERRUPTED;
    } else if (code != 0 &&
               (is_own_failure(code) || !comparing->options->ignores_status)) {
        say_failure(comparing, side, code, hpm_string_text(&errors));
        end = COMPARING_FAILED;
    } else if (is_counted &&
               !take(comparing, side, hpm_string_text(&path), &err)) {
        subcommand_say("compare", "%s", err.text);
        end = COMPARING_FAILED;
    } else if (is_counted) {
        note_run(command, code);
    }
    if (comparing->is_temporary || !is_counted)
        unlink(hpm_string_text(&path));
    unlink(hpm_string_text(&errors));
    hpm_string_free(&path);
    hpm_string_free(&errors);
    hpm_string_free(&name);
    return end;
}

/* ---- rounds ------------------------------------------------------------ */

static enum comparing_end
make_turn(struct comparing *comparing, size_t side, bool is_counted)
{
    if (!prepare(comparing))
        return childrun_signal() != 0 ? COMPARING_INTERRUPTED
                                      : COMPARING_FAILED;
    return make_run(comparing, side, is_counted);
}

enum comparing_end
comparing_warm_up(struct comparing *comparing)
{
    size_t n = comparing->options->n_warmups * comparing->n_commands;
    enum comparing_end end = COMPARING_GOOD;

    for (size_t i = 0; i < n && end == COMPARING_GOOD; i++)
        end = make_turn(comparing, i % comparing->n_commands, false);
    return end;
}

enum comparing_end
comparing_make_block(struct comparing *comparing, size_t n_rounds,
                     struct progress *progress)
{
    size_t order[HPM_COMPARISON_BLOCK * HPM_SAMPLES_MOST_SIDES];
    size_t n = n_rounds * comparing->n_commands;
    enum comparing_end end = COMPARING_GOOD;

    for (size_t i = 0; i < n; i++)
        order[i] = i % comparing->n_commands;
    hpm_random_shuffle(&comparing->random, order, n);
    for (size_t i = 0; i < n && end == COMPARING_GOOD; i++) {
        end = make_turn(comparing, order[i], true);
        progress_step(progress);
    }
    return end;
}

size_t
comparing_n_rounds(const struct comparing *comparing)
{
    size_t least = SIZE_MAX;

    for (size_t i = 0; i < comparing->n_commands; i++) {
        if (comparing->commands[i].n_runs < least)
            least = comparing->commands[i].n_runs;
    }
    return least;
}

void
comparing_add_numbers(const struct comparing *comparing,
                      struct hpm_string *numbers)
{
    for (size_t i = 0; i < comparing->n_commands; i++)
        hpm_string_add_format(numbers, "%s%c %zu", i > 0 ? ", " : "",
                              letter(comparing, i),
                              comparing->commands[i].n_runs);
}

void
comparing_add_notes(struct comparing *comparing, struct hpm_string *notes)
{
    hpm_string_add(notes, hpm_string_text(&comparing->notes));
    for (size_t i = 0; i < comparing->n_commands; i++) {
        const struct comparing_command *command = &comparing->commands[i];

        if (command->n_failed > 0)
            hpm_string_add_format(
                notes,
                "%c ended with another status than 0 in %zu of %zu runs, last "
                "with %d.\n",
                letter(comparing, i), command->n_failed, command->n_runs,
                command->last_exit);
    }
}
