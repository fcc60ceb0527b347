/* SPDX-License-Identifier: BSD-3-Clause
 * The performance file: nothing is lost on the way into it. */
#include "config.h"

#include "file/writer.h"

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/memory.h"
#include "tap.h"

/* Random numbers, always the same. */
static uint64_t
next_random(void)
{
    static uint64_t state = 20261120;
    uint64_t z = state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* ---- escaping -------------------------------------------------------- */

/* Decode the text of an attribute as an XML reader does; 0 if it is not
 * well-formed or an attribute would not keep it. */
static size_t
decode_xml(const char *text, char *ret_text)
{
    size_t n = 0;

    while (*text != '\0') {
        size_t length = hpm_string_character(text);

        if (length == 0 || strchr("<>\"\t\n\r", *text) != NULL)
            return 0;
        if (*text != '&') {
            memcpy(ret_text + n, text, length);
            n += length;
            text += length;
        } else {
            char *end;

            if (text[1] != '#')
                return 0;
            ret_text[n++] = (char)strtol(text + 2, &end, 10);
            if (*end != ';')
                return 0;
            text = end + 1;
        }
    }
    ret_text[n] = '\0';
    return n;
}

/* Undo \\ and \xHH. */
static size_t
decode_backslashes(const char *text, char *ret_bytes)
{
    size_t n = 0;

    while (*text != '\0') {
        if (text[0] == '\\' && text[1] == '\\') {
            ret_bytes[n++] = '\\';
            text += 2;
        } else if (text[0] == '\\' && text[1] == 'x') {
            char digits[3] = {text[2], text[3], '\0'};

            ret_bytes[n++] = (char)strtol(digits, NULL, 16);
            text += 4;
        } else {
            ret_bytes[n++] = *text++;
        }
    }
    ret_bytes[n] = '\0';
    return n;
}

static bool
comes_back(const char *bytes)
{
    static struct hpm_string escaped;
    char text[512], back[512];

    hpm_string_clear(&escaped);
    hpm_writer_add_escaped(&escaped, bytes);
    return (decode_xml(hpm_string_text(&escaped), text) > 0 ||
            bytes[0] == '\0') &&
           decode_backslashes(text, back) == strlen(bytes) &&
           strcmp(back, bytes) == 0;
}

static void
test_short_texts(void)
{
    uint32_t n_lost = 0;

    for (int a = 1; a < 256; a++)
        n_lost += !comes_back((const char[]){(char)a, '\0'});
    is_count(n_lost, 0, "every byte comes back");
    for (int a = 1; a < 256; a++) {
        for (int b = 1; b < 256; b++)
            n_lost += !comes_back((const char[]){(char)a, (char)b, '\0'});
    }
    is_count(n_lost, 0, "every two bytes come back");
}

static void
test_random_texts(void)
{
    static const char odd[] = "\\x41&#10;<>\"'\t\r\n\x1b\xc3\xa9\xed\xa0\x80"
                              "\xff\xf0\x9f\x98\x80\xe2\x82\xac&amp;";
    uint32_t n_lost = 0;

    for (int i = 0; i < 50000; i++) {
        char bytes[33];
        size_t length = next_random() % 32;

        for (size_t j = 0; j < length; j++)
            bytes[j] = i % 2 == 0 ? (char)(1 + next_random() % 255)
                                  : odd[next_random() % (sizeof odd - 1)];
        bytes[length] = '\0';
        n_lost += !comes_back(bytes);
    }
    is_count(n_lost, 0, "any bytes come back");
}

static void
check_escaped(const char *text, const char *expected, const char *sentence)
{
    struct hpm_string escaped = {0};

    hpm_writer_add_escaped(&escaped, text);
    is_text(hpm_string_text(&escaped), expected, sentence);
    hpm_string_free(&escaped);
}

static void
test_escapes(void)
{
    check_escaped("", "", "nothing is nothing");
    check_escaped("for (i = 0; i != n; i++)", "for (i = 0; i != n; i++)",
                  "plain text stays");
    check_escaped("gr\xc3\xb6\xc3\x9f"
                  "e \xe2\x82\xac",
                  "gr\xc3\xb6\xc3\x9f"
                  "e \xe2\x82\xac",
                  "UTF-8 stays");
    check_escaped("a<b>&\"c\"", "a&#60;b&#62;&#38;&#34;c&#34;",
                  "what XML would read is escaped");
    check_escaped("a\tb\nc\r", "a&#9;b&#10;c&#13;",
                  "what an attribute would lose is escaped");
    check_escaped("C:\\x41", "C:\\\\x41", "a backslash is doubled");
    check_escaped("\x1b[31m\x7f", "\\x1B[31m\\x7F",
                  "a control character becomes its number");
    check_escaped("\xc3(\xff", "\\xC3(\\xFF", "so does what is not UTF-8");
}

/* ---- an experiment made by hand -------------------------------------- */

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
    struct hpm_resource *resource = hpm_experiment_add_resource(experiment);

    run->task = 3;
    set(&run->program, "swim <omp>");
    set(&run->job, "");
    run->pid = 4711;
    set(&run->start, "2026-11-20T11:30:00.123Z");
    run->ns = 12000000345;
    run->is_complete = true;
    set(&run->exit_status, "0");
    *resource =
        (struct hpm_resource){"ru::utime", "user time", "ns", 5000, true};
    resource = hpm_experiment_add_resource(experiment);
    *resource =
        (struct hpm_resource){"ru::nswap", "times swapped out", "", 9, false};
    set(&machine->host, "node7");
    set(&machine->system, "Linux 6.1.0");
    set(&machine->architecture, "x86_64");
    machine->n_cpus = 8;
    machine->n_allowed = 2;
    machine->mhz = 2400.5;
    machine->has_hardware_counters = false;
    set(&machine->no_counters_reason, "no PMU");
}

static void
add_counter(struct hpm_experiment *experiment, const char *name,
            const char *unit, enum hpm_state state, const char *reason)
{
    struct hpm_counter *counter = hpm_experiment_add_counter(experiment);

    set(&counter->name, name);
    set(&counter->source, "kernel");
    set(&counter->description, "a counter");
    set(&counter->unit, unit);
    set(&counter->domain, "all");
    set(&counter->reason, reason);
    counter->state = state;
}

static struct hpm_record *
add_record(struct hpm_experiment *experiment, const char *label,
           const char *file)
{
    struct hpm_record *record = hpm_experiment_add_record(experiment);

    set(&record->label, label);
    set(&record->file, file);
    record->calls = record->outer = 1;
    record->time = (struct hpm_value){.is_present = true,
                                      .has_exclusive = true,
                                      .mean = NAN,
                                      .deviation = NAN,
                                      .share = NAN};
    return record;
}

static void
fill_first(struct hpm_experiment *experiment)
{
    struct hpm_record *record = add_record(experiment, "main", "/src/swim.f");

    record->tid = 4711;
    record->instance = 1;
    record->line_start = 775;
    record->line_end = 803;
    record->calls = 4;
    record->outer = 2;
    record->time.total = 2000000001;
    record->time.exclusive = 1500000000;
    record->time.mean = 1000000000.5;
    record->time.deviation = 0.5e9;
    *hpm_experiment_value(experiment, 0, 0) =
        (struct hpm_value){.is_present = true,
                           .has_exclusive = true,
                           .total = UINT64_MAX,
                           .exclusive = 17,
                           .mean = 0.1,
                           .deviation = 0.25,
                           .share = NAN};
    *hpm_experiment_value(experiment, 0, 1) =
        (struct hpm_value){.is_present = true,
                           .state = HPM_STATE_UNSUPPORTED,
                           .total = 12345,
                           .mean = 1.0,
                           .deviation = 1.0,
                           .share = 1.0};
    *hpm_experiment_value(experiment, 0, 2) =
        (struct hpm_value){.is_present = true,
                           .state = HPM_STATE_SHARED,
                           .total = 500,
                           .mean = NAN,
                           .deviation = NAN,
                           .share = 0.5};
}

static void
fill_second(struct hpm_experiment *experiment)
{
    struct hpm_record *record = add_record(experiment, "", "");

    record->parent = 0;
    record->within = 0;
    record->scope = HPM_SCOPE_PROCESS;
    record->tid = -1;
    record->omp = 5;
    record->instance = -2;
    record->is_open = true;
    record->has_overlap = true;
    record->has_first_calls = true;
    *hpm_experiment_value(experiment, 1, 0) =
        (struct hpm_value){.is_present = true,
                           .has_exclusive = true,
                           .lacks_total = true,
                           .total = 50,
                           .exclusive = 40,
                           .mean = NAN,
                           .deviation = NAN,
                           .share = NAN,
                           .uncertainty = 12};
}

static struct hpm_experiment *
make_by_hand(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_problem *problem;

    fill_run(experiment);
    add_counter(experiment, "task-clock", "ns", HPM_STATE_COUNTED, NULL);
    add_counter(experiment, "cycles", "", HPM_STATE_UNSUPPORTED, "no \"PMU\"");
    add_counter(experiment, "page-faults", "", HPM_STATE_COUNTED, NULL);
    experiment->counters[0].kind = HPM_COUNTER_TIME;
    experiment->counters[2].is_hidden = true;
    problem = hpm_experiment_add_problem(experiment);
    set(&problem->text, "section 7 stopped & never started");
    problem->count = 2;
    fill_first(experiment);
    fill_second(experiment);
    return experiment;
}

/* ---- writing it ------------------------------------------------------ */

static char folder[PATH_MAX];
static char path[PATH_MAX + 32];

static void
begin(void)
{
    const char *parent = getenv("TMPDIR");

    snprintf(folder, sizeof folder, "%s/hpm-writer-XXXXXX",
             parent != NULL ? parent : "/tmp");
    if (mkdtemp(folder) == NULL) {
        printf("Bail out! cannot make a folder\n");
        exit(1);
    }
    snprintf(path, sizeof path, "%s/a.hpm.xml", folder);
}

static int
remove_one(const char *name, const struct stat *status, int type,
           struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    return remove(name);
}

static void
end(void)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Write to `path`; false when the writer or the disk failed. */
static bool
write_file(const struct hpm_experiment *experiment, struct hpm_error *err)
{
    struct hpm_destination destination;
    struct hpm_output *output;
    char *named = NULL;
    bool is_written;

    if (!hpm_destination_fix(&destination, path, err))
        return false;
    output = hpm_output_open(&destination, err);
    is_written =
        output != NULL && hpm_writer_write(experiment, NULL, output, err);
    if (is_written)
        is_written = hpm_output_commit(output, false, &named, err);
    else if (output != NULL)
        hpm_output_abandon(output);
    hpm_destination_clear(&destination);
    hpm_memory_free(named);
    return is_written;
}

/* The file's text, to be freed. */
static char *
read_file(void)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    off_t size = lseek(fd, 0, SEEK_END);
    char *text = calloc(size > 0 ? (size_t)size + 1 : 1, 1);

    if (size > 0 && pread(fd, text, (size_t)size, 0) != size)
        text[0] = '\0';
    close(fd);
    return text;
}

/* How many times `line` is a whole line of the text. */
static size_t
n_lines(const char *text, const char *line)
{
    size_t length = strlen(line), n = 0;
    const char *end_of_text = text + strlen(text), *newline;

    while ((newline = memchr(text, '\n', (size_t)(end_of_text - text))) !=
           NULL) {
        n += (size_t)(newline - text) == length &&
             memcmp(text, line, length) == 0;
        text = newline + 1;
    }
    return n;
}

static const char *by_hand;

static void
check_line(const char *line, const char *sentence)
{
    is_count(n_lines(by_hand, line), 1, sentence);
    if (n_lines(by_hand, line) != 1)
        printf("# no line '%s'\n", line);
}

static void
check_head(void)
{
    check_line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
               "the file says that it is XML");
    check_line("<HPMPerformanceFile version=\"1\" complete=\"yes\" "
               "kind=\"run\">",
               "and which XML, of which version");
    check_line("  <Run task=\"3\" program=\"swim &#60;omp&#62;\" job=\"\" "
               "pid=\"4711\" start=\"2026-11-20T11:30:00.123Z\" "
               "seconds=\"12.000000345\" exit=\"0\" tool=\"" PACKAGE_TARNAME
               " " PACKAGE_VERSION "\">",
               "the run, to the nanosecond");
    check_line("    <Resource name=\"ru::utime\" value=\"5000\" "
               "unit=\"ns\"/>",
               "a resource with its unit");
    check_line("    <Resource name=\"ru::nswap\" state=\"unsupported\"/>",
               "a resource not known has no value");
    check_line("  <Machine task=\"3\" host=\"node7\" system=\"Linux 6.1.0\" "
               "arch=\"x86_64\" cpus=\"8\" allowed=\"2\" mhz=\"2400.5\" "
               "virtual=\"no\" "
               "counters=\"software only\" reason=\"no PMU\"/>",
               "the machine, without what is not known of it");
    check_line("    <Counter name=\"cycles\" source=\"kernel\" "
               "domain=\"all\" state=\"unsupported\" "
               "reason=\"no &#34;PMU&#34;\" description=\"a counter\"/>",
               "a counter that is not supported, and why");
    check_line("  <Problem count=\"2\" "
               "text=\"section 7 stopped &#38; never started\"/>",
               "what went wrong");
}

static void
check_records(void)
{
    check_line("  <InstrumentationPt lid=\"swim.f775\" disp=\"true\" "
               "tid=\"4711\" task=\"3\" label=\"main\" file=\"/src/swim.f\" "
               "linestart=\"775\" lineend=\"803\" scope=\"thread\" "
               "inst=\"1\" id=\"1\" outer=\"2\">",
               "a section, with outer calls where some are recursive");
    check_line("    <data name=\"Count\" value=\"4\" kind=\"counter\"/>",
               "its calls");
    check_line("    <data name=\"ExcSec\" value=\"1.500000000\" "
               "kind=\"time\" unit=\"s\"/>",
               "its own time");
    check_line("    <data name=\"IncSec\" value=\"2.000000001\" "
               "mean=\"1.0000000005\" sdev=\"0.5\" kind=\"time\" "
               "unit=\"s\"/>",
               "its time with what is inside, exact");
    check_line("    <data name=\"task-clock\" "
               "value=\"18446744073709551615\" exclusive=\"17\" "
               "mean=\"0.1\" sdev=\"0.25\" kind=\"time\" unit=\"ns\"/>",
               "a count of 64 bits is exact");
    check_line("    <data name=\"cycles\" kind=\"counter\" "
               "state=\"unsupported\" reason=\"no &#34;PMU&#34;\"/>",
               "what could not be counted has no value, but a reason");
    check_line("    <data name=\"page-faults\" value=\"500\" share=\"0.5\" "
               "kind=\"counter\" state=\"shared\" disp=\"false\"/>",
               "a shared counter says how much of the time it counted");
    check_line("    <data name=\"task-clock\" exclusive=\"40\" "
               "uncertainty=\"12\" kind=\"time\" unit=\"ns\" "
               "reason=\"" HPM_REASON_ONLY_EXCLUSIVE "\"/>",
               "an exclusive value alone says how far it may be off, too");
    check_line("  <InstrumentationPt lid=\"#-2\" disp=\"true\" tid=\"-1\" "
               "task=\"3\" label=\"#-2\" file=\"\" linestart=\"0\" "
               "lineend=\"0\" scope=\"process\" inst=\"-2\" id=\"2\" "
               "parent=\"1\" within=\"1\" omp=\"5\" open=\"yes\" "
               "overlap=\"yes\" measured=\"first calls\">",
               "a section without label or file, within another");
    check_line("    <data name=\"IncSec\" value=\"0.000000000\" "
               "kind=\"time\" unit=\"s\"/>",
               "a mean that is not defined is left out");
    check_line("  <End records=\"2\"/>", "the number of records at the end");
}

/* A record with 9 calls, of which two were kept, with two counters. */
static void
test_calls(void)
{
    struct hpm_experiment *experiment = make_by_hand();
    struct hpm_calls *calls = hpm_experiment_add_calls(experiment, 2, 2);
    char *text;

    begin();
    calls->record = 0;
    calls->n_made = 9;
    calls->calls[0] = (struct hpm_call){3, 1000000000, 500000000};
    calls->calls[1] = (struct hpm_call){7, 2000000000, -1};
    calls->counts[0] = (struct hpm_call_count){.is_there = true, .value = -5};
    calls->counts[2] = (struct hpm_call_count){
        .is_there = true, .is_estimate = true, .value = 6};
    calls->counts[3] = (struct hpm_call_count){.is_there = true, .value = 8};
    ok(write_file(experiment, NULL), "an experiment can be written");
    by_hand = text = read_file();
    check_line("    <calls of=\"9\" kept=\"2\">", "how many calls were kept");
    check_line("      <call n=\"3\" begin=\"1.000000000\" "
               "seconds=\"0.500000000\" counts=\"-5 -\"/>",
               "a call with a count, and one that is not known");
    check_line("      <call n=\"7\" begin=\"2.000000000\" "
               "seconds=\"-0.000000001\" counts=\"6* 8\"/>",
               "and one with an estimate");
    ok(strstr(text, "      <counted name=\"") != NULL, "the counts have names");
    free(text);
    hpm_experiment_free(experiment);
    end();
}

/* A part of the file, as it is. */
static void
check_part(const char *part, const char *sentence)
{
    ok(strstr(by_hand, part) != NULL, sentence);
    if (strstr(by_hand, part) == NULL)
        printf("# there is no '%s'\n", part);
}

static void
test_calibration(void)
{
    struct hpm_experiment *experiment = make_by_hand();
    struct hpm_calibrated *calibrated =
        hpm_experiment_add_calibration(experiment, 2);
    char *text;

    begin();
    calibrated->scope = HPM_SCOPE_PROCESS;
    calibrated->when = "end";
    calibrated->n_calls = 7;
    calibrated->costs[0] = (struct hpm_calibrated_cost){
        HPM_NO_COUNTER, {1, 2, 3}, {-4, 5, 6}, 1000000007};
    calibrated->costs[1] =
        (struct hpm_calibrated_cost){0, {1, 2, 3}, {-4, 5, 6}, 7};
    ok(write_file(experiment, NULL), "an experiment can be written");
    by_hand = text = read_file();
    check_part("  <Calibration task=\"3\" scope=\"process\" when=\"end\" "
               "calls=\"7\">\n"
               "    <cost name=\"IncSec\" self=\"0.000000001\" "
               "self_median=\"0.000000002\" self_max=\"0.000000003\" "
               "pair=\"-0.000000004\" pair_median=\"0.000000005\" "
               "pair_max=\"0.000000006\" start=\"1.000000007\"/>\n"
               "    <cost name=\"task-clock\" self=\"1\" self_median=\"2\" "
               "self_max=\"3\" pair=\"-4\" pair_median=\"5\" pair_max=\"6\" "
               "start=\"7\"/>\n"
               "  </Calibration>\n",
               "what measuring costs, in seconds and counts");
    free(text);
    hpm_experiment_free(experiment);
    end();
}

/* Two events, three places, of which one is in no module, and callers. */
static void
add_profile(struct hpm_profile *profile)
{
    uint32_t outer, inner, cut;

    hpm_profile_add_event(profile, "cycles", "", "user", 1000);
    hpm_profile_add_event(profile, "cpu-clock", "ns", "all", 997);
    profile->events[0].has_count = true;
    profile->events[0].count = 5000;
    profile->events[0].n_taken = 4;
    profile->events[0].n_lost = 2;
    profile->events[1].has_chains = true;
    profile->events[1].n_threads_without = 1;
    hpm_profile_add_module(profile, "a.out", "");
    hpm_profile_add_module(profile, "lib.so", "abcd");
    cut = hpm_chains_add(&profile->chains, &(struct hpm_chain){.is_cut = 1});
    outer =
        hpm_chains_add(&profile->chains, &(struct hpm_chain){cut, 0, 1, 4711});
    inner = hpm_chains_add(
        &profile->chains,
        &(struct hpm_chain){outer, 0, HPM_PROFILE_NO_MODULE, 99});
    hpm_profile_add_hit(profile,
                        &(struct hpm_profile_hit){
                            .event = 0, .module = 1, .offset = 16, .n = 3});
    hpm_profile_add_hit(
        profile,
        &(struct hpm_profile_hit){
            .event = 0, .module = HPM_PROFILE_NO_MODULE, .offset = 32, .n = 1});
    hpm_profile_add_hit(profile,
                        &(struct hpm_profile_hit){
                            .event = 0, .module = HPM_PROFILE_LOST, .n = 2});
    hpm_profile_add_hit(
        profile,
        &(struct hpm_profile_hit){
            .event = 1, .module = 0, .offset = 8, .n = 5, .chain = inner});
    hpm_profile_settle(profile);
}

static void
test_profile(void)
{
    struct hpm_experiment *experiment = make_by_hand();
    char *text;

    begin();
    add_profile(&experiment->profile);
    ok(write_file(experiment, NULL), "an experiment can be written");
    by_hand = text = read_file();
    check_part("  <Profile task=\"3\">\n"
               "    <Sampled name=\"cycles\" domain=\"user\" period=\"1000\" "
               "count=\"5000\" taken=\"4\" lost=\"2\"/>\n"
               "    <Sampled name=\"cpu-clock\" domain=\"all\" unit=\"ns\" "
               "period=\"997\" taken=\"0\" lost=\"0\" chains=\"fp\" "
               "threads_without=\"1\"/>\n"
               "    <Module id=\"1\" path=\"a.out\"/>\n"
               "    <Module id=\"2\" path=\"lib.so\" build_id=\"abcd\"/>\n"
               "  </Profile>\n",
               "what was sampled, and where");
    check_part("    <samples name=\"cycles\" taken=\"4\" lost=\"2\">\n"
               "      <at module=\"2\" offset=\"16\" n=\"3\"/>\n"
               "      <at offset=\"32\" n=\"1\"/>\n"
               "    </samples>\n"
               "    <samples name=\"cpu-clock\" taken=\"5\">\n"
               "      <at module=\"1\" offset=\"8\" n=\"5\" "
               "callers=\":99 2:4711 ...\"/>\n"
               "    </samples>\n",
               "samples of a record, by event");
    free(text);
    hpm_experiment_free(experiment);
    end();
}

static void
test_by_hand(void)
{
    struct hpm_experiment *experiment = make_by_hand();
    char *text;

    begin();
    ok(write_file(experiment, NULL), "an experiment can be written");
    by_hand = text = read_file();
    check_head();
    check_records();
    is_count(n_lines(text, "  </InstrumentationPt>"), 2, "each section ends");
    ok(strstr(text, "12345") == NULL && strstr(text, "nan") == NULL &&
           strstr(text, "(null)") == NULL,
       "no value is written that is none");
    is_text(strstr(text, "</HPMPerformanceFile>"), "</HPMPerformanceFile>\n",
            "the file has its end");
    free(text);
    hpm_experiment_free(experiment);
    end();
}

static void
test_incomplete(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    char *text;

    begin();
    set(&experiment->run.reason, "killed by signal 9");
    ok(write_file(experiment, NULL), "an empty experiment can be written");
    text = read_file();
    is_count(n_lines(text, "<HPMPerformanceFile version=\"1\" "
                           "complete=\"no\" reason=\"killed by signal 9\" "
                           "kind=\"run\">"),
             1, "what is not complete says why");
    is_count(n_lines(text, "  <End records=\"0\"/>"), 1, "without records");
    free(text);
    hpm_experiment_free(experiment);
    end();
}

enum { MANY = 20000 };

static struct hpm_experiment *
make_big(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();

    add_counter(experiment, "task-clock", "ns", HPM_STATE_COUNTED, NULL);
    for (size_t i = 0; i < MANY; i++) {
        struct hpm_value *value;

        add_record(experiment, "section", "a.c")->line_start = (int)i;
        value = hpm_experiment_value(experiment, i, 0);
        value->is_present = true;
        value->total = i;
    }
    return experiment;
}

/* Are the lids in the order in which they were made? */
static bool
is_in_order(const char *text)
{
    static const char head[] = "  <InstrumentationPt lid=\"a.c";
    const char *end_of_text = text + strlen(text), *newline;
    int n = 0;

    while ((newline = memchr(text, '\n', (size_t)(end_of_text - text))) !=
           NULL) {
        if (strncmp(text, head, sizeof head - 1) == 0 &&
            strtol(text + sizeof head - 1, NULL, 10) != n++)
            return false;
        text = newline + 1;
    }
    return n == MANY;
}

static void
test_big(void)
{
    struct hpm_experiment *experiment = make_big();
    char *text;

    begin();
    ok(write_file(experiment, NULL), "20,000 records can be written");
    text = read_file();
    is_count(n_lines(text, "  </InstrumentationPt>"), MANY,
             "all of them are there");
    is_count(n_lines(text, "  <End records=\"20000\"/>"), 1, "and are counted");
    ok(is_in_order(text), "they are in their order");
    free(text);
    hpm_experiment_free(experiment);
    end();
}

/* ---- failures -------------------------------------------------------- */

static void
test_no_memory(void)
{
    struct hpm_experiment *experiment = make_by_hand();
    bool is_right = true, is_written = false;
    char *text;

    begin();
    for (unsigned long k = 1; k < 200 && !is_written; k++) {
        struct hpm_error err = {""};

        hpm_memory_fail_at(k, false);
        is_written = write_file(experiment, &err);
        hpm_memory_fail_at(0, false);
        text = access(path, F_OK) == 0 ? read_file() : NULL;
        is_right =
            is_right && (is_written || err.text[0] != '\0') &&
            (text == NULL || n_lines(text, "  <End records=\"2\"/>") == 1);
        free(text);
    }
    ok(is_written, "every allocation has failed once");
    ok(is_right, "without memory the file is whole or not there");
    hpm_experiment_free(experiment);
    unlink(path);
    end();
}

static bool
is_full_disk_told(const struct hpm_experiment *experiment)
{
    struct hpm_error err = {""};

    setrlimit(RLIMIT_FSIZE, &(struct rlimit){100000, 100000});
    return !write_file(experiment, &err) &&
           strstr(err.text, "a.hpm.xml") != NULL && access(path, F_OK) != 0;
}

static void
test_full_disk(void)
{
    struct hpm_experiment *experiment = make_big();
    int status = -1;
    pid_t child;

    begin();
    child = fork();
    if (child == 0)
        _exit(is_full_disk_told(experiment) ? 0 : 1);
    waitpid(child, &status, 0);
    ok(status == 0, "a disk that fills up is told at the end");
    hpm_experiment_free(experiment);
    end();
}

int
main(void)
{
    test_short_texts();
    test_random_texts();
    test_escapes();
    test_by_hand();
    test_calibration();
    test_profile();
    test_calls();
    test_incomplete();
    test_big();
    test_no_memory();
    test_full_disk();
    return done();
}
