/* SPDX-License-Identifier: BSD-3-Clause
 * The sections of samples, with a ring written by the test. */
#include "source/ring.h"

/* Replaces the kernel's ring in the tested file. */
static struct hpm_ring *play_ring(const struct hpm_sampling *sampling,
                                  struct hpm_error *err);
#define hpm_ring_open play_ring
#include "record/sampler.c"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

/* A row: time and count.  Each reading counts one step. */
enum { COUNT = 1, N_SLOTS = 2, STEP = 10, READING = 1000 };
enum { RING_BYTES = 8192, MANY = 300 };

static struct hpm_eventset set;
static struct hpm_costs costs;
static struct hpm_metered metered = {.state = HPM_STATE_COUNTED};
static struct hpm_meter *meter;
static struct hpm_sampling sampling = {.n_events = 1};
static struct hpm_modules modules;
static hpm_sampler_within within;
static struct {
    int counts[2]; /* a pipe that replaces the event's file */
} event;
static struct hpm_sampler *sampler;
static struct hpm_calltree *tree, *other;
static const struct hpm_source stepping; /* read_step */
static uint64_t now;
static size_t n_reads;
static bool is_noting; /* else edges take samples out of the ring at once */

static void
read_step(void *counting, uint64_t *slots)
{
    (void)counting;
    n_reads++;
    slots[COUNT] = now += STEP;
}

static const struct hpm_source stepping = {.read = read_step};

/* What an edge does. */
static void
read_edge(uint64_t *row)
{
    if (!is_noting && sampler->ring != NULL)
        sampler->ring->is_settled = false;
    hpm_meter_read(meter, row);
}

/* ---- the kernel's part ----------------------------------------------- */

static struct perf_event_mmap_page *
page_of(const struct hpm_ring *ring)
{
    return (struct perf_event_mmap_page *)ring->page;
}

static void
put(uint32_t type, const void *words, size_t n)
{
    struct perf_event_mmap_page *page = page_of(sampler->ring);
    char *data = (char *)page + sysconf(_SC_PAGESIZE);
    struct perf_event_header head = {.type = type,
                                     .size = (uint16_t)(sizeof head + n)};
    char record[256];

    memcpy(record, &head, sizeof head);
    memcpy(record + sizeof head, words, n);
    for (size_t i = 0; i < head.size; i++)
        data[page->data_head++ % RING_BYTES] = record[i];
}

static void
put_sample(uint64_t address)
{
    put(PERF_RECORD_SAMPLE, (uint64_t[]){0, address}, 16);
}

static void
put_lost(uint64_t n)
{
    put(PERF_RECORD_LOST, (uint64_t[]){0, n}, 16);
}

static void
put_mapped(uint64_t start, const char *path)
{
    uint64_t words[8 + 2] = {0, start, 0x1000};

    memcpy(words + 8, path, strlen(path) + 1);
    put(PERF_RECORD_MMAP2, words, sizeof words);
}

/* The next reading of the event's file. */
static void
say_count(uint64_t count, uint64_t n_lost)
{
    const uint64_t reading[4] = {count, 0, 0, n_lost};

    if (write(event.counts[1], reading, sizeof reading) != sizeof reading)
        puts("# the pipe is full");
}

static struct hpm_ring *
new_ring(void)
{
    struct hpm_ring *ring = hpm_memory_new_apart(sizeof *ring);
    void *memory =
        mmap(NULL, (size_t)sysconf(_SC_PAGESIZE) + RING_BYTES,
             PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (ring == NULL || memory == MAP_FAILED || pipe(event.counts) != 0 ||
        !hpm_page_own(&ring->owner))
        return NULL;
    ring->cursor = hpm_page_new_wiped();
    ring->page = memory;
    hpm_cursor_point(ring->cursor, &ring->page->data_head);
    ring->bytes = RING_BYTES;
    ring->sampling = &sampling;
    for (size_t i = 0; i < HPM_MAX_SAMPLED; i++)
        ring->events[i].fd = -1;
    ring->events[0] = (struct hpm_ring_event){.fd = event.counts[0],
                                              .phase.is_settled = true};
    return ring;
}

static bool has_ring;

static struct hpm_ring *
play_ring(const struct hpm_sampling *its_sampling, struct hpm_error *err)
{
    if (has_ring && its_sampling == &sampling)
        return new_ring();
    hpm_error_set(err, "no ring");
    return NULL;
}

/* ---- a thread -------------------------------------------------------- */

static struct hpm_calltree *
new_tree(void)
{
    const struct hpm_shape shape = {N_SLOTS, N_SLOTS, N_SLOTS};

    return hpm_calltree_new(&shape, &costs, NULL, NULL);
}

/* With a part of one source, or none. */
static struct hpm_meter *
new_meter(size_t n_parts)
{
    struct hpm_meter *made =
        hpm_memory_new(1, sizeof *made + sizeof made->parts[0]);

    made->set = &set;
    made->n_events = 1;
    made->n_slots = N_SLOTS;
    made->events = &metered;
    made->parts[0].source = &stepping;
    made->parts[0].counting = &n_reads;
    made->n_parts = n_parts;
    hpm_meter_set_cursor(made, NULL);
    return made;
}

static void
begin(void)
{
    meter = new_meter(1);
    tree = new_tree();
    other = new_tree();
    sampler = hpm_memory_new(1, sizeof *sampler);
    sampler->ring = new_ring();
    sampler->owner = sampler->ring->owner;
    sampler->ring->cursor->take = read_with_samples;
    sampler->ring->cursor->context = sampler;
    sampler->meter = meter;
    sampler->tree = sampler->own = tree;
    sampler->within = &within;
    sampler->modules = &modules;
    sampler->begin = hpm_memory_new(N_SLOTS, sizeof *sampler->begin);
    sampler->reading = READING;
    hpm_meter_set_cursor(meter, sampler->ring->cursor);
    atomic_store(&within, NULL);
    hpm_modules_init(&modules);
    n_reads = 0;
}

static void
end(void)
{
    close(event.counts[1]);
    hpm_sampler_free(sampler);
    hpm_memory_free(meter);
    hpm_calltree_free(tree);
    hpm_calltree_free(other);
    hpm_modules_clear(&modules);
}

static const struct hpm_node *
start(int id, const char *label)
{
    read_edge(
        hpm_calltree_start(tree, id, HPM_PARENT_AUTO, label, "a.c", id, NULL));
    return hpm_calltree_innermost(tree);
}

static void
stop(void)
{
    read_edge(tree->now);
    hpm_calltree_close_top(tree, 99, HPM_COST_STOP);
}

/* The number of samples at that address in that section. */
static uint64_t
n_at(const struct hpm_sampler *samples, const struct hpm_node *node,
     uint64_t address)
{
    uint64_t n = 0;

    for (size_t i = 0; i < samples->n_slots; i++) {
        const struct hpm_sample_count *count = &samples->counts[i];

        if (count->n > 0 && count->node == node && count->address == address)
            n += count->n;
    }
    return n;
}

static uint64_t
n_within(const struct hpm_node *process, uint64_t address)
{
    uint64_t n = 0;

    for (size_t i = 0; i < sampler->n_slots; i++) {
        const struct hpm_sample_count *count = &sampler->counts[i];

        if (count->n > 0 && count->within == process &&
            count->address == address)
            n += count->n;
    }
    return n;
}

/* Of 1,000 keys in twice as many slots, about 800 have a slot of their own,
 * whichever field they differ in. */
static void
test_hash(void)
{
    enum { N = 1000, N_SLOTS_OF_TABLE = 2048, N_FIELDS = 5 };
    static const struct hpm_node nodes[N];

    for (int field = 0; field < N_FIELDS; field++) {
        bool is_taken[N_SLOTS_OF_TABLE] = {false};
        uint64_t n_taken = 0;

        for (unsigned i = 0; i < N; i++) {
            struct hpm_sample_count count = {.address = 0x400000};
            bool *slot;

            if (field == 0)
                count.address += i;
            if (field == 1)
                count.node = &nodes[i];
            if (field == 2)
                count.within = &nodes[i];
            if (field == 3)
                count.event = i;
            if (field == 4)
                count.part = i;
            slot = &is_taken[hash(&count) % N_SLOTS_OF_TABLE];
            n_taken += !*slot;
            *slot = true;
        }
        ok(n_taken > 500, "counts are spread over the slots");
        printf("# field %d: %d slots\n", field, (int)n_taken);
    }
}

/* ---- starts and stops ----------------------------------------------- */

static void
test_edges(void)
{
    const struct hpm_node *outer, *inner;

    begin();
    put_sample(0x100);
    outer = start(1, "outer");
    put_sample(0x200);
    put_sample(0x200);
    inner = start(2, "inner");
    put_sample(0x200);
    stop();
    put_sample(0x300);
    stop();
    is_count(n_at(sampler, NULL, 0x100), 1,
             "what came before the first start is of no section");
    is_count(n_at(sampler, outer, 0x200), 2,
             "what came before a start is of the section around it");
    is_count(n_at(sampler, inner, 0x200), 1,
             "what came before a stop is of the section that it closes");
    is_count(n_at(sampler, outer, 0x300), 1, "and then of the one around");
    is_count(sampler->n_counts, 4, "each place and section is there once");
    end();
}

/* The overhead is from a reading before the counting to the edge's own reading. */
static void
test_overhead(void)
{
    uint64_t *row;

    begin();
    put_sample(0x100);
    row = hpm_calltree_start(tree, 1, HPM_PARENT_AUTO, "a", "a.c", 1, NULL);
    read_edge(row);
    is_count(hpm_calltree_overhead_of(tree, COUNT), STEP,
             "what it costs to count samples is charged");
    is_count(row[N_SLOTS + COUNT], STEP,
             "and the section that starts has not had it");
    ok(hpm_calltree_overhead_of(tree, 0) ==
               row[0] - sampler->begin[0] + READING &&
           row[N_SLOTS] == hpm_calltree_overhead_of(tree, 0),
       "so is the time, with that of a reading");
    is_count(n_reads, 2, "two readings: before that, and the edge's own");
    is_count(row[COUNT], now, "which is the last");
    put_sample(0x100);
    read_edge(tree->now);
    is_count(hpm_calltree_overhead_of(tree, COUNT), 2 * STEP,
             "likewise at a stop");
    ok(tree->now[0] >= sampler->begin[0], "whose time goes on until then");
    read_edge(tree->now);
    is_count(n_reads, 5, "an edge where nothing has come reads once");
    end();
}

static void
test_middle_of_a_call(void)
{
    uint64_t row[3 * N_SLOTS] = {0};
    const struct hpm_node *node;

    begin();
    node = start(1, "a");
    put_sample(0x100);
    read_edge(row);
    is_count(sampler->n_counts, 0,
             "another reading leaves what has come to the next edge");
    stop();
    is_count(n_at(sampler, node, 0x100), 1, "which counts it");
    end();
}

/* How much of a ring a stop has seen, if another thread reads it, too. */
static uint64_t
seen_after(uint64_t head, uint64_t tail, size_t n_waiting)
{
    uint64_t row[3 * N_SLOTS] = {0};

    page_of(sampler->ring)->data_head = head;
    sampler->ring->tail = tail;
    atomic_store(&sampler->n_waiting, n_waiting);
    read_edge(row);
    return sampler->ring->cursor->seen;
}

static void
test_seen(void)
{
    begin();
    is_count(seen_after(64, 64, 0), 64,
             "what was taken and is no sample is not looked for again");
    is_count(seen_after(128, 128, 1), 64, "a sample that waits is");
    is_count(seen_after(192, 128, 0), 64, "and so is what is in the ring");
    sampler->ring->owner.thread = NULL;
    is_count(seen_after(256, 256, 0), 64, "another thread leaves it alone");
    is_count(n_reads, 4, "each edge has one reading");
    end();
}

/* ---- noted sections -------------------------------------------------- */

static void
begin_noting(void)
{
    begin();
    is_noting = true;
    sampler->ring->is_settled = true;
}

static void
end_noting(void)
{
    is_noting = false;
    end();
}

static void
test_noted(void)
{
    const struct hpm_node *outer, *inner;

    begin_noting();
    put_sample(0x100);
    outer = start(1, "outer");
    put_sample(0x200);
    put_sample(0x200);
    inner = start(2, "inner");
    put_sample(0x200);
    stop();
    put_sample(0x300);
    stop();
    is_count(sampler->n_counts, 0, "samples stay in the ring");
    is_count(n_reads, 4, "so that an edge reads the counters once,");
    is_count(hpm_calltree_overhead_of(tree, COUNT), 0, "and charges nothing");
    put_sample(0x400);
    hpm_sampler_settle(sampler);
    is_count(n_at(sampler, NULL, 0x100), 1, "each comes to its section:");
    is_count(n_at(sampler, outer, 0x200), 2, "the one around a start,");
    is_count(n_at(sampler, inner, 0x200), 1, "the one that a stop closes,");
    is_count(n_at(sampler, outer, 0x300), 1, "and the one around that");
    is_count(sampler->n_counts, 4, "no other one is there,");
    ok(hpm_ring_has_more(sampler->ring),
       "and what came after the last edge stays");
    hpm_sampler_settle(NULL);
    end_noting();
}

/* Edges of one sample each, and one more than can be noted. */
static void
test_noted_until_full(void)
{
    const struct hpm_node *node;

    begin_noting();
    node = start(1, "a");
    for (size_t i = 0; i < HPM_SAMPLER_MOST_NOTED; i++) {
        put_sample(0x100 + i);
        read_edge(tree->now);
    }
    is_count(sampler->n_counts, 0, "so many edges are noted");
    put_sample(0x900);
    stop();
    is_count(sampler->n_counts, HPM_SAMPLER_MOST_NOTED + 1,
             "the next one takes all out of the ring");
    is_count(n_at(sampler, node, 0x900), 1, "its own, too,");
    is_count(hpm_calltree_overhead_of(tree, COUNT), STEP,
             "and what that costs is charged once");
    put_sample(0x900);
    read_edge(tree->now);
    is_count(sampler->n_counts, HPM_SAMPLER_MOST_NOTED + 1,
             "then edges are noted again");
    end_noting();
}

/* What may be more than samples is not left in the ring. */
static void
test_too_much_to_note(void)
{
    const struct hpm_node *node;

    begin_noting();
    put_sample(0x100);
    node = start(1, "a");
    put_mapped(0x5000, "/nowhere/mapped");
    stop();
    ok(hpm_modules_find_part(&modules, 0x5800) != HPM_MODULES_NO_PART,
       "a mapping is known at the next edge");
    is_count(n_at(sampler, NULL, 0x100), 1, "with what was noted until then");
    start(1, "a");
    for (int i = 0; i < 4; i++)
        put_sample(0x200);
    stop();
    is_count(n_at(sampler, node, 0x200), 4, "many samples are taken at once");
    end_noting();
}

/* The thread has noted the section of the first sample; the second is in the next
 * section, whose stop has not come. */
static void
test_noted_and_collected(void)
{
    struct hpm_node process, second;
    const struct hpm_node *first, *next;

    begin_noting();
    atomic_store(&within, &process);
    first = start(1, "first");
    put_sample(0x100);
    stop();
    next = start(2, "next");
    put_sample(0x200);
    hpm_sampler_collect(sampler);
    atomic_store(&within, &second);
    is_count(atomic_load(&sampler->n_waiting), 2, "both wait,");
    is_count(sampler->n_known, 1, "the first with its section");
    hpm_sampler_settle(sampler);
    is_count(sampler->n_counts, 0, "before the next edge neither is counted");
    stop();
    is_count(n_at(sampler, first, 0x100), 1, "then each is in its section");
    is_count(n_at(sampler, next, 0x200), 1, "of the thread,");
    is_count(n_within(&process, 0x100) + n_within(&process, 0x200), 2,
             "and both are in that of the process");
    put_sample(0x300);
    start(1, "first");
    hpm_sampler_collect(sampler);
    hpm_sampler_settle(sampler);
    is_count(n_at(sampler, NULL, 0x300), 1,
             "what waits with its section is counted before a copy");
    is_count(atomic_load(&sampler->n_waiting) + sampler->n_known, 0,
             "and waits no more");
    end_noting();
}

static void
test_life_of_noted(void)
{
    const struct hpm_node *node;

    begin_noting();
    put_sample(0x100);
    read_edge(tree->now);
    say_count(1000, 0);
    hpm_sampler_begin(sampler);
    is_count(sampler->n_counts + sampler->n_noted, 0,
             "what is noted before the run is nobody's");
    node = start(1, "a");
    put_sample(0x200);
    stop();
    hpm_sampler_use(sampler, other);
    is_count(n_at(sampler, node, 0x200), 1,
             "before another table is used it is counted");
    put_sample(0x300);
    read_edge(other->now);
    is_count(sampler->n_noted, 0, "in which nothing is noted");
    hpm_sampler_use(sampler, tree);
    start(1, "a");
    put_sample(0x400);
    stop();
    put_sample(0x500);
    say_count(2000, 0);
    say_count(2000, 0);
    hpm_sampler_end(sampler);
    is_count(n_at(sampler, node, 0x400), 1, "at the end it is, too,");
    is_count(n_at(sampler, NULL, 0x500), 1, "and what came later with it");
    hpm_sampler_settle(sampler);
    end_noting();
}

/* ---- other threads --------------------------------------------------- */

static void
test_room(void)
{
    enum { HALF = RING_BYTES / 2 / HPM_RING_SAMPLE_BYTES };

    begin();
    ok(hpm_sampler_collect(NULL) == SIZE_MAX, "no ring has room for all");
    sampler->ring->is_settled = true;
    is_count(hpm_sampler_collect(sampler), HALF, "a ring has for its half");
    for (size_t i = 0; i < HALF + 1; i++)
        put_sample(0x100);
    is_count(hpm_sampler_collect(sampler), 0, "a fuller one has none");
    sampler->ring->is_settled = false;
    sampler->ring->events[0].phase.is_settled = false;
    is_count(hpm_sampler_collect(sampler), 1,
             "one whose first samples are not placed is read soon");
    sampler->ring->events[0].phase.is_settled = true;
    put_mapped(0x5000, "/nowhere/mapped");
    is_count(hpm_sampler_collect(sampler), 0, "as is one with a mapping");
    is_count(hpm_sampler_collect(sampler), HALF, "but not for ever");
    put_mapped(0x7000, "/nowhere/mapped");
    read_edge(tree->now);
    is_count(hpm_sampler_collect(sampler), 0,
             "also when the thread has read the mapping itself");
    end();
}

/* A start or stop of the process collects the samples until then. */
static void
test_collect(void)
{
    struct hpm_node process, second;
    const struct hpm_node *node;

    begin();
    node = start(1, "a");
    atomic_store(&within, &process);
    put_sample(0x100);
    put_lost(7);
    put_mapped(0x5000, "/nowhere/mapped");
    hpm_sampler_collect(sampler);
    is_count(atomic_load(&sampler->n_waiting), 2, "a sample and a loss wait");
    is_count(sampler->n_counts, 0, "and are in no section yet");
    atomic_store(&within, &second);
    put_sample(0x100);
    stop();
    is_count(n_at(sampler, node, 0x100), 2, "the thread says in which");
    is_count(n_within(&process, 0x100), 1,
             "what was taken aside is of the process's section of that time");
    is_count(n_within(&second, 0x100), 1, "what came later is of the next");
    is_count(n_at(sampler, node, HPM_SAMPLER_LOST), 7, "losses are, too");
    is_count(atomic_load(&sampler->n_waiting), 0, "nothing waits any more");
    ok(hpm_modules_find_part(&modules, 0x5800) != HPM_MODULES_NO_PART,
       "and what was mapped is known");
    hpm_sampler_collect(NULL);
    sampler->owner.process = 0;
    put_sample(0x400);
    hpm_sampler_collect(sampler);
    is_count(atomic_load(&sampler->n_waiting), 0,
             "in a child nothing is taken aside");
    end();
}

static void
test_collect_without_memory(void)
{
    begin();
    put_sample(0x100);
    put_lost(4);
    hpm_memory_fail_at(1, true);
    hpm_sampler_collect(sampler);
    hpm_memory_fail_at(0, false);
    is_count(atomic_load(&sampler->n_waiting), 0, "without memory none waits");
    is_count(sampler->n_dropped, 5, "all are dropped, and counted");
    end();
}

/* ---- entries of the ring -------------------------------------------- */

static void
test_entries(void)
{
    const struct hpm_node *node;

    begin();
    node = start(1, "a");
    put_lost(3);
    put_lost(0);
    put_mapped(0x5000, "/nowhere/mapped");
    put_sample(0x5100);
    put_sample(0x9000);
    stop();
    is_count(n_at(sampler, node, HPM_SAMPLER_LOST), 3, "losses are counted");
    is_count(sampler->n_counts, 3, "none lost is no loss");
    for (size_t i = 0; i < sampler->n_slots; i++) {
        const struct hpm_sample_count *count = &sampler->counts[i];

        if (count->n > 0)
            is_count(count->part,
                     count->address == 0x5100 ? 0 : HPM_MODULES_NO_PART,
                     "what was mapped at the address is noted, if any");
    }
    end();
}

/* Samples of one place are in one slot, and all others in others, however many
 * there are. */
static void
test_table(void)
{
    const struct hpm_node *node;
    bool are_right = true;

    begin();
    node = start(1, "a");
    for (uint64_t i = 0; i < 3 * MANY; i++) {
        add(sampler, &(struct hpm_sample_count){.node = node,
                                                .address = 1 + i % MANY,
                                                .n = 1 + i % MANY});
    }
    for (uint64_t i = 0; i < MANY; i++)
        are_right = are_right && n_at(sampler, node, 1 + i) == 3 * (1 + i);
    ok(are_right, "the samples of each of many places are added up");
    is_count(sampler->n_counts, MANY, "each is there once");
    is_count(sampler->n_slots, 1024, "half of the slots at most are in use");
    add(sampler,
        &(struct hpm_sample_count){.node = node, .address = 1, .n = 1});
    add(sampler, &(struct hpm_sample_count){
                     .node = node, .address = 1, .event = 1, .n = 1});
    add(sampler, &(struct hpm_sample_count){
                     .node = node, .address = 1, .part = 1, .n = 1});
    add(sampler, &(struct hpm_sample_count){
                     .node = node, .address = 1, .within = node, .n = 1});
    add(sampler, &(struct hpm_sample_count){.address = 1, .n = 1});
    is_count(sampler->n_counts, MANY + 4,
             "another event, part or section of either scope is another place");
    end();
}

/* 128 of 256 slots are used. */
static void
test_table_without_memory(void)
{
    begin();
    hpm_memory_fail_at(1, true);
    add(sampler, &(struct hpm_sample_count){.address = 1, .n = 5});
    hpm_memory_fail_at(0, false);
    is_count(sampler->n_dropped, 5, "what there is no memory for is dropped");
    for (uint64_t i = 0; i < 128; i++)
        add(sampler, &(struct hpm_sample_count){.address = 1 + i, .n = 1});
    is_count(sampler->n_slots, 256, "so many are in the first slots");
    hpm_memory_fail_at(1, true);
    add(sampler, &(struct hpm_sample_count){.address = 1000, .n = 2});
    hpm_memory_fail_at(0, false);
    is_count(sampler->n_dropped, 7, "what is added to those is, too");
    is_count(sampler->n_counts, 128, "and the others stay");
    end();
}

/* ---- life ------------------------------------------------------------ */

/* While the thread calibrates, it records into another table. */
static void
test_use(void)
{
    const struct hpm_node *node;

    begin();
    node = start(1, "a");
    put_sample(0x100);
    hpm_sampler_use(sampler, other);
    is_count(n_at(sampler, node, 0x100), 1,
             "before another table is used, samples get their section");
    put_sample(0x200);
    put_mapped(0x5000, "/nowhere/mapped");
    read_edge(other->now);
    put_sample(0x300);
    hpm_sampler_use(sampler, tree);
    is_count(sampler->n_counts, 1, "what comes meanwhile is nobody's");
    ok(hpm_modules_find_part(&modules, 0x5800) != HPM_MODULES_NO_PART,
       "but what was mapped then is known");
    put_sample(0x400);
    stop();
    is_count(n_at(sampler, node, 0x400), 1, "what comes behind that is");
    hpm_sampler_use(NULL, other);
    end();
}

/* A child made by clone(2) does not have the ring's memory. */
static void
test_child(void)
{
    struct hpm_ring *ring;

    begin();
    ring = sampler->ring;
    put_sample(0x100);
    ring->owner.process = sampler->owner.process = 0;
    hpm_sampler_use(sampler, other);
    ok(sampler->ring == NULL && sampler->tree == other,
       "in a child there is no ring any more");
    ok(atomic_load(&meter->read) == read_step && meter->counting == &n_reads,
       "and the meter is read as without samples");
    is_count(sampler->n_counts, 0, "nothing is counted");
    hpm_sampler_use(sampler, tree);
    hpm_sampler_begin(sampler);
    hpm_sampler_end(sampler);
    sampler->ring = ring;
    hpm_meter_set_cursor(meter, ring->cursor);
    hpm_sampler_end(sampler);
    ok(sampler->ring == NULL && atomic_load(&meter->read) == read_step,
       "nor is there when its run ends");
    ring->owner.process = getpid();
    sampler->ring = ring;
    end();
}

/* As a child does that was made by clone(2) alone, which has not the ring's memory:
 * where that is touched a signal ends it. */
static bool
reads_in_child(void)
{
    size_t n_before = sampler->n_counts;
    int status = -1;
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

    if (child == 0) {
        n_reads = 0;
        read_edge(tree->now);
        _exit(n_reads == 1 && sampler->n_counts == n_before ? 0 : 1);
    }
    return waitpid(child, &status, 0) == child && status == 0;
}

static void
test_cursor_in_child(void)
{
    begin();
    put_sample(0x100);
    madvise((void *)sampler->ring->page, (size_t)sysconf(_SC_PAGESIZE),
            MADV_DONTFORK);
    ok(reads_in_child(),
       "a child's edges find nothing come, and read what is counted");
    read_edge(tree->now);
    is_count(sampler->n_counts, 1, "while its parent's find the sample");
    ok(reads_in_child(), "and as little when all has been seen");
    end();
}

static void
test_run(void)
{
    struct hpm_sample_total total;
    const struct hpm_node *node;

    begin();
    put_sample(0x100);
    read_edge(tree->now);
    sampler->n_dropped = 9;
    put_sample(0x200);
    say_count(1000, 0);
    hpm_sampler_begin(sampler);
    ok(sampler->n_counts == 0 && n_at(sampler, NULL, 0x100) == 0 &&
           n_at(sampler, NULL, 0x200) == 0 && sampler->n_dropped == 0,
       "what came before the run is nobody's");
    say_count(1600, 0);
    total = hpm_sampler_total(sampler, 0);
    ok(total.is_sampled && total.is_known && total.count == 600,
       "how much of the event there was since the run began is known");
    total = hpm_sampler_total(sampler, 1);
    ok(!total.is_sampled && !total.is_known, "of no other event it is");
    node = start(1, "a");
    put_sample(0x300);
    put_lost(2);
    say_count(2000, 5);
    say_count(2000, 5);
    hpm_sampler_end(sampler);
    is_count(n_at(sampler, node, 0x300), 1,
             "what is left belongs to what is open");
    is_count(n_at(sampler, node, HPM_SAMPLER_LOST), 5,
             "so does what was lost, told or not");
    total = hpm_sampler_total(sampler, 0);
    ok(total.is_known && total.count == 1000, "the total stays");
    ok(sampler->ring == NULL && atomic_load(&meter->read) == read_step,
       "nothing is sampled any more");
    end();
}

/* One event has a file that cannot be read, one could not be opened. */
static void
test_unknown_totals(void)
{
    begin();
    say_count(1000, 0);
    hpm_sampler_begin(sampler);
    close(event.counts[1]);
    ok(!hpm_sampler_total(sampler, 0).is_known,
       "what cannot be read any more is not known");
    hpm_sampler_begin(sampler);
    ok(sampler->totals[0].is_sampled && !sampler->totals[0].is_known,
       "nor is what could not be at the begin");
    close(event.counts[0]);
    sampler->ring->events[0].fd = -1;
    hpm_sampler_begin(sampler);
    ok(!sampler->totals[0].is_sampled, "what is not open is not sampled");
    event.counts[1] = -1;
    end();
}

/* The sampler replaces the meter's reading, which may read nothing. */
static void
test_open(void)
{
    struct hpm_sampler *opened;
    struct hpm_meter *own;
    struct hpm_error err;
    uint64_t row[3 * N_SLOTS];

    begin();
    for (int has_counts = 1; has_counts >= 0; has_counts--) {
        has_ring = true;
        own = new_meter((size_t)has_counts);
        opened =
            hpm_sampler_open(&sampling, own, tree, &within, &modules, &err);
        ok(opened != NULL && own->cursor == opened->ring->cursor &&
               own->cursor->take == read_with_samples &&
               own->cursor->context == opened,
           "the meter's readings look whether anything came");
        n_reads = 0;
        hpm_meter_read(own, row);
        is_count(n_reads, (size_t)has_counts,
                 "and then read it, where there is anything to read");
        ok(opened->own == tree && opened->tree == tree &&
               opened->within == &within && opened->modules == &modules &&
               opened->meter == own && opened->owner.process == getpid(),
           "all of it is the thread's");
        ok(opened->reading < UINT64_MAX, "it knows how long a reading takes");
        say_count(0, 0);
        hpm_sampler_end(opened);
        ok(own->cursor == NULL &&
               atomic_load(&own->read) == (has_counts ? read_step : NULL),
           "at its end the meter reads as before");
        close(event.counts[1]);
        hpm_sampler_free(opened);
        hpm_memory_free(own);
    }
    own = new_meter(0);
    has_ring = false;
    ok(hpm_sampler_open(&sampling, own, tree, &within, &modules, &err) ==
               NULL &&
           strcmp(err.text, "no ring") == 0 && own->cursor == NULL,
       "without a ring nothing is sampled");
    for (unsigned long k = 1; k <= 2; k++) {
        hpm_memory_fail_at(k, false);
        ok(hpm_sampler_open(&sampling, own, tree, &within, &modules, &err) ==
                   NULL &&
               strstr(err.text, "memory") != NULL,
           "nor without memory");
        hpm_memory_fail_at(0, false);
    }
    hpm_memory_free(own);
    end();
}

/* The first try takes long: if a try is interrupted, only the others count. */
enum { LONG = 50000000 };

static void
read_disturbed(void *counting, uint64_t *slots)
{
    uint64_t begin = hpm_clock_read();

    read_step(counting, slots);
    while (n_reads == 1 && hpm_clock_read() - begin < LONG)
        ;
}

static void
test_reading(void)
{
    begin();
    meter->own.read = read_disturbed;
    find_reading(sampler);
    ok(sampler->reading < LONG, "the least of all tries is taken");
    is_count(n_reads, 16, "of sixteen");
    end();
}

/* ---- folding --------------------------------------------------------- */

static void
test_merge(void)
{
    struct hpm_sampler *sum = hpm_sampler_new_sum();
    struct hpm_node *node, merged;

    begin();
    ok(sum != NULL && sum->totals[HPM_MAX_SAMPLED - 1].is_sampled &&
           sum->totals[HPM_MAX_SAMPLED - 1].is_known,
       "a sum of none is known");
    put_sample(0x100);
    start(1, "a");
    node = hpm_calltree_innermost(tree);
    node->merged = &merged;
    put_sample(0x100);
    stop();
    sampler->n_dropped = 4;
    for (size_t i = 0; i < HPM_MAX_SAMPLED; i++)
        sampler->totals[i] =
            (struct hpm_sample_total){i != 1, i != 2, 0, 100 + i};
    hpm_sampler_merge(sum, sampler);
    hpm_sampler_merge(sum, sampler);
    is_count(n_at(sum, &merged, 0x100), 2,
             "samples of two threads go to their place in the common table");
    is_count(n_at(sum, NULL, 0x100), 2, "those of no section to none");
    is_count(sum->n_dropped, 8, "what was dropped is added");
    ok(sum->totals[0].is_sampled && sum->totals[0].is_known &&
           sum->totals[0].count == 200,
       "totals are added");
    ok(!sum->totals[1].is_sampled && sum->totals[1].is_known &&
           sum->totals[2].is_sampled && !sum->totals[2].is_known &&
           sum->totals[3].count == 206,
       "and known where all are");
    hpm_sampler_free(sum);
    hpm_memory_fail_at(1, false);
    ok(hpm_sampler_new_sum() == NULL, "without memory there is no sum");
    hpm_memory_fail_at(0, false);
    end();
}

int
main(void)
{
    const struct hpm_source *const sources[] = {&hpm_source_kernel, NULL};
    struct hpm_page_owner owner;

    if (!hpm_page_own(&owner)) {
        puts("1..0 # SKIP no page can be wiped on fork here");
        return 0;
    }
    if (!hpm_eventset_choose(&set, "page-faults:u", NULL, HPM_DOMAIN_ALL,
                             sources, NULL))
        return 1;
    test_hash();
    test_edges();
    test_overhead();
    test_middle_of_a_call();
    test_seen();
    test_noted();
    test_noted_until_full();
    test_too_much_to_note();
    test_noted_and_collected();
    test_life_of_noted();
    test_room();
    test_collect();
    test_collect_without_memory();
    test_entries();
    test_table();
    test_table_without_memory();
    test_use();
    test_child();
    test_cursor_in_child();
    test_run();
    test_unknown_totals();
    test_open();
    test_reading();
    test_merge();
    hpm_eventset_clear(&set);
    return done();
}
