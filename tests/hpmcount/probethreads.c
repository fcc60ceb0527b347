/* SPDX-License-Identifier: BSD-3-Clause
 * The threads of a program whose functions are probed, of the kernel's records made by
 * hand, so that each value is known. */
#include "hpmcount/probethreads.h"

#include <linux/perf_event.h>

#include "hpmcount/say.h"
#include "tap.h"

/* say.c is not here */
void
say(const char *format, ...)
{
    (void)format;
}

/* Two processors; of three events the first and the last are counted. */
enum { N_CPUS = 2, N_EVENTS = 3, N_COUNTED = 2 };
static struct hpm_event events[N_EVENTS];
static const struct hpm_eventset set = {.events = events, .n_events = N_EVENTS};
static struct proberings rings = {.set = &set,
                                  .extent = PROBERINGS_COUNTS,
                                  .is_counted = {true, false, true},
                                  .n_counted = N_COUNTED,
                                  .n_rings = N_CPUS};

/* A row: time and events, what was taken off of them, starts and stops. */
enum {
    N_SLOTS = 1 + N_EVENTS,
    OVERHEAD = N_SLOTS,
    STARTS = 2 * N_SLOTS,
    STOPS = STARTS + 1
};

static struct probecosts costs = {
    .calibration.costs.amounts =
        {[HPM_COST_START] = {1000, 2000}, [HPM_COST_STOP] = {500, 700}},
    .more = {[HPM_INSTRUCTION_FRAME] = {30000, 40000}}};

static char label_f[] = "f", label_g[] = "g", label_h[] = "h";
static const struct probeplan_point f = {.label = label_f,
                                         .instance = 1,
                                         .offset = 0x10,
                                         .kind = HPM_INSTRUCTION_IMITATED};
static const struct probeplan_point g = {.label = label_g,
                                         .instance = 2,
                                         .offset = 0x20,
                                         .kind = HPM_INSTRUCTION_IMITATED};
static const struct probeplan_point h = {.label = label_h,
                                         .instance = 3,
                                         .offset = 0x30,
                                         .kind = HPM_INSTRUCTION_FRAME};

/* Where a call pushes the return address. */
#if defined(__x86_64__)
enum { ABOVE = 8 };
#else
enum { ABOVE = 0 };
#endif

static struct probethreads threads;

/* What is fed is of this thread and processor; the first event counts tenfold the
 * time, the last one a hundredfold. */
static uint32_t tid;
static size_t cpu;

static void
begin(void)
{
    tid = 7;
    cpu = 0;
    ok(probethreads_init(&threads, &rings, &costs), "threads are followed");
}

static void
feed(enum proberings_kind kind, const struct probeplan_point *point,
     uint64_t ns, uint64_t stack, bool is_tail)
{
    const uint64_t counts[N_COUNTED] = {10 * ns, 100 * ns};
    const struct proberings_record record = {.kind = kind,
                                             .pid = 5,
                                             .tid = tid,
                                             .ns = ns,
                                             .cpu = cpu,
                                             .counts = counts,
                                             .stack = stack,
                                             .is_tail = is_tail};

    probethreads_take(&threads, &record, point);
}

static void
enter(const struct probeplan_point *point, uint64_t ns, uint64_t stack)
{
    feed(PROBERINGS_ENTRY, point, ns, stack, false);
}

static void
jump(const struct probeplan_point *point, uint64_t ns, uint64_t stack)
{
    feed(PROBERINGS_ENTRY, point, ns, stack, true);
}

static void
leave(const struct probeplan_point *point, uint64_t ns, uint64_t stack)
{
    feed(PROBERINGS_BACK, point, ns, stack + ABOVE, false);
}

/* The thread's end, or another program in its place. */
static void
feed_other(uint32_t type, uint16_t misc, uint64_t ns)
{
    const uint32_t words[4] = {5, 5, tid, tid};
    const struct proberings_record record = {
        .kind = PROBERINGS_OTHER,
        .other = {.type = type,
                  .misc = misc,
                  .words = (const uint64_t *)(const void *)words,
                  .n_words = 2,
                  .pid = 5,
                  .tid = tid,
                  .ns = ns}};

    probethreads_take(&threads, &record, NULL);
}

static const struct hpm_node *
node(size_t thread, const char *label)
{
    const struct hpm_node *found =
        thread < threads.n ? threads.list[thread].tree->nodes.first : NULL;

    while (found != NULL && strcmp(found->label, label) != 0)
        found = found->next;
    return found;
}

/* The section's time, and its calls, of the thread with this number. */
static void
is_section(size_t thread, const char *label, uint64_t ns, uint64_t calls,
           const char *sentence)
{
    const struct hpm_node *found = node(thread, label);

    is_count(found != NULL ? found->inclusive[0] : UINT64_MAX, ns, sentence);
    is_count(found != NULL ? hpm_node_calls(found) : UINT64_MAX, calls,
             sentence);
}

static void
end(uint64_t n_left, uint64_t n_unknown, const char *sentence)
{
    ok(threads.n_left == n_left && threads.n_unknown == n_unknown &&
           !threads.is_lacking,
       sentence);
    probethreads_clear(&threads);
    ok(threads.n == 0 && threads.list == NULL, "nothing is left of them");
}

/* ---- tests -------------------------------------------------------------------- */

static void
test_calls(void)
{
    begin();
    feed(PROBERINGS_SWITCH, NULL, 90, 0, false);
    ok(threads.list[0].number == -1 && threads.n_numbered == 0,
       "a thread without a call has no number");
    enter(&f, 100, 0x9000);
    enter(&g, 120, 0x8000);
    leave(&g, 150, 0x8000);
    enter(&g, 160, 0x8000);
    leave(&g, 170, 0x8000);
    leave(&f, 200, 0x9000);
    is_section(0, "f", 100, 1, "from its entry to its return");
    is_section(0, "g", 40, 2, "two calls");
    ok(node(0, "g")->parent == node(0, "f"), "called by the other one");
    ok(node(0, "f")->inclusive[1] == 1000 &&
           node(0, "f")->inclusive[3] == 10000,
       "the counts of the same time");
    is_count(node(0, "f")->inclusive[2], 0,
             "an event that is not counted has none");
    ok(threads.list[0].number == 0 && threads.list[0].pid == 5 &&
           threads.list[0].tree->tid == 0,
       "the thread has the first number");
    end(0, 0, "each call has returned");
}

static void
test_overhead(void)
{
    const struct hpm_node *found;

    begin();
    enter(&f, 100, 0x9000);
    enter(&g, 110, 0x8000);
    leave(&g, 120, 0x8000);
    enter(&h, 130, 0x8000);
    leave(&h, 140, 0x8000);
    leave(&f, 200, 0x9000);
    found = node(0, "f");
    is_count(found->inclusive[OVERHEAD], 2 * 1000 + 2 * 500 + 30000,
             "calls inside cost a start and a stop each, one of them more");
    is_count(found->inclusive[OVERHEAD + 1], 2 * 2000 + 2 * 700 + 40000,
             "of events, too");
    is_count(found->inclusive[STARTS], 2, "two starts inside");
    is_count(found->inclusive[STOPS], 2, "and as many stops");
    is_count(node(0, "g")->inclusive[OVERHEAD], 0, "nothing is inside a leaf");
    end(0, 0, "each call has returned");
}

/* A reading of each processor is that of the thread there. */
static void
test_processors(void)
{
    begin();
    enter(&f, 100, 0x9000);
    feed(PROBERINGS_SWITCH, NULL, 110, 0, false);
    cpu = 1; /* where it has not been yet */
    feed(PROBERINGS_SWITCH, NULL, 4, 0, false);
    cpu = 0;
    feed(PROBERINGS_SWITCH, NULL, 113, 0, false);
    cpu = 1;
    leave(&f, 20, 0x9000);
    is_count(node(0, "f")->inclusive[1], 10 * (10 + 4 + 3 + 16),
             "what all processors have counted of it");
    end(0, 0, "a call may return elsewhere");
}

static void
test_recursion(void)
{
    begin();
    enter(&f, 100, 0x9000);
    enter(&f, 110, 0x8000);
    enter(&f, 120, 0x7000);
    leave(&f, 130, 0x7000);
    leave(&f, 140, 0x8000);
    leave(&f, 200, 0x9000);
    is_section(0, "f", 100, 3, "recursion is measured once, counted always");
    is_count(node(0, "f")->inclusive[OVERHEAD], 2 * 1000 + 2 * 500,
             "what the calls inside cost");
    is_count(node(0, "f")->inclusive[STOPS], 0, "they are no stops inside");
    end(0, 0, "each call has returned");
}

static void
test_left(void)
{
    begin();
    enter(&f, 100, 0x9000);
    enter(&g, 110, 0x8000);
    enter(&h, 120, 0x7000);
    enter(&g, 150, 0x8800); /* an exception was caught in f */
    is_section(0, "h", 30, 1, "what was left ends where that is seen");
    leave(&g, 160, 0x8800);
    is_section(0, "g", 50, 2, "so does what had called it");
    ok(node(0, "g")->parent == node(0, "f"), "f is still open");
    enter(&h, 170, 0x8000);
    leave(&f, 200, 0x9000);
    is_section(0, "f", 100, 1, "a return ends what was called inside, too");
    is_count(threads.n_left, 3, "three calls have not returned");
    enter(&f, 300, 0x9000);
    enter(&f, 310, 0x9000); /* the first one was left before */
    leave(&f, 320, 0x9000);
    is_section(0, "f", 120, 3, "a call at the same place is a new one");
    end(4, 0, "four calls have not returned");
}

/* Addresses at least 8 MiB apart are of two stacks. */
static void
test_stacks(void)
{
    const uint64_t bytes = 8 << 20;

    begin();
    enter(&f, 100, 0x9000);
    enter(&g, 110, 0x9000 + bytes);
    leave(&g, 120, 0x9000 + bytes);
    leave(&f, 130, 0x9000);
    is_section(0, "f", 30, 1, "another stack has left nothing");
    enter(&f, 200, 0x9000);
    enter(&g, 210, 0x9000 + bytes - 1);
    is_section(0, "f", 40, 2, "the same stack has");
    end(1, 0, "one call has not returned");
}

static void
test_tail_calls(void)
{
    begin();
    enter(&f, 100, 0x9000);
    jump(&g, 110, 0x9000);
    leave(&g, 140, 0x9000);
    leave(&f, 150, 0x9000);
    is_section(0, "f", 50, 1, "a function that jumps to another has called it");
    is_section(0, "g", 30, 1, "which returns first");
    ok(node(0, "g")->parent == node(0, "f"), "inside the first one");
    end(0, 0, "both have returned");
}

/* A loop begins with the function's first instruction. */
static void
test_loops(void)
{
    begin();
    enter(&f, 90, 0xa000);
    enter(&h, 100, 0x9000);
    jump(&h, 110, 0x9000);
    jump(&h, 120, 0x9000);
    is_count(threads.n_again, 2, "two more times round");
    leave(&h, 150, 0x9000);
    leave(&h, 151, 0x9000);
    leave(&h, 152, 0x9000);
    is_section(0, "h", 50, 1, "a loop is one call");
    is_count(threads.n_unknown, 0, "returns of each time round are known");
    leave(&h, 153, 0x9000);
    is_count(threads.n_unknown, 1, "one more is not");
    leave(&f, 200, 0xa000);
    is_count(node(0, "f")->inclusive[OVERHEAD], 3 * (1000 + 30000) + 500,
             "each time round has cost a start");
    is_count(node(0, "f")->inclusive[OVERHEAD + 1], 3 * (2000 + 40000) + 700,
             "in events, too");
    enter(&h, 300, 0x9000);
    jump(&h, 310, 0x9000);
    leave(&h, 320, 0x9000);
    enter(&f, 330, 0x9000); /* returns of the loop do not come any more */
    leave(&h, 340, 0x9000);
    is_count(threads.n_unknown, 2, "a call in between ends them");
    jump(&g, 350, 0x8000);
    jump(&g, 360, 0x7000);
    is_count(threads.n_again, 3, "deeper on the stack it is another call");
    jump(&h, 370, 0x7000);
    is_count(threads.n_again, 3, "another function is one, too");
    probethreads_end(&threads);
    end(0, 2, "what is open at the end has not been left");
}

static void
test_unknown(void)
{
    begin();
    leave(&f, 90, 0x9000);
    is_count(threads.n_unknown, 1, "a return without a call");
    enter(&f, 100, 0x9000);
    leave(&g, 110, 0x9000);
    leave(&f, 120, 0x8000);
    is_section(0, "f", 0, 1, "returns of others do not end a call");
    leave(&f, 150, 0x9000);
    is_section(0, "f", 50, 1, "its own does");
    end(0, 3, "three returns are without a call");
}

static void
test_ends(void)
{
    begin();
    enter(&f, 100, 0x9000);
    feed_other(PERF_RECORD_COMM, 0, 110);
    is_section(0, "f", 0, 1, "a new name of a thread ends no call");
    feed_other(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, 130);
    is_section(0, "f", 30, 1, "another program in its place does");
    enter(&g, 140, 0x9000);
    feed_other(PERF_RECORD_EXIT, 0, 190);
    is_section(0, "g", 50, 1, "the thread's end does");
    ok(threads.list[0].has_ended, "the thread has ended");
    enter(&f, 200, 0x9000);
    is_count(threads.n, 2, "one of the same number is another thread");
    is_count((uint64_t)threads.list[1].number, 1, "with a number of its own");
    probethreads_end(&threads);
    is_section(1, "f", 0, 1, "the end closes what is open");
    ok(!hpm_node_is_in_frame(node(1, "f")), "it is closed");
    is_section(0, "f", 30, 1, "the first thread has kept its sections");
    feed_other(PERF_RECORD_FORK, 0, 210);
    end(0, 0, "calls at the end of a thread have not been left");
}

/* Threads without sections need no memory once they have ended. */
static void
test_others(void)
{
    begin();
    feed(PROBERINGS_SWITCH, NULL, 100, 0, false);
    tid = 8;
    enter(&f, 110, 0x9000);
    tid = 9;
    feed(PROBERINGS_SWITCH, &f, 120, 0, false);
    is_count(threads.n, 3, "three threads");
    ok(threads.list[2].tree == NULL, "a switch is no call");
    tid = 7;
    feed_other(PERF_RECORD_EXIT, 0, 130);
    is_count(threads.n, 2, "one that had no sections is gone");
    feed_other(PERF_RECORD_EXIT, 0, 130);
    is_count(threads.n, 2, "and cannot end again");
    tid = 8;
    leave(&f, 150, 0x9000);
    is_section(1, "f", 40, 1, "the others are still there");
    is_count((uint64_t)threads.list[1].number, 0, "numbered by their sections");
    end(0, 0, "each call has returned");
}

int
main(void)
{
    test_calls();
    test_overhead();
    test_processors();
    test_recursion();
    test_left();
    test_stacks();
    test_tail_calls();
    test_loops();
    test_unknown();
    test_ends();
    test_others();
    return done();
}
