/* SPDX-License-Identifier: BSD-3-Clause
 * Events of a source that a library brings, and their values. */
#include "brought/items.h"

#include "host/memory.h"
#include "source/meter.h"
#include "tap.h"

static int n_texts, n_texts_left, fails_at;

static char *
copy_text(const char *text)
{
    if (++n_texts == fails_at)
        return NULL;
    n_texts_left++;
    return hpm_memory_copy_text(text);
}

static void
free_text(void *text)
{
    n_texts_left -= text != NULL;
    hpm_memory_free(text);
}

static size_t failed_event = SIZE_MAX;
static enum hpm_state failed_state;
static const char *failed_reason;

static void
fail(struct hpm_meter *meter, size_t event, enum hpm_state state,
     const char *reason)
{
    (void)meter;
    failed_event = event;
    failed_state = state;
    failed_reason = reason;
}

static const struct hpm_loan loan = {
    .copy_text = copy_text, .free = free_text, .fail = fail};
static const struct hpm_source source;

static void
test_names(void)
{
    ok(hpm_items_are_named("omp::work", "omp::", "work"), "word and ending");
    ok(!hpm_items_are_named("omp::works", "omp::", "work"),
       "the ending is the name's end");
    ok(!hpm_items_are_named("omp::work", "omp::", ""), "no ending");
    ok(!hpm_items_are_named("mpi::work", "omp::", "work"), "another word");
    ok(!hpm_items_are_named("om", "omp::", ""), "a part of the word");
}

static void
test_events(void)
{
    struct hpm_event event = {0};
    struct hpm_error err;

    ok(hpm_items_fill_event(&event, &source, 3, 7, "waiting", "s", &loan,
                            &err) == HPM_FINDING_FOUND,
       "an event is filled in");
    is_text(event.description, "waiting", "its description");
    is_text(event.unit, "s", "its unit");
    ok(event.encoding.type == 3 && event.encoding.config == 7,
       "what is counted, and of which state");
    ok(event.source == &source && event.domain == HPM_DOMAIN_ALL,
       "its source, and that the kernel's part is counted, too");
    free_text(event.description);
    free_text(event.unit);
    for (fails_at = 1; fails_at <= 2; fails_at++) {
        n_texts = 0;
        ok(hpm_items_fill_event(&event, &source, 3, 7, "waiting", "s", &loan,
                                &err) == HPM_FINDING_FAILED,
           "there is no memory for a text");
        ok(event.description == NULL && event.unit == NULL,
           "then the event has neither text");
    }
    fails_at = 0;
    is_count((uint64_t)n_texts_left, 0, "each text is given back");
}

static void
test_lack(void)
{
    struct hpm_meter thread = {.target = HPM_TARGET_THREAD};
    struct hpm_meter process = {.target = HPM_TARGET_PROCESS};
    struct hpm_event elapsed = {.encoding.type = HPM_ITEMS_ELAPSED};
    struct hpm_event other = {.encoding.type = HPM_ITEMS_ELAPSED + 1};

    ok(hpm_items_lack(&thread, &elapsed, true) == NULL,
       "the time that passed of a thread");
    ok(hpm_items_lack(&process, &other, true) == NULL,
       "a process has other events");
    ok(hpm_items_lack(&process, &elapsed, true) != NULL,
       "no time that passed of a process");
    ok(hpm_items_lack(&thread, &other, false) != NULL,
       "nothing is counted without memory");
}

static void
test_values(void)
{
    struct hpm_items items = {.loan = &loan};
    struct hpm_event event = {.encoding = {.type = 2, .config = 5}};
    uint64_t slots[8] = {0};

    hpm_items_add(&items, &event, 0);
    event.encoding.type = 1;
    hpm_items_add(&items, &event, 4);
    is_count(items.n, 2, "two events are counted");
    ok(items.items[0].quantity == 2 && items.items[1].quantity == 1 &&
           items.items[1].which == 5,
       "each knows what it counts");
    hpm_items_put(&items, 0, 10, slots);
    hpm_items_put(&items, 1, 20, slots);
    ok(slots[0] == 0 && slots[1] == 10 && slots[5] == 20,
       "values stand behind the time, in the order of events");
    hpm_items_put(&items, 0, 9, slots);
    is_count(slots[1], 10, "no later value is below an earlier one");
    hpm_items_put(&items, 0, 11, slots);
    is_count(slots[1], 11, "a higher one is taken");
    hpm_items_put(&items, 0, 10, slots);
    is_count(slots[1], 11, "and is the earlier one from then on");
    hpm_items_lose(&items, 1, "gone");
    is_count(failed_event, 4, "what is lost is the event of the meter");
    ok(failed_state == HPM_STATE_LOST && strcmp(failed_reason, "gone") == 0,
       "it is lost, with the reason");
    is_count(hpm_items_beyond(3, 10), 7, "what was added since the begin");
    is_count(hpm_items_beyond(10, 3), 0, "never less than nothing");
}

int
main(void)
{
    test_names();
    test_events();
    test_lack();
    test_values();
    return done();
}
