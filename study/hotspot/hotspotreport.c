/* SPDX-License-Identifier: BSD-3-Clause
 * Hot spots as a report. */
#include "config.h"

#include "study/hotspot/hotspotreport.h"

#include <math.h>

#include "study/report/format.h"
#include "study/report/human.h"
#include "study/report/paragraph.h"
#include "study/report/tablewords.h"
#include "study/statistics/proportion.h"
#include "study/words/sentence.h"
#include "study/words/words.h"

static const char *const namings[] = {[HPM_NAMING_FUNCTION] = N_("function"),
                                      [HPM_NAMING_LINE] = N_("line"),
                                      [HPM_NAMING_MODULE] = N_("module"),
                                      [HPM_NAMING_PLACE] = N_("function")};

/* ---- what was sampled ------------------------------------------------ */

/* The total of an event in all tasks, and the threads that were not sampled. */
struct total {
    double count; /* NAN: not known for all tasks */
    uint64_t n_threads_without;
    const char *unit; /* "s" for clocks */
};

static bool
is_sampled_as(const struct hpm_task_sampled *task,
              const struct hpm_study_sampled *sampled)
{
    return task->name == sampled->name && task->domain == sampled->domain &&
           task->period.amount == sampled->period;
}

static bool
is_clock(const struct hpm_study_sampled *sampled)
{
    return sampled->unit != NULL && sampled->unit[0] == 'n';
}

static struct total
find_total(const struct hpm_study *study, uint32_t which)
{
    const struct hpm_study_sampled *sampled = &study->sampled[which];
    struct total total = {.unit = is_clock(sampled) ? "s" : ""};

    for (size_t i = 0; i < study->n_tasks; i++) {
        const struct hpm_task *task = &study->tasks[i];

        for (size_t j = 0; j < task->n_sampled; j++) {
            if (!is_sampled_as(&task->sampled[j], sampled))
                continue;
            total.count += hpm_number_to_real(task->sampled[j].count);
            if (task->sampled[j].n_threads_without.kind == HPM_NUMBER_COUNT)
                total.n_threads_without +=
                    task->sampled[j].n_threads_without.amount;
        }
    }
    return total;
}

/* Append a rounded amount of an event for people. */
static void
add_amount(struct hpm_string *string, const struct hpm_study_sampled *sampled,
           double amount)
{
    if (is_clock(sampled))
        hpm_human_add(string, amount / 1e9, "s");
    else
        hpm_human_add(string, amount, sampled->name);
}

/* ---- text ------------------------------------------------------------ */

static void
add_plural(struct hpm_string *string, uint64_t n, const char *word)
{
    hpm_string_add_grouped(string, n);
    hpm_string_add(string, word);
}

static void
add_domain(struct hpm_string *string, const struct hpm_study_sampled *sampled)
{
    if (sampled->domain != NULL && sampled->domain[0] == 'u')
        hpm_string_add(string, _(", outside the kernel"));
    else if (sampled->domain != NULL && sampled->domain[0] == 'k')
        hpm_string_add(string, _(", in the kernel"));
}

void
hpm_hotspotreport_add_event(struct hpm_string *string,
                            const struct hpm_study *study, size_t which)
{
    const struct hpm_study_sampled *sampled = &study->sampled[which];

    hpm_string_add(string, sampled->name);
    if (!hpm_hotspots_is_one_of_several(study, sampled))
        return;
    hpm_string_add(string, _(", one each "));
    add_amount(string, sampled, (double)sampled->period);
    add_domain(string, sampled);
}

/* "cpu-clock: 843 samples, one each 997 us, outside the kernel; 857 were to be
 * expected". */
void
hpm_hotspotreport_add_head(struct hpm_string *string,
                           const struct hpm_hotspots *hotspots,
                           const struct hpm_hotspots_part *part, size_t width)
{
    const struct hpm_study_sampled *sampled =
        &hotspots->study->sampled[part->sampled];
    struct total total = find_total(hotspots->study, part->sampled);
    struct hpm_string line = {0};

    hpm_string_add_format(&line, "%s: ", sampled->name);
    add_plural(&line, part->n_taken,
               hpm_words_of(" sample", " samples", part->n_taken));
    hpm_string_add(&line, _(", one each "));
    add_amount(&line, sampled, (double)sampled->period);
    add_domain(&line, sampled);
    if (!isnan(total.count) && total.count > 0.0) {
        hpm_string_add(&line, "; ");
        hpm_string_add_grouped(
            &line, (uint64_t)(total.count / (double)sampled->period));
        hpm_string_add(&line, _(" were to be expected of "));
        add_amount(&line, sampled, total.count);
        if (sampled->domain != NULL && sampled->domain[0] != 'a')
            hpm_string_add(&line, _(" with all that the kernel did"));
    }
    if (part->n_lost > 0) {
        hpm_string_add(&line, "; ");
        add_plural(&line, part->n_lost,
                   hpm_words_of(" record", " records", part->n_lost));
        hpm_string_add(&line, part->n_lost == 1
                                  ? _(" is lost (a sample, or a mapping of "
                                      "code)")
                                  : _(" are lost (samples, or mappings of "
                                      "code)"));
    }
    if (total.n_threads_without > 0) {
        hpm_string_add(&line, _("; without samples of "));
        add_plural(
            &line, total.n_threads_without,
            hpm_words_of(" thread", " threads", total.n_threads_without));
    }
    hpm_paragraph_add_line(string, &line, width);
    hpm_string_free(&line);
}

static void
add_section_name(struct hpm_string *string,
                 const struct hpm_study_section *section)
{
    if (section->label[0] != '\0')
        hpm_string_add(string, section->is_outside
                                   ? hpm_words_get(section->label)
                                   : section->label);
    else
        hpm_string_add_format(string, "#%d", section->instance);
    if (section->scope == HPM_SCOPE_PROCESS)
        hpm_string_add(string, section->is_outside ? _(" of the process")
                                                   : _(", a process section"));
    if (section->base[0] != '\0')
        hpm_string_add_format(string, " (%s:%d)", section->base, section->line);
}

static void
add_title(struct hpm_string *string, const struct hpm_hotspots *hotspots,
          const struct hpm_hotspots_part *part, uint64_t n_all)
{
    hpm_string_add_char(string, '\n');
    if (part->section == HPM_NO_INDEX) {
        hpm_string_add(string, _("all of the program"));
    } else {
        add_section_name(string, &hotspots->study->sections[part->section]);
        hpm_string_add(string, ": ");
        add_plural(string, part->n_taken,
                   hpm_words_of(" sample", " samples", part->n_taken));
        if (n_all > 0)
            hpm_string_add_format(string, _(", %.1f %% of all"),
                                  100.0 * (double)part->n_taken /
                                      (double)n_all);
        if (part->n_lost > 0) {
            hpm_string_add(string, ", ");
            hpm_string_add_grouped(string, part->n_lost);
            hpm_string_add(string, _(" lost"));
        }
    }
    hpm_string_add_char(string, '\n');
}

void
hpm_hotspotreport_add_share(struct hpm_table *table, uint64_t n, uint64_t n_all)
{
    struct hpm_string interval = {0};
    double low, high;

    if (n_all < HPM_HOTSPOTS_LEAST) {
        hpm_table_add_nones(table, 2);
        return;
    }
    hpm_proportion_interval(n, n_all, &low, &high);
    hpm_string_add_format(&interval, _("%.1f to %.1f"), 100.0 * low,
                          100.0 * high);
    hpm_table_add_real(table, 100.0 * (double)n / (double)n_all);
    hpm_table_add_string(table, &interval);
}

/* Add the sections of one scope of an event with their samples: the parts after
 * `all`.  A single section has a table of its own that says the same. */
static void
add_sections(struct hpm_string *string, const struct hpm_hotspots *hotspots,
             size_t all, int scope, const struct hpm_text_style *style)
{
    const struct hpm_hotspots_part *parts = hotspots->parts;
    struct hpm_table table = {0};
    size_t n = 0;

    hpm_table_add_column(&table,
                         scope == HPM_SCOPE_THREAD
                             ? N_("section of a thread")
                             : N_("section of the process"),
                         NULL, 0);
    hpm_table_add_column(&table, "samples", NULL, 0);
    hpm_table_add_column(&table, "share %", NULL, 1);
    hpm_table_add_column(&table, N_("interval %"), NULL, 0);
    hpm_table_align_column(&table);
    for (size_t i = all + 1; i < hotspots->n_parts; i++) {
        const struct hpm_study_section *section;
        struct hpm_string name = {0};

        if (parts[i].section == HPM_NO_INDEX)
            break;
        section = &hotspots->study->sections[parts[i].section];
        if (section->scope != scope)
            continue;
        add_section_name(&name, section);
        hpm_table_add_string(&table, &name);
        hpm_table_add_count(&table, parts[i].n_taken);
        hpm_hotspotreport_add_share(&table, parts[i].n_taken,
                                    parts[all].n_taken);
        n++;
    }
    if (n > 1) {
        hpm_string_add_char(string, '\n');
        hpm_tablewords_add_in(string, &table, NULL, style);
    }
    hpm_table_finish(&table, &string->failed);
}

static void
add_spots(struct hpm_string *string, const struct hpm_hotspots *hotspots,
          const struct hpm_hotspots_part *part, size_t n_most,
          const struct hpm_text_style *style)
{
    size_t n = part->n_spots < n_most ? part->n_spots : n_most;
    struct hpm_table table = {0};

    hpm_table_add_column(&table, namings[hotspots->naming], NULL, 0);
    hpm_table_add_column(&table, "samples", NULL, 0);
    hpm_table_add_column(&table, "share %", NULL, 1);
    hpm_table_add_column(&table, N_("interval %"), NULL, 0);
    hpm_table_align_column(&table);
    if (hotspots->naming != HPM_NAMING_MODULE)
        hpm_table_add_column(&table, "module", NULL, 0);
    for (size_t i = 0; i < n; i++) {
        hpm_table_add_text(&table, part->spots[i].name);
        hpm_table_add_count(&table, part->spots[i].n);
        hpm_hotspotreport_add_share(&table, part->spots[i].n, part->n_taken);
        if (hotspots->naming != HPM_NAMING_MODULE)
            hpm_table_add_text_or_none(&table, part->spots[i].module);
    }
    hpm_tablewords_add_in(string, &table, NULL, style);
    hpm_table_finish(&table, &string->failed);
    if (part->n_spots > n)
        hpm_string_add_format(string, _("and %zu more\n"), part->n_spots - n);
}

/* Is there a part of a section of this scope?  In hpmcount's files all parts
 * are of the process. */
static bool
has_part_of(const struct hpm_hotspots *hotspots, int scope)
{
    for (size_t i = 0; i < hotspots->n_parts; i++) {
        uint32_t section = hotspots->parts[i].section;

        if (section != HPM_NO_INDEX &&
            hotspots->study->sections[section].scope == scope)
            return true;
    }
    return false;
}

/* Does the part repeat the part of all, because the only section has all
 * samples? */
static bool
is_all_again(const struct hpm_hotspots *hotspots, size_t part, uint64_t n_all)
{
    const struct hpm_hotspots_part *parts = hotspots->parts;

    return parts[part].n_taken == n_all && part > 0 &&
           parts[part - 1].section == HPM_NO_INDEX &&
           (part + 1 == hotspots->n_parts ||
            parts[part + 1].section == HPM_NO_INDEX) &&
           !has_part_of(hotspots, HPM_SCOPE_THREAD);
}

void
hpm_hotspotreport_add_notes(struct hpm_string *string,
                            const struct hpm_hotspots *hotspots, size_t width)
{
    struct hpm_string line = {0};

    hpm_string_add_format(
        &line,
        _("Shares are of the section's samples, with their 95 %% interval "
          "(Wilson); under %d samples there is none."),
        HPM_HOTSPOTS_LEAST);
    hpm_string_add(&line, has_part_of(hotspots, HPM_SCOPE_THREAD)
                              ? _(" A sample belongs to the section that was "
                                  "innermost when it was taken. Threads are "
                                  "sampled that have called libhpm.")
                              : _(" All threads of the program are sampled, "
                                  "and of what it has started."));
    hpm_paragraph_add_line(string, &line, width);
    for (size_t i = 0; i < hotspots->n_lacks; i++) {
        hpm_string_add_format(&line, _("Without a name in %s: "),
                              hotspots->lacks[i].path);
        add_plural(&line, hotspots->lacks[i].n,
                   hpm_words_of(" sample", " samples", hotspots->lacks[i].n));
        hpm_string_add(&line, "; ");
        hpm_sentence_add(&line, hotspots->lacks[i].reason);
        hpm_string_add_char(&line, '.');
        hpm_paragraph_add_line(string, &line, width);
    }
    hpm_string_free(&line);
}

void
hpm_hotspotreport_add_text(struct hpm_string *string,
                           const struct hpm_hotspots *hotspots, size_t n_most,
                           const struct hpm_text_style *style)
{
    uint64_t n_all = 0;

    for (size_t i = 0; i < hotspots->n_parts; i++) {
        const struct hpm_hotspots_part *part = &hotspots->parts[i];

        if (part->section == HPM_NO_INDEX) {
            if (i > 0)
                hpm_string_add_char(string, '\n');
            n_all = part->n_taken;
            hpm_hotspotreport_add_head(string, hotspots, part, style->width);
        }
        if (is_all_again(hotspots, i, n_all))
            continue;
        add_title(string, hotspots, part, n_all);
        add_spots(string, hotspots, part, n_most, style);
        if (part->section == HPM_NO_INDEX) {
            add_sections(string, hotspots, i, HPM_SCOPE_THREAD, style);
            add_sections(string, hotspots, i, HPM_SCOPE_PROCESS, style);
        }
    }
    hpm_string_add_char(string, '\n');
    hpm_hotspotreport_add_notes(string, hotspots, style->width);
}

/* ---- tables for programs --------------------------------------------- */

static void
add_columns(struct hpm_table *table)
{
    static const char *const names[] = {"event", "domain",  "unit",    "period",
                                        "scope", "section", "file",    "line",
                                        "name",  "module",  "samples", "share",
                                        "low",   "high",    "of",      "lost"};

    hpm_table_add_columns(table, names, sizeof names / sizeof names[0], 6);
}

static void
add_section_cells(struct hpm_table *table,
                  const struct hpm_study_section *section)
{
    struct hpm_string label = {0};

    if (section == NULL) {
        hpm_table_add_nones(table, 4);
        return;
    }
    if (section->label[0] != '\0')
        hpm_string_add(&label, section->label);
    else
        hpm_string_add_format(&label, "#%d", section->instance);
    hpm_table_add_text(table, section->scope == HPM_SCOPE_PROCESS ? "process"
                                                                  : "thread");
    hpm_table_add_string(table, &label);
    hpm_table_add_text_or_none(table, section->base);
    if (section->line > 0)
        hpm_table_add_integer(table, section->line);
    else
        hpm_table_add_none(table);
}

static void
add_exact_share(struct hpm_table *table, const struct hpm_hotspots_part *part,
                uint64_t n)
{
    uint64_t n_all = part->n_taken;
    double low, high;

    if (n_all < HPM_HOTSPOTS_LEAST) {
        hpm_table_add_nones(table, 3);
        return;
    }
    hpm_table_add_real(table, (double)n / (double)n_all);
    hpm_proportion_interval(n, n_all, &low, &high);
    hpm_table_add_real(table, low);
    hpm_table_add_real(table, high);
}

static void
add_rows(struct hpm_table *table, const struct hpm_hotspots *hotspots,
         const struct hpm_hotspots_part *part)
{
    const struct hpm_study *study = hotspots->study;
    const struct hpm_study_sampled *sampled = &study->sampled[part->sampled];

    for (size_t i = 0; i < part->n_spots; i++) {
        hpm_table_add_text(table, sampled->name);
        hpm_table_add_text_or_none(table, sampled->domain);
        hpm_table_add_text_or_none(table, sampled->unit);
        hpm_table_add_count(table, sampled->period);
        add_section_cells(table, part->section == HPM_NO_INDEX
                                     ? NULL
                                     : &study->sections[part->section]);
        hpm_table_add_text(table, part->spots[i].name);
        hpm_table_add_text_or_none(table, part->spots[i].module);
        hpm_table_add_count(table, part->spots[i].n);
        add_exact_share(table, part, part->spots[i].n);
        hpm_table_add_count(table, part->n_taken);
        hpm_table_add_count(table, part->n_lost);
    }
}

static void
make_table(struct hpm_table *table, const struct hpm_hotspots *hotspots)
{
    add_columns(table);
    for (size_t i = 0; i < hotspots->n_parts; i++)
        add_rows(table, hotspots, &hotspots->parts[i]);
}

void
hpm_hotspotreport_add_csv(struct hpm_string *string,
                          const struct hpm_hotspots *hotspots)
{
    struct hpm_table table = {0};

    make_table(&table, hotspots);
    hpm_csv_add_table(string, &table);
    hpm_table_finish(&table, &string->failed);
}

static void
add_sampled(struct hpm_string *string, const struct hpm_hotspots *hotspots)
{
    struct hpm_table table = {0};
    static const char *const names[] = {"event",  "domain", "unit",
                                        "period", "count",  "threads_without"};

    hpm_table_add_columns(&table, names, sizeof names / sizeof names[0], 0);
    for (uint32_t i = 0; i < hotspots->study->n_sampled; i++) {
        const struct hpm_study_sampled *sampled = &hotspots->study->sampled[i];
        struct total total = find_total(hotspots->study, i);

        hpm_table_add_text(&table, sampled->name);
        hpm_table_add_text_or_none(&table, sampled->domain);
        hpm_table_add_text_or_none(&table, sampled->unit);
        hpm_table_add_count(&table, sampled->period);
        hpm_table_add_real(&table, total.count);
        hpm_table_add_count(&table, total.n_threads_without);
    }
    hpm_json_add_table(string, &table);
    hpm_table_finish(&table, &string->failed);
}

static void
add_lacks(struct hpm_string *string, const struct hpm_hotspots *hotspots)
{
    struct hpm_table table = {0};
    static const char *const names[] = {"module", "samples", "reason"};

    hpm_table_add_columns(&table, names, sizeof names / sizeof names[0], 0);
    for (size_t i = 0; i < hotspots->n_lacks; i++) {
        hpm_table_add_text(&table, hotspots->lacks[i].path);
        hpm_table_add_count(&table, hotspots->lacks[i].n);
        hpm_table_add_text(&table, hotspots->lacks[i].reason);
    }
    hpm_json_add_table(string, &table);
    hpm_table_finish(&table, &string->failed);
}

void
hpm_hotspotreport_add_json(struct hpm_string *string,
                           const struct hpm_hotspots *hotspots)
{
    struct hpm_table table = {0};

    hpm_string_add_format(string,
                          "{\"tool\": \"" PACKAGE_TARNAME " " PACKAGE_VERSION
                          "\",\n \"version\": 1,\n"
                          " \"by\": \"%s\",\n \"sampled\": ",
                          namings[hotspots->naming]);
    add_sampled(string, hotspots);
    hpm_string_add(string, ",\n \"unnamed\": ");
    add_lacks(string, hotspots);
    hpm_string_add(string, ",\n \"data\": ");
    make_table(&table, hotspots);
    hpm_json_add_table(string, &table);
    hpm_table_finish(&table, &string->failed);
    hpm_string_add(string, "}\n");
}
