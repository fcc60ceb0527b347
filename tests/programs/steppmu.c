/* SPDX-License-Identifier: BSD-3-Clause
 * A PMU for LD_PRELOAD that counts true events on x86-64 machines without a
 * PMU: between two reads of a counter the program runs step by step, and each
 * instruction is decoded before it is executed.  Counters can be broken on
 * purpose.
 *
 *     STEP_PLANT=CODE=FAULT,...
 *                 the raw events with these codes are broken: dead, stuck,
 *                 doubled, half, kernel, stores (counts these, too), swapped
 *                 (counts branches), offset, saturating, drifting, passing
 *                 (doubled, but only in the first of its counters read 9
 *                 times), crowded (right, but its group runs half of the time
 *                 if others are in it)
 *
 * It knows the codes of Skylake-SP for cycles, instructions, branches,
 * mispredictions, loads, stores and floating point instructions, and decodes
 * only the instructions in the kernels of hpm doctor --verify. */
#if defined(__x86_64__)
#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum happening {
    CYCLES,
    INSTRUCTIONS,
    BRANCHES,
    MISPREDICTIONS,
    LOADS,
    STORES,
    SCALAR_DOUBLE,
    SCALAR_SINGLE,
    DOUBLE_128,
    SINGLE_128,
    DOUBLE_256,
    SINGLE_256,
    CALLS, /* of the system */
    NOTHING
};

static const struct {
    uint64_t config;
    enum happening happening;
} codes[] = {
    {0x003c, CYCLES},         {0x00c0, INSTRUCTIONS},  {0x00c4, BRANCHES},
    {0x00c5, MISPREDICTIONS}, {0x81d0, LOADS},         {0x82d0, STORES},
    {0x01c7, SCALAR_DOUBLE},  {0x02c7, SCALAR_SINGLE}, {0x04c7, DOUBLE_128},
    {0x08c7, SINGLE_128},     {0x10c7, DOUBLE_256},    {0x20c7, SINGLE_256}};

static uint64_t counts[NOTHING + 1];

/* A counter, identified by the kernel's number of its event: the program may
 * move its descriptor. */
static struct counter {
    uint64_t identity, leader; /* counter whose read returns this one */
    uint64_t format, config;
    uint64_t shown, last, n_reads; /* value returned last, count at that time */
} counters[16384];
static size_t n_counters;
static uint64_t passing;    /* the counter with the fault "passing" */
static uint64_t first_read; /* reads of this counter start and stop the
                             * stepping */
static bool is_stepping;

static long (*next_syscall)(long number, ...);
static ssize_t (*next_read)(int fd, void *buffer, size_t size);

static void
find_next(const char *name, void *ret_function)
{
    void *symbol = dlsym(RTLD_NEXT, name);

    memcpy(ret_function, &symbol, sizeof symbol);
}

static void
prepare(void)
{
    if (next_read != NULL)
        return;
    find_next("syscall", &next_syscall);
    find_next("read", &next_read);
}

/* ---- instructions ---------------------------------------------------- */

static unsigned char guesses[4096]; /* 2 bits for each branch's place */
static const unsigned char *branch; /* the last executed instruction, if it was
                                     * a conditional branch */
static size_t branch_length;

/* Was the branch before taken: is this another instruction than the next
 * one? */
static void
settle_branch(const unsigned char *at)
{
    unsigned char *guess = &guesses[(uintptr_t)branch % sizeof guesses];
    bool is_taken = at != branch + branch_length;

    if (branch == NULL)
        return;
    counts[MISPREDICTIONS] += (*guess >= 2) != is_taken;
    if (is_taken && *guess < 3)
        ++*guess;
    else if (!is_taken && *guess > 0)
        --*guess;
    branch = NULL;
}

static void
calculate(int prefix, bool is_256)
{
    static const enum happening of[2][4] = {
        {SINGLE_128, DOUBLE_128, SCALAR_SINGLE, SCALAR_DOUBLE},
        {SINGLE_256, DOUBLE_256, SCALAR_SINGLE, SCALAR_DOUBLE}};

    counts[of[is_256][prefix]]++;
}

/* Opcode 0x58 is an addition, 0xb9 of map 2 a scalar multiply-add. */
static void
decode_vex(const unsigned char *at)
{
    if (at[0] == 0xc5 && at[2] == 0x58)
        calculate(at[1] & 3, (at[1] & 4) != 0);
    else if (at[0] == 0xc4 && (at[1] & 31) == 1 && at[3] == 0x58)
        calculate(at[2] & 3, (at[2] & 4) != 0);
    else if (at[0] == 0xc4 && (at[1] & 31) == 2 && at[3] == 0xb9)
        counts[SCALAR_DOUBLE] += 2;
}

static void
decode_two_bytes(const unsigned char *at, int prefix)
{
    if (at[0] == 0x58)
        calculate(prefix, false);
    else if (at[0] == 0x05)
        counts[CALLS]++, counts[INSTRUCTIONS]++; /* the next step is not seen */
    else if (at[0] == 0xaf)
        counts[CYCLES] += 2; /* three cycles in all */
    else if (at[0] >= 0x80 && at[0] <= 0x8f)
        counts[BRANCHES]++;
}

static void
decode_one_byte(const unsigned char *at)
{
    bool is_memory = at[1] < 0xc0;

    if (at[0] >= 0x70 && at[0] <= 0x7f) {
        counts[BRANCHES]++;
        branch = at;
        branch_length = 2;
    } else if (at[0] == 0xe8 || at[0] == 0xe9 || at[0] == 0xeb ||
               at[0] == 0xc3) {
        counts[BRANCHES]++;
    } else if (at[0] == 0x8b && is_memory) {
        counts[LOADS]++;
    } else if (at[0] == 0x89 && is_memory) {
        counts[STORES]++;
    }
}

/* Decode the instruction that is executed next. */
static void
decode(const unsigned char *at)
{
    int prefix = 0;

    settle_branch(at);
    counts[INSTRUCTIONS]++;
    counts[CYCLES]++;
    for (;; at++) {
        if (*at == 0x66)
            prefix = 1;
        else if (*at == 0xf3)
            prefix = 2;
        else if (*at == 0xf2)
            prefix = 3;
        else
            break;
    }
    if (*at >= 0x40 && *at <= 0x4f)
        at++;
    if (*at == 0xc4 || *at == 0xc5)
        decode_vex(at);
    else if (*at == 0x0f)
        decode_two_bytes(at + 1, prefix);
    else
        decode_one_byte(at);
}

static void
step(int signal, siginfo_t *info, void *context)
{
    const ucontext_t *user = context;

    (void)signal;
    (void)info;
    decode((const unsigned char *)user->uc_mcontext.gregs[REG_RIP]);
}

static void
begin_steps(void)
{
    const struct sigaction action = {.sa_sigaction = step,
                                     .sa_flags = SA_SIGINFO};

    sigaction(SIGTRAP, &action, NULL);
    is_stepping = true;
    __asm__ volatile("pushfq\norq $0x100, (%%rsp)\npopfq" ::: "cc", "memory");
}

static void
end_steps(void)
{
    __asm__ volatile("pushfq\nandq $-257, (%%rsp)\npopfq" ::: "cc", "memory");
    is_stepping = false;
    branch = NULL;
}

/* ---- counters -------------------------------------------------------- */

static uint64_t
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
find(uint64_t identity)
{
    for (size_t i = 0; identity != 0 && i < n_counters; i++) {
        if (counters[i].identity == identity)
            return &counters[i];
    }
    return NULL;
}

static long
open_counter(const long *arguments)
{
    struct perf_event_attr attr;
    const struct perf_event_attr *given = (const void *)arguments[0];
    int leader = (int)arguments[3];
    bool is_raw = given->type == PERF_TYPE_RAW;
    long fd;

    memset(&attr, 0, sizeof attr);
    memcpy(&attr, given, given->size < sizeof attr ? given->size : sizeof attr);
    attr.size = sizeof attr;
    if (given->type == PERF_TYPE_HARDWARE ||
        given->type == PERF_TYPE_HW_CACHE || is_raw) {
        attr.type = PERF_TYPE_SOFTWARE;
        attr.config = PERF_COUNT_SW_TASK_CLOCK;
        attr.config1 = attr.config2 = 0;
        attr.precise_ip = attr.pinned = 0;
        attr.exclude_kernel = attr.exclude_hv = 1;
    }
    fd = next_syscall(SYS_perf_event_open, &attr, arguments[1], arguments[2],
                      arguments[3], arguments[4]);
    if (fd >= 0 && n_counters < sizeof counters / sizeof counters[0])
        counters[n_counters++] = (struct counter){
            .identity = identity_of((int)fd),
            .leader = identity_of(leader >= 0 ? leader : (int)fd),
            .format = attr.read_format,
            .config = is_raw ? given->config : 0};
    return fd;
}

static enum happening
happening_of(uint64_t config)
{
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (codes[i].config == config)
            return codes[i].happening;
    }
    return NOTHING;
}

/* Find the fault for this code in text such as "82d0=half,c0=dead". */
static const char *
fault_of(uint64_t config)
{
    static char fault[16];
    const char *plant = getenv("STEP_PLANT");

    while (plant != NULL && *plant != '\0') {
        char *end;
        uint64_t code = strtoull(plant, &end, 16);

        if (code == config && sscanf(end, "=%15[a-z]", fault) == 1)
            return fault;
        plant = end + strcspn(end, ",");
        plant += *plant == ',';
    }
    return "";
}

/* How much the counter advances if it should advance by `more`. */
static uint64_t
distort(struct counter *counter, const char *fault, uint64_t more)
{
    static uint64_t chance = 88172645463325252u;

    counter->n_reads++;
    chance = chance * 6364136223846793005u + 1442695040888963407u;
    if (strcmp(fault, "dead") == 0)
        return 0;
    if (strcmp(fault, "stuck") == 0)
        return counter->n_reads == 1 ? 12345 : 0;
    if (strcmp(fault, "passing") == 0 && passing == 0 && counter->n_reads > 8)
        passing = counter->identity;
    if (strcmp(fault, "doubled") == 0 ||
        (strcmp(fault, "passing") == 0 && passing == counter->identity))
        return 2 * more;
    if (strcmp(fault, "half") == 0)
        return more / 2;
    if (strcmp(fault, "offset") == 0)
        return more + 100000;
    if (strcmp(fault, "saturating") == 0)
        return more < 500 ? more : 500;
    if (strcmp(fault, "drifting") == 0)
        return more / 2 + (chance >> 33) % (more + 1);
    return more;
}

static uint64_t
value_of(struct counter *counter)
{
    const char *fault = fault_of(counter->config);
    enum happening happening = happening_of(counter->config);
    uint64_t now =
        strcmp(fault, "swapped") == 0 ? counts[BRANCHES] : counts[happening];

    if (strcmp(fault, "stores") == 0)
        now += counts[STORES];
    if (strcmp(fault, "kernel") == 0)
        now += 1000 * counts[CALLS];
    counter->shown += distort(counter, fault, now - counter->last);
    counter->last = now;
    return counter->shown;
}

/* A group returns its number of counts, two times and the counts, in the order
 * of opening; a single counter its count and the times. */
static void
fill(struct counter *counter, uint64_t *words, size_t n_words)
{
    bool is_group = (counter->format & PERF_FORMAT_GROUP) != 0;
    size_t at = is_group ? 3 : 0;
    bool is_crowded = false;

    for (size_t i = 0; i < n_counters && at < n_words; i++) {
        if (counters[i].identity != counter->identity &&
            (!is_group || counters[i].leader != counter->identity))
            continue;
        if (happening_of(counters[i].config) != NOTHING)
            words[at] = value_of(&counters[i]);
        is_crowded |= strcmp(fault_of(counters[i].config), "crowded") == 0;
        at++;
    }
    if (is_group && is_crowded && at > 4)
        words[2] = words[1] / 2;
}

static bool
is_ours(const struct counter *counter)
{
    for (size_t i = 0; counter != NULL && i < n_counters; i++) {
        if (counters[i].leader == counter->identity &&
            happening_of(counters[i].config) != NOTHING)
            return true;
    }
    return false;
}

ssize_t
read(int fd, void *buffer, size_t size)
{
    struct counter *counter;
    bool was_stepping = is_stepping;
    ssize_t length;

    if (was_stepping)
        end_steps();
    prepare();
    counter = find(identity_of(fd));
    length = next_read(fd, buffer, size);
    if (length > 0 && is_ours(counter)) {
        fill(counter, buffer, (size_t)length / sizeof(uint64_t));
        if (first_read == 0)
            first_read = counter->identity;
    }
    if (counter != NULL && counter->identity == first_read)
        was_stepping = !was_stepping;
    if (was_stepping)
        begin_steps();
    return length;
}

/* A counter is kept after a close: the program may only have moved its
 * descriptor. */
int
close(int fd)
{
    static int (*next_close)(int fd);
    uint64_t identity = n_counters > 0 ? identity_of(fd) : 0;

    if (next_close == NULL)
        find_next("close", &next_close);
    if (identity != 0 && identity == first_read) {
        if (is_stepping)
            end_steps();
        first_read = 0;
    }
    return next_close(fd);
}

long
syscall(long number, ...)
{
    long arguments[6];
    va_list list;

    va_start(list, number);
    for (size_t i = 0; i < 6; i++)
        arguments[i] = va_arg(list, long);
    va_end(list);
    prepare();
    if (number == SYS_perf_event_open)
        return open_counter(arguments);
    if (number == SYS_read)
        return read((int)arguments[0], (void *)arguments[1],
                    (size_t)arguments[2]);
    if (number == SYS_close)
        return close((int)arguments[0]);
    return next_syscall(number, arguments[0], arguments[1], arguments[2],
                        arguments[3], arguments[4], arguments[5]);
}

#else
extern int steppmu_is_for_x86_64;
#endif
