/* SPDX-License-Identifier: BSD-3-Clause
 * Kernels of known counts that work in registers or on a few words, or call the
 * system; those that walk through memory are in walks.c. */
#include "hpm/verify/kernels.h"

#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "host/memory.h"
#include "hpm/verify/walks.h"

const char *const kernel_quantities[N_QUANTITIES] = {
    [QUANTITY_INSTRUCTIONS] = "instructions",
    [QUANTITY_CYCLES] = "cycles",
    [QUANTITY_BRANCHES] = "branches",
    [QUANTITY_MISPREDICTIONS] = "mispredictions",
    [QUANTITY_LOADS] = "loads",
    [QUANTITY_STORES] = "stores",
    [QUANTITY_DOUBLE_64] = "double-64",
    [QUANTITY_DOUBLE_128] = "double-128",
    [QUANTITY_DOUBLE_256] = "double-256",
    [QUANTITY_DOUBLE_512] = "double-512",
    [QUANTITY_SINGLE_32] = "single-32",
    [QUANTITY_SINGLE_128] = "single-128",
    [QUANTITY_SINGLE_256] = "single-256",
    [QUANTITY_SINGLE_512] = "single-512",
    [QUANTITY_L1_MISSES] = "L1-misses",
    [QUANTITY_L2_MISSES] = "L2-misses",
    [QUANTITY_L3_MISSES] = "L3-misses",
    [QUANTITY_TLB_MISSES] = "TLB-misses",
    [QUANTITY_PAGE_FAULTS] = "page-faults",
    [QUANTITY_SWITCHES] = "switches",
    [QUANTITY_MIGRATIONS] = "migrations",
    [QUANTITY_READ_CALLS] = "read-calls",
    [QUANTITY_READ_BYTES] = "read-bytes",
    [QUANTITY_WRITE_CALLS] = "write-calls",
    [QUANTITY_WRITE_BYTES] = "write-bytes",
    [QUANTITY_CPU_TIME] = "cpu-time",
};

#define EXACT(n)                                                               \
    {                                                                          \
        AMOUNT_KNOWN, n, n                                                     \
    }
#define WITHIN(least, most)                                                    \
    {                                                                          \
        AMOUNT_KNOWN, least, most                                              \
    }

/* ---- in registers and on a few words --------------------------------- */

/* A kernel of assembler: `body` of a round, then the two instructions of the
 * loop, of which one is a branch. */
#if defined(__x86_64__)

#define KERNEL(name, body, ...)                                                \
    static void run_##name(struct kernel_place *place, uint64_t rounds)        \
    {                                                                          \
        uint64_t words[64] __attribute__((aligned(64))) = {0};                 \
        uint64_t *at = words;                                                  \
                                                                               \
        (void)place;                                                           \
        __asm__ volatile(".p2align 4\n0:\n" body "dec %[rounds]\njnz 0b\n"     \
                         : [rounds] "+r"(rounds), [at] "+r"(at)                \
                         :                                                     \
                         : "rax", "rcx", "rdx", "r11", "cc", "memory",         \
                           ##__VA_ARGS__);                                     \
    }
#define XMM "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7"
#define REPEATED(times, instruction)                                           \
    ".rept " #times "\n" instruction "\n.endr\n"
/* Sixteen of one instruction, on eight registers in turn. */
#define IN_TURN(name, mnemonic, register)                                                                                                   \
    KERNEL(                                                                                                                                 \
        name,                                                                                                                               \
        ".rept 2\n" mnemonic                                                                                                                \
        " %%" register "0\n" mnemonic                                                                                                       \
                       " %%" register "1\n" mnemonic                                                                                        \
                                      " %%" register "2\n" mnemonic                                                                         \
                                                     " %%" register "3"                                                                     \
                                                                    "\n" mnemonic                                                           \
                                                                    " %"                                                                    \
                                                                    "%" register "4\n" mnemonic                                             \
                                                                                 " %%" register "5\n" mnemonic                              \
                                                                                                " %%" register "6\n" mnemonic               \
                                                                                                               " %%" register "7\n.endr\n", \
        XMM)

KERNEL(plain, REPEATED(98, "add $1, %%rax"))
KERNEL(chain, REPEATED(64, "imul %%rax, %%rax"))
KERNEL(loads, REPEATED(32, "mov (%[at]), %%rax"))
KERNEL(stores, REPEATED(32, "mov %%rax, 8(%[at])"))
KERNEL(branches, "test %%eax, %%eax\n" REPEATED(8, "jmp 1f\n1:\n"))
KERNEL(system, "mov $110, %%eax\nsyscall\n") /* getppid */
/* The bits of a xorshift generator decide the branch; no predictor learns 64
 * bits of state. */
KERNEL(guesses,
       "or $1, %%r11\nmov %%r11, %%rcx\nshl $13, %%rcx\nxor %%rcx, %%r11\n"
       "mov %%r11, %%rcx\nshr $7, %%rcx\nxor %%rcx, %%r11\n"
       "mov %%r11, %%rcx\nshl $17, %%rcx\nxor %%rcx, %%r11\n"
       "test $0x100000, %%r11d\njz 1f\nadd $1, %%rax\n1:\n")
IN_TURN(double_64, "addsd %%xmm0,", "xmm")
IN_TURN(double_128, "addpd %%xmm0,", "xmm")
IN_TURN(double_256, "vaddpd %%ymm0, %%ymm0,", "ymm")
IN_TURN(double_512, "vaddpd %%zmm0, %%zmm0,", "zmm")
IN_TURN(single_32, "addss %%xmm0,", "xmm")
IN_TURN(single_128, "addps %%xmm0,", "xmm")
IN_TURN(single_256, "vaddps %%ymm0, %%ymm0,", "ymm")
IN_TURN(single_512, "vaddps %%zmm0, %%zmm0,", "zmm")
IN_TURN(fused_64, "vfmadd231sd %%xmm0, %%xmm0,", "xmm")

static bool
has_256(void)
{
    return __builtin_cpu_supports("avx");
}

static bool
has_512(void)
{
    return __builtin_cpu_supports("avx512f");
}

static bool
has_fused(void)
{
    return __builtin_cpu_supports("fma");
}

/* A far branch may count as a branch, and the return from the system, too. */
#define SYSTEM_INSTRUCTIONS WITHIN(4, 6)
#define CHAIN_CYCLES WITHIN(64 * 2.9, 64 * 4.2)
#define GUESSES_INSTRUCTIONS WITHIN(14.2, 14.8)
#define KNOWN_CODE 1

#elif defined(__aarch64__)

#define KERNEL(name, body)                                                     \
    static void run_##name(struct kernel_place *place, uint64_t rounds)        \
    {                                                                          \
        uint64_t words[64] __attribute__((aligned(64))) = {0};                 \
        uint64_t *at = words;                                                  \
                                                                               \
        (void)place;                                                           \
        __asm__ volatile(".p2align 4\n0:\n" body                               \
                         "subs %[rounds], %[rounds], #1\nb.ne 0b\n"            \
                         : [rounds] "+r"(rounds), [at] "+r"(at)                \
                         :                                                     \
                         : "x0", "x8", "x9", "x10", "x11", "cc", "memory",     \
                           "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7");    \
    }
#define REPEATED(times, instruction)                                           \
    ".rept " #times "\n" instruction "\n.endr\n"
#define IN_TURN(name, before, after)                                           \
    KERNEL(name, ".rept 2\n" before "0" after before "1" after before          \
                 "2" after before "3" after before "4" after before            \
                 "5" after before "6" after before "7" after ".endr\n")

KERNEL(plain, REPEATED(98, "add x9, x9, #1"))
KERNEL(chain, REPEATED(64, "mul x9, x9, x9"))
KERNEL(loads, REPEATED(32, "ldr x9, [%[at]]"))
KERNEL(stores, REPEATED(32, "str x9, [%[at], #8]"))
KERNEL(branches, "cmp x9, x9\n" REPEATED(8, "b 1f\n1:"))
KERNEL(system, "mov x8, #173\nsvc #0\n") /* getppid */
KERNEL(guesses, "orr x11, x11, #1\neor x11, x11, x11, lsl #13\n"
                "eor x11, x11, x11, lsr #7\neor x11, x11, x11, lsl #17\n"
                "tbz x11, #20, 1f\nadd x9, x9, #1\n1:\n")
IN_TURN(double_64, "fadd d", ", d0, d0\n")
IN_TURN(double_128, "fadd v", ".2d, v0.2d, v0.2d\n")
IN_TURN(single_32, "fadd s", ", s0, s0\n")
IN_TURN(single_128, "fadd v", ".4s, v0.4s, v0.4s\n")
IN_TURN(fused_64, "fmadd d", ", d0, d0, d0\n")

#define has_fused NULL
#define SYSTEM_INSTRUCTIONS WITHIN(4, 6)
/* A multiplication takes 2 to 5 cycles; an emulated processor may take one. */
#define CHAIN_CYCLES WITHIN(64 * 0.9, 64 * 5.5)
#define GUESSES_INSTRUCTIONS WITHIN(7.2, 7.8)
#define KNOWN_CODE 1

#else

/* A compiler makes at least this many instructions of it. */
static void
run_plain(struct kernel_place *place, uint64_t rounds)
{
    volatile uint64_t word = 0;

    (void)place;
    for (uint64_t i = 0; i < rounds; i++)
        word = word + i;
}

#define KNOWN_CODE 0

#endif

/* ---- work of the system --------------------------------------------- */

enum { BYTES = 16 };

/* Each page of a new mapping is touched once. */
static void
run_faults(struct kernel_place *place, uint64_t rounds)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, rounds * size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    (void)place;
    if (pages == MAP_FAILED)
        return;
    madvise(pages, rounds * size, MADV_NOHUGEPAGE);
    for (uint64_t i = 0; i < rounds; i++)
        ((volatile char *)pages)[i * size] = 1;
    munmap(pages, rounds * size);
}

static void
run_sleeps(struct kernel_place *place, uint64_t rounds)
{
    const struct timespec short_time = {.tv_nsec = 1000};

    (void)place;
    for (uint64_t i = 0; i < rounds; i++)
        nanosleep(&short_time, NULL);
}

/* Find two processors that this thread may use; false if there is only one. */
static bool
find_two(cpu_set_t *ret_all, size_t ret_two[2])
{
    size_t n = 0;

    if (sched_getaffinity(0, sizeof *ret_all, ret_all) != 0)
        return false;
    for (size_t i = 0; i < CPU_SETSIZE && n < 2; i++) {
        if (CPU_ISSET(i, ret_all))
            ret_two[n++] = i;
    }
    return n == 2;
}

static bool
has_two(void)
{
    cpu_set_t all;
    size_t two[2];

    return find_two(&all, two);
}

/* Move from the first processor to the second and back, wherever the thread was
 * before. */
static void
run_moves(struct kernel_place *place, uint64_t rounds)
{
    cpu_set_t all, one;
    size_t two[2];

    (void)place;
    if (!find_two(&all, two))
        return;
    for (uint64_t i = 0; i < rounds; i++) {
        CPU_ZERO(&one);
        CPU_SET(two[i % 2], &one);
        sched_setaffinity(0, sizeof one, &one);
    }
    sched_setaffinity(0, sizeof all, &all);
}

static void
run_reads(struct kernel_place *place, uint64_t rounds)
{
    int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    char bytes[BYTES];

    (void)place;
    for (uint64_t i = 0; fd >= 0 && i < rounds; i++) {
        if (read(fd, bytes, sizeof bytes) < 0)
            break;
    }
    if (fd >= 0)
        close(fd);
}

static void
run_writes(struct kernel_place *place, uint64_t rounds)
{
    int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const char bytes[BYTES] = {0};

    (void)place;
    for (uint64_t i = 0; fd >= 0 && i < rounds; i++) {
        if (write(fd, bytes, sizeof bytes) < 0)
            break;
    }
    if (fd >= 0)
        close(fd);
}

/* The load, and the two instructions of its loop. */
#if defined(__x86_64__) || defined(__aarch64__)
#define WALK_LOADS                                                             \
    [QUANTITY_INSTRUCTIONS] = {AMOUNT_KNOWN, 3, 3},                            \
    [QUANTITY_BRANCHES] = {AMOUNT_KNOWN, 1, 1},                                \
    [QUANTITY_LOADS] = {AMOUNT_KNOWN, 1, 1},                                   \
    [QUANTITY_STORES] = {AMOUNT_KNOWN, 0, 0},
#else
#define WALK_LOADS [QUANTITY_LOADS] = {AMOUNT_KNOWN, 1, INFINITY},
#endif

/* ---- the table ------------------------------------------------------- */

/* Sixteen instructions of `flop` operations each, and the loop's two. */
#define CALCULATION(name_, quantity, flop, condition)                          \
    {                                                                          \
        .name = #name_, .text = "16 floating point instructions",              \
        .run = run_##name_, .can_run = condition, .is_closed = true,           \
        .amounts = {                                                           \
            [QUANTITY_INSTRUCTIONS] = EXACT(18),                               \
            [QUANTITY_BRANCHES] = EXACT(1),                                    \
            [quantity] = EXACT(16 * (flop))                                    \
        }                                                                      \
    }

static const struct kernel all[] = {
#if KNOWN_CODE
    {.name = "plain",
     .text = "98 additions of whole numbers",
     .run = run_plain,
     .is_closed = true,
     .amounts = {[QUANTITY_INSTRUCTIONS] = EXACT(100),
                 [QUANTITY_BRANCHES] = EXACT(1)}},
    {.name = "chain",
     .text = "64 multiplications, each of the result before",
     .run = run_chain,
     .is_closed = true,
     .amounts = {[QUANTITY_INSTRUCTIONS] = EXACT(66),
                 [QUANTITY_BRANCHES] = EXACT(1),
                 [QUANTITY_CYCLES] = CHAIN_CYCLES}},
    {.name = "loads",
     .text = "32 loads of one word",
     .run = run_loads,
     .is_closed = true,
     .amounts = {[QUANTITY_INSTRUCTIONS] = EXACT(34),
                 [QUANTITY_BRANCHES] = EXACT(1),
                 [QUANTITY_LOADS] = EXACT(32)}},
    {.name = "stores",
     .text = "32 stores to one word",
     .run = run_stores,
     .is_closed = true,
     .amounts = {[QUANTITY_INSTRUCTIONS] = EXACT(34),
                 [QUANTITY_BRANCHES] = EXACT(1),
                 [QUANTITY_STORES] = EXACT(32)}},
    {.name = "branches",
     .text = "8 jumps to the next instruction",
     .run = run_branches,
     .is_closed = true,
     .amounts =
         {[QUANTITY_INSTRUCTIONS] = EXACT(11), [QUANTITY_BRANCHES] = EXACT(9)}},
    {.name = "guesses",
     .text = "a branch that goes by chance",
     .run = run_guesses,
     .least_rounds = 512,
     .is_closed = true,
     .amounts = {[QUANTITY_INSTRUCTIONS] = GUESSES_INSTRUCTIONS,
                 [QUANTITY_BRANCHES] = EXACT(2),
                 [QUANTITY_MISPREDICTIONS] = WITHIN(0.4, 0.62)}},
    {.name = "system",
     .text = "a system call that does hardly anything",
     .run = run_system,
     .amounts = {[QUANTITY_INSTRUCTIONS] = SYSTEM_INSTRUCTIONS,
                 [QUANTITY_BRANCHES] = WITHIN(1, 3),
                 [QUANTITY_LOADS] = WITHIN(0, 1),
                 [QUANTITY_STORES] = WITHIN(0, 1)}},
    CALCULATION(double_64, QUANTITY_DOUBLE_64, 1, NULL),
    CALCULATION(double_128, QUANTITY_DOUBLE_128, 2, NULL),
    CALCULATION(single_32, QUANTITY_SINGLE_32, 1, NULL),
    CALCULATION(single_128, QUANTITY_SINGLE_128, 4, NULL),
    CALCULATION(fused_64, QUANTITY_DOUBLE_64, 2, has_fused),
#if defined(__x86_64__)
    CALCULATION(double_256, QUANTITY_DOUBLE_256, 4, has_256),
    CALCULATION(double_512, QUANTITY_DOUBLE_512, 8, has_512),
    CALCULATION(single_256, QUANTITY_SINGLE_256, 8, has_256),
    CALCULATION(single_512, QUANTITY_SINGLE_512, 16, has_512),
#endif
#else
    {.name = "plain",
     .text = "a load, an addition and a store, at least",
     .run = run_plain,
     .amounts = {[QUANTITY_INSTRUCTIONS] = WITHIN(4, INFINITY),
                 [QUANTITY_BRANCHES] = WITHIN(1, INFINITY),
                 [QUANTITY_LOADS] = WITHIN(1, INFINITY),
                 [QUANTITY_STORES] = WITHIN(1, INFINITY)}},
#endif
    {.name = "stride",
     .text = "a load from the next line of a large array",
     .run = walks_run,
     .prepare = walks_prepare_stride,
     .amounts = {WALK_LOADS[QUANTITY_L1_MISSES] = WITHIN(0, 1.1),
                 [QUANTITY_L2_MISSES] = WITHIN(0, 1.1)}},
    {.name = "walk-L1",
     .text = "a load from any line of half of level 1",
     .run = walks_run,
     .prepare = walks_prepare_l1,
     .amounts = {WALK_LOADS[QUANTITY_L1_MISSES] = WITHIN(0, 0.05),
                 [QUANTITY_L2_MISSES] = WITHIN(0, 0.02),
                 [QUANTITY_L3_MISSES] = WITHIN(0, 0.02),
                 [QUANTITY_TLB_MISSES] = WITHIN(0, 0.02)}},
    {.name = "walk-L2",
     .text = "a load from any line of half of level 2",
     .run = walks_run,
     .prepare = walks_prepare_l2,
     .amounts = {WALK_LOADS[QUANTITY_L1_MISSES] = WITHIN(0.8, 1.1),
                 [QUANTITY_L2_MISSES] = WITHIN(0, 0.25),
                 [QUANTITY_L3_MISSES] = WITHIN(0, 0.1)}},
    {.name = "walk-L3",
     .text = "a load from any line of several times level 2",
     .run = walks_run,
     .prepare = walks_prepare_l3,
     .amounts = {WALK_LOADS[QUANTITY_L1_MISSES] = WITHIN(0.85, 1.1),
                 [QUANTITY_L2_MISSES] = WITHIN(0.5, 1.1)}},
    {.name = "walk-memory",
     .text = "a load from any line of several times the last level",
     .run = walks_run,
     .prepare = walks_prepare_memory,
     .amounts = {WALK_LOADS[QUANTITY_L1_MISSES] = WITHIN(0.85, 1.1),
                 [QUANTITY_L2_MISSES] = WITHIN(0.7, 1.1),
                 [QUANTITY_L3_MISSES] = WITHIN(0.5, 1.1)}},
    {.name = "walk-pages",
     .text = "a load from any of many pages",
     .run = walks_run,
     .prepare = walks_prepare_pages,
     .amounts = {WALK_LOADS[QUANTITY_TLB_MISSES] = WITHIN(0.7, 1.3)}},
    {.name = "faults",
     .text = "a new page touched",
     .run = run_faults,
     .most_rounds = 128,
     .amounts = {[QUANTITY_PAGE_FAULTS] = WITHIN(1, 1.02)}},
    {.name = "sleeps",
     .text = "a microsecond slept",
     .run = run_sleeps,
     .is_waiting = true,
     .most_rounds = 32,
     .amounts = {[QUANTITY_SWITCHES] = WITHIN(1, 1.5)}},
    {.name = "moves",
     .text = "a move to another processor",
     .run = run_moves,
     .can_run = has_two,
     .is_waiting = true,
     .most_rounds = 32,
     .amounts = {[QUANTITY_MIGRATIONS] = WITHIN(0.9, 1.2)}},
    {.name = "reads",
     .text = "16 bytes read",
     .run = run_reads,
     .most_rounds = 64,
     .amounts = {[QUANTITY_READ_CALLS] = EXACT(1),
                 [QUANTITY_READ_BYTES] = EXACT(BYTES)}},
    {.name = "writes",
     .text = "16 bytes written",
     .run = run_writes,
     .most_rounds = 64,
     .amounts = {[QUANTITY_WRITE_CALLS] = EXACT(1),
                 [QUANTITY_WRITE_BYTES] = EXACT(BYTES)}},
};

struct amount
kernel_amount(const struct kernel *kernel, enum quantity quantity)
{
    struct amount amount = kernel->amounts[quantity];

    if (amount.state != AMOUNT_UNLISTED)
        return amount;
    /* the time of a calculation is not known, and anything may interrupt it */
    if (!kernel->is_closed || quantity == QUANTITY_CYCLES ||
        quantity >= QUANTITY_PAGE_FAULTS)
        return (struct amount){.state = AMOUNT_UNKNOWN};
    return (struct amount){AMOUNT_KNOWN, 0, 0};
}

enum quantity
kernel_quantity_of(const char *name)
{
    size_t i = 0;

    while (i < N_QUANTITIES && strcmp(kernel_quantities[i], name) != 0)
        i++;
    return (enum quantity)i;
}

static void
leave_out(struct kernels *kernels, const char *name)
{
    size_t length = strlen(kernels->left_out);

    snprintf(kernels->left_out + length, sizeof kernels->left_out - length,
             "%s%s", length > 0 ? ", " : "", name);
}

bool
kernels_open(struct kernels *kernels, bool needs_walks, struct hpm_error *err)
{
    *kernels = (struct kernels){0};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct kernel_place *place = NULL;

        if (all[i].prepare != NULL && !needs_walks)
            continue;
        if (all[i].can_run != NULL && !all[i].can_run()) {
            leave_out(kernels, all[i].name);
            continue;
        }
        if (all[i].prepare != NULL) {
            place = hpm_memory_new(1, sizeof *place);
            if (place == NULL) {
                kernels_close(kernels);
                return hpm_error_no_memory(err);
            }
            if (!all[i].prepare(place)) {
                hpm_memory_free(place);
                leave_out(kernels, all[i].name);
                continue;
            }
        }
        kernels->list[kernels->n++] =
            (struct kernel_ready){.kernel = &all[i], .place = place};
    }
    return true;
}

void
kernels_close(struct kernels *kernels)
{
    for (size_t i = 0; i < kernels->n; i++) {
        if (kernels->list[i].place != NULL)
            walks_release(kernels->list[i].place);
        hpm_memory_free(kernels->list[i].place);
    }
    *kernels = (struct kernels){0};
}
