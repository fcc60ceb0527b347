/* SPDX-License-Identifier: BSD-3-Clause
 * How far an edge has seen a ring that another thread reads, too. */
#include "record/sampler.c"

#include "tap.h"

static struct perf_event_mmap_page page;
static struct hpm_ring ring = {.page = &page};
static struct hpm_calltree tree;
static struct hpm_sampler sampler = {
    .ring = &ring, .head = &page.data_head, .tree = &tree};
static int n_reads;

static void
read_once(void *counting, uint64_t *slots)
{
    (void)counting;
    (void)slots;
    n_reads++;
}

/* An edge, in the middle of a call: it leaves to others what has come. */
static uint64_t
seen_after(uint64_t head, uint64_t tail, size_t n_waiting)
{
    uint64_t row[1] = {0};

    page.data_head = head;
    ring.tail = tail;
    atomic_store(&sampler.n_waiting, n_waiting);
    read_sampled(&sampler, row);
    return atomic_load(&sampler.seen);
}

int
main(void)
{
    tree.top = tree.frames;
    sampler.read = read_once;
    if (!hpm_page_own(&ring.owner)) {
        puts("1..0 # SKIP no page can be wiped on fork here");
        return 0;
    }
    sampler.owner = ring.owner;
    is_count(seen_after(64, 64, 0), 64,
             "what was taken and is no sample is not looked for again");
    is_count(seen_after(128, 128, 1), 64, "a sample that waits is");
    is_count(seen_after(192, 128, 0), 64, "and so is what is in the ring");
    sampler.owner.thread = ring.owner.thread = NULL;
    is_count(seen_after(256, 256, 0), 64, "another thread leaves it alone");
    is_count((uint64_t)n_reads, 4, "each edge has one reading");
    return done();
}
