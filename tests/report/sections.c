/* SPDX-License-Identifier: BSD-3-Clause
 * The report of an experiment made by hand, as text, CSV and JSON. */
#include "config.h"

#include "report/sections.h"
#include "study/report/runtable.h"

#include <ctype.h>
#include <stdlib.h>

#include "host/memory.h"
#include "tap.h"

/* ---- the experiment -------------------------------------------------- */

static void
set(char **field, const char *text)
{
    hpm_experiment_set_text(field, text);
}

static void
fill_run(struct hpm_experiment *experiment)
{
    struct hpm_run *run = &experiment->run;
    struct hpm_machine *machine = &experiment->machine;

    set(&run->program, "swim");
    set(&run->job, "");
    set(&run->start, "2026-11-20T11:30:00.123Z");
    run->task = 3;
    run->pid = 4711;
    run->ns = 12345678901;
    run->is_complete = true;
    set(&machine->host, "node7");
    set(&machine->system, "Linux 6.1.0");
    set(&machine->architecture, "x86_64");
    machine->n_cpus = 8;
    *hpm_experiment_add_resource(experiment) =
        (struct hpm_resource){"ru::utime", "user time", "ns", 5000, true};
    *hpm_experiment_add_resource(experiment) =
        (struct hpm_resource){"ru::nswap", "times swapped out", "", 9, false};
}

static void
add_counter(struct hpm_experiment *experiment, const char *name,
            const char *unit, enum hpm_state state, const char *reason)
{
    struct hpm_counter *counter = hpm_experiment_add_counter(experiment);

    set(&counter->name, name);
    set(&counter->source, "kernel");
    set(&counter->description, "");
    set(&counter->unit, unit);
    set(&counter->domain, "all");
    set(&counter->reason, reason);
    counter->kind = unit[0] != '\0' ? HPM_COUNTER_TIME : HPM_COUNTER_COUNT;
    counter->state = state;
}

static const struct hpm_value no_value = {
    .is_present = true, .mean = NAN, .deviation = NAN, .share = NAN};

/* A section of `ms` milliseconds, `own_ms` of them exclusive. */
static struct hpm_record *
add_record(struct hpm_experiment *experiment, const char *label, size_t parent,
           uint64_t ms, uint64_t own_ms)
{
    struct hpm_record *record = hpm_experiment_add_record(experiment);
    size_t i = experiment->n_records - 1;

    set(&record->label, label);
    set(&record->file, "src/swim.f");
    record->parent = parent;
    record->tid = 11;
    record->instance = (int)i + 1;
    record->line_start = 10 * (int)i;
    record->line_end = 10 * (int)i + 9;
    record->calls = record->outer = 1000 * i + 1;
    record->time = no_value;
    record->time.total = ms * 1000000;
    record->time.exclusive = own_ms * 1000000;
    for (size_t j = 0; j < experiment->n_counters; j++) {
        struct hpm_value *value = hpm_experiment_value(experiment, i, j);

        *value = no_value;
        value->state = experiment->counters[j].state;
        value->total = 1000000 * (i + 1) + j;
    }
    return record;
}

/* Two families, stored in the order of first use. */
static void
add_families(struct hpm_experiment *experiment)
{
    struct hpm_value *value;

    add_record(experiment, "A", HPM_NO_RECORD, 500, 200);
    add_record(experiment, "B", HPM_NO_RECORD, 500, 400);
    add_record(experiment, "A in", 0, 300, 250);
    add_record(experiment, "", 1, 100, 100);
    add_record(experiment, "A in in", 2, 50, 50);
    set(&experiment->records[3].file, "");
    experiment->records[0].time.mean = 250e6;
    experiment->records[0].time.deviation = 1e6;
    value = hpm_experiment_value(experiment, 0, 0);
    value->has_exclusive = true;
    value->exclusive = 17;
    value->mean = 0.1;
    value->deviation = 0.25;
    value->share = 0.5;
    value->state = HPM_STATE_SHARED;
    hpm_experiment_value(experiment, 1, 2)->is_present = false;
}

static struct hpm_experiment *
make_by_hand(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_record *all;

    fill_run(experiment);
    add_counter(experiment, "task-clock", "ns", HPM_STATE_COUNTED, NULL);
    add_counter(experiment, "cycles", "", HPM_STATE_UNSUPPORTED, "no PMU");
    add_counter(experiment, "page-faults", "", HPM_STATE_COUNTED, NULL);
    add_counter(experiment, "hidden", "", HPM_STATE_UNSUPPORTED, "secret");
    experiment->counters[3].is_hidden = true;
    add_families(experiment);
    all = add_record(experiment, "everything", HPM_NO_RECORD, 1000, 1000);
    all->scope = HPM_SCOPE_PROCESS;
    all->tid = -1;
    return experiment;
}

static struct hpm_string report;

/* Without metrics. */
static void
add_csv(struct hpm_string *string, const struct hpm_experiment *experiment)
{
    hpm_runtable_add_csv(string, experiment, NULL, NULL);
}

static void
add_json(struct hpm_string *string, const struct hpm_experiment *experiment)
{
    hpm_runtable_add_json(string, experiment, NULL, NULL);
}

typedef void add_report(struct hpm_string *string,
                        const struct hpm_experiment *experiment);

static const char *
report_of(const struct hpm_experiment *experiment, add_report *add)
{
    hpm_string_free(&report);
    add(&report, experiment);
    return hpm_string_text(&report);
}

/* How many times `line` is a whole line of the report. */
static size_t
n_lines(const char *line)
{
    size_t length = strlen(line), n = 0;

    for (const char *c = hpm_string_text(&report);
         (c = strstr(c, line)) != NULL; c += length)
        n += (c == report.text || c[-1] == '\n') && c[length] == '\n';
    return n;
}

static void
check_line(const char *line, const char *sentence)
{
    is_count(n_lines(line), 1, sentence);
    if (n_lines(line) != 1)
        printf("# no line '%s'\n", line);
}

/* ---- text ------------------------------------------------------------ */

static void
test_text(void)
{
    struct hpm_experiment *experiment = make_by_hand();

    is_text(report_of(experiment, hpm_sections_add_text),
            "swim, task 3, 12.346 s wall clock\n"
            "\n"
            "process section (all threads)  thread  calls    incl s    excl s"
            "  excl %  task-clock s  cycles  page-faults  where\n"
            "everything                     all     5,001  1.000000  1.000000"
            "   100.0      0.006000       -    6,000,002  swim.f:50-59\n"
            "\n"
            "thread section  thread  calls    incl s    excl s"
            "  excl %  task-clock s  cycles  page-faults  where\n"
            "A                   11      1  0.500000  0.200000"
            "    20.0  0.001000 +-?       -    1,000,002  swim.f:0-9\n"
            "  A in              11  2,001  0.300000  0.250000"
            "    25.0  0.003000           -    3,000,002  swim.f:20-29\n"
            "    A in in         11  4,001  0.050000  0.050000"
            "     5.0  0.005000           -    5,000,002  swim.f:40-49\n"
            "B                   11  1,001  0.500000  0.400000"
            "    40.0  0.002000           -            -  swim.f:10-19\n"
            "  #4                11  3,001  0.100000  0.100000"
            "    10.0  0.004000           -    4,000,002  -\n"
            "\n"
            "note: task-clock: shared the hardware with other counters: "
            "counted as little as 50.0 % of the time, and scaled up; how far "
            "that is off (+-?) nobody knows\n"
            "note: cycles: not counted: no PMU\n",
            "text has a line for each section, families together");
    hpm_experiment_free(experiment);
}

static void
test_text_of_nothing(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();

    is_text(report_of(experiment, hpm_sections_add_text),
            ", task 0, 0.000 s wall clock\n\n",
            "an empty experiment is an empty report");
    hpm_experiment_free(experiment);
}

static void
test_text_without_time(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_record *record;

    set(&experiment->run.program, "a.out");
    record = add_record(experiment, "quick", HPM_NO_RECORD, 0, 0);
    record->line_start = record->line_end = 7;
    report_of(experiment, hpm_sections_add_text);
    check_line("thread section  thread  calls    incl s    excl s  excl %  "
               "where",
               "without counters there are only times");
    check_line("quick               11      1  0.000000  0.000000       -  "
               "swim.f:7",
               "of no time there is no share, of one line no end");
    hpm_experiment_free(experiment);
}

static void
test_text_safe(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_problem *problem = hpm_experiment_add_problem(experiment);
    bool is_safe = true;

    set(&experiment->run.program, "a\x1b[31m");
    add_counter(experiment, "b\x1b[m", "", HPM_STATE_UNSUPPORTED, "c\x1b[m");
    add_record(experiment, "d\te\x1b[m\n", HPM_NO_RECORD, 1, 1);
    set(&problem->text, "f\x1b[m");
    report_of(experiment, hpm_sections_add_text);
    for (const char *c = report.text; *c != '\0'; c++)
        is_safe = is_safe && (*c >= ' ' || *c == '\n');
    ok(is_safe, "nothing in a report can drive the terminal");
    ok(strstr(report.text, "a\\x1B[31m, task") != NULL &&
           strstr(report.text, "d\\x09e\\x1B[m\\x0A ") != NULL,
       "what could is shown as its number");
    hpm_experiment_free(experiment);
}

/* Deep families are shown completely and in order. */
static void
test_deep_families(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    bool is_indented = true;
    const char *c;

    for (size_t i = 0; i < 256; i++)
        add_record(experiment, "x", i > 0 ? i - 1 : HPM_NO_RECORD, 1, 1);
    c = strstr(report_of(experiment, hpm_sections_add_text), "\nx ");
    for (size_t i = 0; i < 256 && c != NULL; i++) {
        is_indented = is_indented && strspn(c + 1, " ") == 2 * i;
        c = strchr(c + 1, '\n');
    }
    ok(is_indented && c != NULL, "256 sections in each other are shown");
    hpm_experiment_free(experiment);
}

/* ---- notes ----------------------------------------------------------- */

static void
check_notes(const struct hpm_experiment *experiment, const char *expected,
            const char *sentence)
{
    struct hpm_string notes = {0};

    hpm_sections_add_notes(&notes, experiment, "> ");
    is_text(hpm_string_text(&notes), expected, sentence);
    hpm_string_free(&notes);
}

/* From two steps on something is known of how far an estimate is off. */
static void
test_reach(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_value *value;

    add_counter(experiment, "cycles", "", HPM_STATE_SHARED, NULL);
    add_record(experiment, "a", HPM_NO_RECORD, 500, 200);
    value = hpm_experiment_value(experiment, 0, 0);
    value->total = 1000;
    value->share = 0.5;
    value->error = 10;
    value->freedom = 1;
    report_of(experiment, hpm_sections_add_text);
    ok(strstr(report.text, "1,000 +-13%") != NULL,
       "an estimate says how far it may be off");
    value->freedom = 0;
    report_of(experiment, hpm_sections_add_text);
    ok(strstr(report.text, "1,000 +-?") != NULL, "or that nobody knows");
    hpm_experiment_free(experiment);
}

/* Only in the second record it was counted, as in the first one it was not. */
static void
test_share_note(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();

    add_counter(experiment, "cycles", "", HPM_STATE_COUNTED, NULL);
    hpm_experiment_add_record(experiment);
    hpm_experiment_add_record(experiment);
    *hpm_experiment_value(experiment, 1, 0) =
        (struct hpm_value){.is_present = true,
                           .state = HPM_STATE_SHARED,
                           .share = 0.25,
                           .freedom = 3};
    check_notes(experiment,
                "> cycles: shared the hardware with other counters: counted as "
                "little as 25.0 % of the time, and scaled up; +- is its 95 % "
                "interval\n",
                "a counter that took turns in any record says how much");
    hpm_experiment_free(experiment);
}

static void
test_notes(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_problem *problem;

    check_notes(experiment, "", "of nothing there is nothing to note");
    add_counter(experiment, "cycles", "", HPM_STATE_UNSUPPORTED, "no PMU");
    add_counter(experiment, "faults", "", HPM_STATE_SHARED, "was closed");
    add_counter(experiment, "fine", "", HPM_STATE_COUNTED, NULL);
    add_counter(experiment, "hidden", "", HPM_STATE_UNSUPPORTED, "secret");
    experiment->counters[3].is_hidden = true;
    check_notes(experiment,
                "> cycles: not counted: no PMU\n"
                "> faults: in part not counted: was closed\n",
                "of counters shown, those with a reason are noted");
    set(&experiment->machine.no_counters_reason, "this is a toaster");
    problem = hpm_experiment_add_problem(experiment);
    set(&problem->text, "section 7 was stopped but not started");
    problem->count = 12;
    add_record(experiment, "left", HPM_NO_RECORD, 1, 1)->is_open = true;
    check_notes(experiment,
                "> cycles: not counted: no PMU\n"
                "> faults: in part not counted: was closed\n"
                "> no hardware counters: this is a toaster\n"
                "> section 7 was stopped but not started (12 times)\n"
                "> sections left open were measured until the library "
                "closed them\n",
                "and so are the machine, problems and open sections");
    hpm_experiment_free(experiment);
}

static void
test_overhead_notes(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_calibrated *calibrated =
        hpm_experiment_add_calibration(experiment, 1);
    struct hpm_record *outer, *inner, *process;

    calibrated->scope = HPM_SCOPE_THREAD;
    calibrated->costs[0] = (struct hpm_calibrated_cost){
        .counter = HPM_NO_COUNTER, .pair = {1234, 1300, 1400}};
    outer = add_record(experiment, "outer", HPM_NO_RECORD, 9000, 8000);
    outer->time.has_overhead = true;
    outer->time.overhead = 5000000;
    inner = add_record(experiment, "inner", 0, 1000, 1000);
    inner->time.has_overhead = true;
    inner->time.overhead = 4000000;
    process = add_record(experiment, "process", HPM_NO_RECORD, 10, 10);
    process->scope = HPM_SCOPE_PROCESS;
    process->time.has_overhead = true;
    process->time.overhead = 3000000;
    check_notes(experiment,
                "> measuring took 0.005000 s in thread sections, which is "
                "subtracted: 1.300 us for a start and stop\n",
                "what was subtracted is noted, once");
    experiment->records[1].is_short = true;
    check_notes(experiment,
                "> measuring took 0.005000 s in thread sections, which is "
                "subtracted: 1.300 us for a start and stop\n"
                "> 1 of 3 sections (?) take less than three times that in a "
                "call: do not trust their times\n",
                "and sections too short to be measured");
    hpm_experiment_free(experiment);
}

/* ---- CSV ------------------------------------------------------------- */

static void
test_csv(void)
{
    struct hpm_experiment *experiment = make_by_hand();
    static const char header[] =
        "section,path,inst,file,linestart,lineend,scope,task,thread,metric,"
        "kind,unit,value,exclusive,mean,sdev,state,share,error,runs,"
        "verdict,remarks,reason,windows,interval,hint,explained\n";

    ok(strncmp(report_of(experiment, add_csv), header, sizeof header - 1) == 0,
       "CSV has its header");
    check_line(
        ",,,,,,run,3,,time::wall,time,s,12.345678901,,,,counted,,,,,,,,,,",
        "the time of the run");
    check_line(",,,,,,run,3,,ru::utime,counter,ns,5000,,,,counted,,,,,,,,,,",
               "what the run used");
    check_line(",,,,,,run,3,,ru::nswap,counter,,,,,,unsupported,,,,,,,,,,",
               "what is not known has no value");
    check_line("A,A,1,src/swim.f,0,9,thread,3,11,Count,counter,,1,,,,"
               "counted,,,,,,,,,,",
               "a section's calls");
    check_line("A,A,1,src/swim.f,0,9,thread,3,11,ExcSec,time,s,0.2,,,,"
               "counted,,,,,,,,,,",
               "its own time");
    check_line("A,A,1,src/swim.f,0,9,thread,3,11,IncSec,time,s,0.5,,0.25,"
               "0.001,counted,,,,,,,,,,",
               "its time, mean and deviation");
    check_line("A,A,1,src/swim.f,0,9,thread,3,11,task-clock,time,ns,1000000,"
               "17,0.1,0.25,shared,0.5,,,,,,,,,",
               "all that is known of a counter");
    check_line("A,A,1,src/swim.f,0,9,thread,3,11,cycles,counter,,,,,,"
               "unsupported,,,,,,no PMU,,,,",
               "an unsupported counter has no value");
    check_line("A in in,A/A in/A in in,5,src/swim.f,40,49,thread,3,11,hidden,"
               "counter,,,,,,unsupported,,,,,hidden,secret,,,,",
               "a section's path, and counters not shown in text");
    check_line("#4,B/#4,4,,30,39,thread,3,11,page-faults,counter,,"
               "4000002,,,,counted,,,,,,,,,,",
               "a section without label has its number");
    check_line("everything,everything,6,src/swim.f,50,59,process,3,-1,Count,"
               "counter,,5001,,,,counted,,,,,,,,,,",
               "a section of the whole process");
    hpm_experiment_free(experiment);
}

static void
test_csv_rows(void)
{
    struct hpm_experiment *experiment = make_by_hand();
    struct hpm_table table = {0};
    size_t n = 0, n_commas = 0;

    for (const char *c = report_of(experiment, add_csv); *c != '\0'; c++) {
        n += *c == '\n';
        n_commas += *c == ',';
    }
    is_count(n, 1 + 3 + 6 * 3 + 6 * 4 - 1,
             "CSV has a row for each value that is present");
    is_count(n_commas, 26 * n, "all rows are equally long");
    hpm_runtable_fill(experiment, NULL, NULL, &table);
    is_count(hpm_table_rows(&table), n - 1, "as has the table");
    hpm_table_clear(&table);
    hpm_experiment_free(experiment);
}

/* ---- JSON ------------------------------------------------------------ */

static const char *skip_value(const char *c);

static const char *
skip_blanks(const char *c)
{
    return c + strspn(c, " \n");
}

static const char *
skip_string(const char *c)
{
    if (*c++ != '"')
        return NULL;
    while (*c != '"') {
        if ((unsigned char)*c < ' ')
            return NULL;
        c += *c == '\\' ? 2 : 1;
    }
    return c + 1;
}

/* Skip the items after `[` or `{`, up to the closing one. */
static const char *
skip_items(const char *c, bool is_object)
{
    const char last = is_object ? '}' : ']';

    c = skip_blanks(c + 1);
    if (*c == last)
        return c + 1;
    for (;; c = skip_blanks(c + 1)) {
        if (is_object) {
            c = skip_string(c);
            if (c == NULL || *c != ':')
                return NULL;
            c = skip_blanks(c + 1);
        }
        c = skip_value(c);
        if (c == NULL)
            return NULL;
        c = skip_blanks(c);
        if (*c != ',')
            return *c == last ? c + 1 : NULL;
    }
}

/* The text after one JSON value; NULL where it is malformed. */
static const char *
skip_value(const char *c)
{
    char *end;

    if (*c == '{' || *c == '[')
        return skip_items(c, *c == '{');
    if (*c == '"')
        return skip_string(c);
    if (strncmp(c, "null", 4) == 0 || strncmp(c, "true", 4) == 0)
        return c + 4;
    if (strncmp(c, "false", 5) == 0)
        return c + 5;
    if (!isdigit((unsigned char)*c) && *c != '-')
        return NULL;
    strtod(c, &end);
    return end;
}

static void
check_json(const char *sentence)
{
    const char *end = skip_value(hpm_string_text(&report));

    ok(end != NULL && strcmp(skip_blanks(end), "") == 0, sentence);
}

static void
check_json_part(const char *part, const char *sentence)
{
    ok(strstr(hpm_string_text(&report), part) != NULL, sentence);
    if (strstr(hpm_string_text(&report), part) == NULL)
        printf("# '%s' is missing\n", part);
}

static void
test_json(void)
{
    struct hpm_experiment *experiment = make_by_hand();

    report_of(experiment, add_json);
    check_json("JSON is well-formed");
    check_json_part("{\"tool\": \"" PACKAGE_TARNAME " " PACKAGE_VERSION
                    "\", \"version\": 2, \"complete\": true,",
                    "it says who made it, and whether it is whole");
    check_json_part("\"run\": {\"program\": \"swim\", \"job\": \"\", "
                    "\"task\": 3, \"pid\": 4711, "
                    "\"start\": \"2026-11-20T11:30:00.123Z\", "
                    "\"seconds\": 12.345678901, \"exit\": null}",
                    "the run, with null for what is not known");
    check_json_part("\"host\": \"node7\"", "the machine");
    check_json_part("\"mhz\": null", "with null for what is not known");
    check_json_part("{\"name\": \"cycles\", \"source\": \"kernel\", "
                    "\"domain\": \"all\", \"unit\": \"\", "
                    "\"state\": \"unsupported\", \"reason\": \"no PMU\", "
                    "\"description\": \"\"}",
                    "the counters");
    check_json_part("\"metric\": \"cycles\", \"kind\": \"counter\", "
                    "\"unit\": \"\", \"value\": null, \"exclusive\": null, "
                    "\"mean\": null, \"sdev\": null, "
                    "\"state\": \"unsupported\", \"share\": null",
                    "an unsupported counter is null");
    check_json_part("\"path\": \"A/A in/A in in\"", "the sections");
    hpm_experiment_free(experiment);
}

static void
test_json_of_odd_texts(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_problem *problem;

    report_of(experiment, add_json);
    check_json("JSON of nothing is well-formed");
    check_json_part("\"complete\": false", "and is not complete");
    check_json_part("\"problems\": []", "it has no problems");
    for (int i = 0; i < 2; i++) {
        problem = hpm_experiment_add_problem(experiment);
        set(&problem->text, "\"quoted\" \\ \n\x1b\xff");
        problem->count = 2;
    }
    set(&experiment->run.program, "\"\\\n\x01");
    add_counter(experiment, "a\"\\\x02", "", HPM_STATE_UNSUPPORTED, "\"");
    add_record(experiment, "\"\t\\\xc3", HPM_NO_RECORD, 1, 1);
    report_of(experiment, add_json);
    check_json("JSON of odd texts is well-formed");
    check_json_part("\"problems\": [{\"text\": \"\\\"quoted\\\" \\\\\\\\ "
                    "\\u000a\\\\x1B\\\\xFF\", \"count\": 2}, {\"text\"",
                    "its problems are counted");
    hpm_experiment_free(experiment);
}

/* ---- memory ---------------------------------------------------------- */

static void
check_no_memory(add_report *add, const char *sentence)
{
    struct hpm_experiment *experiment = make_by_hand();
    struct hpm_string expected = {0};
    bool is_right = true, is_whole = false;
    unsigned long k;

    add(&expected, experiment);
    for (k = 1; k < 5000 && !is_whole; k++) {
        for (int for_ever = 0; for_ever < 2; for_ever++) {
            struct hpm_string string = {0};

            hpm_memory_fail_at(k, for_ever);
            add(&string, experiment);
            hpm_memory_fail_at(0, false);
            is_whole = !string.failed;
            is_right = is_right &&
                       (!is_whole || strcmp(string.text, expected.text) == 0);
            hpm_string_free(&string);
        }
    }
    ok(is_right && is_whole && k > 10, sentence);
    hpm_string_free(&expected);
    hpm_experiment_free(experiment);
}

static void
test_no_memory(void)
{
    check_no_memory(hpm_sections_add_text,
                    "without memory, text is whole or marked as failed");
    check_no_memory(add_csv, "so is CSV");
    check_no_memory(add_json, "so is JSON");
}

int
main(void)
{
    test_text();
    test_text_of_nothing();
    test_text_without_time();
    test_text_safe();
    test_deep_families();
    test_notes();
    test_reach();
    test_share_note();
    test_overhead_notes();
    test_csv();
    test_csv_rows();
    test_json();
    test_json_of_odd_texts();
    test_no_memory();
    hpm_string_free(&report);
    return done();
}
