/* SPDX-License-Identifier: BSD-3-Clause
 * A program that uses PAPI itself: before libhpm does, after it, or to the
 * end. */
#include <papi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <libhpm.h>

static void
section(int id, const char *label)
{
    volatile unsigned long sink = 0;

    hpmTstart(id, label);
    for (unsigned long i = 0; i < 300000; i++)
        sink = sink + i;
    hpmTstop(id);
}

/* Use an event set of the program's own; 0 when it counted. */
static int
count_itself(void)
{
    int set = PAPI_NULL;
    long long value = 0;
    int result;

    if (PAPI_create_eventset(&set) != PAPI_OK)
        return 11;
    if (PAPI_add_named_event(set, "PAPI_TOT_INS") != PAPI_OK)
        return 12;
    result = PAPI_start(set);
    if (result != PAPI_OK) {
        printf("PAPI_start: %s\n", PAPI_strerror(result));
        return 13;
    }
    section(2, "inside");
    if (PAPI_stop(set, &value) != PAPI_OK)
        return 14;
    printf("the program counted %s\n", value > 0 ? "something" : "nothing");
    if (PAPI_cleanup_eventset(set) != PAPI_OK ||
        PAPI_destroy_eventset(&set) != PAPI_OK)
        return 15;
    return 0;
}

static void *
count_in_thread(void *argument)
{
    section(3, "thread");
    return count_itself() == 0 ? argument : NULL;
}

static int
use_papi(void)
{
    pthread_t thread;
    static char counted;
    void *end = NULL;
    int result;

    if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT ||
        PAPI_thread_init(pthread_self) != PAPI_OK)
        return 10;
    result = count_itself();
    if (result != 0)
        return result;
    pthread_create(&thread, NULL, count_in_thread, &counted);
    pthread_join(thread, &end);
    return end == &counted ? 0 : 16;
}

int
main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    int result;

    if (strcmp(way, "before") == 0) {
        result = use_papi();
        section(1, "work");
        return result;
    }
    section(1, "work");
    result = use_papi();
    section(4, "later");
    if (strcmp(way, "shutdown") == 0)
        PAPI_shutdown();
    section(5, "last");
    return result;
}
