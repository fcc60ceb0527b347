/* SPDX-License-Identifier: BSD-3-Clause
 * The PMUs' folders, of machines that are made up in a folder of the test. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/folder.h"
#include "source/machine/procfile.h"
#include "tap.h"

static char top[256];    /* takes the place of /sys/bus */
static bool is_readable; /* "events" of a PMU can be listed */

static const char *
moved(const char *path)
{
    static char there[1024];

    snprintf(there, sizeof there, "%s%s", top, path + strlen("/sys/bus"));
    return there;
}

static int
access_moved(const char *path, int mode)
{
    return access(moved(path), mode);
}

static bool
open_moved(struct hpm_folder *ret_folder, const char *path)
{
    return (is_readable || strstr(path, "/events/") == NULL) &&
           hpm_folder_open(ret_folder, moved(path));
}

static bool
line_moved(const char *path, char *ret_line, size_t size)
{
    return hpm_procfile_line(moved(path), ret_line, size);
}

/* Replace the looks at this system in the tested file. */
#define access access_moved
#define hpm_folder_open open_moved
#define hpm_procfile_line line_moved
#include "source/machine/devices.c"
#undef access
#undef hpm_folder_open

/* What is there, folders first. */
static const char *const hybrid[] = {
    "/event_source/",
    "/event_source/devices/",
    "/event_source/devices/cpu_atom/",
    "/event_source/devices/cpu_atom/cpus",
    "/event_source/devices/cpu_core/",
    "/event_source/devices/cpu_core/cpus",
    "/event_source/devices/cpu_core/events/",
    "/event_source/devices/cpu_core/events/cycles",
    "/event_source/devices/cpu_core/events/instructions",
    "/event_source/devices/cpu_core/format/",
    "/event_source/devices/cpu_core/format/event",
    "/event_source/devices/uncore/",
    "/event_source/devices/uncore/type",
    "/event_source/devices/uncore/events/",
    "/event_source/devices/uncore/events/clock",
    NULL};
static const char *const plain[] = {"/event_source/", "/event_source/devices/",
                                    "/event_source/devices/cpu/",
                                    "/event_source/devices/cpu/type", NULL};

static void
make(const char *const *paths)
{
    char path[1024];

    for (; *paths != NULL; paths++) {
        FILE *file;

        snprintf(path, sizeof path, "%s%s", top, *paths);
        if (path[strlen(path) - 1] == '/') {
            mkdir(path, 0777);
            continue;
        }
        file = fopen(path, "w");
        if (file == NULL)
            abort();
        fputs("23\nmore\n", file);
        fclose(file);
    }
}

static void delete (const char *const *paths)
{
    char path[1024];
    size_t n = 0;

    while (paths[n] != NULL)
        n++;
    while (n-- > 0) {
        snprintf(path, sizeof path, "%s%s", top, paths[n]);
        remove(path);
    }
}

static void
count(const char *file, void *context)
{
    int *bits = context;

    *bits += strcmp(file, "cycles") == 0 ? 1 : 10;
}

static void
test_files(void)
{
    uint32_t type = 7;
    char line[16];
    int bits = 0;

    ok(hpm_devices_are_there(), "the PMUs' folders are there");
    ok(hpm_devices_have("cpu_core", "events", "cycles"), "a file in a folder");
    ok(hpm_devices_have("cpu_core", "", "cpus"), "a file of the PMU's own");
    ok(!hpm_devices_have("cpu_core", "events", "cpus"), "one in another");
    ok(!hpm_devices_have("cpu_atom", "", "../uncore/type") &&
           !hpm_devices_have("../devices/uncore", "", "type") &&
           !hpm_devices_have("uncore/events", "", "clock") &&
           !hpm_devices_have("..", "", "devices") &&
           !hpm_devices_have("cpu_core", "events", ".."),
       "no name leads out of a PMU's folder");
    ok(hpm_devices_line("uncore", "", "type", line, sizeof line),
       "a file's line is read");
    is_text(line, "23", "the first one");
    ok(!hpm_devices_line("uncore", "", "types", line, sizeof line),
       "that of a file that is not there is not");
    ok(hpm_devices_type("uncore", &type) && type == 23, "a PMU's type");
    type = 7;
    ok(!hpm_devices_type("cpu_core", &type) && type == 7,
       "a PMU without one has none");
    hpm_devices_each_file("cpu_core", "events", count, &bits);
    is_count((uint64_t)bits, 11, "each file of a folder");
    hpm_devices_each_file("cpu_core", "none", count, &bits);
    hpm_devices_each_file("../cpu_core", "events", count, &bits);
    is_count((uint64_t)bits, 11, "none of a folder that is not there");
}

static bool
stop_at_second(const char *pmu, void *context)
{
    int *n = context;

    (void)pmu;
    return ++*n == 2;
}

static void
test_each(void)
{
    int n = 0;

    ok(hpm_devices_each(stop_at_second, &n), "the PMUs are listed");
    is_count((uint64_t)n, 2, "until one was wanted");
}

static void
test_events(void)
{
    is_readable = false;
    ok(hpm_devices_may_have_event("nonsense"),
       "where a list cannot be read each event may be there");
    is_readable = true;
    ok(hpm_devices_may_have_event("cycles") &&
           hpm_devices_may_have_event("instructions") &&
           hpm_devices_may_have_event("clock"),
       "each PMU's events may be there");
    ok(!hpm_devices_may_have_event("nonsense"), "another one is not");
    delete (hybrid);
    ok(hpm_devices_may_have_event("cycles") &&
           !hpm_devices_may_have_event("nonsense"),
       "the lists are read once");
    atomic_store(&are_marked, false);
    ok(hpm_devices_may_have_event("nonsense"),
       "nor is any event known to be missing without /sys");
}

static void
is_cores(size_t n, const char *first, const char *second, const char *sentence)
{
    char names[64];

    ok(hpm_devices_cores(names, sizeof names) == n &&
           (strcmp(names, first) == 0 || strcmp(names, second) == 0),
       sentence);
}

static void
test_cores(void)
{
    int n = 0;

    ok(!hpm_devices_are_there() && !hpm_devices_each(stop_at_second, &n),
       "without /sys there is no list");
    is_cores(0, "", "", "and no core");
    make(plain);
    is_cores(1, "cpu", "cpu", "it is looked for again");
    delete (plain);
    is_cores(0, "", "", "what was there is not kept");
    make(hybrid);
    machine.once = (pthread_once_t)PTHREAD_ONCE_INIT;
    is_cores(2, "cpu_atom, cpu_core", "cpu_core, cpu_atom",
             "two kinds of cores, and no other PMU");
    delete (hybrid);
    is_cores(2, "cpu_atom, cpu_core", "cpu_core, cpu_atom",
             "what was listed is kept");
}

int
main(void)
{
    const char *parent = getenv("TMPDIR");

    snprintf(top, sizeof top, "%s/devicesXXXXXX",
             parent != NULL ? parent : "/tmp");
    if (mkdtemp(top) == NULL)
        abort();
    is_readable = true;
    make(hybrid);
    test_files();
    test_each();
    test_events();
    test_cores();
    rmdir(top);
    return done();
}
