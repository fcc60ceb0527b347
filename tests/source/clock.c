/* SPDX-License-Identifier: BSD-3-Clause
 * The clock: never back, never wrong, the same in all threads. */
#include "source/clock.h"

#include <pthread.h>
#include <stdatomic.h>

#include "tap.h"

static void
pause_ms(long ms)
{
    struct timespec left = {0, ms * 1000000};

    while (nanosleep(&left, &left) != 0)
        continue;
}

/* ---- one thread ------------------------------------------------------ */

static void
check_monotonic(const char *sentence)
{
    uint64_t last = hpm_clock_read(), first = last;
    int n_back = 0;

    for (int i = 0; i < 1000000; i++) {
        uint64_t now = hpm_clock_read();

        n_back += now < last;
        last = now;
    }
    ok(n_back == 0 && last > first, sentence);
}

static void
check_instant(const char *sentence)
{
    bool is_inside = true;

    for (int i = 0; i < 1000; i++) {
        uint64_t before = hpm_clock_read();
        uint64_t before_ns = hpm_clock_kernel_ns();
        struct hpm_instant instant = hpm_clock_instant();
        uint64_t after_ns = hpm_clock_kernel_ns();
        uint64_t after = hpm_clock_read();

        is_inside = is_inside && instant.ticks >= before &&
                    instant.ticks <= after && instant.ns >= before_ns &&
                    instant.ns <= after_ns;
    }
    ok(is_inside, sentence);
}

static double
measured_ns_per_tick(void)
{
    struct hpm_instant first = hpm_clock_instant();

    pause_ms(50);
    return hpm_clock_ns_per_tick(first, hpm_clock_instant());
}

/* A length of ticks found in one interval must hold for another.  A busy
 * machine may take the processor away between two clocks, but not each time: a
 * wrong length would be wrong in all of a hundred tries. */
static void
check_length(const char *sentence)
{
    double best = INFINITY;

    for (int i = 0; i < 100 && best > 0.02; i++) {
        double ns_per_tick = measured_ns_per_tick(), error;
        uint64_t ns = hpm_clock_kernel_ns();
        uint64_t ticks = hpm_clock_read();

        pause_ms(50);
        ticks = hpm_clock_read() - ticks;
        ns = hpm_clock_kernel_ns() - ns;
        error = fabs((double)ticks * ns_per_tick / (double)ns - 1.0);
        best = error < best ? error : best;
    }
    ok(best <= 0.02, sentence);
    if (best > 0.02)
        printf("# wrong by %.3g\n", best);
}

/* ---- two threads ----------------------------------------------------- */

enum { N_THREADS = 2, N_READS = 200000 };

static atomic_uint_fast64_t latest;
static atomic_uint_fast64_t worst;
static atomic_int n_ready;

/* Read the clock after a reading that another thread has published. */
static void *
read_in_turn(void *context)
{
    atomic_fetch_add(&n_ready, 1);
    while (atomic_load(&n_ready) < N_THREADS)
        continue;
    for (int i = 0; i < N_READS; i++) {
        uint64_t before = atomic_load(&latest);
        uint64_t now = hpm_clock_read();

        if (now < before && before - now > atomic_load(&worst))
            atomic_store(&worst, before - now);
        atomic_store(&latest, now);
    }
    return context;
}

/* Processors of a virtual machine may be some microseconds apart (2.5 have been
 * seen); different clocks are seconds apart. */
static void
check_threads(const char *sentence)
{
    pthread_t threads[N_THREADS];
    double ns_per_tick = measured_ns_per_tick();

    atomic_store(&latest, 0);
    atomic_store(&worst, 0);
    atomic_store(&n_ready, 0);
    for (int i = 0; i < N_THREADS; i++)
        pthread_create(&threads[i], NULL, read_in_turn, NULL);
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
    ok((double)atomic_load(&worst) * ns_per_tick <= 1e5, sentence);
    printf("# backwards by %g ns at most\n",
           (double)atomic_load(&worst) * ns_per_tick);
}

/* ---- both clocks ----------------------------------------------------- */

static void
test_kernel_clock(void)
{
    uint64_t before, read, after;

    ok(!hpm_clock_is_tick, "without a choice, the kernel's clock is read");
    before = hpm_clock_kernel_ns();
    read = hpm_clock_read();
    after = hpm_clock_kernel_ns();
    ok(before <= read && read <= after, "its ticks are nanoseconds");
    check_monotonic("the kernel's clock does not run backwards");
    check_instant("an instant is between what was read around it");
    is_near(measured_ns_per_tick(), 1.0, 0.0, "its tick is one nanosecond");
}

/* The tick register is used if, and only if, the kernel trusts it. */
static void
check_choice(void)
{
    char name[32] = "";
    FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/"
                       "current_clocksource",
                       "r");
    bool is_trusted = false;

    if (file != NULL) {
        is_trusted =
            fscanf(file, "%31s", name) == 1 &&
            (strcmp(name, "tsc") == 0 || strcmp(name, "arch_sys_counter") == 0);
        fclose(file);
    }
    ok(hpm_clock_is_tick == is_trusted,
       "the tick register is read where the kernel keeps time with it");
}

static void
test_chosen_clock(void)
{
    hpm_clock_init();
    check_choice();
    printf("# the chosen clock is %s\n",
           hpm_clock_is_tick ? "the tick register" : "the kernel's");
    check_monotonic("the clock does not run backwards");
    check_instant("an instant is between what was read around it");
    check_length("50 ms are 50 ms to 2 percent");
    check_threads("the clock is the same in two threads");
}

static void
test_no_time(void)
{
    struct hpm_instant now = hpm_clock_instant(), later = now;

    is_near(hpm_clock_ns_per_tick(now, now), 1.0, 0.0,
            "from no time no length is made");
    later.ticks -= 100;
    later.ns += 100;
    is_near(hpm_clock_ns_per_tick(now, later), 1.0, 0.0,
            "nor from ticks that went back");
    later.ticks = now.ticks + 300;
    is_near(hpm_clock_ns_per_tick(now, later),
            hpm_clock_is_tick ? 1.0 / 3.0 : 1.0, 1e-12,
            "three ticks in a nanosecond are a third each");
}

/* ---- the time of samples --------------------------------------------- */

static void
test_replayed_clock(void)
{
    struct hpm_instant first, last;

    hpm_clock_replay();
    first = hpm_clock_instant();
    is_count(first.ns, 0, "a replayed clock begins at 0");
    hpm_clock_replay_to(5000);
    hpm_clock_replay_to(3000);
    last = hpm_clock_instant();
    is_count(last.ns, 5000, "it shows the latest sample, in whatever order");
    is_count(last.ticks, 5000, "its ticks are nanoseconds");
    hpm_clock_init();
    is_near(hpm_clock_ns_per_tick(first, last), 1.0, 0.0,
            "no choice of clock changes that");
    ok(!hpm_clock_is_tick, "nor makes it the tick register's");
    hpm_clock_replay();
    is_count(hpm_clock_instant().ns, 0, "it can begin again");
    hpm_clock_replay_end();
    ok(hpm_clock_instant().ns > 5000, "and the machine's clock come back");
}

int
main(void)
{
    test_kernel_clock();
    test_chosen_clock();
    test_no_time();
    test_replayed_clock();
    return done();
}
