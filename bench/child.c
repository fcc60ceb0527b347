/* SPDX-License-Identifier: BSD-3-Clause
 * Children: one process for each way to set libhpm up. */
#include "child.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "results.h"

extern char **environ;

enum { PATH_ROOM = 4096, MAX_VARIANT = 40 };

static char folder[PATH_ROOM];
static char file_path[PATH_ROOM + 16];
static char errors_path[PATH_ROOM + 16];
static const char *anchor_path;

bool
bench_child_begin(const char *anchor)
{
    const char *parent = getenv("TMPDIR");

    snprintf(folder, sizeof folder, "%s/hpm-bench-XXXXXX",
             parent != NULL && parent[0] == '/' ? parent : "/tmp");
    if (mkdtemp(folder) == NULL) {
        perror(folder);
        return false;
    }
    snprintf(file_path, sizeof file_path, "%s/run.xml", folder);
    snprintf(errors_path, sizeof errors_path, "%s/stderr", folder);
    anchor_path = anchor;
    return true;
}

void
bench_child_end(void)
{
    unlink(file_path);
    unlink(errors_path);
    if (rmdir(folder) != 0)
        perror(folder);
}

/* Remove the user's own HPM_* variables. */
static void
forget_settings(void)
{
    for (char **variable = environ; *variable != NULL;) {
        char name[128];

        if (strncmp(*variable, "HPM_", 4) != 0) {
            variable++;
            continue;
        }
        snprintf(name, sizeof name, "%.*s", (int)strcspn(*variable, "="),
                 *variable);
        if (unsetenv(name) != 0)
            variable++;
    }
}

static void
become_child(const struct bench_child *child, int output)
{
    char job[64], *events;
    int errors = open(errors_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    forget_settings();
    setenv("HPM_OUTPUT_NAME", file_path, 1);
    setenv("HPM_FSYNC", "0", 1);
    for (int i = 0; i < BENCH_MAX_SETTINGS && child->settings[i]; i++)
        putenv((char *)child->settings[i]);
    if (chdir(folder) != 0 || errors < 0 || dup2(output, 1) < 0 ||
        dup2(errors, 2) < 0)
        _exit(126);
    snprintf(job, sizeof job, "%s", child->arguments);
    if (!child->is_anchor)
        execl("/proc/self/exe", "pairs", "--job", job, (char *)NULL);
    events = strchr(job, ' ');
    if (child->is_anchor && events != NULL) {
        *events++ = '\0';
        execl(anchor_path, "anchor", job, events, (char *)NULL);
    }
    _exit(127);
}

void
bench_child_add(const struct bench_child *child, const char *variant, int round,
                double value)
{
    char name[2 * MAX_VARIANT];

    snprintf(name, sizeof name, "%s.%s", child->name, variant);
    bench_results_add(name, round, value);
}

/* False when the line is not a result of a child. */
static bool
take_line(struct bench_child *child, char *line, int round)
{
    char variant[MAX_VARIANT];
    double value;

    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, "refused ", 8) == 0) {
        snprintf(child->refusal, sizeof child->refusal, "%s", line + 8);
        return true;
    }
    if (sscanf(line, "%39s %lf", variant, &value) != 2)
        return false;
    bench_child_add(child, variant, round, value);
    return true;
}

static bool
take_output(struct bench_child *child, int output, int round)
{
    FILE *lines = fdopen(output, "r");
    char line[256];
    bool is_good = lines != NULL;
    int n_lines = 0;

    while (lines != NULL && fgets(line, sizeof line, lines) != NULL) {
        is_good = take_line(child, line, round) && is_good;
        n_lines++;
    }
    if (lines != NULL)
        fclose(lines);
    return is_good && n_lines > 0;
}

static bool
say_broken(const struct bench_child *child, int status)
{
    char *errors = bench_file_read(errors_path);

    fprintf(stderr, "bench: '%s' (%s) broke, status %#x%s%s\n", child->name,
            child->arguments, (unsigned)status, errors != NULL ? ":\n" : "",
            errors != NULL ? errors : "");
    free(errors);
    return false;
}

static void
inspect_file(struct bench_child *child, int round)
{
    char *text = bench_file_read(file_path);

    if (text != NULL && child->inspect != NULL && child->refusal[0] == '\0')
        child->inspect(child, text, round);
    free(text);
    unlink(file_path);
}

bool
bench_child_run(struct bench_child *child, int round)
{
    int ends[2], status = 0;
    bool is_good;
    pid_t pid;

    if (child->refusal[0] != '\0' ||
        (child->max_rounds > 0 && round >= child->max_rounds))
        return true;
    if (child->is_anchor && anchor_path == NULL) {
        strcpy(child->refusal, "built without PAPI");
        return true;
    }
    if (pipe2(ends, O_CLOEXEC) != 0 || (pid = fork()) < 0) {
        perror("bench: no child");
        return false;
    }
    if (pid == 0)
        become_child(child, ends[1]);
    close(ends[1]);
    is_good = take_output(child, ends[0], round);
    if (waitpid(pid, &status, 0) != pid || status != 0 || !is_good)
        return say_broken(child, status);
    inspect_file(child, round);
    return true;
}
