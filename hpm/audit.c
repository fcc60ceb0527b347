/* SPDX-License-Identifier: BSD-3-Clause
 * hpm audit: how far shared counts differ from counts of single events. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/env.h"
#include "host/memory.h"
#include "host/path.h"
#include "host/write.h"
#include "hpm/campaign/auditing.h"
#include "hpm/campaign/campaign.h"
#include "hpm/frame/inputs.h"
#include "study/tool/option.h"
#include "study/words/words.h"

struct options {
    const char *events;
    const char *folder;
    bool has_sections;
    char *const *program;
};

static const struct hpm_option table[] = {
    {'e', "events", HPM_OPTION_WORD(struct options, events)},
    {0, "sections", HPM_OPTION_FLAG(struct options, has_sections)},
    {0, "folder", HPM_OPTION_WORD(struct options, folder)},
};

static bool
parse(struct options *options, int argc, char **argv, struct hpm_error *err)
{
    if (!hpm_options_read("hpm audit", table, sizeof table / sizeof table[0],
                          true, argc, argv, options, err))
        return false;
    if (options->events == NULL)
        return hpm_error_set(err, "expected the events to compare, such as "
                                  "'-e cycles,instructions,...'");
    if (optind == argc)
        return hpm_error_set(err, "expected a program to run, such as 'hpm "
                                  "audit -e LIST ./app'");
    options->program = argv + optind;
    return true;
}

/* ---- runs ------------------------------------------------------------- */

/* What the runs and this program write, all in a new folder. */
struct places {
    struct hpm_string folder, campaign, alone, shared, drawing;
};

static bool
make_places(const struct options *options, struct places *places,
            struct hpm_error *err)
{
    const char *folder;

    if (options->folder != NULL)
        hpm_string_add(&places->folder, options->folder);
    else
        hpm_string_add_format(&places->folder, "%s.audit",
                              hpm_path_base_name(options->program[0]));
    folder = hpm_string_text(&places->folder);
    hpm_string_add_format(&places->campaign, "%s/campaign", folder);
    hpm_string_add_format(&places->alone, "%s/alone.hpm.xml", folder);
    hpm_string_add_format(&places->shared, "%s/shared", folder);
    hpm_string_add_format(&places->drawing, "%s/audit.svg", folder);
    if (places->folder.failed || places->campaign.failed ||
        places->alone.failed || places->shared.failed || places->drawing.failed)
        return hpm_error_no_memory(err);
    if (mkdir(folder, 0777) != 0 || mkdir(places->shared.text, 0777) != 0)
        return hpm_error_set(err,
                             "cannot make the folder '%.200s' (%s); name a new "
                             "one with --folder",
                             folder, strerror(errno));
    return true;
}

static void
clear_places(struct places *places)
{
    hpm_string_free(&places->folder);
    hpm_string_free(&places->campaign);
    hpm_string_free(&places->alone);
    hpm_string_free(&places->shared);
    hpm_string_free(&places->drawing);
}

/* Make as many runs as needed to count each event all the time. */
static enum status
run_alone(const struct options *options, const struct places *places)
{
    const char *const front[] = {"campaign", "-n",
                                 "-e",       options->events,
                                 "--folder", places->campaign.text,
                                 "-o",       places->alone.text};
    const size_t n_front = sizeof front / sizeof *front;
    enum status status;
    size_t n = 0, n_words = 0;
    char **words;

    while (options->program[n] != NULL)
        n++;
    words = hpm_memory_new(n_front + n + 3, sizeof *words);
    if (words == NULL)
        return OUTPUT;
    for (; n_words < n_front; n_words++)
        words[n_words] = (char *)front[n_words];
    if (options->has_sections)
        words[n_words++] = (char *)"--sections";
    words[n_words++] = (char *)"--";
    for (size_t i = 0; i < n; i++)
        words[n_words++] = options->program[i];
    unsetenv(hpm_env_name(HPM_VARIABLE_SHARE));
    optind = 0;
    status = subcommand_campaign.run((int)n_words, words);
    hpm_memory_free(words);
    return status;
}

/* Make one run in which all events take turns. */
static enum status
run_shared(const struct options *options, const struct places *places)
{
    struct hpm_string list = {0};
    struct campaign campaign = {.program = options->program,
                                .lists = &list,
                                .n_sets = 1,
                                .n_repeats = 1,
                                .has_sections = options->has_sections,
                                .input_at = -1};
    int code = OUTPUT;

    hpm_string_add(&list, options->events);
    setenv(hpm_env_name(HPM_VARIABLE_SHARE), "1", 1);
    if (!list.failed)
        code = campaign_make_run(&campaign, (struct campaign_run){0, 0},
                                 places->shared.text);
    hpm_string_free(&list);
    return (enum status)code;
}

/* ---- the comparison ---------------------------------------------------- */

static struct hpm_study *
read_paths(const char *paths, size_t n)
{
    struct inputs inputs = {.command = "audit"};
    struct hpm_study *study = NULL;
    struct hpm_error err;
    char **words = hpm_memory_new(n + 1, sizeof *words);

    for (size_t i = 0; words != NULL && i < n; i++) {
        words[i] = (char *)paths;
        paths += strlen(paths) + 1;
    }
    if (words == NULL || n == 0)
        subcommand_say("audit", "the shared run has written no file");
    else if (!inputs_find(&inputs, words, n, &err))
        subcommand_say("audit", "%s", err.text);
    else
        inputs_merge(&inputs, true, &study);
    inputs_clear(&inputs);
    hpm_memory_free(words);
    return study;
}

static bool
read_both(const struct places *places, struct auditing *auditing)
{
    struct hpm_string paths = {0};
    size_t n = campaign_add_files(places->shared.text, &paths);

    auditing->shared = read_paths(hpm_string_text(&paths), n);
    auditing->alone =
        auditing->shared != NULL ? read_paths(places->alone.text, 1) : NULL;
    hpm_string_free(&paths);
    return auditing->alone != NULL;
}

static bool
write_drawing(const char *path, const struct auditing *auditing)
{
    struct hpm_string text = {0};
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool is_good;

    auditing_add_svg(&text, auditing);
    is_good = fd >= 0 && !text.failed &&
              hpm_write_all(fd, text.text, text.length) == 0;
    if (fd >= 0)
        is_good &= close(fd) == 0;
    hpm_string_free(&text);
    return is_good;
}

static void
add_summary(struct hpm_string *text, const struct auditing *auditing,
            const struct places *places)
{
    size_t n_inside, n;

    auditing_count(auditing, &n_inside, &n);
    hpm_string_add_format(text,
                          _("\n%zu of %zu estimates have the count of the "
                            "other runs in their 95 %% interval;\nwhat "
                            "differs from run to run is in that, too. Drawn "
                            "in %s\n"),
                          n_inside, n, places->drawing.text);
}

static enum status
compare(const struct places *places)
{
    struct auditing auditing = {0};
    struct hpm_string text = {0};
    enum status status = OUTPUT;

    if (!read_both(places, &auditing)) {
        status = NOTHING;
    } else if (!auditing_fill(&auditing)) {
        subcommand_say("audit", "there is no memory");
    } else if (!write_drawing(places->drawing.text, &auditing)) {
        subcommand_say("audit", "audit.svg cannot be written");
    } else {
        auditing_add_text(&text, &auditing);
        add_summary(&text, &auditing, places);
        status = subcommand_print("audit", &text, GOOD);
    }
    hpm_string_free(&text);
    auditing_clear(&auditing);
    return status;
}

static enum status
run(int argc, char **argv)
{
    struct options options = {0};
    struct places places = {0};
    struct hpm_error err;
    enum status status = USAGE;

    if (!parse(&options, argc, argv, &err) ||
        !make_places(&options, &places, &err)) {
        subcommand_say("audit", "%s", err.text);
    } else {
        status = run_alone(&options, &places);
        if (status == GOOD || status == SOME_BAD)
            status = run_shared(&options, &places);
        if (status == GOOD)
            status = compare(&places);
    }
    clear_places(&places);
    return status;
}

const struct subcommand subcommand_audit = {
    .name = "audit",
    .summary = N_("how far shared counts are from those counted alone"),
    .help =
        "Usage: hpm audit -e LIST [options] [--] PROGRAM [ARGUMENT...]\n"
        "\n"
        "Count the events twice: in as many runs as it takes to count each of "
        "them all the\n"
        "time ('hpm campaign'), and in one run in which they take turns "
        "(HPM_SHARE).  Print by\n"
        "how much the two disagree in each section, and draw it, with 95 % "
        "intervals.\n"
        "\n"
        "  -e, --events LIST   these events\n"
        "      --sections      the program measures itself, by libhpm; "
        "otherwise hpmcount\n"
        "                      counts all of it\n"
        "      --folder NAME   what is written, a new folder "
        "(PROGRAM.audit)\n"
        "\n"
        "Exit status: 0 good, that of the program where it is not 0, and of "
        "hpm's own: 1 some\n"
        "events cannot be counted, 2 wrong usage, 3 nothing can be counted, 4 "
        "something cannot\n"
        "be written.\n",
    .run = run,
};
