/* SPDX-License-Identifier: BSD-3-Clause
 * hpm functions: which functions of a program can be measured as it is. */
#include "config.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "elf/wanted.h"
#include "hpm/frame/subcommand.h"
#include "host/memory.h"
#include "report/text.h"
#include "study/probe/demangled.h"
#include "study/probe/executable.h"
#include "study/probe/probeable.h"
#include "study/report/format.h"
#include "study/report/tablewords.h"
#include "study/symbol/inlined.h"
#include "study/symbol/symbols.h"
#include "study/tool/option.h"
#include "study/words/words.h"

static const char command[] = "functions";

enum { TEXT, CSV, JSON };
static const char *const formats[] = {"text", "csv", "json", NULL};

struct options {
    unsigned format;
};

static const struct hpm_option words[] = {
    {0, "format", HPM_OPTION_NAME(struct options, format, formats)},
};

/* Sentences that several functions share: text has their numbers. */
enum { MAX_REASONS = 16 };

struct listing {
    unsigned format;
    char *path;
    struct hpm_probeables functions;
    struct hpm_symbols *symbols; /* for lines */
    char *const *patterns;       /* of the command line */
    size_t n_patterns;
    struct hpm_wanted **each; /* of one pattern */
    bool *is_met;             /* has the pattern found a function? */
    struct hpm_wanted *all;   /* of all patterns; NULL: takes all */
    struct hpm_table table;
    struct hpm_names inlined; /* linkage names of those seen */
    size_t counts[HPM_PROBE_NOT + 1];
    size_t n_inlined; /* that were left out */
    const char *reasons[MAX_REASONS];
    size_t n_reasons;
    bool failed; /* memory ran out */
};

static const char inlined_reason[] =
    N_("the compiler has put its code into its callers (inlined)");

/* ---- one row ----------------------------------------------------------- */

/* What is shown of a function, with code or without. */
struct shown {
    const char *linkage;
    char *name, *plain; /* of C++; NULL: the linkage name */
    const char *file;
    int line;
    const struct hpm_probeable *function; /* NULL: inlined */
};

static const char *
probe_word(const struct hpm_probeable *function)
{
    if (function == NULL || function->probe == HPM_PROBE_NOT)
        return N_("no");
    return function->probe == HPM_PROBE_ENTRY ? N_("entry") : N_("both");
}

/* The number of the sentence below the table. */
static size_t
number_reason(struct listing *listing, const char *why)
{
    size_t i = 0;

    while (i < listing->n_reasons && listing->reasons[i] != why)
        i++;
    if (i == listing->n_reasons && i < MAX_REASONS)
        listing->reasons[listing->n_reasons++] = why;
    return i + 1;
}

static void
add_hex(struct hpm_table *table, uint64_t number)
{
    struct hpm_string text = {0};

    hpm_string_add_format(&text, "0x%llx", (unsigned long long)number);
    hpm_table_add_string(table, &text);
}

static void
add_text_row(struct listing *listing, const struct shown *shown,
             const char *why)
{
    struct hpm_table *rows = &listing->table;
    struct hpm_string probe = {0}, place = {0}, name = {0};

    hpm_string_add(&probe, hpm_words_get(probe_word(shown->function)));
    if (why != NULL)
        hpm_string_add_format(&probe, " (%zu)", number_reason(listing, why));
    if (shown->function != NULL) {
        add_hex(rows, shown->function->address);
        hpm_table_add_count(rows, shown->function->size);
    } else {
        hpm_table_add_nones(rows, 2);
    }
    hpm_table_add_string(rows, &probe);
    hpm_string_add_safe(&name,
                        shown->name != NULL ? shown->name : shown->linkage);
    hpm_table_add_string(rows, &name);
    if (shown->file != NULL) {
        const char *base = strrchr(shown->file, '/');

        hpm_string_add_safe(&place, base != NULL ? base + 1 : shown->file);
        hpm_string_add_format(&place, ":%d", shown->line);
    }
    hpm_table_add_text_or_none(rows, hpm_string_text(&place));
    hpm_string_finish(&place, &rows->failed);
}

static void
add_data_row(struct hpm_table *rows, const struct shown *shown, const char *why)
{
    hpm_table_add_text(rows,
                       shown->name != NULL ? shown->name : shown->linkage);
    hpm_table_add_text(rows, shown->linkage);
    hpm_table_add_text(rows, probe_word(shown->function));
    if (shown->function != NULL) {
        add_hex(rows, shown->function->address);
        add_hex(rows, shown->function->offset);
        hpm_table_add_count(rows, shown->function->size);
    } else {
        hpm_table_add_nones(rows, 3);
    }
    hpm_table_add_text_or_none(rows, shown->file);
    if (shown->line > 0)
        hpm_table_add_integer(rows, shown->line);
    else
        hpm_table_add_none(rows);
    hpm_table_add_text_or_none(rows, why);
}

static void
add_columns(struct listing *listing)
{
    static const char *const text[] = {N_("address"), N_("size"), N_("probe"),
                                       N_("function"), N_("where")};
    static const char *const data[] = {"function", "linkage", "probe",
                                       "address",  "offset",  "size",
                                       "file",     "line",    "why"};

    if (listing->format == TEXT)
        hpm_table_add_columns(&listing->table, text,
                              sizeof text / sizeof text[0], 0);
    else
        hpm_table_add_columns(&listing->table, data,
                              sizeof data / sizeof data[0], 0);
}

/* ---- which functions --------------------------------------------------- */

static bool
is_wanted(struct listing *listing, const struct shown *shown)
{
    const char *forms[4] = {shown->linkage};
    size_t n = 1;

    if (shown->name != NULL)
        forms[n++] = shown->name;
    if (shown->plain != NULL)
        forms[n++] = shown->plain;
    forms[n] = NULL;
    for (size_t i = 0; i < listing->n_patterns; i++) {
        if (hpm_wanted_takes(listing->each[i], forms, shown->file))
            listing->is_met[i] = true;
    }
    return listing->all == NULL ||
           hpm_wanted_takes(listing->all, forms, shown->file);
}

/* Add a row where the user asks for the function. */
static bool
consider(struct listing *listing, struct shown *shown)
{
    const char *why =
        shown->function != NULL ? shown->function->why : inlined_reason;
    bool is_taken;

    shown->name = hpm_demangled_name(shown->linkage);
    if (shown->name != NULL)
        shown->plain = hpm_demangled_plain(shown->name);
    is_taken = is_wanted(listing, shown);
    if (is_taken && listing->format == TEXT)
        add_text_row(listing, shown, why);
    else if (is_taken)
        add_data_row(&listing->table, shown, why);
    hpm_memory_free(shown->name);
    hpm_memory_free(shown->plain);
    return is_taken;
}

static void
list_those_with_code(struct listing *listing)
{
    for (size_t i = 0; i < listing->functions.n; i++) {
        const struct hpm_probeable *function = &listing->functions.list[i];
        struct shown shown = {.linkage = function->name, .function = function};

        if (!hpm_symbols_line(listing->symbols, function->start, &shown.file,
                              &shown.line))
            shown.file = NULL;
        listing->counts[function->probe] += consider(listing, &shown);
    }
}

/* ---- those that were inlined ------------------------------------------- */

static int
compare_to_name(const void *name, const void *function)
{
    return strcmp(name, ((const struct hpm_probeable *)function)->name);
}

/* Has it code after all, of another file of the source? */
static bool
has_code(const struct listing *listing, const char *linkage)
{
    return listing->functions.n > 0 &&
           bsearch(linkage, listing->functions.list, listing->functions.n,
                   sizeof *listing->functions.list, compare_to_name) != NULL;
}

static bool
take_inlined(void *context, const char *linkage, const char *file, int line)
{
    struct listing *listing = context;
    struct shown shown = {.linkage = linkage, .file = file, .line = line};

    size_t n = listing->inlined.n_texts;

    /* a function of a header is in the debug information of each file that
     * includes it */
    listing->failed |= hpm_names_add(&listing->inlined, linkage,
                                     strlen(linkage)) == HPM_NO_NAME;
    if (listing->failed || n == listing->inlined.n_texts ||
        has_code(listing, linkage))
        return !listing->failed;
    if (listing->n_patterns == 0)
        listing->n_inlined++;
    else
        listing->counts[HPM_PROBE_NOT] += consider(listing, &shown);
    return true;
}

/* ---- the answer -------------------------------------------------------- */

static void
add_counts(struct listing *listing, struct hpm_string *text)
{
    const size_t *counts = listing->counts;

    hpm_string_add_char(text, '\n');
    for (size_t i = 0; i < listing->n_reasons; i++)
        hpm_string_add_format(text, "(%zu) %s\n", i + 1,
                              hpm_words_get(listing->reasons[i]));
    hpm_string_add_format(
        text,
        _("functions: %zu can be measured, of %zu more only calls can be "
          "counted, %zu cannot be measured\n"),
        counts[HPM_PROBE_WHOLE], counts[HPM_PROBE_ENTRY],
        counts[HPM_PROBE_NOT]);
}

static enum status
print(struct listing *listing, enum status status)
{
    struct hpm_string text = {0};

    if (listing->format == CSV) {
        hpm_csv_add_table(&text, &listing->table);
    } else if (listing->format == JSON) {
        hpm_string_add(&text, "{\"tool\": \"hpm functions\",\n"
                              " \"version\": \"" PACKAGE_VERSION "\",\n"
                              " \"format\": 1,\n \"file\": ");
        hpm_json_add_text(&text, listing->path);
        hpm_string_add(&text, ",\n\"functions\": ");
        hpm_json_add_table(&text, &listing->table);
        hpm_string_add(&text, "}\n");
    } else {
        hpm_tablewords_add(&text, &listing->table, "function");
        add_counts(listing, &text);
    }
    text.failed |= listing->table.failed || listing->failed;
    return subcommand_print(command, &text, status);
}

/* Say what the list does not show. */
static void
say_lacks(const struct listing *listing, bool has_debug)
{
    enum hpm_symbols_state state = hpm_symbols_state(listing->symbols);

    if (listing->functions.is_stripped)
        subcommand_say(command,
                       "'%s' has no table of symbols (stripped): only "
                       "functions that other files may call are known; a file "
                       "that was not stripped has all",
                       listing->path);
    if (listing->n_inlined > 0)
        subcommand_say(command,
                       hpm_words_of("%zu more function has no code of its own, "
                                    "since the compiler has put it into its "
                                    "callers; a pattern shows it",
                                    "%zu more functions have no code of their "
                                    "own, since the compiler has put them into "
                                    "their callers; a pattern shows them",
                                    listing->n_inlined),
                       listing->n_inlined);
    if (has_debug)
        return;
    if (state == HPM_SYMBOLS_UNSUPPORTED)
        subcommand_say(command, "lines of the source and inlined functions: "
                                "this build cannot read debug information "
                                "(elfutils)");
    else
        subcommand_say(command,
                       "lines of the source and inlined functions are not "
                       "known: '%s' has no debug information (-g) here",
                       listing->path);
}

static enum status
say_unmet(const struct listing *listing)
{
    enum status status = GOOD;
    size_t n = hpm_table_rows(&listing->table);

    for (size_t i = 0; i < listing->n_patterns; i++) {
        if (listing->is_met[i] || listing->patterns[i][0] == '!')
            continue;
        subcommand_say(command, "no function of '%s' is called '%s'",
                       listing->path, listing->patterns[i]);
        status = SOME_BAD;
    }
    if (n == 0 && listing->n_patterns == 0)
        subcommand_say(command, "'%s' names no function", listing->path);
    return n > 0 ? status : NOTHING;
}

/* ---- the command line -------------------------------------------------- */

static bool
read_patterns(struct listing *listing, char **patterns, size_t n)
{
    struct hpm_string all = {0};

    listing->patterns = patterns;
    listing->each = hpm_memory_new(n + 1, sizeof *listing->each);
    listing->is_met = hpm_memory_new(n + 1, sizeof *listing->is_met);
    listing->failed = listing->each == NULL || listing->is_met == NULL;
    for (size_t i = 0; i < n && !listing->failed; i++) {
        hpm_string_add_format(&all, "%s%s", i > 0 ? "," : "", patterns[i]);
        listing->each[i] = hpm_wanted_new(patterns[i]);
        listing->failed = listing->each[i] == NULL;
        listing->n_patterns = i + 1;
    }
    if (n > 0 && !listing->failed)
        listing->all = hpm_wanted_new(hpm_string_text(&all));
    listing->failed |= all.failed || (n > 0 && listing->all == NULL);
    hpm_string_free(&all);
    return !listing->failed;
}

static void
clear(struct listing *listing)
{
    for (size_t i = 0; i < listing->n_patterns; i++)
        hpm_wanted_free(listing->each[i]);
    hpm_wanted_free(listing->all);
    hpm_names_free(&listing->inlined);
    hpm_memory_free(listing->each);
    hpm_memory_free(listing->is_met);
    hpm_symbols_free(listing->symbols);
    hpm_probeables_clear(&listing->functions);
    hpm_table_clear(&listing->table);
    hpm_memory_free(listing->path);
}

static enum status
list(struct listing *listing, char **arguments, size_t n)
{
    struct hpm_error err;
    enum status status;
    bool has_debug;

    listing->path = hpm_executable_file(arguments[0]);
    if (listing->path == NULL ||
        !read_patterns(listing, arguments + 1, n - 1)) {
        hpm_error_no_memory(&err);
        return subcommand_fail(command, &err, NOTHING);
    }
    if (!hpm_probeables_read(&listing->functions, listing->path, &err))
        return subcommand_fail(command, &err, NOTHING);
    listing->symbols = hpm_symbols_new(listing->path, "");
    if (listing->symbols == NULL) {
        hpm_error_no_memory(&err);
        return subcommand_fail(command, &err, NOTHING);
    }
    add_columns(listing);
    list_those_with_code(listing);
    has_debug = hpm_inlined_list(listing->path, take_inlined, listing);
    say_lacks(listing, has_debug);
    status = say_unmet(listing);
    return status == NOTHING ? NOTHING : print(listing, status);
}

static enum status
run(int argc, char **argv)
{
    struct options options = {0};
    struct listing listing = {0};
    struct hpm_error err;
    enum status status;

    if (!hpm_options_read("hpm functions", words,
                          sizeof words / sizeof words[0], false, argc, argv,
                          &options, &err))
        return subcommand_fail(command, &err, USAGE);
    if (optind == argc) {
        subcommand_say(command, "expected a program or library, such as 'hpm "
                                "functions ./app'");
        return USAGE;
    }
    listing.format = options.format;
    status = list(&listing, argv + optind, (size_t)(argc - optind));
    clear(&listing);
    return status;
}

const struct subcommand subcommand_functions = {
    .name = "functions",
    .summary = N_("which functions of a program can be measured as it is"),
    .help = "Usage: hpm functions [--format FORMAT] PROGRAM [PATTERN...]\n"
            "\n"
            "List the functions of a program or shared library, where they "
            "are, and whether the\n"
            "kernel can watch them in the program as it is: at entry and "
            "return, at the entry\n"
            "only, or not at all, and why. A PATTERN is a name, which may have "
            "* ? [], or\n"
            "file:NAME of the source; !PATTERN leaves functions out.\n"
            "\n"
            "      --format FORMAT  text (the default), csv, json\n"
            "\n"
            "Exit status: 0 listed, 1 no function for some patterns, 2 wrong "
            "usage, 3 nothing to\n"
            "list, 4 the list cannot be written.\n",
    .run = run,
};
