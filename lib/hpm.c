/* SPDX-License-Identifier: BSD-3-Clause
 * The public calls: thin, over the recorder; and what happens at the end. */
#include "config.h"

#include "libhpm.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/env.h"
#include "base/launcher.h"
#include "base/memory.h"
#include "base/string.h"
#include "base/write.h"
#include "file/output.h"
#include "file/pattern.h"
#include "file/writer.h"
#include "record/recorder.h"
#include "record/run.h"
#include "report/sections.h"

/* What was chosen at init and holds until the end, forks included. */
struct settings {
    struct hpm_run run; /* program, task, pid: what file names are made of */
    char *pattern;
    char *report; /* HPM_REPORT; NULL for none */
    bool is_synced;
    struct hpm_eventset set;
    struct hpm_destination file;
    struct hpm_destination fallback; /* the default name, first folder */
    struct hpm_destination report_file;
    bool has_file, has_fallback, has_report_file;
    dev_t stderr_device;
    ino_t stderr_inode;
};

enum stage { BEFORE, RUNNING, ENDED };

static struct {
    pthread_mutex_t lock; /* of init and end */
    atomic_int stage;
    struct settings settings;
    struct hpm_recorder *recorder;
    struct hpm_recorder *inherited; /* in a forked child: its parent's */
    pthread_key_t thread_key;       /* its destructor sees threads end */
    bool said_init_again;
} hpm = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The calling thread's part; HAS_LEFT after its end. */
static __thread struct hpm_thread *current
    __attribute__((tls_model("initial-exec")));
static struct hpm_thread has_left;
#define HAS_LEFT (&has_left)

/* The calling thread is in init, registration or the end, which take locks and
 * memory: a signal handler must not come back here. */
static __thread volatile bool is_inside;

/* ---- messages -------------------------------------------------------- */

static void
note_stderr(struct settings *settings)
{
    struct stat status;

    if (fstat(STDERR_FILENO, &status) == 0) {
        settings->stderr_device = status.st_dev;
        settings->stderr_inode = status.st_ino;
    }
}

/* The program may have closed standard error and opened a file of its own in
 * its place: write only where it was at init. */
static bool
is_stderr_still(void)
{
    struct stat status;

    return fstat(STDERR_FILENO, &status) == 0 &&
           status.st_dev == hpm.settings.stderr_device &&
           status.st_ino == hpm.settings.stderr_inode;
}

static void
write_stderr(const char *text, size_t length)
{
    if (is_stderr_still())
        hpm_write_all(STDERR_FILENO, text, length);
}

static void
say(const char *sentence)
{
    struct hpm_string line = {0};

    hpm_string_add_format(&line, "hpm: %s\n", sentence);
    write_stderr(hpm_string_text(&line), line.length);
    hpm_string_free(&line);
}

static void say_format(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

static void
say_format(const char *format, ...)
{
    char sentence[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    say(sentence);
}

static void
say_lines(const struct hpm_string *lines)
{
    char *copy = hpm_memory_copy_text(hpm_string_text(lines));
    char *rest = NULL;

    for (char *line = copy != NULL ? strtok_r(copy, "\n", &rest) : NULL;
         line != NULL; line = strtok_r(NULL, "\n", &rest))
        say(line);
    hpm_memory_free(copy);
}

/* ---- init ------------------------------------------------------------ */

static void
check_environment(void)
{
    struct hpm_string lines = {0};

    hpm_env_check(&lines);
    say_lines(&lines);
    hpm_string_free(&lines);
}

static void
choose_run(struct hpm_run *run, int task, const char *program)
{
    int rank = hpm_launcher_rank();
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    if (program == NULL || program[0] == '\0')
        program = program_invocation_short_name;
    if (task >= 0 && rank >= 0 && task != rank)
        say_format("hpmInit says task %d, the launcher rank %d; using %d",
                   task, rank, task);
    if (task < 0)
        task = rank >= 0 ? rank : 0;
    hpm_run_describe(run, program, task, &now);
}

static enum hpm_domain
choose_domain(void)
{
    const char *word = hpm_env_get(HPM_VARIABLE_DOMAIN);
    enum hpm_domain domain = HPM_DOMAIN_USER;

    if (word != NULL && !hpm_domain_from_name(word, &domain))
        say_format("HPM_DOMAIN='%.40s' is unknown; expected user, kernel or "
                   "all; using user", word);
    return domain;
}

/* Where a process section starts and ends, these say what the process did
 * besides counting: they cost little there. */
static const char process_events[] =
    "ru::utime,ru::stime,ru::minflt,ru::majflt,ru::nvcsw,ru::nivcsw";

static void
choose_events(struct hpm_eventset *set)
{
    const char *choice = hpm_env_get(HPM_VARIABLE_SOURCE);
    const struct hpm_source *const *sources = hpm_source_choose(choice);
    enum hpm_domain domain = choose_domain();
    struct hpm_string reasons = {0};
    struct hpm_error err;

    if (sources == NULL) {
        say_format("HPM_SOURCE='%.40s' is unknown; expected auto, kernel, "
                   "usage or none; using auto", choice);
        sources = hpm_source_choose(NULL);
    }
    if (!hpm_eventset_choose(set, NULL, NULL, domain, sources, &err))
        say(err.text);
    hpm_eventset_explain(set, &reasons);
    say_lines(&reasons);
    hpm_string_free(&reasons);
    if (sources[0] != NULL)
        hpm_eventset_add_process(set, process_events, domain, sources, &err);
}

static bool
fix_destination(struct hpm_destination *ret_destination, const char *pattern,
                struct hpm_error *err)
{
    char *path = hpm_pattern_expand(pattern, &hpm.settings.run, err);
    bool is_good = path != NULL &&
                   hpm_destination_fix(ret_destination, path, err);

    hpm_memory_free(path);
    return is_good;
}

/* Told now, not after hours of computing. */
static void
choose_files(struct settings *settings)
{
    struct hpm_error err;

    settings->has_fallback =
        fix_destination(&settings->fallback, HPM_DEFAULT_PATTERN, &err);
    settings->has_file =
        fix_destination(&settings->file, settings->pattern, &err);
    if (!settings->has_file && settings->has_fallback)
        say_format("%s; the file will be %s/%s", err.text,
                   settings->fallback.folder, settings->fallback.name);
    else if (!settings->has_file)
        say_format("%s; set HPM_OUTPUT_NAME to a place for the file",
                   err.text);
    if (settings->report != NULL && strcmp(settings->report, "stderr") != 0) {
        settings->has_report_file =
            fix_destination(&settings->report_file, settings->report, &err);
        if (!settings->has_report_file)
            say_format("HPM_REPORT: %s; there will be no report", err.text);
    }
}

static void
read_settings(struct settings *settings)
{
    const char *pattern = hpm_env_get(HPM_VARIABLE_OUTPUT_NAME);
    const char *report = hpm_env_get(HPM_VARIABLE_REPORT);

    settings->pattern =
        hpm_memory_copy_text(pattern != NULL ? pattern : HPM_DEFAULT_PATTERN);
    if (report != NULL && strcmp(report, "none") != 0)
        settings->report = hpm_memory_copy_text(report);
    settings->is_synced = hpm_env_is_on(HPM_VARIABLE_FSYNC, true);
}

static void
leave_thread(void *thread)
{
    struct hpm_recorder *recorder = hpm.recorder;

    current = HAS_LEFT;
    if (recorder != NULL && thread != HAS_LEFT)
        hpm_recorder_leave(recorder, thread);
}

static bool
start_recorder(void)
{
    struct hpm_error err;

    hpm.recorder = hpm_recorder_new(&hpm.settings.set, say, &err);
    if (hpm.recorder == NULL) {
        say_format("%s; nothing is measured", err.text);
        return false;
    }
    if (hpm_env_is_on(HPM_VARIABLE_PROCESS, false))
        hpm_process_open(&hpm.recorder->process);
    return true;
}

/* A forked child starts from zero, with a file of its own: what it inherited
 * of its parent is forgotten.  The parent's counters are only closed, which
 * does not touch them; its memory is left, for another thread may have held
 * it half changed at the fork. */
static void
after_fork_in_child(void)
{
    struct hpm_recorder *inherited = hpm.recorder;

    pthread_mutex_init(&hpm.lock, NULL);
    is_inside = false;
    current = NULL;
    pthread_setspecific(hpm.thread_key, NULL);
    if (inherited == NULL || atomic_load(&hpm.stage) != RUNNING)
        return;
    for (struct hpm_thread *thread = inherited->threads; thread != NULL;
         thread = thread->next)
        hpm_meter_stop(thread->meter);
    if (inherited->process.meter != NULL)
        hpm_meter_stop(inherited->process.meter);
    inherited->inherited = hpm.inherited;
    hpm.inherited = inherited;
    hpm.recorder = NULL;
}

/* The child's first call: a recorder of its own, and names with its id. */
static void
start_in_child(void)
{
    struct settings *settings = &hpm.settings;

    settings->run.pid = getpid();
    if (settings->has_fallback)
        hpm_destination_clear(&settings->fallback);
    if (settings->has_file)
        hpm_destination_clear(&settings->file);
    if (settings->has_report_file)
        hpm_destination_clear(&settings->report_file);
    choose_files(settings);
    start_recorder();
}

/* With the lock held. */
static void
init(int task, const char *program)
{
    struct settings *settings = &hpm.settings;

    atomic_store(&hpm.stage, ENDED);
    if (getauxval(AT_SECURE) != 0 ||
        hpm_env_is_on(HPM_VARIABLE_DISABLE, false))
        return;
    note_stderr(settings);
    check_environment();
    read_settings(settings);
    choose_run(&settings->run, task, program);
    hpm_clock_init();
    choose_events(&settings->set);
    choose_files(settings);
    if (settings->pattern == NULL || settings->run.program == NULL ||
        pthread_key_create(&hpm.thread_key, leave_thread) != 0) {
        say("out of memory; nothing is measured");
        return;
    }
    pthread_atfork(NULL, NULL, after_fork_in_child);
    if (start_recorder())
        atomic_store(&hpm.stage, RUNNING);
}

/* The cold paths run with the program's errno kept, and their thread not to be
 * cancelled half-way. */
struct calm {
    int saved_errno;
    int cancel_state;
};

static struct calm
begin_calm(void)
{
    struct calm calm = {.saved_errno = errno};

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &calm.cancel_state);
    return calm;
}

static void
end_calm(struct calm calm)
{
    pthread_setcancelstate(calm.cancel_state, &calm.cancel_state);
    errno = calm.saved_errno;
}

/* The same, alone in init, registration or the end; false for a signal handler
 * that interrupted one of them in this thread. */
static bool
begin_alone(struct calm *ret_calm)
{
    if (is_inside)
        return false;
    is_inside = true;
    *ret_calm = begin_calm();
    pthread_mutex_lock(&hpm.lock);
    return true;
}

static void
end_alone(struct calm calm)
{
    pthread_mutex_unlock(&hpm.lock);
    end_calm(calm);
    is_inside = false;
}

void
hpmInit(int task, const char *program)
{
    struct calm calm;

    if (!begin_alone(&calm))
        return;
    if (atomic_load(&hpm.stage) == BEFORE)
        init(task, program);
    else if (atomic_load(&hpm.stage) == RUNNING && !hpm.said_init_again) {
        hpm.said_init_again = true;
        say("hpmInit was called again or after the first section; ignored");
    }
    end_alone(calm);
}

/* The calling thread's first call; NULL when there is nothing to measure. */
static struct hpm_thread *
enter(void)
{
    struct hpm_thread *thread = NULL;
    struct calm calm;

    if (!begin_alone(&calm))
        return NULL;
    if (atomic_load(&hpm.stage) == BEFORE)
        init(-1, NULL);
    if (atomic_load(&hpm.stage) == RUNNING && hpm.recorder == NULL)
        start_in_child();
    if (atomic_load(&hpm.stage) == RUNNING && hpm.recorder != NULL)
        thread = hpm_recorder_enter(hpm.recorder);
    current = thread != NULL ? thread : HAS_LEFT;
    if (thread != NULL)
        pthread_setspecific(hpm.thread_key, thread);
    end_alone(calm);
    return thread;
}

/* The calling thread's part, busy until hpm_recorder_end_call; NULL when the
 * call is to do nothing. */
static inline struct hpm_thread *
begin_call(void)
{
    struct hpm_thread *thread = current;

    if (__builtin_expect(thread == NULL, 0))
        thread = enter();
    if (__builtin_expect(thread == NULL || thread == HAS_LEFT, 0) ||
        !hpm_recorder_begin_call(hpm.recorder, thread))
        return NULL;
    return thread;
}

/* ---- edges ----------------------------------------------------------- */

void
hpmTstartAt(int id, const char *label, const char *file, int line)
{
    struct hpm_thread *thread = begin_call();

    if (thread == NULL)
        return;
    hpm_thread_start(thread, id, label, file, line,
                     hpm_process_innermost(&hpm.recorder->process));
    hpm_recorder_end_call(thread);
}

void
hpmTstopAt(int id, const char *file, int line)
{
    struct hpm_thread *thread = begin_call();

    if (thread == NULL)
        return;
    hpm_thread_stop(thread, id, file, line);
    hpm_recorder_end_call(thread);
}

void
hpmStartAt(int id, const char *label, const char *file, int line)
{
    struct hpm_thread *thread = begin_call();
    struct calm calm;

    if (thread == NULL)
        return;
    calm = begin_calm();
    hpm_process_start(&hpm.recorder->process, id, label, file, line);
    end_calm(calm);
    hpm_recorder_end_call(thread);
}

void
hpmStopAt(int id, const char *file, int line)
{
    struct hpm_thread *thread = begin_call();
    struct calm calm;

    if (thread == NULL)
        return;
    calm = begin_calm();
    hpm_process_stop(&hpm.recorder->process, id, file, line);
    end_calm(calm);
    hpm_recorder_end_call(thread);
}

void(hpmTstart)(int id, const char *label)
{
    hpmTstartAt(id, label, NULL, 0);
}

void(hpmTstop)(int id)
{
    hpmTstopAt(id, NULL, 0);
}

void(hpmStart)(int id, const char *label)
{
    hpmStartAt(id, label, NULL, 0);
}

void(hpmStop)(int id)
{
    hpmStopAt(id, NULL, 0);
}

/* ---- the end --------------------------------------------------------- */

/* Name the file, and say so where its name is another than asked for. */
static bool
commit(struct hpm_output *output, const struct hpm_destination *destination,
       struct hpm_error *err)
{
    char *path = NULL;

    if (!hpm_output_commit(output, hpm.settings.is_synced, &path, err))
        return false;
    if (strcmp(hpm_string_base_name(path), destination->name) != 0)
        say_format("%s exists already; wrote %s", destination->name, path);
    hpm_memory_free(path);
    return true;
}

static bool
write_file(const struct hpm_destination *destination,
           const struct hpm_experiment *experiment, struct hpm_error *err)
{
    struct hpm_output *output = hpm_output_open(destination, err);

    if (output == NULL)
        return false;
    if (!hpm_writer_write(experiment, output, err)) {
        hpm_output_abandon(output);
        return false;
    }
    return commit(output, destination, err);
}

static void
write_performance_file(const struct hpm_experiment *experiment)
{
    struct settings *settings = &hpm.settings;
    struct hpm_error err = {.text = "no place for the file was found"};
    struct hpm_error second;

    if (settings->has_file && write_file(&settings->file, experiment, &err))
        return;
    if (settings->has_fallback &&
        write_file(&settings->fallback, experiment, &second)) {
        if (settings->has_file)
            say_format("%s; the file is %s/%s", err.text,
                       settings->fallback.folder, settings->fallback.name);
        return;
    }
    say_format("%s; the measurement is lost (HPM_REPORT=stderr shows it as "
               "text)", err.text);
}

static void
write_report(const struct hpm_experiment *experiment)
{
    struct settings *settings = &hpm.settings;
    struct hpm_string text = {0};
    struct hpm_error err;
    struct hpm_output *output;

    if (settings->report == NULL)
        return;
    hpm_sections_add_text(&text, experiment);
    if (text.failed) {
        say("out of memory; there is no report");
    } else if (strcmp(settings->report, "stderr") == 0) {
        write_stderr(text.text, text.length);
    } else if (settings->has_report_file) {
        output = hpm_output_open(&settings->report_file, &err);
        if (output != NULL)
            hpm_output_write(output, text.text, text.length);
        if (output == NULL || !commit(output, &settings->report_file, &err))
            say_format("HPM_REPORT: %s", err.text);
    }
    hpm_string_free(&text);
}

/* With the lock held, by the one thread that ends it. */
static void
end(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_thread *self = current != HAS_LEFT ? current : NULL;
    struct settings *settings = &hpm.settings;
    struct hpm_error err;
    bool is_good;

    if (experiment == NULL) {
        say("out of memory; the measurement is lost");
        return;
    }
    is_good =
        hpm_run_describe(&experiment->run, settings->run.program,
                         settings->run.task, &hpm.recorder->start_date) &&
        hpm_recorder_harvest(hpm.recorder, self, experiment, &err) &&
        hpm_run_describe_machine(&experiment->machine,
                                 hpm.recorder->ns_per_tick);
    if (is_good) {
        write_performance_file(experiment);
        write_report(experiment);
    } else {
        say("out of memory; the measurement is lost");
    }
    hpm_experiment_free(experiment);
}

static void
end_once(void)
{
    struct calm calm;

    if (!begin_alone(&calm))
        return;
    if (atomic_load(&hpm.stage) == RUNNING && hpm.recorder != NULL)
        end();
    atomic_store(&hpm.stage, ENDED);
    end_alone(calm);
}

void
hpmTerminate(int task)
{
    (void)task;
    end_once();
}

/* After all atexit handlers and destructors of the program, which may measure
 * too. */
static void at_exit(void) __attribute__((destructor));

static void
at_exit(void)
{
    end_once();
}
