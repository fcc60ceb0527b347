/* SPDX-License-Identifier: BSD-3-Clause
 * What it costs to read and merge performance files, beside what it must cost:
 * a bare libxml2 push parse of the same bytes with handlers that do nothing.
 *
 *     reading [-r ROUNDS] FILE...
 *
 * Both ways read the same files in turn, in one process; the smallest processor
 * time of each counts.
 */
#include <fcntl.h>
#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "file/reader.h"
#include "model/merge.h"

/* ---- bare ------------------------------------------------------------ */

static void
begin_nothing(void *context, const xmlChar *name, const xmlChar *prefix,
              const xmlChar *uri, int n_namespaces, const xmlChar **namespaces,
              int n_attributes, int n_defaulted, const xmlChar **attributes)
{
    (void)context, (void)name, (void)prefix, (void)uri, (void)n_namespaces,
        (void)namespaces, (void)n_attributes, (void)n_defaulted,
        (void)attributes;
}

static void
end_nothing(void *context, const xmlChar *name, const xmlChar *prefix,
            const xmlChar *uri)
{
    (void)context, (void)name, (void)prefix, (void)uri;
}

static void
say_nothing(void *context, xmlErrorPtr error)
{
    (void)context, (void)error;
}

static size_t
parse_bare(const char *path)
{
    xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC,
                             .startElementNs = begin_nothing,
                             .endElementNs = end_nothing,
                             .serror = say_nothing};
    static char buffer[64 << 10];
    xmlParserCtxtPtr parser =
        xmlCreatePushParserCtxt(&handler, NULL, NULL, 0, NULL);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t bytes = 0;
    ssize_t n;

    xmlCtxtUseOptions(parser, XML_PARSE_NONET);
    while (fd >= 0 && (n = read(fd, buffer, sizeof buffer)) > 0) {
        xmlParseChunk(parser, buffer, (int)n, 0);
        bytes += (size_t)n;
    }
    xmlParseChunk(parser, NULL, 0, 1);
    xmlFreeDoc(parser->myDoc);
    xmlFreeParserCtxt(parser);
    close(fd);
    return bytes;
}

/* ---- ours ------------------------------------------------------------ */

/* How many of the files were good. */
static size_t
merge_files(char **paths, size_t n, struct hpm_study *merged)
{
    struct hpm_error err;
    bool is_broken;
    size_t n_good = 0;

    for (size_t i = 0; i < n; i++) {
        struct hpm_reader_report report = {0};
        struct hpm_study *study = hpm_reader_read(paths[i], 0, &report, &err);

        if (study != NULL &&
            !hpm_merge_add(merged, study, false, &is_broken, &err))
            fprintf(stderr, "%s\n", err.text);
        n_good += study != NULL && report.notes.n == 0;
        hpm_study_free(study);
        hpm_notes_free(&report.notes);
    }
    if (!hpm_merge_end(merged, false, &err))
        fprintf(stderr, "%s\n", err.text);
    return n_good;
}

static size_t
count_numbers(const struct hpm_study *study)
{
    size_t n = 0;

    for (uint32_t i = 0; i < study->n_columns; i++) {
        for (uint32_t j = 0; j < study->n_rows; j++) {
            for (int k = 0; k < HPM_N_NUMBERS; k++)
                n += hpm_study_number(study, j, i, (enum hpm_field)k).kind !=
                     HPM_NUMBER_NONE;
        }
    }
    return n;
}

/* ---- both ------------------------------------------------------------ */

static double
processor_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void
keep_smaller(double *smallest, double value)
{
    if (*smallest == 0 || value < *smallest)
        *smallest = value;
}

struct result {
    size_t bytes, n_good, n_numbers, taken;
    double bare, ours;
};

static void
one_round(char **paths, size_t n, struct result *result)
{
    struct hpm_study *merged = hpm_study_new(0);
    double start = processor_seconds();

    result->bytes = 0;
    for (size_t i = 0; i < n; i++)
        result->bytes += parse_bare(paths[i]);
    keep_smaller(&result->bare, processor_seconds() - start);
    start = processor_seconds();
    result->n_good = merge_files(paths, n, merged);
    keep_smaller(&result->ours, processor_seconds() - start);
    result->n_numbers = count_numbers(merged);
    result->taken = merged->arena.taken;
    hpm_study_free(merged);
}

static void
print(const struct result *result, size_t n)
{
    printf("%zu files, %.1f MB, %zu of them good, %zu numbers\n", n,
           (double)result->bytes / 1e6, result->n_good, result->n_numbers);
    printf("bare parse      %8.3f s  %6.1f MB/s\n", result->bare,
           (double)result->bytes / 1e6 / result->bare);
    printf("read and merge  %8.3f s  %6.1f MB/s\n", result->ours,
           (double)result->bytes / 1e6 / result->ours);
    printf("ratio           %8.2f    goal 1.50: %s\n",
           result->ours / result->bare,
           result->ours <= 1.5 * result->bare ? "met" : "missed");
    printf("memory          %8.1f    bytes a number, goal 16: %s\n",
           (double)result->taken / (double)result->n_numbers,
           result->taken <= 16 * result->n_numbers ? "met" : "missed");
}

int
main(int argc, char **argv)
{
    struct result result = {0};
    int rounds = 3, first = 1;

    if (argc > 2 && strcmp(argv[1], "-r") == 0) {
        rounds = atoi(argv[2]);
        first = 3;
    }
    if (argc <= first || rounds < 1) {
        fprintf(stderr, "usage: reading [-r ROUNDS] FILE...\n");
        return 2;
    }
    for (int i = 0; i < rounds; i++)
        one_round(argv + first, (size_t)(argc - first), &result);
    print(&result, (size_t)(argc - first));
    return 0;
}
