/* SPDX-License-Identifier: BSD-3-Clause
 * The machine and programs of a measurement. */
#include "machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "timing.h"

static double first_ns;
static uint64_t first_tick;

void
bench_machine_begin(void)
{
    first_ns = bench_wall_ns();
    first_tick = bench_tick();
}

static double
ticks_per_ns(void)
{
    return (double)(bench_tick() - first_tick) / (bench_wall_ns() - first_ns);
}

double
bench_machine_cycles_per_ns(void)
{
#if defined(__x86_64__) || defined(__i386__)
    return ticks_per_ns();
#else
    return NAN;
#endif
}

static void
print_processor(void)
{
    char line[256];
    const char *name = "unknown processor";
    FILE *file = fopen("/proc/cpuinfo", "re");

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *colon = strchr(line, ':');

        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            line[strcspn(line, "\n")] = '\0';
            name = colon + 2;
            break;
        }
    }
    printf("%s, %ld processors", name, sysconf(_SC_NPROCESSORS_ONLN));
    if (file != NULL)
        fclose(file);
}

static void
print_compiler(void)
{
#ifdef __clang__
    printf("%s", __VERSION__);
#else
    printf("gcc %s", __VERSION__);
#endif
}

static void
print_papi(const char *anchor)
{
    char command[4200], line[64];
    FILE *pipe;

    if (anchor == NULL) {
        printf("no PAPI");
        return;
    }
    snprintf(command, sizeof command, "'%s' version", anchor);
    pipe = popen(command, "r");
    if (pipe != NULL && fgets(line, sizeof line, pipe) != NULL)
        printf("%s", line);
    if (pipe != NULL)
        pclose(pipe);
}

static const char *
library_kind(void)
{
    char line[4400];
    const char *kind = "static";
    FILE *file = fopen("/proc/self/maps", "re");

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strstr(line, "/libhpm.so") != NULL)
            kind = "shared";
    }
    if (file != NULL)
        fclose(file);
    return kind;
}

void
bench_machine_print(const char *anchor)
{
    struct utsname system;
    double load[3] = {0};

    uname(&system);
    (void)!getloadavg(load, 3);
    print_processor();
    printf(", %s %s %s\n", system.sysname, system.release, system.machine);
    print_compiler();
    printf(", clock source %s", bench_clocksource());
    if (first_tick != 0)
        printf(", tick register at %.0f MHz by the clock",
               ticks_per_ns() * 1e3);
    printf(", ");
    fflush(stdout);
    print_papi(anchor);
    printf(", libhpm %s, load %.1f\n", library_kind(), load[0]);
}
