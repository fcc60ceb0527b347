/* SPDX-License-Identifier: BSD-3-Clause
 * What it costs to read and merge performance files, beside what it must cost:
 * a bare libxml2 push parse of the same bytes with handlers that do nothing.
 *
 *     reading [-r ROUNDS] FILE...
 *
 * Both ways read the same files in turn, in one process; the smallest time of
 * each counts.  The bare parse has one thread, reading as many as processors.
 */
#include <fcntl.h>
#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "file/collect.h"
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

struct merging {
    struct hpm_study *merged;
    size_t n_good;
};

static bool
merge_one(void *owner, struct hpm_collected *collected)
{
    struct merging *merging = owner;
    struct hpm_error err;
    bool is_broken = false;

    if (collected->study != NULL &&
        !hpm_merge_add(merging->merged, collected->study, false, &is_broken,
                       &err))
        fprintf(stderr, "%s\n", err.text);
    merging->n_good +=
        collected->study != NULL && collected->report.notes.n == 0;
    hpm_study_free(collected->study);
    return !is_broken;
}

/* How many of the files were good. */
static size_t
merge_files(char **paths, size_t n, struct hpm_study *merged)
{
    struct merging merging = {.merged = merged};
    struct hpm_error err;

    hpm_collect((const char *const *)paths, n, 0, 0, merge_one, &merging);
    if (!hpm_merge_end(merged, false, &err))
        fprintf(stderr, "%s\n", err.text);
    return merging.n_good;
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
seconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void
keep_smaller(double *smallest, double value)
{
    if (*smallest == 0 || value < *smallest)
        *smallest = value;
}

/* Wall clock and processor time. */
struct cost {
    double wall, processor;
};

struct result {
    size_t bytes, n_good, n_numbers, taken;
    struct cost bare, ours;
};

static struct cost
now(void)
{
    return (struct cost){seconds(CLOCK_MONOTONIC),
                         seconds(CLOCK_PROCESS_CPUTIME_ID)};
}

static void
keep_smallest(struct cost *smallest, struct cost start)
{
    struct cost end = now();

    keep_smaller(&smallest->wall, end.wall - start.wall);
    keep_smaller(&smallest->processor, end.processor - start.processor);
}

static void
one_round(char **paths, size_t n, struct result *result)
{
    struct hpm_study *merged = hpm_study_new(0);
    struct cost start = now();

    result->bytes = 0;
    for (size_t i = 0; i < n; i++)
        result->bytes += parse_bare(paths[i]);
    keep_smallest(&result->bare, start);
    start = now();
    result->n_good = merge_files(paths, n, merged);
    keep_smallest(&result->ours, start);
    result->n_numbers = count_numbers(merged);
    result->taken = merged->arena.taken;
    hpm_study_free(merged);
}

static void
print(const struct result *result, size_t n)
{
    printf("%zu files, %.1f MB, %zu of them good, %zu numbers\n", n,
           (double)result->bytes / 1e6, result->n_good, result->n_numbers);
    printf("                    wall    MB/s  processor\n");
    printf("bare parse      %6.3f s  %6.1f   %6.3f s\n", result->bare.wall,
           (double)result->bytes / 1e6 / result->bare.wall,
           result->bare.processor);
    printf("read and merge  %6.3f s  %6.1f   %6.3f s\n", result->ours.wall,
           (double)result->bytes / 1e6 / result->ours.wall,
           result->ours.processor);
    printf("ratio           %6.2f             %6.2f     goal 1.50 of wall "
           "clock: %s\n",
           result->ours.wall / result->bare.wall,
           result->ours.processor / result->bare.processor,
           result->ours.wall <= 1.5 * result->bare.wall ? "met" : "missed");
    printf("memory          %6.1f bytes a number, goal 16: %s\n",
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
