/* SPDX-License-Identifier: BSD-3-Clause
 * Lists of processors and nodes, as the kernel writes them. */
#include "source/machine/affinity.c"

#include "tap.h"

static void
is_list(const char *text, unsigned n, const char *expected,
        const char *sentence)
{
    struct hpm_string string = {0};
    struct set set;

    read_list(text, &set);
    add_list(&string, &set, n);
    is_text(hpm_string_text(&string), expected, sentence);
    hpm_string_free(&string);
}

static void
test_lists(void)
{
    is_list("", MOST_PROCESSORS, "", "none");
    is_list("0", MOST_PROCESSORS, "0", "the first one");
    is_list("0-3,8", MOST_PROCESSORS, "0-3,8", "a range and one");
    is_list("1,3,5", MOST_PROCESSORS, "1,3,5", "every second one");
    is_list("0-1,2,3-4\n", MOST_PROCESSORS, "0-4", "ranges that touch");
    is_list("3-1,7", MOST_PROCESSORS, "7", "a range that is none");
    is_list("63-65", MOST_PROCESSORS, "63-65", "over the end of a word");
    is_list("8190-9000", MOST_PROCESSORS, "8190-8191", "the last ones");
    is_list("0-7", 4, "0-3", "no more than are asked for");
    is_list("3-4", 4, "3", "the last one that is asked for");
    is_list("x", MOST_PROCESSORS, "", "no list");
}

static void
test_common(void)
{
    struct set a, b;

    read_list("0-3,8191", &a);
    read_list("4-7", &b);
    ok(!have_common(&a, &b), "two sets without a common processor");
    read_list("3-4", &b);
    ok(have_common(&a, &b), "one in the first word");
    read_list("8191", &b);
    ok(have_common(&a, &b), "one in the last word");
}

/* Bound to one processor, the process is on one node. */
static void
test_process(void)
{
    struct hpm_string processors = {0}, nodes = {0};
    char number[16];
    cpu_set_t one;
    int cpu = sched_getcpu();

    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    if (cpu < 0 || sched_setaffinity(0, sizeof one, &one) != 0) {
        skip("this process's processors", "it cannot be bound to one");
        return;
    }
    hpm_affinity_add(&processors, &nodes);
    snprintf(number, sizeof number, "%d", cpu);
    is_text(hpm_string_text(&processors), number, "this process's processor");
    ok(strpbrk(hpm_string_text(&nodes), ",-") == NULL,
       "a processor is on one node at most");
    hpm_string_free(&processors);
    hpm_string_free(&nodes);
}

int
main(void)
{
    test_lists();
    test_common();
    test_process();
    return done();
}
