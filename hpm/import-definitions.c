/* SPDX-License-Identifier: BSD-3-Clause
 * hpm import-definitions: make definitions of a vendor's own files. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "file/output.h"
#include "host/memory.h"
#include "hpm/frame/subcommand.h"
#include "metric/language/definitions.h"
#include "study/tool/option.h"
#include "study/vendor/definition.h"
#include "study/vendor/translate.h"
#ifdef HAVE_STUDY
#include "study/xml/gzip.h"
#endif

#define NAME "import-definitions"

struct options {
    const char *output;
    const char *arch;
    const char *ids;
    bool has_words;
};

static const struct hpm_option table[] = {
    {'o', "output", HPM_OPTION_WORD(struct options, output)},
    {0, "arch", HPM_OPTION_WORD(struct options, arch)},
    {0, "processor", HPM_OPTION_WORD(struct options, ids)},
    {0, "words", HPM_OPTION_FLAG(struct options, has_words)},
};

static bool
parse(struct options *options, int argc, char **argv, struct hpm_error *err)
{
    if (!hpm_options_read("hpm " NAME, table, sizeof table / sizeof table[0],
                          false, argc, argv, options, err))
        return false;
    if (optind == argc)
        return hpm_error_set(err, "expected files of a vendor, such as "
                                  "'hpm import-definitions mapfile.csv "
                                  "skylakex_core.json skylakex_metrics.json'");
    if (options->ids != NULL && options->arch == NULL)
        return hpm_error_set(err, "--processor goes with --arch NAME, which "
                                  "names the processor in definitions");
    return true;
}

/* ---- reading --------------------------------------------------------- */

#ifdef HAVE_STUDY
static bool
read_all(int fd, const char *path, struct hpm_string *text,
         struct hpm_error *err)
{
    struct hpm_bytes bytes = {.fd = fd};
    char piece[16384];
    ssize_t n;

    while ((n = hpm_bytes_read(&bytes, piece, sizeof piece)) > 0)
        hpm_string_add_bytes(text, piece, (size_t)n);
    if (n < 0)
        hpm_error_set(err, "%.300s: cannot be read: %s", path,
                      bytes.problem != NULL ? bytes.problem : strerror(errno));
    hpm_bytes_clear(&bytes);
    return n == 0;
}
#else
static bool
read_all(int fd, const char *path, struct hpm_string *text,
         struct hpm_error *err)
{
    char piece[16384];
    ssize_t n;

    while ((n = read(fd, piece, sizeof piece)) > 0 || (n < 0 && errno == EINTR))
        hpm_string_add_bytes(text, piece, n > 0 ? (size_t)n : 0);
    if (n < 0)
        return hpm_error_set(err, "%.300s: cannot be read: %s", path,
                             strerror(errno));
    if (strncmp(hpm_string_text(text), "\x1f\x8b", 2) == 0)
        return hpm_error_set(err,
                             "%.300s: is packed by gzip, for which this hpm "
                             "lacks zlib; unpack it first",
                             path);
    return true;
}
#endif

static bool
read_text(const char *path, struct hpm_string *text, struct hpm_error *err)
{
    int fd = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC);
    bool is_good;

    if (fd < 0)
        return hpm_error_set(err, "%.300s: cannot be opened: %s", path,
                             strerror(errno));
    is_good = read_all(fd, path, text, err);
    close(fd);
    if (is_good && text->failed)
        return hpm_error_no_memory(err);
    return is_good;
}

/* Read the files that say what other files are for, or the other files; returns
 * how many were good. */
static int
read_files(struct hpm_vendor *vendor, char *const *paths, int n, bool are_maps)
{
    int n_good = 0;

    for (int i = 0; i < n; i++) {
        struct hpm_string text = {0};
        struct hpm_error err;
        bool is_read = read_text(paths[i], &text, &err);
        bool is_due =
            are_maps ==
            (is_read && hpm_vendor_is_map(paths[i], hpm_string_text(&text)));

        if (!is_read)
            hpm_vendor_note_lack(vendor, &err);
        if (is_due && is_read &&
            hpm_vendor_read(vendor, paths[i], hpm_string_text(&text),
                            text.length, &err))
            n_good++;
        else if (is_due)
            subcommand_say(NAME, "%s", err.text);
        hpm_string_free(&text);
    }
    return n_good;
}

/* ---- the summary ----------------------------------------------------- */

/* How many of a file's metrics were converted; *ret_all is the number of
 * all. */
static size_t
count_turned(const struct hpm_vendor *vendor, size_t source, size_t *ret_all)
{
    size_t n = 0;

    *ret_all = 0;
    for (size_t i = 0; i < vendor->n_processors; i++) {
        const struct hpm_vendor_processor *processor = &vendor->processors[i];

        for (size_t j = 0; j < processor->n_metrics; j++) {
            bool is_its =
                !processor->is_copy && processor->metrics[j].source == source;

            *ret_all += is_its;
            n += is_its && processor->metrics[j].text != NULL;
        }
    }
    return n;
}

static void
say_refused(const struct hpm_vendor_processor *processor)
{
    for (size_t i = 0; i < processor->n_metrics; i++) {
        const struct hpm_vendor_metric *metric = &processor->metrics[i];

        if (metric->why != NULL)
            subcommand_say(NAME, "no %s: %s", metric->name, metric->why);
    }
}

/* Report the events without a code: their number for each reason. */
static void
say_events(const struct hpm_vendor_processor *processor)
{
    for (size_t i = 0; i < processor->n_events; i++) {
        const struct hpm_vendor_event *event = &processor->events[i];
        size_t n = 0;

        for (size_t j = 0; j < processor->n_events; j++) {
            bool is_same = processor->events[j].why == event->why;

            if (event->why == NULL || (is_same && j < i))
                break;
            n += is_same;
        }
        if (n > 0)
            subcommand_say(NAME, "no event %s%s: %s", event->name,
                           n > 1 ? " and others like it" : "", event->why);
    }
}

/* What was made of a file: "f.json: table of events, 3 of 4 events, 0 of 0 metrics". */
static void
say_source(const struct hpm_vendor_source *source, size_t n_turned,
           size_t n_metrics)
{
    struct hpm_string text = {0};

    hpm_string_add_format(&text, "%s: %s, ", source->path, source->form);
    if (source->n_uncoded > 0)
        hpm_string_add_format(&text, "%zu of ",
                              source->n_events - source->n_uncoded);
    hpm_string_add_format(&text, "%zu event%s, %zu of %zu metrics",
                          source->n_events, source->n_events == 1 ? "" : "s",
                          n_turned, n_metrics);
    if (source->n_skipped > 0)
        hpm_string_add_format(&text, "; %zu broken part%s left out",
                              source->n_skipped,
                              source->n_skipped == 1 ? "" : "s");
    subcommand_say(NAME, "%s",
                   text.failed ? "out of memory" : hpm_string_text(&text));
    hpm_string_free(&text);
}

/* Where not each event with two codes has a line of its own, say how many there
 * are. */
static void
say_replaced(const struct hpm_vendor_source *source)
{
    if (source->n_replaced > HPM_VENDOR_MOST_FAULTS)
        subcommand_say(NAME,
                       "%s: %zu events were there with another code, of which "
                       "%d are named; the later ones are taken",
                       source->path, source->n_replaced,
                       HPM_VENDOR_MOST_FAULTS);
}

/* False where something could not be converted. */
static bool
say_what(const struct hpm_vendor *vendor)
{
    size_t n_metrics = 0, n_turned = 0;
    bool is_whole = true;

    for (size_t i = 0; i < vendor->n_processors; i++) {
        if (vendor->processors[i].is_copy)
            continue;
        say_refused(&vendor->processors[i]);
        say_events(&vendor->processors[i]);
    }
    for (size_t i = 0; i < vendor->n_sources; i++) {
        const struct hpm_vendor_source *source = &vendor->sources[i];
        size_t n_all, n = count_turned(vendor, i, &n_all);

        is_whole &= source->n_replaced == 0;
        say_replaced(source);
        n_metrics += n_all;
        n_turned += n;
        is_whole &= source->n_skipped == 0 && source->n_uncoded == 0;
        say_source(source, n, n_all);
    }
    return is_whole && n_turned == n_metrics;
}

/* ---- writing --------------------------------------------------------- */

static bool
write_file(const char *path, const struct hpm_string *text, char **ret_path,
           struct hpm_error *err)
{
    struct hpm_destination destination;
    struct hpm_output *output;
    bool is_good = false;

    if (!hpm_destination_fix(&destination, path, err))
        return false;
    output = hpm_output_open(&destination, err);
    if (output != NULL) {
        hpm_output_write(output, text->text, text->length);
        is_good = hpm_output_commit(output, false, ret_path, err);
    }
    hpm_destination_clear(&destination);
    return is_good;
}

static enum status
print(const struct options *options, struct hpm_string *text,
      enum status status)
{
    char *path = NULL;
    struct hpm_error err;

    if (options->output == NULL || strcmp(options->output, "-") == 0) {
        status = subcommand_print(NAME, text, status);
        if (status != OUTPUT)
            subcommand_say(NAME, "to use them, put them into a file *.hpm in "
                                 "~/.config/hpm-toolkit, or name the file in "
                                 "HPM_DEFS");
        return status;
    }
    if (text->failed) {
        hpm_error_no_memory(&err);
        return subcommand_fail(NAME, &err, OUTPUT);
    }
    if (!write_file(options->output, text, &path, &err))
        return subcommand_fail(NAME, &err, OUTPUT);
    subcommand_say(NAME,
                   "wrote '%s'; to use it, put it into "
                   "~/.config/hpm-toolkit, or name it in HPM_DEFS",
                   path);
    hpm_memory_free(path);
    return status;
}

/* ---- the command ----------------------------------------------------- */

/* List the names of the shipped definitions, which keep their meanings. */
static bool
list_shipped(struct hpm_names *names, struct hpm_error *err)
{
    struct hpm_spec *spec = hpm_spec_new();
    bool is_good = spec != NULL || hpm_error_no_memory(err);

    is_good = is_good && hpm_definitions_read(spec, "", err);
    for (size_t i = 0; is_good && i < spec->n_statements; i++) {
        const struct hpm_statement *statement = &spec->statements[i];
        const char *name = hpm_spec_text(spec, statement->name);

        if (statement->layer == 0 &&
            hpm_names_add(names, name, strlen(name)) == HPM_NO_NAME)
            is_good = hpm_error_no_memory(err);
    }
    hpm_spec_free(spec);
    return is_good;
}

static bool
is_empty(const struct hpm_vendor *vendor)
{
    size_t n = 0;

    for (size_t i = 0; i < vendor->n_processors; i++)
        n += vendor->processors[i].n_events + vendor->processors[i].n_metrics +
             vendor->processors[i].n_latencies;
    return n == 0;
}

static enum status
import(const struct options *options, struct hpm_vendor *vendor,
       char *const *paths, int n)
{
    struct hpm_names shipped = {0};
    struct hpm_string text = {0};
    struct hpm_error err;
    enum status status = NOTHING;
    int n_good = read_files(vendor, paths, n, true);

    n_good += read_files(vendor, paths, n, false);
    for (size_t i = 0; i < vendor->n_faults; i++)
        subcommand_say(NAME, "%s", vendor->faults[i].text);
    if (is_empty(vendor)) {
        if (n_good == n && vendor->n_faults == 0)
            subcommand_say(NAME, "no events or metrics are in these files");
        return NOTHING;
    }
    if (list_shipped(&shipped, &err) && hpm_translate(vendor, &shipped, &err)) {
        status = say_what(vendor) && n_good == n ? GOOD : SOME_BAD;
        hpm_definition_add(&text, vendor, options->has_words);
        status = print(options, &text, status);
    } else {
        subcommand_say(NAME, "%s", err.text);
    }
    hpm_names_free(&shipped);
    hpm_string_free(&text);
    return status;
}

static enum status
run(int argc, char **argv)
{
    struct options options = {0};
    struct hpm_vendor vendor = {.n_maps = 0};
    struct hpm_error err;
    enum status status;

    if (!parse(&options, argc, argv, &err))
        return subcommand_fail(NAME, &err, USAGE);
    vendor.name = options.arch;
    vendor.ids = options.ids;
    status = import(&options, &vendor, argv + optind, argc - optind);
    hpm_vendor_free(&vendor);
    return status;
}

const struct subcommand subcommand_import_definitions = {
    .name = NAME,
    .summary = N_("definitions of a vendor's own lists of events and metrics"),
    .help =
        "Usage: hpm import-definitions [-o OUT] [--arch NAME [--processor "
        "IDS]]\n"
        "                              [--words] FILE...\n"
        "\n"
        "Turn files of a processor's vendor into a file of definitions: events "
        "with their\n"
        "codes, metrics with formulas, hierarchy, limits and the event to "
        "sample.  FILEs are\n"
        "Intel's lists of events, metrics and latencies, Arm's lists of events "
        "and telemetry\n"
        "specifications, the kernel's pmu-events, tables with tabs, and the "
        "mapfile.csv that\n"
        "says which processor each is for; all may be packed by gzip.  What "
        "cannot be turned\n"
        "is named with the reason.\n"
        "\n"
        "  -o, --output OUT     write OUT; - is standard output (default); no "
        "file is ever\n"
        "                       replaced\n"
        "      --arch NAME      the processor's name in definitions, where no "
        "file says it\n"
        "      --processor IDS  with --arch: what such processors identify "
        "themselves by, as\n"
        "                       hpm doctor prints it; * ? [] as in file names, "
        "with commas\n"
        "      --words          take the vendor's descriptions, too\n"
        "\n"
        "Exit status: 0 all turned, 1 some files, events, metrics or parts "
        "were "
        "not, 2\n"
        "wrong usage, 3 nothing usable, 4 OUT cannot be written.\n",
    .run = run,
};
