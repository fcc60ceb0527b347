/* SPDX-License-Identifier: BSD-3-Clause
 * A fake PMU for LD_PRELOAD: hardware counters, and all that can go wrong with
 * them, on a machine that has none.  It stands between a program and
 * perf_event_open and read; every other call passes.
 *
 *     FAKE_PMU=1           hardware, cache and raw events count: nanoseconds
 *                          of processor time
 *     FAKE_FAIL_AT=k       the k-th perf_event_open of a process fails ...
 *     FAKE_FAIL_FOREVER=1  ... and all after it ...
 *     FAKE_ERRNO=n         ... with this error (else EACCES)
 *     FAKE_COUNTERS=n      no group has more than n hardware events
 *     FAKE_RUNNING=p       hardware counters run p percent of the time, and
 *                          count as much less
 *     FAKE_ZERO=1          hardware counters run and read 0
 *     FAKE_EOF_AFTER=n     after n reads of a counter there is nothing to
 *                          read: its error state
 *     FAKE_TYPE=n          events of this type (perf_event_attr) are hardware
 *                          events, too
 *     FAKE_KINDS=A:B:a:b   cores of two kinds, whose PMUs have the types A and
 *                          B: of each a + b milliseconds of processor time a
 *                          thread is a on the first kind, then b on the second.
 *                          An event counts 1 + event + umask per nanosecond on
 *                          A, and 511 - event - umask on B
 *     FAKE_MISC=p          raw events 0x0d and 0xad, Intel's INT_MISC, count p
 *                          percent of that, or of their group's leader
 *     FAKE_NODE=A:B        events of the types A to B count whole processors:
 *                          refused unless they count all that runs, in any
 *                          mode, on one processor.  Each read of one adds
 *                          config << 20
 *     FAKE_OPENED=FILE     a line is added for each event that is opened: its
 *                          type, config, config1, config2 and config3; of whole
 *                          processors also the processor
 *
 * Raw events 0x8000 to 0x8700 are Intel's topdown-*: refused unless in the
 * group of raw 0x400, slots, and fixed percentages of slots.
 *
 * As with the kernel, a group runs as a whole: a software event in the group
 * of a hardware event shares its fate. */
#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum {
    N_COUNTERS = 1 << 16,
    MAX_MEMBERS = 64,
    TIMES = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING
};

/* A counter is identified by the kernel's number of its event and not by its
 * descriptor, which the program may move, close and use for another file. */
struct counter {
    atomic_ullong identity;
    atomic_ullong format; /* perf_event_attr.read_format */
    atomic_ullong fakes;  /* bit i: member i of its group is a fake one */
    atomic_uint n_members;
    atomic_long n_reads;
    atomic_ullong config; /* of the requested event, if it is a fake one */
    atomic_uchar percents[MAX_MEMBERS]; /* of a member's count; 0: all */
    atomic_int kind;                    /* kind of cores; -1: any */
    atomic_uint rates[MAX_MEMBERS];     /* counts per nanosecond on that kind;
                                         * 0: a software event */
    atomic_ullong step; /* added by each read of an event of the node; 0: no
                         * such event */
};

enum { SLOTS = 0x400 };

/* retiring, bad-spec, fe-bound, be-bound; heavy-ops, br-mispredict, fetch-lat,
 * mem-bound */
static const unsigned char top_down[] = {40, 10, 20, 30, 8, 9, 15, 25};

/* Of two counters with one place the newer one has it; identities are given in
 * sequence, so the older one is 65,536 counters old. */
static struct counter counters[N_COUNTERS];
static atomic_long n_opens;
static atomic_bool has_fakes;

static struct {
    pthread_once_t once;
    bool is_fake;
    bool fails_forever;
    bool is_zero;
    long fail_at; /* 0: never */
    long error;
    long counters;      /* -1: no limit */
    long running;       /* percent; -1: unchanged */
    long eof_after;     /* -1: never */
    long misc;          /* percent; 0: all */
    long type;          /* -1: none */
    long kinds[2];      /* types, -1: none */
    long node[2];       /* first and last type; -1: none */
    uint64_t on[2];     /* nanoseconds a thread stays on each */
    const char *opened; /* NULL: nowhere */
    long (*next_syscall)(long number, ...);
    ssize_t (*next_read)(int fd, void *buffer, size_t size);
} setup = {.once = PTHREAD_ONCE_INIT};

/* ---- setup ----------------------------------------------------------- */

static long
number_from(const char *variable, long otherwise)
{
    const char *text = getenv(variable);

    return text != NULL && text[0] != '\0' ? strtol(text, NULL, 10) : otherwise;
}

/* ISO C has no conversion from object to function pointer. */
static void
find_next(const char *name, void *ret_function)
{
    void *symbol = dlsym(RTLD_NEXT, name);

    if (symbol == NULL)
        abort();
    memcpy(ret_function, &symbol, sizeof symbol);
}

static void
prepare_kinds(void)
{
    const char *text = getenv("FAKE_KINDS");
    unsigned long long a, b;

    setup.kinds[0] = setup.kinds[1] = -1;
    if (text == NULL || sscanf(text, "%ld:%ld:%llu:%llu", &setup.kinds[0],
                               &setup.kinds[1], &a, &b) != 4)
        return;
    setup.on[0] = a * 1000000;
    setup.on[1] = b * 1000000;
}

static void
prepare(void)
{
    const char *node = getenv("FAKE_NODE");

    prepare_kinds();
    setup.node[0] = setup.node[1] = -1;
    if (node != NULL)
        sscanf(node, "%ld:%ld", &setup.node[0], &setup.node[1]);
    setup.is_fake = number_from("FAKE_PMU", 0) != 0;
    setup.fails_forever = number_from("FAKE_FAIL_FOREVER", 0) != 0;
    setup.is_zero = number_from("FAKE_ZERO", 0) != 0;
    setup.fail_at = number_from("FAKE_FAIL_AT", 0);
    setup.error = number_from("FAKE_ERRNO", EACCES);
    setup.counters = number_from("FAKE_COUNTERS", -1);
    setup.running = number_from("FAKE_RUNNING", -1);
    setup.misc = number_from("FAKE_MISC", 0);
    setup.eof_after = number_from("FAKE_EOF_AFTER", -1);
    setup.type = number_from("FAKE_TYPE", -1);
    setup.opened = getenv("FAKE_OPENED");
    find_next("syscall", &setup.next_syscall);
    find_next("read", &setup.next_read);
}

/* The constructor of another library may call these functions before a
 * constructor here would have run. */
static void
be_prepared(void)
{
    int saved_errno = errno;

    pthread_once(&setup.once, prepare);
    errno = saved_errno;
}

/* ---- the counters known ---------------------------------------------- */

/* 0 if fd is no counter: only perf has this ioctl number. */
static unsigned long long
identity_of(int fd)
{
    uint64_t identity = 0;
    int saved_errno = errno;

    if (fd < 0 || ioctl(fd, PERF_EVENT_IOC_ID, &identity) != 0)
        identity = 0;
    errno = saved_errno;
    return identity;
}

static struct counter *
find_counter(int fd)
{
    unsigned long long identity = identity_of(fd);
    struct counter *counter = &counters[identity % N_COUNTERS];

    return identity != 0 && atomic_load(&counter->identity) == identity
               ? counter
               : NULL;
}

static bool
is_top_down(uint64_t config)
{
    return (config & ~UINT64_C(0x700)) == 0x8000;
}

static unsigned char
percents_of(bool is_fake, uint64_t config)
{
    bool is_misc = (config & 0xff) == 0x0d || (config & 0xff) == 0xad;

    if (is_fake && is_top_down(config))
        return top_down[config >> 8 & 7];
    return is_fake && is_misc ? (unsigned char)setup.misc : 0;
}

/* The kernel's own events have the PMU in the upper half of their code. */
static int
kind_of(const struct perf_event_attr *attr)
{
    long type =
        attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE
            ? (long)(attr->config >> 32)
            : (long)attr->type;

    return type > 0 && type == setup.kinds[0]   ? 0
           : type > 0 && type == setup.kinds[1] ? 1
                                                : -1;
}

static unsigned
rate_of(const struct perf_event_attr *attr)
{
    unsigned sum =
        (unsigned)((attr->config & 0xff) + (attr->config >> 8 & 0xff));
    int kind = kind_of(attr);

    return kind < 0 ? 0 : kind == 0 ? 1 + sum : 511 - sum;
}

static bool
is_of_node(const struct perf_event_attr *attr)
{
    return attr->type >= setup.node[0] && attr->type <= setup.node[1];
}

static void
remember(int fd, uint64_t format, bool is_fake,
         const struct perf_event_attr *asked)
{
    uint64_t config = asked->type == PERF_TYPE_RAW ? asked->config : 0;
    unsigned long long identity = identity_of(fd);
    struct counter *counter = &counters[identity % N_COUNTERS];

    if (identity == 0)
        return;
    atomic_store(&counter->identity, 0);
    atomic_store(&counter->format, format);
    atomic_store(&counter->fakes, is_fake);
    atomic_store(&counter->n_members, 1);
    atomic_store(&counter->n_reads, 0);
    atomic_store(&counter->config, is_fake ? config : 0);
    atomic_store(&counter->step, is_of_node(asked) ? asked->config << 20 : 0);
    for (size_t i = 0; i < MAX_MEMBERS; i++)
        atomic_store(&counter->percents[i], 0);
    atomic_store(&counter->percents[0], percents_of(is_fake, config));
    atomic_store(&counter->kind, kind_of(asked));
    atomic_store(&counter->rates[0], rate_of(asked));
    atomic_store(&counter->identity, identity);
}

/* A read of the leader gives its members in the order in which they joined. */
static void
join_group(int leader, bool is_fake, const struct perf_event_attr *asked)
{
    uint64_t config = asked->type == PERF_TYPE_RAW ? asked->config : 0;
    struct counter *counter = find_counter(leader);
    unsigned member;

    if (counter == NULL)
        return;
    member = atomic_fetch_add(&counter->n_members, 1);
    if (kind_of(asked) >= 0)
        atomic_store(&counter->kind, kind_of(asked));
    if (member < MAX_MEMBERS)
        atomic_store(&counter->rates[member], rate_of(asked));
    if (is_fake && member < MAX_MEMBERS) {
        atomic_fetch_or(&counter->fakes, 1ull << member);
        atomic_store(&counter->percents[member], percents_of(is_fake, config));
    }
}

/* ---- perf_event_open ------------------------------------------------- */

static bool
must_fail(void)
{
    long n = atomic_fetch_add(&n_opens, 1) + 1;

    return setup.fail_at > 0 &&
           (n == setup.fail_at || (setup.fails_forever && n > setup.fail_at));
}

static bool
is_hardware(const struct perf_event_attr *attr)
{
    return attr->type == PERF_TYPE_HARDWARE ||
           attr->type == PERF_TYPE_HW_CACHE || attr->type == PERF_TYPE_RAW ||
           attr->type == setup.type || kind_of(attr) >= 0 || is_of_node(attr);
}

/* Copy the attributes of a caller with older or newer headers, in this file's
 * size. */
static void
copy_attr(struct perf_event_attr *ret_attr, const void *attr)
{
    const struct perf_event_attr *head = attr;
    size_t size = head->size != 0 ? head->size : PERF_ATTR_SIZE_VER0;

    if (size > sizeof *ret_attr)
        size = sizeof *ret_attr;
    memset(ret_attr, 0, sizeof *ret_attr);
    memcpy(ret_attr, attr, size);
    ret_attr->size = (uint32_t)size;
}

/* Write the attributes as the caller gave them: its headers may know more than
 * this file's. */
static void
note_opened(const void *given, long cpu)
{
    const struct perf_event_attr *attr = given;
    uint64_t config3 = 0;
    FILE *file;

    if (setup.opened == NULL || (file = fopen(setup.opened, "a")) == NULL)
        return;
    if (attr->size >= 136)
        memcpy(&config3, (const char *)given + 128, sizeof config3);
    fprintf(file, "%u 0x%llx 0x%llx 0x%llx 0x%llx", attr->type,
            (unsigned long long)attr->config, (unsigned long long)attr->config1,
            (unsigned long long)attr->config2, (unsigned long long)config3);
    if (is_of_node(attr))
        fprintf(file, " %ld", cpu);
    fputc('\n', file);
    fclose(file);
}

static void
make_software(struct perf_event_attr *attr)
{
    attr->type = PERF_TYPE_SOFTWARE;
    attr->config = PERF_COUNT_SW_TASK_CLOCK;
    attr->config1 = 0;
    attr->config2 = 0;
    attr->precise_ip = 0;
    attr->pinned = 0;
    /* independent of the right to count the kernel: an ordinary user has the
     * same PMU as root */
    attr->exclude_kernel = attr->exclude_hv = 1;
}

/* Like a driver that checks whether a group can ever run. */
static bool
is_group_full(int leader)
{
    struct counter *counter = leader >= 0 ? find_counter(leader) : NULL;

    return setup.counters >= 0 && counter != NULL &&
           __builtin_popcountll(atomic_load(&counter->fakes)) >= setup.counters;
}

static bool
is_without_slots(const struct perf_event_attr *attr, int leader)
{
    struct counter *counter = leader >= 0 ? find_counter(leader) : NULL;

    return attr->type == PERF_TYPE_RAW && is_top_down(attr->config) &&
           (counter == NULL || atomic_load(&counter->config) != SLOTS);
}

/* Counters of two PMUs are never one group. */
static bool
is_of_others(const struct perf_event_attr *attr, int leader)
{
    struct counter *counter = leader >= 0 ? find_counter(leader) : NULL;
    int kind = kind_of(attr);

    return counter != NULL && kind >= 0 &&
           atomic_load(&counter->kind) == 1 - kind;
}

/* Like the drivers of memory controllers and of energy. */
static bool
is_of_program(const struct perf_event_attr *attr, const long *arguments)
{
    return is_of_node(attr) &&
           ((int)arguments[1] != -1 || (int)arguments[2] < 0 ||
            attr->exclude_user || attr->exclude_kernel || attr->exclude_hv ||
            attr->inherit);
}

static long
open_counter(const long *arguments)
{
    struct perf_event_attr attr, asked;
    bool is_node;
    int leader = (int)arguments[3];
    bool is_fake;
    long fd;

    if (must_fail()) {
        errno = (int)setup.error;
        return -1;
    }
    /* the kernel's interface passes addresses as numbers */
    copy_attr(&attr, (const void *)arguments[0]);
    asked = attr;
    is_node = is_of_node(&attr);
    is_fake = setup.is_fake && is_hardware(&attr);
    if (is_fake &&
        (is_group_full(leader) || is_without_slots(&attr, leader) ||
         is_of_others(&attr, leader) || is_of_program(&attr, arguments))) {
        errno = EINVAL;
        return -1;
    }
    if (is_fake)
        make_software(&attr);
    fd = setup.next_syscall(
        SYS_perf_event_open, &attr, is_node ? 0 : arguments[1],
        is_node ? -1 : arguments[2], arguments[3], arguments[4]);
    if (fd < 0)
        return fd;
    note_opened((const void *)arguments[0], arguments[2]);
    remember((int)fd, attr.read_format, is_fake, &asked);
    join_group(leader, is_fake, &asked);
    if (is_fake)
        atomic_store(&has_fakes, true);
    return fd;
}

/* ---- read ------------------------------------------------------------ */

static uint64_t
percent_of(uint64_t number, long percent)
{
    return (uint64_t)((unsigned __int128)number * (unsigned __int128)percent /
                      100);
}

/* The part of so many nanoseconds that a thread is on a kind of cores. */
static uint64_t
time_on(int kind, uint64_t time)
{
    uint64_t first = setup.on[0], whole = first + setup.on[1];
    uint64_t rest = time % whole;
    uint64_t part = time / whole * first + (rest < first ? rest : first);

    return kind == 0 ? part : time - part;
}

/* A counter of one kind of cores does not run on the other kind, and neither
 * does its group. */
static void
leave_other_kind(struct counter *counter, uint64_t *words, size_t first,
                 size_t n)
{
    int kind = atomic_load(&counter->kind);
    uint64_t here;

    if (kind < 0)
        return;
    here = time_on(kind, words[1]);
    words[2] = here;
    for (size_t i = 0; i < n && i < MAX_MEMBERS; i++) {
        unsigned rate = atomic_load(&counter->rates[i]);

        words[first + i] =
            rate > 0 ? here * rate : time_on(kind, words[first + i]);
    }
}

/* A single counter returns its count, enabled and running time; a group the
 * number of counts, enabled and running time, and the counts. */
static void
distort(struct counter *counter, uint64_t *words, size_t n_words)
{
    unsigned long long format = atomic_load(&counter->format);
    unsigned long long fakes = atomic_load(&counter->fakes);
    size_t first = format & PERF_FORMAT_GROUP ? 3 : 0;
    size_t n = format & PERF_FORMAT_GROUP ? words[0] : 1;

    if ((format & (TIMES | PERF_FORMAT_ID)) != TIMES || n_words < 3)
        return;
    if (first + n <= n_words)
        leave_other_kind(counter, words, first, n);
    if (atomic_load(&counter->step) > 0) {
        words[0] = atomic_load(&counter->step) *
                   (uint64_t)(atomic_fetch_add(&counter->n_reads, 1) + 1);
        words[1] = words[2] = 1000000 + words[0];
    }
    if (setup.running >= 0)
        words[2] = percent_of(words[2], setup.running);
    for (size_t i = 0; i < n && first + i < n_words && i < MAX_MEMBERS; i++) {
        unsigned char percents = atomic_load(&counter->percents[i]);

        if (percents > 0)
            words[first + i] = percent_of(words[first], percents);
    }
    for (size_t i = 0; i < n && first + i < n_words; i++) {
        if (setup.is_zero && i < MAX_MEMBERS && (fakes >> i & 1) != 0)
            words[first + i] = 0;
        else if (setup.running >= 0)
            words[first + i] = percent_of(words[first + i], setup.running);
    }
}

static struct counter *
find_fake(int fd)
{
    struct counter *counter = atomic_load(&has_fakes) ? find_counter(fd) : NULL;

    return counter != NULL && atomic_load(&counter->fakes) != 0 ? counter
                                                                : NULL;
}

static bool
is_at_end(struct counter *counter)
{
    return setup.eof_after >= 0 &&
           atomic_fetch_add(&counter->n_reads, 1) >= setup.eof_after;
}

/* By syscall(), which is not a cancellation point. */
static long
read_fake(struct counter *counter, int fd, void *buffer, size_t size)
{
    uint64_t words[3 + MAX_MEMBERS];
    long length;

    if (is_at_end(counter))
        return 0;
    length = setup.next_syscall(SYS_read, fd, buffer, size);
    if (length <= 0 || (size_t)length > sizeof words)
        return length;
    memcpy(words, buffer, (size_t)length);
    distort(counter, words, (size_t)length / sizeof *words);
    memcpy(buffer, words, (size_t)length);
    return length;
}

static long
read_counter(const long *arguments)
{
    int fd = (int)arguments[0];
    struct counter *counter = find_fake(fd);

    return counter != NULL
               ? read_fake(counter, fd, (void *)arguments[1],
                           (size_t)arguments[2])
               : setup.next_syscall(SYS_read, fd, arguments[1], arguments[2]);
}

/* ---- replacing functions of the C library --------------------------- */

ssize_t
read(int fd, void *buffer, size_t size)
{
    struct counter *counter;

    be_prepared();
    counter = find_fake(fd);
    return counter != NULL ? read_fake(counter, fd, buffer, size)
                           : setup.next_read(fd, buffer, size);
}

/* Only the call itself knows its number of arguments: like the C library's
 * function, this one passes six. */
long
syscall(long number, ...)
{
    long a[6];
    va_list list;

    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    be_prepared();
    if (number == SYS_perf_event_open)
        return open_counter(a);
    if (number == SYS_read)
        return read_counter(a);
    return setup.next_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
