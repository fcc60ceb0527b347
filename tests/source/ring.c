/* SPDX-License-Identifier: BSD-3-Clause
 * A ring tells that there is more until all of it was handed over: from this
 * its thread knows that another one reads, and waits before it leaves its
 * section. */
#include "source/ring.h"

#include "source/clock.h"
#include "tap.h"

enum { N_READS = 12, LONGEST_NS = 40000000 };

static struct hpm_sampling sampling;
static struct hpm_ring *ring;
static size_t n_samples, n_too_late;

static void
take(void *context, const struct hpm_ring_entry *entry)
{
    (void)context;
    if (entry->kind != HPM_RING_SAMPLE)
        return;
    n_samples++;
    n_too_late += !hpm_ring_has_more(ring);
}

/* Work until a sample has come. */
static void
work(void)
{
    uint64_t begin = hpm_clock_read();

    while (!hpm_ring_has_more(ring) && hpm_clock_read() - begin < LONGEST_NS)
        continue;
}

int
main(void)
{
    struct hpm_string lines = {0};
    struct hpm_error err;

    hpm_sampling_choose(&sampling, "cpu-clock@997us", HPM_DOMAIN_USER, &lines);
    if (sampling.n_events == 0) {
        skip("a ring's last sample", hpm_string_text(&lines));
        return done();
    }
    ring = hpm_ring_open(&sampling, &err);
    ok(ring != NULL, "a ring is opened");
    for (size_t i = 0; ring != NULL && i < N_READS; i++) {
        work();
        hpm_ring_read(ring, hpm_ring_head(ring), take, NULL);
    }
    is_count(n_too_late, 0, "no sample comes after the ring has said the end");
    printf("# %zu samples\n", n_samples);
    hpm_ring_close(ring);
    hpm_sampling_clear(&sampling);
    hpm_string_free(&lines);
    return done();
}
