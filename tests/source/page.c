/* SPDX-License-Identifier: BSD-3-Clause
 * Pages of counters, made by hand: the values read are those that the kernel
 * would give. */
#include "source/page.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "source/registers.h"
#include "tap.h"

/* ---- a processor, and a kernel that writes the page ------------------- */

static struct perf_event_mmap_page page;
static uint64_t registers[8], ticks;
static int n_interruptions; /* how often the kernel writes during a reading */

static bool
read_counter(uint32_t index, uint64_t *ret_value)
{
    if (index > sizeof registers / sizeof registers[0])
        return false;
    *ret_value = registers[index - 1];
    if (n_interruptions > 0) { /* it moves the counter, and changes its value */
        n_interruptions--;
        page.lock += 2;
        page.index = page.index == 1 ? 2 : 1;
        page.offset += 5;
        registers[page.index - 1] = 1000;
    }
    return true;
}

static uint64_t
read_clock(void)
{
    return ticks;
}

static const struct hpm_page_registers processor = {read_counter, read_clock};

static void
begin(void)
{
    memset(&page, 0, sizeof page);
    memset(registers, 0, sizeof registers);
    page.cap_user_rdpmc = page.cap_user_time = 1;
    page.index = 1;
    page.pmc_width = 48;
    page.offset = 100;
    n_interruptions = 0;
    ticks = 0;
}

static bool
read_page(struct hpm_page_reading *ret_reading)
{
    return hpm_page_read_by(&processor, &page, true, ret_reading);
}

/* ---- counts ----------------------------------------------------------- */

static void
test_counts(void)
{
    struct hpm_page_reading reading;

    begin();
    registers[0] = 23;
    ok(read_page(&reading) && reading.count == 123,
       "the count is the offset and the register");
    registers[0] = ((uint64_t)1 << 48) - 30;
    ok(read_page(&reading) && reading.count == 70,
       "a register below 0 is taken off, as wide as it is");
    page.pmc_width = 32;
    registers[0] = 0xffffffff;
    ok(read_page(&reading) && reading.count == 99, "32 bits wide");
    page.pmc_width = 64;
    registers[0] = UINT64_MAX;
    ok(read_page(&reading) && reading.count == 99, "64 bits wide");
    page.offset = -7;
    registers[0] = 7;
    ok(read_page(&reading) && reading.count == 0,
       "an offset below 0 is one, too");
    page.index = 0;
    ok(!read_page(&reading), "a counter in no register is for read(2)");
    page.index = 9;
    ok(!read_page(&reading), "one in a register that is unknown as well");
    page.index = 1;
    page.cap_user_time = 0;
    ok(!read_page(&reading), "and one of whose times nothing is known");
    ok(hpm_page_read_by(&processor, &page, false, &reading),
       "of another one of the group they are not asked");
}

static void
test_interruptions(void)
{
    struct hpm_page_reading reading;

    begin();
    n_interruptions = 1;
    ok(read_page(&reading) && reading.count == 1105,
       "what the kernel writes meanwhile is read again as a whole");
    begin();
    n_interruptions = 2;
    ok(!read_page(&reading), "twice in one reading, and it is for read(2)");
}

/* ---- times ------------------------------------------------------------ */

/* The kernel's own arithmetic, in 128 bits. */
static uint64_t
nanoseconds(uint64_t clock)
{
    return page.time_offset +
           (uint64_t)(((unsigned __int128)clock * page.time_mult) >>
                      page.time_shift);
}

static void
test_times(void)
{
    struct hpm_page_reading reading;
    bool are_right = true;

    begin();
    page.time_enabled = 5000;
    page.time_running = 3000;
    page.time_mult = 0x6f4de9bd; /* 2.3 GHz */
    page.time_shift = 32;
    page.time_offset = (uint64_t)-1000;
    for (int i = 0; i < 60; i++) {
        ticks = (uint64_t)0x123456789abcdef >> (60 - i);
        are_right &=
            read_page(&reading) &&
            reading.enabled == page.time_enabled + nanoseconds(ticks) &&
            reading.running == page.time_running + nanoseconds(ticks);
    }
    ok(are_right, "times go on since the page was written, by the clock");

    page.cap_user_time_short = 1;
    page.time_mask = 0xffffff;
    page.time_cycles = 0x5fffff0;
    ticks = 0x000010; /* it began anew meanwhile */
    ok(read_page(&reading) &&
           reading.enabled ==
               page.time_enabled + nanoseconds(page.time_cycles + 0x20),
       "a short clock goes on from what it was");
}

/* ---- owner of a page ------------------------------------------------ */

static bool
is_false_in_child(const struct hpm_page_owner *owner)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0)
        _exit(hpm_page_is_owned(owner));
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void
test_owner(void)
{
    struct hpm_page_owner owner, other;
    static char another;

    if (!hpm_page_own(&owner)) {
        skip("whose a page is", "no page can be emptied in a child here");
        return;
    }
    ok(hpm_page_is_owned(&owner), "its thread may read it");
    other = owner;
    other.thread = &another;
    ok(!hpm_page_is_owned(&other), "another one may not");
    ok(is_false_in_child(&owner), "nor may a forked child, which has it not");
    ok(hpm_page_is_owned(&owner), "the parent still may");
}

/* ---- those of a group ------------------------------------------------- */

/* What the pages of a leader and two members say; the last one may be for read(2). */
static bool is_owned, is_last_read;
static const struct perf_event_mmap_page pages[3];

static bool
play_is_owned(const struct hpm_page_owner *owner)
{
    (void)owner;
    return is_owned;
}

static bool
play_read(const struct perf_event_mmap_page *its_page, bool has_times,
          struct hpm_page_reading *ret_reading)
{
    uint64_t n = (uint64_t)(its_page - pages);

    *ret_reading = (struct hpm_page_reading){.count = 100 + n};
    if (has_times) {
        ret_reading->enabled = 7 + n;
        ret_reading->running = 5 + n;
    }
    return n < 2 || is_last_read;
}

#define hpm_page_is_owned play_is_owned
#define hpm_registers_read_page play_read
#include "source/kernel.c"

static void
test_group(void)
{
    static const uint64_t all[] = {0, 100, 101, 102, 7, 5};
    struct counter counters[] = {{.page = &pages[0], .slot = 1},
                                 {.page = &pages[1], .slot = 2},
                                 {.page = &pages[2], .slot = 3}};
    const struct kernel_counting counting = {.n_groups = 1};
    const struct group group = {
        .counters = counters, .n_counters = 3, .clock_slot = 4};
    uint64_t slots[6] = {0};

    ok(!read_pages(&counting, &group, slots),
       "what is another thread's is for read(2)");
    is_owned = true;
    ok(!read_pages(&counting, &group, slots), "as is a group with one such");
    is_last_read = true;
    ok(read_pages(&counting, &group, slots) &&
           memcmp(slots, all, sizeof all) == 0,
       "else each count has its slot, and the leader's times are the group's");
}

int
main(void)
{
    test_counts();
    test_interruptions();
    test_times();
    test_owner();
    test_group();
    return done();
}
