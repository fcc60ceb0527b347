/* SPDX-License-Identifier: BSD-3-Clause
 * The options of hpm compare. */
#include "hpm/compare/compareoptions.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "study/tool/option.h"

enum { MOST_ROUNDS = 10000 };

/* ---- values ------------------------------------------------------------- */

/* Read "3", "3%", "3 %", "0.5". */
static bool
read_until(void *options, const char *word, struct hpm_error *err)
{
    char *end;
    double percent = strtod(word, &end);

    end += strspn(end, " %");
    if (end == word || *end != '\0' || !(percent > 0.0 && percent <= 100.0))
        return hpm_error_set(err,
                             "--until '%.40s': expected per cent from more "
                             "than 0 to 100, such as 2",
                             word);
    ((struct compareoptions *)options)->until = percent / 100.0;
    return true;
}

static bool
read_seed(void *options, const char *word, struct hpm_error *err)
{
    struct compareoptions *to = options;

    to->has_seed = true;
    return hpm_string_to_count(word, &to->comparing.seed) ||
           hpm_error_set(err, "--seed '%.40s': expected a whole number", word);
}

static bool
read_limit(void *options, const char *word, struct hpm_error *err)
{
    return hpm_gate_add(&((struct compareoptions *)options)->limits, word, err);
}

static char *
copy_part(const char *text, size_t length)
{
    struct hpm_string copy = {0};
    char *part;

    hpm_string_add_bytes(&copy, text, length);
    part = copy.failed ? NULL : hpm_memory_copy_text(hpm_string_text(&copy));
    hpm_string_free(&copy);
    return part;
}

/* Read "threads=1,2,4". */
static bool
read_sweep(void *options, const char *word, struct hpm_error *err)
{
    struct compareoptions_sweep *sweep =
        &((struct compareoptions *)options)->sweep;
    const char *sign = strchr(word, '=');

    if (sign == NULL || sign == word || sweep->name != NULL)
        return hpm_error_set(err,
                             "--sweep '%.40s': expected one parameter and "
                             "its values, such as threads=1,2,4",
                             word);
    sweep->name = copy_part(word, (size_t)(sign - word));
    for (const char *at = sign; *at != '\0'; at += 1 + strcspn(at + 1, ",")) {
        size_t length = strcspn(at + 1, ",");

        if (length == 0 || sweep->n_values == HPM_SAMPLES_MOST_SIDES)
            return hpm_error_set(
                err,
                "--sweep '%.40s': expected from 2 to %d values "
                "with commas between, none empty",
                word, HPM_SAMPLES_MOST_SIDES);
        sweep->values[sweep->n_values++] = copy_part(at + 1, length);
    }
    return sweep->n_values > 1 ||
           hpm_error_set(err, "--sweep '%.40s': expected two values at least",
                         word);
}

static const char *const formats[] = {"text", "json", "markdown", NULL};

#define OPTIONS struct compareoptions

static const struct hpm_option table[] = {
    {'r', "runs", HPM_OPTION_NUMBER(OPTIONS, n_rounds, 1, MOST_ROUNDS)},
    {0, "until", HPM_OPTION_READ(read_until)},
    {0, "warmup",
     HPM_OPTION_NUMBER(OPTIONS, comparing.n_warmups, 0, MOST_ROUNDS)},
    {0, "prepare", HPM_OPTION_WORD(OPTIONS, comparing.prepare)},
    {'e', "events", HPM_OPTION_WORD(OPTIONS, comparing.events)},
    {0, "only", HPM_OPTION_WORD(OPTIONS, comparing.choice.metrics)},
    {0, "section", HPM_OPTION_WORD(OPTIONS, comparing.choice.section)},
    {0, "any-program", HPM_OPTION_FLAG(OPTIONS, comparing.choice.any_program)},
    {0, "functions", HPM_OPTION_FLAG(OPTIONS, comparing.choice.has_functions)},
    {0, "force", HPM_OPTION_FLAG(OPTIONS, is_forced)},
    {0, "show-output", HPM_OPTION_FLAG(OPTIONS, comparing.shows_output)},
    {'i', "ignore-status", HPM_OPTION_FLAG(OPTIONS, comparing.ignores_status)},
    {0, "sections", HPM_OPTION_FLAG(OPTIONS, comparing.has_sections)},
    {0, "folder", HPM_OPTION_WORD(OPTIONS, comparing.folder)},
    {0, "fail-if", HPM_OPTION_READ(read_limit)},
    {0, "baseline", HPM_OPTION_WORD(OPTIONS, baseline)},
    {0, "renew", HPM_OPTION_FLAG(OPTIONS, renews)},
    {0, "sweep", HPM_OPTION_READ(read_sweep)},
    {0, "svg", HPM_OPTION_WORD(OPTIONS, svg)},
    {0, "format", HPM_OPTION_NAME(OPTIONS, format, formats)},
    {0, "seed", HPM_OPTION_READ(read_seed)},
};

/* ---- words -------------------------------------------------------------- */

/* --fail-if takes all limits that follow: put the option before each of them.
 * The caller frees the array; the words are those of argv. */
static char **
spread_limits(int argc, char **argv, int *ret_argc)
{
    static char option[] = "--fail-if";
    char **words = hpm_memory_new(2 * (size_t)argc + 2, sizeof *words);
    bool is_limit = false, is_over = false;
    int n = 0;

    for (int i = 0; words != NULL && i < argc; i++) {
        is_over = is_over || strcmp(argv[i], "--") == 0;
        if (!is_over && is_limit && argv[i][0] != '-' &&
            strpbrk(argv[i], "<>") != NULL && strcmp(argv[i - 1], option) != 0)
            words[n++] = option;
        else if (is_limit && i > 0 && strcmp(argv[i - 1], option) != 0)
            is_limit = false;
        is_limit = is_limit || strcmp(argv[i], option) == 0 ||
                   strncmp(argv[i], "--fail-if=", 10) == 0;
        words[n++] = argv[i];
    }
    *ret_argc = n;
    return words;
}

/* Split "A... -- B..." into *ret_n groups of words. */
static bool
split(char **words, int n_words, struct storedruns_side *groups, size_t *ret_n,
      struct hpm_error *err)
{
    size_t n = 0;

    for (int i = 0; i <= n_words; i++) {
        if (i < n_words && strcmp(words[i], "--") != 0) {
            if (groups[n].n_words++ == 0)
                groups[n].words = words + i;
            continue;
        }
        if (groups[n].n_words == 0)
            return hpm_error_set(err, "nothing stands behind a '--'; expected "
                                      "such as 'hpm compare -- ./a -- ./b'");
        n++;
        if (i < n_words && n == HPM_SAMPLES_MOST_SIDES)
            return hpm_error_set(err, "expected at most %d sides",
                                 HPM_SAMPLES_MOST_SIDES);
    }
    *ret_n = n;
    return true;
}

/* ---- sweep -------------------------------------------------------------- */

/* The word with each "{NAME}" replaced by the value. */
static char *
fill_in(const char *word, const struct compareoptions_sweep *sweep,
        const char *value)
{
    struct hpm_string filled = {0}, mark = {0};
    const char *at;
    char *copy;

    hpm_string_add_format(&mark, "{%s}", sweep->name);
    while ((at = strstr(word, hpm_string_text(&mark))) != NULL) {
        hpm_string_add_bytes(&filled, word, (size_t)(at - word));
        hpm_string_add(&filled, value);
        word = at + mark.length;
    }
    hpm_string_add(&filled, word);
    copy = filled.failed || mark.failed
               ? NULL
               : hpm_memory_copy_text(hpm_string_text(&filled));
    hpm_string_free(&filled);
    hpm_string_free(&mark);
    return copy;
}

/* Make a command for each value. */
static bool
make_sweep(struct compareoptions *options, const struct storedruns_side *from,
           struct hpm_error *err)
{
    const struct compareoptions_sweep *sweep = &options->sweep;
    size_t n = from->n_words;
    char **word;

    options->words =
        hpm_memory_new(n * sweep->n_values + 1, sizeof *options->words);
    if (options->words == NULL)
        return hpm_error_no_memory(err);
    options->sweep.command = *from;
    word = options->words;
    for (size_t i = 0; i < sweep->n_values; i++) {
        struct comparing_command *command = &options->commands[i];

        *command = (struct comparing_command){.words = word,
                                              .n_words = n,
                                              .variable = sweep->name,
                                              .value = sweep->values[i]};
        for (size_t j = 0; j < n; j++) {
            *word = fill_in(from->words[j], sweep, sweep->values[i]);
            if (*word++ == NULL || sweep->values[i] == NULL)
                return hpm_error_no_memory(err);
        }
    }
    options->n_commands = sweep->n_values;
    return true;
}

/* ---- which options can be combined -------------------------------------- */

static bool
take_commands(struct compareoptions *options,
              const struct storedruns_side *groups, size_t n,
              struct hpm_error *err)
{
    size_t least =
        options->baseline != NULL || options->sweep.name != NULL ? 1 : 2;

    if (options->comparing.choice.has_functions)
        return hpm_error_set(err, "--functions is of performance files with "
                                  "samples, which commands do not leave here: "
                                  "make them by hpmcount --sample");
    if (n < least)
        return hpm_error_set(err, "expected two commands at least, each behind "
                                  "'--': hpm compare -- ./a -- ./b");
    if (options->sweep.name != NULL) {
        if (n > 1)
            return hpm_error_set(err, "--sweep takes one command, and got %zu",
                                 n);
        return make_sweep(options, &groups[0], err);
    }
    for (size_t i = 0; i < n; i++)
        options->commands[i] = (struct comparing_command){
            .words = groups[i].words, .n_words = groups[i].n_words};
    options->n_commands = n;
    return true;
}

static bool
take_files(struct compareoptions *options, const struct storedruns_side *groups,
           size_t n, struct hpm_error *err)
{
    if (options->n_rounds > 0 || options->until > 0.0 ||
        options->comparing.prepare != NULL || options->sweep.name != NULL ||
        options->comparing.folder != NULL || options->comparing.n_warmups > 0)
        return hpm_error_set(err,
                             "'%.60s' stands for performance files, which are "
                             "not run; commands stand behind '--': hpm compare "
                             "-r 10 -- ./a -- ./b",
                             groups[0].words[0]);
    if (n < 2 && options->baseline == NULL)
        return hpm_error_set(err, "expected the files of two sides: hpm "
                                  "compare A.xml... -- B.xml...");
    for (size_t i = 0; i < n; i++)
        options->files[i] = groups[i];
    options->n_files = n;
    return true;
}

static bool
check(const struct compareoptions *options, struct hpm_error *err)
{
    if (options->renews && options->baseline == NULL)
        return hpm_error_set(err, "--renew needs the file: --baseline FILE");
    if (options->svg != NULL && options->sweep.name == NULL)
        return hpm_error_set(err, "--svg draws what --sweep has measured");
    if (options->sweep.name != NULL && options->baseline != NULL)
        return hpm_error_set(err, "--sweep and --baseline do not go together");
    return true;
}

static bool
parse(struct compareoptions *options, int argc, char **argv,
      struct hpm_error *err)
{
    struct storedruns_side groups[HPM_SAMPLES_MOST_SIDES] = {{NULL, 0}};
    size_t n = 0;

    if (!hpm_options_read("hpm compare", table, sizeof table / sizeof table[0],
                          true, argc, argv, options, err) ||
        !check(options, err))
        return false;
    if (optind == argc)
        return hpm_error_set(err, "expected commands, such as 'hpm compare -- "
                                  "./a -- ./b', or performance files");
    if (!split(argv + optind, argc - optind, groups, &n, err))
        return false;
    if (strcmp(argv[optind - 1], "--") == 0)
        return take_commands(options, groups, n, err);
    return take_files(options, groups, n, err);
}

bool
compareoptions_parse(struct compareoptions *options, int argc, char **argv,
                     struct hpm_error *err)
{
    int n;
    char **words = spread_limits(argc, argv, &n);

    options->spread = words;
    return words != NULL ? parse(options, n, words, err)
                         : hpm_error_no_memory(err);
}

void
compareoptions_clear(struct compareoptions *options)
{
    for (char **word = options->words; word != NULL && *word != NULL; word++)
        hpm_memory_free(*word);
    hpm_memory_free(options->words);
    hpm_memory_free(options->spread);
    hpm_memory_free(options->sweep.name);
    for (size_t i = 0; i < options->sweep.n_values; i++)
        hpm_memory_free(options->sweep.values[i]);
    hpm_gate_clear(&options->limits);
}
