/* SPDX-License-Identifier: BSD-3-Clause
 * PMU lab self-test: runs in the guest, checks kernel perf_events -> libpfm4 ->
 * PAPI.  Exit status 0: all as expected; else the number of failed checks. */
#include <papi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int failures;
#define CHECK(ok, ...)                                                         \
    do {                                                                       \
        int ok_ = (ok);                                                        \
        failures += !ok_;                                                      \
        printf("%s ", ok_ ? "ok  " : "FAIL");                                  \
        printf(__VA_ARGS__);                                                   \
        putchar('\n');                                                         \
    } while (0)
#define TRY(call)                                                              \
    do {                                                                       \
        int r_ = (call);                                                       \
        if (r_ != PAPI_OK)                                                     \
            CHECK(0, "%s: %s", #call, PAPI_strerror(r_));                      \
    } while (0)

enum { LOOP = 5 }; /* nop nop add cmp bne */
__attribute__((noinline)) static void
loop(long n)
{
    for (long i = 0; i < n; i++)
        __asm__ volatile("nop\n\tnop");
}

static int
eventset(int n, const int *codes)
{
    int es = PAPI_NULL;
    TRY(PAPI_create_eventset(&es));
    for (int i = 0; i < n; i++)
        TRY(PAPI_add_event(es, codes[i]));
    return es;
}

static void
drop(int es)
{
    PAPI_cleanup_eventset(es);
    PAPI_destroy_eventset(&es);
}

static int
near(long long v, long long want, double tolerance)
{
    return v > want * (1 - tolerance) && v < want * (1 + tolerance);
}

static void *thread(void *arg);

static void
counting(void)
{
    const int codes[] = {PAPI_TOT_INS, PAPI_TOT_CYC};
    int es = eventset(2, codes);
    long long v[2], first = -1;
    loop(1);
    for (long n = 1000; n <= 10000000; n *= 100) {
        TRY(PAPI_start(es));
        loop(n);
        TRY(PAPI_stop(es, v));
        CHECK(near(v[0], n * LOOP, n > 1000 ? 0.01 : 0.2),
              "loop(%ld): %lld instructions, %lld cycles", n, v[0], v[1]);
    }
    for (int k = 0; k < 3; k++) {
        TRY(PAPI_start(es));
        loop(100000);
        TRY(PAPI_stop(es, v));
        CHECK(first < 0 || v[0] == first, "repeat %d: %lld instructions", k,
              v[0]);
        first = v[0];
    }
    drop(es);
}

static void
presets(void)
{
    int code = PAPI_PRESET_MASK, n = 0, zero = 0;
    char name[PAPI_MAX_STR_LEN];
    for (int r = PAPI_enum_event(&code, PAPI_ENUM_FIRST); r == PAPI_OK;
         r = PAPI_enum_event(&code, PAPI_PRESET_ENUM_AVAIL)) {
        if (PAPI_query_event(code) != PAPI_OK)
            continue;
        long long v = -1;
        int es = eventset(1, &code);
        TRY(PAPI_start(es));
        loop(100000);
        TRY(PAPI_stop(es, &v));
        PAPI_event_code_to_name(code, name);
        printf("     %s %lld\n", name, v);
        n++, zero += v == 0;
        drop(es);
    }
    CHECK(n >= 20, "%d presets, %d of them counted 0", n, zero);
}

static void
multiplexing(void)
{
    static const char *const names[] = {
        "PAPI_TOT_INS", "PAPI_TOT_CYC", "PAPI_BR_MSP", "PAPI_L1_ICM",
        "PAPI_L2_DCM",  "PAPI_LD_INS",  "PAPI_SR_INS", "PAPI_BR_INS",
        "INST_RETIRED", "CPU_CYCLES"};
    enum { N = sizeof names / sizeof *names };
    long long v[N];
    int es = PAPI_NULL, r = PAPI_OK, n = 0;
    TRY(PAPI_create_eventset(&es));
    while (n < N && (r = PAPI_add_named_event(es, names[n])) == PAPI_OK)
        n++;
    CHECK(r != PAPI_OK && n == 7, "without multiplexing %d events fit: %s", n,
          PAPI_strerror(r));
    drop(es);
    es = PAPI_NULL;
    TRY(PAPI_create_eventset(&es));
    TRY(PAPI_assign_eventset_component(es, 0));
    TRY(PAPI_set_multiplex(es));
    for (n = 0; n < N; n++)
        TRY(PAPI_add_named_event(es, names[n]));
    TRY(PAPI_start(es));
    loop(40000000);
    TRY(PAPI_stop(es, v));
    CHECK(near(v[0], 40000000LL * LOOP, 0.1) &&
              near(v[9], 40000000LL * LOOP, 0.1),
          "%d multiplexed events: instructions %lld, cycles %lld (want about "
          "%lld)",
          N, v[0], v[9], 40000000LL * LOOP);
    drop(es);
}

/* the process-wide set (attached to the process's own id, inherited) beside the
 * thread's own */
static void
both_scopes(void)
{
    const int code = PAPI_TOT_INS;
    int own = eventset(1, &code), all = PAPI_NULL;
    long long v, w;
    PAPI_option_t o;
    memset(&o, 0, sizeof o);
    TRY(PAPI_create_eventset(&all));
    TRY(PAPI_assign_eventset_component(all, 0));
    o.inherit.eventset = all;
    o.inherit.inherit = PAPI_INHERIT_ALL;
    TRY(PAPI_set_opt(PAPI_INHERIT, &o));
    TRY(PAPI_attach(all, (unsigned long)getpid()));
    TRY(PAPI_add_event(all, code));
    TRY(PAPI_start(all));
    TRY(PAPI_start(own));
    pthread_t t;
    pthread_create(&t, NULL, thread, (void *)3000000);
    pthread_join(t, NULL);
    loop(1000000);
    TRY(PAPI_read(own, &v));
    TRY(PAPI_read(all, &w));
    CHECK(near(v, 1000000LL * LOOP, 0.05) && near(w, 4000000LL * LOOP, 0.05),
          "both scopes at once: thread %lld, process %lld", v, w);
    TRY(PAPI_stop(own, &v));
    TRY(PAPI_stop(all, &w));
    drop(own);
    drop(all);
}

static volatile long overflows, inside;
static void
on_overflow(int es, void *pc, long long vector, void *context)
{
    (void)es, (void)vector, (void)context;
    overflows++;
    inside += (char *)pc >= (char *)loop && (char *)pc < (char *)loop + 40;
}

static void
overflow(int code, const char *name, int must)
{
    int es = eventset(1, &code);
    long long v;
    overflows = inside = 0;
    TRY(PAPI_overflow(es, code, 100000, 0, on_overflow));
    TRY(PAPI_start(es));
    loop(2000000);
    TRY(PAPI_stop(es, &v));
    CHECK(!must || (overflows == v / 100000 && inside == overflows),
          "%s overflow every 100000 of %lld: %ld signals, %ld in the loop%s",
          name, v, overflows, inside,
          must ? "" : " (Debian's QEMU loses these)");
    TRY(PAPI_overflow(es, code, 0, 0, on_overflow));
    drop(es);
}

static void *
thread(void *arg)
{
    const int code = PAPI_TOT_INS;
    TRY(PAPI_register_thread());
    int es = eventset(1, &code);
    long long v;
    TRY(PAPI_start(es));
    loop((long)arg);
    TRY(PAPI_stop(es, &v));
    CHECK(near(v, (long)arg * LOOP, 0.01), "thread with loop(%ld): %lld",
          (long)arg, v);
    drop(es);
    PAPI_unregister_thread();
    return NULL;
}

static void
children(int inherit)
{
    int es = PAPI_NULL;
    long long v;
    PAPI_option_t o;
    memset(&o, 0, sizeof o);
    TRY(PAPI_create_eventset(&es));
    TRY(PAPI_assign_eventset_component(es, 0));
    o.inherit.eventset = es;
    o.inherit.inherit = inherit ? PAPI_INHERIT_ALL : PAPI_INHERIT_NONE;
    TRY(PAPI_set_opt(PAPI_INHERIT, &o));
    TRY(PAPI_add_event(es, PAPI_TOT_INS));
    TRY(PAPI_start(es));
    pid_t pid = fork();
    if (!pid) {
        loop(5000000);
        _exit(0);
    }
    waitpid(pid, NULL, 0);
    loop(1000000);
    TRY(PAPI_stop(es, &v));
    CHECK(near(v, (1000000LL + 5000000LL * inherit) * LOOP, 0.01),
          "inherit=%d: %lld", inherit, v);
    drop(es);
}

static void
software(void)
{
    int es = PAPI_NULL;
    long long v;
    TRY(PAPI_create_eventset(&es));
    TRY(PAPI_add_named_event(es, "perf::PAGE-FAULTS"));
    char *m = aligned_alloc(4096, 100 * 4096);
    TRY(PAPI_start(es));
    for (int i = 0; i < 100; i++)
        ((volatile char *)m)[i * 4096] = 1;
    TRY(PAPI_stop(es, &v));
    CHECK(v >= 99 && v <= 101, "perf::PAGE-FAULTS over 100 new pages: %lld", v);
    free(m);
    drop(es);
}

int
main(void)
{
    int r = PAPI_library_init(PAPI_VER_CURRENT);
    if (r != PAPI_VER_CURRENT) {
        printf("PAPI_library_init: %s\n", PAPI_strerror(r));
        return 99;
    }
    const PAPI_hw_info_t *hw = PAPI_get_hardware_info();
    const PAPI_component_info_t *c = PAPI_get_component_info(0);
    printf("     %s, %d CPUs, %d counters, component %s%s%s, fast counter read "
           "%d\n",
           hw->model_string, hw->ncpu, c->num_cntrs, c->name,
           c->disabled ? " DISABLED: " : "",
           c->disabled ? c->disabled_reason : "", c->fast_counter_read);
    if (c->disabled)
        return 99;
    TRY(PAPI_thread_init((unsigned long (*)(void))pthread_self));
    TRY(PAPI_multiplex_init());
    counting();
    presets();
    multiplexing();
    overflow(PAPI_TOT_CYC, "cycle", 1);
    overflow(PAPI_TOT_INS, "instruction", 0);
    pthread_t t[2];
    pthread_create(&t[0], NULL, thread, (void *)1000000);
    pthread_create(&t[1], NULL, thread, (void *)3000000);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    both_scopes();
    children(0);
    children(1);
    software();
    printf("%d failures\n", failures);
    return failures;
}
