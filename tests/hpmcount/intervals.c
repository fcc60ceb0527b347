/* SPDX-License-Identifier: BSD-3-Clause
 * Counts of intervals: their output as text, CSV and JSON, and the time when
 * the next one ends. */
#include "hpmcount/intervals.c"

#include "source/eventset.h"
#include "tap.h"

enum { N_EVENTS = 4, N_SLOTS = 1 + N_EVENTS + 2, CLOCK = 1 + N_EVENTS };

static struct hpm_event events[N_EVENTS] = {
    {.name = (char *)"task-clock",
     .unit = (char *)"ns",
     .source = &hpm_source_kernel},
    {.name = (char *)"page-faults", .source = &hpm_source_kernel},
    {.name = (char *)"hidden", .source = &hpm_source_kernel, .is_hidden = true},
    {.name = (char *)"ru::minflt", .source = &hpm_source_usage}};
static const struct hpm_eventset set = {.events = events, .n_events = N_EVENTS};
static struct hpm_metered metered[N_EVENTS];
static struct hpm_meter meter = {
    .set = &set, .n_events = N_EVENTS, .n_slots = N_SLOTS, .events = metered};
static struct format format;
static struct options options = {.format = &format, .interval_ms = 100};
static struct outputs outputs;
static struct hpm_string told;
static size_t n_messages, heading_length;

/* Replaces the function that writes. */
void
outputs_stream(const struct outputs *its_outputs, const struct hpm_string *text,
               size_t header_length)
{
    (void)its_outputs;
    heading_length = header_length;
    hpm_string_add(&told, hpm_string_text(text));
}

void
outputs_stream_messages(const struct outputs *its_outputs)
{
    n_messages += its_outputs == &outputs;
}

void
say(const char *its_format, ...)
{
    printf("# %s\n", its_format);
}

static void
add_messages(struct hpm_string *document, const char *lines)
{
    (void)document;
    (void)lines;
}

enum { SECOND = 1000000000 };

/* Fill a row of counts. */
static void
fill(uint64_t *row, uint64_t ns, uint64_t faults)
{
    for (size_t i = 0; i < N_SLOTS; i++)
        row[i] = 7;
    row[1] = ns;
    row[2] = faults;
    row[CLOCK] = ns;
    row[CLOCK + 1] = ns / 2;
}

static void
begin(struct intervals *ret_intervals,
      void (*messages)(struct hpm_string *, const char *), bool is_json)
{
    static const struct watch_part parts[] = {{"one", 12}, {"core 3", 3}};
    uint64_t rows[2 * N_SLOTS];
    struct hpm_error err;

    n_messages = 0;
    hpm_string_clear(&told);
    format = (struct format){.add_messages = messages, .is_json = is_json};
    for (size_t i = 0; i < N_EVENTS; i++)
        metered[i] = (struct hpm_metered){.state = HPM_STATE_COUNTED};
    fill(rows, 1000, 10);
    fill(rows + N_SLOTS, 2000, 20);
    intervals_prepare(ret_intervals, &options, &outputs);
    ok(!intervals_are_due(ret_intervals) &&
           ret_intervals->next_ns == UINT64_MAX,
       "before the counting begins nothing is due");
    ok(intervals_begin(ret_intervals, &meter, parts, 2, rows, SECOND, &err) &&
           ret_intervals->is_open &&
           ret_intervals->next_ns == SECOND + 100000000,
       "the first interval ends when its time has passed");
}

static void
add(struct intervals *intervals, uint64_t ns, uint64_t seconds)
{
    uint64_t rows[2 * N_SLOTS];

    fill(rows, 1000 + ns, 10 + ns);
    fill(rows + N_SLOTS, 2000 + 2 * ns, 20 + 2 * ns);
    hpm_string_clear(&told);
    if (seconds > 0)
        intervals_add(intervals, rows, SECOND + seconds * SECOND);
    else
        intervals_end(intervals, rows, SECOND + 4ull * SECOND);
}

static void
test_text(void)
{
    struct intervals intervals;

    begin(&intervals, NULL, false);
    is_text(hpm_string_text(&told), text_heading, "a text has its heading");
    ok(heading_length == told.length && n_messages == 1,
       "which is known as such, behind what was said");
    add(&intervals, 3000, 2);
    is_text(hpm_string_text(&told),
            "       2.000  12 one                      0.000003"
            "          0.000002  task-clock s\n"
            "       2.000  12 one                         3,000"
            "            1500.0  page-faults\n"
            "       2.000  12 one                             -"
            "                 -  ru::minflt  (unsupported)\n"
            "       2.000  3 core 3                    0.000006"
            "          0.000003  task-clock s\n"
            "       2.000  3 core 3                       6,000"
            "            3000.0  page-faults\n"
            "       2.000  3 core 3                           -"
            "                 -  ru::minflt  (unsupported)\n",
            "an interval has a line for each event and part");
    add(&intervals, 4000, 0);
    ok(strstr(hpm_string_text(&told),
              "       4.000  12 one                         1,000") != NULL &&
           strstr(hpm_string_text(&told),
                  "         sum  12 one                         4,000") != NULL,
       "the last one is since the one before, and the sum since the begin");
    intervals_clear(&intervals);
    ok(!intervals.is_open && intervals.first == NULL, "nothing is left");
}

/* A count of an event that was on half of the time. */
static void
test_shared(void)
{
    struct intervals intervals;

    begin(&intervals, NULL, false);
    metered[1].clock_slot = CLOCK;
    add(&intervals, 3000, 2);
    ok(strstr(hpm_string_text(&told), "  page-faults  (shared)\n") != NULL &&
           strstr(hpm_string_text(&told), "6,000") != NULL,
       "a count that took turns is scaled, and says so");
    intervals_clear(&intervals);
}

static void
test_csv(void)
{
    struct intervals intervals;

    begin(&intervals, add_messages, false);
    is_text(hpm_string_text(&told), csv_heading, "a table has its heading");
    add(&intervals, 3000, 2);
    ok(strstr(hpm_string_text(&told),
              "interval,2,2,one,12,page-faults,,3000,1500,counted\n") != NULL,
       "a row has all its fields");
    ok(strstr(hpm_string_text(&told),
              "interval,2,2,core 3,3,task-clock,ns,6000,3000,counted\n") !=
           NULL,
       "units as they are");
    ok(strstr(hpm_string_text(&told),
              "interval,2,2,core 3,3,ru::minflt,,,,unsupported\n") != NULL,
       "and nothing where nothing is known");
    ok(strstr(hpm_string_text(&told), "hidden") == NULL,
       "what is hidden has no row");
    intervals_clear(&intervals);
}

static void
test_json(void)
{
    struct intervals intervals;

    begin(&intervals, add_messages, true);
    ok(told.length == 0 && n_messages == 0, "JSON has no heading");
    add(&intervals, 3000, 2);
    ok(strncmp(hpm_string_text(&told), "{\"kind\":", 8) == 0 &&
           strstr(hpm_string_text(&told), "}\n{\"kind\":") != NULL,
       "each object has a line");
    intervals_clear(&intervals);
}

/* Intervals of 100 ms, read late. */
static void
test_late(void)
{
    struct intervals intervals;
    uint64_t rows[2 * N_SLOTS] = {0};

    begin(&intervals, NULL, false);
    intervals_add(&intervals, rows, SECOND + 100000000);
    is_count(intervals.next_ns, SECOND + 200000000, "the next one is as long");
    intervals_add(&intervals, rows, SECOND + 299999999);
    is_count(intervals.next_ns, SECOND + 300000000,
             "one that is read late does not move those behind it");
    intervals_add(&intervals, rows, SECOND + 550000000);
    is_count(intervals.next_ns, SECOND + 600000000,
             "those that nobody read are one");
    intervals_clear(&intervals);
}

static void
test_none(void)
{
    struct intervals intervals;
    struct hpm_error err;
    uint64_t rows[N_SLOTS] = {0};

    options.interval_ms = 0;
    hpm_string_clear(&told);
    intervals_prepare(&intervals, &options, &outputs);
    ok(intervals_begin(&intervals, &meter, NULL, 1, rows, 0, &err) &&
           !intervals.is_open,
       "where none are wanted there are none");
    intervals_end(&intervals, rows, 5);
    ok(told.length == 0, "and nothing is told");
    options.interval_ms = 100;
    for (unsigned long k = 1; k <= 2; k++) {
        hpm_memory_fail_at(k, false);
        ok(!intervals_begin(&intervals, &meter, NULL, 1, rows, 0, &err) &&
               !intervals.is_open,
           "lack of memory is said");
        hpm_memory_fail_at(0, false);
        intervals_clear(&intervals);
    }
    ok(intervals_begin(&intervals, &meter, NULL, 1, rows, 0, &err),
       "without parts there is one");
    is_text(intervals.parts[0].name, "all", "of all");
    intervals_clear(&intervals);
}

int
main(void)
{
    test_text();
    test_shared();
    test_csv();
    test_json();
    test_late();
    test_none();
    hpm_string_free(&told);
    return done();
}
