/* SPDX-License-Identifier: BSD-3-Clause
 * The cost of reading and merging performance files, beside the cost of what
 * must be done: a bare libxml2 push parse of the same bytes with handlers that
 * do nothing.
 *
 *     reading [-r ROUNDS] FILE...
 *
 * In each round a group of files is parsed, then read and merged by one thread,
 * then by as many as there are processors; then the next group.  A disturbance
 * of the machine disturbs all three, so the ratio within a round counts. */
#include <fcntl.h>
#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "statistic.h"
#include "study/columns/merge.h"
#include "study/file/collect.h"

/* ---- bare parse ----------------------------------------------------- */

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

/* ---- reading and merging -------------------------------------------- */

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

static void
merge_files(char **paths, size_t n, int n_threads, struct merging *merging)
{
    hpm_collect((const char *const *)paths, n, n_threads, 0, merge_one,
                merging);
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

/* ---- all in turn ----------------------------------------------------- */

enum { GROUP = 1000, MOST_ROUNDS = 100 };

/* Wall clock and processor time. */
struct cost {
    double wall, processor;
};

static double
seconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static struct cost
now(void)
{
    return (struct cost){seconds(CLOCK_MONOTONIC),
                         seconds(CLOCK_PROCESS_CPUTIME_ID)};
}

static void
add_since(struct cost *sum, struct cost start)
{
    struct cost end = now();

    sum->wall += end.wall - start.wall;
    sum->processor += end.processor - start.processor;
}

/* One way to read and merge, with its result. */
struct way {
    int n_threads; /* 0: as many as processors */
    struct merging merging;
    struct cost cost;
};

static void
end_way(struct way *way)
{
    struct cost start = now();
    struct hpm_error err;

    if (!hpm_merge_end(way->merging.merged, false, &err))
        fprintf(stderr, "%s\n", err.text);
    add_since(&way->cost, start);
}

struct result {
    size_t bytes, n_good, n_numbers, taken;
    int n_rounds;
    struct cost bare;              /* of the last round */
    double wall[MOST_ROUNDS];      /* ratios, all threads */
    double processor[MOST_ROUNDS]; /* one thread */
};

static void
one_round(char **paths, size_t n, struct result *result)
{
    struct way ways[2] = {{.n_threads = 1}, {.n_threads = 0}};
    struct cost bare = {0};

    for (int i = 0; i < 2; i++)
        ways[i].merging.merged = hpm_study_new(0);
    result->bytes = 0;
    for (size_t i = 0; i < n; i += GROUP) {
        size_t n_here = n - i < GROUP ? n - i : GROUP;
        struct cost start = now();

        for (size_t j = i; j < i + n_here; j++)
            result->bytes += parse_bare(paths[j]);
        add_since(&bare, start);
        for (int j = 0; j < 2; j++) {
            start = now();
            merge_files(paths + i, n_here, ways[j].n_threads, &ways[j].merging);
            add_since(&ways[j].cost, start);
        }
    }
    for (int i = 0; i < 2; i++)
        end_way(&ways[i]);
    result->bare = bare;
    result->processor[result->n_rounds] =
        ways[0].cost.processor / bare.processor;
    result->wall[result->n_rounds++] = ways[1].cost.wall / bare.wall;
    result->n_good = ways[0].merging.n_good;
    result->n_numbers = count_numbers(ways[0].merging.merged);
    result->taken = ways[0].merging.merged->arena.taken;
    for (int i = 0; i < 2; i++)
        hpm_study_free(ways[i].merging.merged);
}

static void
print_ratio(const char *what, double *ratios, int n)
{
    double median = bench_median(ratios, (size_t)n);

    printf("%-44s %6.2f  %.2f-%.2f  goal 1.50: %s\n", what, median,
           bench_quantile(ratios, (size_t)n, 0.25),
           bench_quantile(ratios, (size_t)n, 0.75),
           median <= 1.5 ? "met" : "NOT MET");
}

static void
print(struct result *result, size_t n)
{
    printf("%zu files, %.1f MB, %zu of them good, %zu numbers; a bare parse "
           "takes %.3f s\n",
           n, (double)result->bytes / 1e6, result->n_good, result->n_numbers,
           result->bare.processor);
    printf("read and merge / bare parse, %d rounds %13s  25-75 %%\n",
           result->n_rounds, "median");
    print_ratio("  wall clock, as many threads as processors", result->wall,
                result->n_rounds);
    print_ratio("  processor time, one thread", result->processor,
                result->n_rounds);
    printf("%-44s %6.1f             goal 16: %s\n",
           "memory of the result, bytes a number",
           (double)result->taken / (double)result->n_numbers,
           result->taken <= 16 * result->n_numbers ? "met" : "NOT MET");
}

int
main(int argc, char **argv)
{
    static struct result result;
    int rounds = 5, first = 1;

    if (argc > 2 && strcmp(argv[1], "-r") == 0) {
        rounds = atoi(argv[2]);
        first = 3;
    }
    if (argc <= first || rounds < 1 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "usage: reading [-r ROUNDS] FILE...\n");
        return 2;
    }
    for (int i = 0; i < rounds; i++)
        one_round(argv + first, (size_t)(argc - first), &result);
    print(&result, (size_t)(argc - first));
    return 0;
}
