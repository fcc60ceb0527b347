/* SPDX-License-Identifier: BSD-3-Clause
 * hpm doctor: what can be counted here, and why not more. */
#include "config.h"

#include "hpm/diagnosis/diagnosis.h"

#include "hpm/diagnosis/checks.h"
#include "report/table.h"
#include "report/text.h"
#include "study/report/format.h"
#include "study/words/sentence.h"
#include "study/words/words.h"

static const char *
verdict(const struct findings *findings)
{
    if (!findings->has_hardware)
        return "none";
    return findings_cause(findings) == NULL ? "all" : "in part";
}

/* ---- text ------------------------------------------------------------ */

/* The columns of check and finding: the second is counted from the first. */
enum { CHECK = 7, FINDING = 15 };

static void
add_sentence(struct hpm_string *text, const char *sentence)
{
    struct hpm_string shown = {0};

    hpm_sentence_add(&shown, sentence);
    hpm_string_add_safe(text, hpm_string_text(&shown));
    hpm_string_finish(&shown, &text->failed);
}

static void
add_line(struct hpm_string *text, const struct finding *finding)
{
    const char *check = _(finding->check);
    const char *state = _(finding_state_name(finding->state));
    size_t at = hpm_text_width(state);

    hpm_string_add(text, state);
    hpm_string_add_blanks(text, at, at < CHECK ? CHECK : at + 1);
    at = hpm_text_width(check);
    hpm_string_add(text, check);
    hpm_string_add_blanks(text, at, at < FINDING ? FINDING : at + 1);
    add_sentence(text, finding->text);
    if (finding->remedy[0] != '\0') {
        hpm_string_add(text, "; ");
        add_sentence(text, finding->remedy);
    }
    hpm_string_add_char(text, '\n');
}

static void
add_text(struct hpm_string *text, const struct findings *findings)
{
    const struct finding *cause = findings_cause(findings);

    hpm_string_add_format(text, _("hardware counters usable: %s\n"),
                          _(verdict(findings)));
    if (cause != NULL) {
        hpm_string_add(text, _("cause:  "));
        add_sentence(text, cause->text);
        hpm_string_add_char(text, '\n');
        hpm_string_add(text, _("remedy: "));
        add_sentence(text, cause->remedy);
        hpm_string_add_char(text, '\n');
    }
    hpm_string_add_char(text, '\n');
    for (size_t i = 0; i < findings->n; i++)
        add_line(text, &findings->list[i]);
}

/* ---- JSON ------------------------------------------------------------ */

static void
add_json_text(struct hpm_string *text, const char *name, const char *value)
{
    hpm_string_add_format(text, ",\n \"%s\": ", name);
    if (value != NULL)
        hpm_json_add_text(text, value);
    else
        hpm_string_add(text, "null");
}

static void
fill_table(struct hpm_table *table, const struct findings *findings)
{
    static const char *const names[] = {"check", "state", "finding", "remedy"};

    hpm_table_add_columns(table, names, 4, 0);
    for (size_t i = 0; i < findings->n; i++) {
        const struct finding *finding = &findings->list[i];

        hpm_table_add_text(table, finding->check);
        hpm_table_add_text(table, finding_state_name(finding->state));
        hpm_table_add_text(table, finding->text);
        hpm_table_add_text_or_none(table, finding->remedy);
    }
}

static void
add_json(struct hpm_string *text, const struct findings *findings)
{
    const struct finding *cause = findings_cause(findings);
    struct hpm_table table = {0};

    hpm_string_add(text, "{\"tool\": \"hpm doctor\",\n"
                         " \"version\": \"" PACKAGE_VERSION "\",\n"
                         " \"format\": 1");
    add_json_text(text, "usable", verdict(findings));
    add_json_text(text, "check", cause != NULL ? cause->check : NULL);
    add_json_text(text, "cause", cause != NULL ? cause->text : NULL);
    add_json_text(text, "remedy", cause != NULL ? cause->remedy : NULL);
    hpm_string_add(text, ",\n \"findings\": ");
    fill_table(&table, findings);
    hpm_json_add_table(text, &table);
    hpm_string_add(text, "}\n");
    hpm_table_finish(&table, &text->failed);
}

enum status
diagnosis_run(bool is_json)
{
    struct findings findings = {0};
    struct hpm_string text = {0};

    checks_run(&findings);
    if (is_json)
        add_json(&text, &findings);
    else
        add_text(&text, &findings);
    return subcommand_print(
        "doctor", &text, findings_cause(&findings) == NULL ? GOOD : SOME_BAD);
}
