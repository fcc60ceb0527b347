/* SPDX-License-Identifier: BSD-3-Clause
 * hpm doctor --roofs: how fast this machine can calculate and read memory. */
#include "config.h"

#include "hpm/roofs/roofs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "hpm/frame/keeping.h"
#include "hpm/roofs/levels.h"
#include "hpm/roofs/team.h"
#include "report/table.h"
#include "report/text.h"
#include "source/machine/cpuinfo.h"
#include "study/report/format.h"
#include "study/report/tablewords.h"
#include "study/words/sentence.h"
#include "study/words/words.h"

enum { MOST_ROOFS = 24, ONE = 0, ALL = 1, MOST_SPREAD = 20 };

struct roof {
    const char *name;   /* "double_256" */
    const char *text;   /* the work that is done */
    const char *why[2]; /* reasons if there is no rate */
    bool is_reading;
    struct roof_rate rates[2]; /* of one processor; of all */
};

struct roofs {
    struct roof list[MOST_ROOFS];
    size_t n, n_processors;
    struct hpm_string path; /* the file to which the roofs are written */
};

/* ---- measuring --------------------------------------------------------- */

static bool
add_calculation(struct roofs *roofs, const struct roof_kernel *kernel,
                struct hpm_error *err)
{
    struct roof *roof = &roofs->list[roofs->n];
    bool is_good;

    if (kernel->can_run != NULL && !kernel->can_run())
        return true;
    *roof = (struct roof){.name = kernel->name, .text = kernel->text};
    is_good =
        team_measure(kernel, 1, 0, &roof->rates[ONE], err) &&
        team_measure(kernel, roofs->n_processors, 0, &roof->rates[ALL], err);
    roofs->n++;
    return is_good;
}

static bool
add_level(struct roofs *roofs, int level, const char *name, const char *text,
          struct hpm_error *err)
{
    struct roof *roof = &roofs->list[roofs->n];
    size_t n_threads[2] = {1, roofs->n_processors};

    *roof = (struct roof){.name = name, .text = text, .is_reading = true};
    for (int i = ONE; i <= ALL; i++) {
        size_t size = levels_size(level, n_threads[i], &roof->why[i]);

        if (size > 0 && !team_measure(&roof_reading, n_threads[i], size,
                                      &roof->rates[i], err))
            return false;
    }
    roofs->n++;
    return true;
}

/* The fastest rate of a precision, of any width. */
static void
add_best(struct roofs *roofs, const char *name, const char *text)
{
    struct roof *best = &roofs->list[roofs->n++];
    size_t length = strlen(name);

    *best = (struct roof){.name = name, .text = text};
    for (size_t i = 0; i + 1 < roofs->n; i++) {
        const struct roof *roof = &roofs->list[i];

        if (strncmp(roof->name, name, length) != 0)
            continue;
        for (int j = ONE; j <= ALL; j++) {
            if (roof->rates[j].best > best->rates[j].best)
                best->rates[j] = roof->rates[j];
        }
    }
}

/* What one processor reached, all together can: where they seem slower, other programs
 * had some of them. */
static void
raise_all(struct roofs *roofs)
{
    for (size_t i = 0; i < roofs->n; i++) {
        struct roof_rate *rates = roofs->list[i].rates;

        if (rates[ALL].best > 0 && rates[ALL].best < rates[ONE].best)
            rates[ALL].best = rates[ONE].best;
    }
}

static bool
measure_all(struct roofs *roofs, struct hpm_error *err)
{
    bool is_good = true;

    roofs->n_processors = team_count_processors();
    for (size_t i = 0; is_good && i < roof_n_calculations; i++)
        is_good = add_calculation(roofs, &roof_calculations[i], err);
    add_best(roofs, "double", "double precision, the fastest");
    add_best(roofs, "single", "single precision, the fastest");
    return is_good && add_level(roofs, 1, "L1", "reading from level 1", err) &&
           add_level(roofs, 2, "L2", "reading from level 2", err) &&
           add_level(roofs, 3, "L3", "reading from level 3", err) &&
           add_level(roofs, LEVEL_MEMORY, "memory", "reading from memory", err);
}

static bool
measure(struct roofs *roofs, struct hpm_error *err)
{
    bool is_good = measure_all(roofs, err);

    raise_all(roofs);
    return is_good;
}

/* ---- printing ---------------------------------------------------------- */

/* How far the median attempt is below the best one, in percent. */
static double
spread_of(const struct roof_rate *rate)
{
    return 100 * (rate->best - rate->middle) / rate->best;
}

static double
largest_spread(const struct roofs *roofs)
{
    double largest = 0;

    for (size_t i = 0; i < roofs->n; i++) {
        for (int j = ONE; j <= ALL; j++) {
            const struct roof_rate *rate = &roofs->list[i].rates[j];

            if (rate->best > 0 && spread_of(rate) > largest)
                largest = spread_of(rate);
        }
    }
    return largest;
}

static void
add_rate(struct hpm_table *table, const struct roof_rate *rate)
{
    if (rate->best > 0) {
        hpm_table_add_real(table, 1e-9 * rate->best);
        hpm_table_add_real(table, spread_of(rate));
    } else {
        hpm_table_add_nones(table, 2);
    }
}

static void
fill(struct hpm_table *table, const struct roofs *roofs)
{
    hpm_table_add_column(table, "roof", NULL, 0);
    hpm_table_add_column(table, "what", NULL, 0);
    hpm_table_add_column(table, "unit", NULL, 0);
    hpm_table_add_column(table, "one", "1 processor", 1);
    hpm_table_add_column(table, "one_spread", "spread %", 1);
    hpm_table_add_column(table, "all", "all", 1);
    hpm_table_add_column(table, "all_spread", "spread %", 1);
    for (size_t i = 0; i < roofs->n; i++) {
        const struct roof *roof = &roofs->list[i];

        hpm_table_add_text(table, roof->name);
        hpm_table_add_text(table, roof->text);
        hpm_table_add_text(table, roof->is_reading ? "GB/s" : "GFLOP/s");
        add_rate(table, &roof->rates[ONE]);
        add_rate(table, &roof->rates[ALL]);
    }
}

static void
add_reason(struct hpm_string *text, const char *roof, const char *whose,
           const char *why)
{
    struct hpm_string reason = {0};

    hpm_sentence_add(&reason, why);
    hpm_string_add_format(text, _("%s %s: not measured: %s\n"), roof, _(whose),
                          hpm_string_text(&reason));
    hpm_string_finish(&reason, &text->failed);
}

static void
add_reasons(struct hpm_string *text, const struct roofs *roofs)
{
    static const char *const whose[] = {N_("of one processor"), N_("of all")};

    for (size_t i = 0; i < roofs->n; i++) {
        for (int j = ONE; j <= ALL; j++) {
            if (roofs->list[i].why[j] != NULL)
                add_reason(text, roofs->list[i].name, whose[j],
                           roofs->list[i].why[j]);
        }
    }
}

static void
add_machine_line(struct hpm_string *text)
{
    const struct hpm_cpuinfo *cpu = hpm_cpuinfo_get();
    struct utsname system = {0};

    uname(&system);
    hpm_string_add_format(text, "%s (%s), %s %s", cpu->name, cpu->identity,
                          system.sysname, system.release);
}

static void
add_text(struct hpm_string *text, const struct roofs *roofs)
{
    struct hpm_table table = {0};

    hpm_string_add(text, _("How fast can this machine calculate and read?\n"));
    add_machine_line(text);
    hpm_string_add_format(text,
                          _("\nbest of 9 attempts, each 15 ms, on 1 and on "
                            "%zu processors; spread: how far the middle one "
                            "is below\nkept in %s\n\n"),
                          roofs->n_processors, hpm_string_text(&roofs->path));
    fill(&table, roofs);
    hpm_tablewords_add(text, &table, NULL);
    hpm_table_finish(&table, &text->failed);
    add_reasons(text, roofs);
    if (largest_spread(roofs) > MOST_SPREAD)
        hpm_string_add_format(
            text,
            _("\nother programs ran meanwhile: attempts are up to %.0f %% "
              "below "
              "the best;\nmeasure again when nothing else runs\n"),
            largest_spread(roofs));
}

static void
add_json(struct hpm_string *text, const struct roofs *roofs)
{
    struct hpm_string machine = {0}, reasons = {0};
    struct hpm_table table = {0};

    add_machine_line(&machine);
    add_reasons(&reasons, roofs);
    hpm_string_add(text, "{\"tool\": \"hpm doctor --roofs\",\n"
                         " \"version\": \"" PACKAGE_VERSION "\",\n"
                         " \"format\": 1,\n \"machine\": ");
    hpm_json_add_text(text, hpm_string_text(&machine));
    hpm_string_add_format(
        text, ",\n \"processors\": %zu,\n \"kept\": ", roofs->n_processors);
    hpm_json_add_text(text, hpm_string_text(&roofs->path));
    hpm_string_add(text, ",\n \"not_measured\": ");
    hpm_json_add_text(text, hpm_string_text(&reasons));
    hpm_string_add(text, ",\n \"roofs\": ");
    fill(&table, roofs);
    hpm_json_add_table(text, &table);
    hpm_string_add(text, "}\n");
    hpm_table_finish(&table, &text->failed);
    text->failed |= machine.failed || reasons.failed;
    hpm_string_free(&machine);
    hpm_string_free(&reasons);
}

/* ---- the whole --------------------------------------------------------- */

/* Write the roofs under the names used by definitions of metrics:
 * roof::double_one. */
static bool
keep(struct roofs *roofs, struct hpm_error *err)
{
    static const char *const whose[] = {"one", "all"};
    struct hpm_string facts = {0};
    bool is_good;

    hpm_string_add_format(&facts, "ROOF:processors=%zu\n", roofs->n_processors);
    for (size_t i = 0; i < roofs->n; i++) {
        for (int j = ONE; j <= ALL; j++) {
            const struct roof_rate *rate = &roofs->list[i].rates[j];

            if (rate->best > 0)
                hpm_string_add_format(
                    &facts, "ROOF:%s_%s=%.4g spread %.1f %%\n",
                    roofs->list[i].name, whose[j], rate->best, spread_of(rate));
        }
    }
    is_good =
        (!facts.failed || hpm_error_no_memory(err)) &&
        keeping_write("ROOF:", hpm_string_text(&facts), &roofs->path, err);
    hpm_string_free(&facts);
    return is_good;
}

enum status
roofs_run(bool is_json)
{
    static struct roofs roofs;
    struct hpm_string text = {0};
    struct hpm_error err;

    if (!measure(&roofs, &err) || !keep(&roofs, &err)) {
        hpm_string_free(&roofs.path);
        return subcommand_fail("doctor", &err, NOTHING);
    }
    if (is_json)
        add_json(&text, &roofs);
    else
        add_text(&text, &roofs);
    hpm_string_free(&roofs.path);
    return subcommand_print("doctor", &text, GOOD);
}
