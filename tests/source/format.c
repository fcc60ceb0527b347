/* SPDX-License-Identifier: BSD-3-Clause
 * Terms of events: their bits, and messages about terms that do not fit. */
#include "source/machine/devices.h"

/* Replaces /sys in the tested file. */
static bool play_line(const char *pmu, const char *folder, const char *file,
                      char *ret_line, size_t size);
static void play_each(const char *pmu, const char *folder,
                      void (*visit)(const char *name, void *context),
                      void *context);
#define hpm_devices_line play_line
#define hpm_devices_each_file play_each
#include "source/format.c"

#include "tap.h"

static const char *const fields[][2] = {
    {"event", "config:0-7,32-35"}, {"edge", "config:18"},
    {"second", "config1:4-7"},     {"third", "config2:0-63"},
    {"fourth", "config3:1"},       {"strange", "configs:1"},
    {"backwards", "config:7-0"},   {"high", "config:60-64"},
    {"wordless", "config:"},       {"letters", "config:a"}};

enum { N_FIELDS = sizeof fields / sizeof fields[0] };

static bool
play_line(const char *pmu, const char *folder, const char *file, char *ret_line,
          size_t size)
{
    for (size_t i = 0; i < N_FIELDS; i++) {
        if (strcmp(pmu, "played") == 0 && strcmp(folder, "format") == 0 &&
            strcmp(fields[i][0], file) == 0) {
            snprintf(ret_line, size, "%s", fields[i][1]);
            return true;
        }
    }
    return false;
}

static void
play_each(const char *pmu, const char *folder,
          void (*visit)(const char *name, void *context), void *context)
{
    for (size_t i = 0; i < 2; i++) {
        if (strcmp(pmu, "played") == 0 && strcmp(folder, "format") == 0)
            visit(fields[i][0], context);
    }
}

static struct hpm_encoding encoding;
static struct hpm_error err;

static bool
add(const char *pmu, const char *terms)
{
    char copy[128];

    snprintf(copy, sizeof copy, "%s", terms);
    encoding = (struct hpm_encoding){.config = 0};
    err.text[0] = '\0';
    return hpm_format_add_terms(pmu, copy, &encoding, &err);
}

static void
check(const char *terms, uint64_t config, uint64_t config1, uint64_t config2,
      uint64_t config3)
{
    ok(add("played", terms) && encoding.config == config &&
           encoding.config1 == config1 && encoding.config2 == config2 &&
           encoding.config3 == config3,
       terms);
    printf("# 0x%llx 0x%llx 0x%llx 0x%llx %s\n",
           (unsigned long long)encoding.config,
           (unsigned long long)encoding.config1,
           (unsigned long long)encoding.config2,
           (unsigned long long)encoding.config3, err.text);
}

static void
check_refused(const char *terms, const char *words)
{
    ok(!add("played", terms) && strstr(err.text, words) != NULL, terms);
    printf("# %s\n", err.text);
}

static void
test_bits(void)
{
    check("", 0, 0, 0, 0);
    check("event=0xa4", 0xa4, 0, 0, 0);
    check("event=0xfa4", UINT64_C(0xf000000a4), 0, 0, 0);
    check("edge", 1u << 18, 0, 0, 0);
    check("edge=0", 0, 0, 0, 0);
    check("event=1,edge,second=9,third=7,fourth", 1 | 1u << 18, 0x90, 7, 2);
    check("third=0xffffffffffffffff", 0, 0, UINT64_MAX, 0);
    check("config=5", 5, 0, 0, 0);
    check("config1=5,config2=6,config3=7", 0, 5, 6, 7);
    check("event=0,event=3", 3, 0, 0, 0);
}

static void
test_refused(void)
{
    check_refused("event=0x1000", "0x1000 is too large for the 12 bits");
    check_refused("edge=2", "0x2 is too large for the 1 bits of 'edge'");
    check_refused("event=1,config=1", "'config' sets bits (config:0-63)");
    check_refused("event=x", "'x' is not a number, as the value of 'event'");
    check_refused("event=", "'' is not a number");
    check_refused("nosuch=1",
                  "'nosuch' is neither an event nor a field of the "
                  "PMU 'played'; its fields are: event edge config");
    check_refused("config12=1", "'config12' is neither");
    check_refused("strange", "cannot set");
    check_refused("backwards", "cannot set");
    check_refused("high", "cannot set");
    check_refused("wordless", "cannot set");
    check_refused("letters", "cannot set");
    check_refused("edge,nosuch", "'nosuch'");
}

/* A core PMU that the kernel does not list. */
static void
test_usual(void)
{
    ok(add(NULL, "event=0xc0") && encoding.config == 0xc0,
       "a core PMU has an event");
    setenv("LIBPFM_FORCE_PMU", "perf",
           1); /* a PMU is there, whatever is listed */
    ok(!add(NULL, "edgy") && strstr(err.text, "of the PMU 'cpu'") != NULL &&
           strstr(err.text, "its fields are: event") != NULL,
       "and the usual fields");
    unsetenv("LIBPFM_FORCE_PMU");
#if defined(__x86_64__) || defined(__i386__)
    ok(add(NULL, "event=0xc0,umask=1,edge,any,inv,cmask=2") &&
           encoding.config == 0x2a401c0,
       "of this architecture");
    ok(add(NULL, "ldlat=7") && encoding.config1 == 7 &&
           add(NULL, "frontend=9") && encoding.config1 == 9 &&
           add(NULL, "offcore_rsp=3") && encoding.config1 == 3,
       "also in the second word");
#endif
}

int
main(void)
{
    test_bits();
    test_refused();
    test_usual();
    return done();
}
