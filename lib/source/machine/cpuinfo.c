/* SPDX-License-Identifier: BSD-3-Clause
 * Facts on the processor in /proc/cpuinfo. */
#include "source/machine/cpuinfo.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "source/machine/procfile.h"

/* How much of the file is enough.  With many processors it is long, and the
 * kernel takes some 10 us to describe one.  On x86 the first processor has all
 * we need. */
#if defined(__x86_64__) || defined(__i386__)
enum { ENOUGH = 1 << 13 };
#else
enum { ENOUGH = 1 << 16 };
#endif

static struct hpm_cpuinfo cpuinfo;

/* The value of the first line "key : value", up to the line's end; NULL if
 * there is none. */
static const char *
find(const char *text, const char *key, size_t *ret_length)
{
    size_t length = strlen(key);

    for (const char *line = text; line != NULL;
         line = strchr(line, '\n'), line += line != NULL) {
        const char *value = line + length;

        if (strncmp(line, key, length) != 0 ||
            *(value += strspn(value, " \t")) != ':')
            continue;
        value += 1 + strspn(value + 1, " \t");
        *ret_length = strcspn(value, "\n");
        return value;
    }
    return NULL;
}

static bool
copy(const char *text, const char *key, char *ret_value, size_t size)
{
    size_t length;
    const char *value = find(text, key, &length);

    if (value != NULL)
        snprintf(ret_value, size, "%.*s", (int)length, value);
    return value != NULL;
}

static bool
has_word(const char *words, size_t length, const char *word)
{
    size_t n = strlen(word);

    for (const char *end = words + length; words < end;) {
        size_t here = strcspn(words, " \n");

        if (here == n && memcmp(words, word, n) == 0)
            return true;
        words += here + 1;
    }
    return false;
}

static void
read_model(const char *text)
{
    char a[64], b[16], c[16];
    size_t size = sizeof cpuinfo.model;

    if (copy(text, "vendor_id", a, sizeof a) &&
        copy(text, "cpu family", b, sizeof b) &&
        copy(text, "model", c, sizeof c))
        snprintf(cpuinfo.model, size, "%s family %s model %s", a, b, c);
    else if (copy(text, "CPU implementer", b, sizeof b) &&
             copy(text, "CPU part", c, sizeof c))
        snprintf(cpuinfo.model, size, "implementer %s part %s", b, c);
    else
        copy(text, "cpu", cpuinfo.model, size);
}

#if !defined(__powerpc__)

enum { MAX_VALUE = 32 };

/* Copy the values of all keys (a list that ends in NULL); false if one is
 * missing. */
static bool
copy_all(const char *text, const char *const *keys,
         char (*ret_values)[MAX_VALUE])
{
    for (size_t i = 0; keys[i] != NULL; i++) {
        if (!copy(text, keys[i], ret_values[i], MAX_VALUE))
            return false;
    }
    return true;
}

#endif

#if defined(__x86_64__) || defined(__i386__)

static void
read_identity(const char *text)
{
    static const char *const keys[] = {"vendor_id", "cpu family", "model",
                                       "stepping", NULL};
    char values[4][MAX_VALUE];

    if (copy_all(text, keys, values))
        snprintf(cpuinfo.identity, sizeof cpuinfo.identity, "%s-%s-%lX-%lX",
                 values[0], values[1], strtoul(values[2], NULL, 10),
                 strtoul(values[3], NULL, 10));
}

#elif defined(__aarch64__)

static void
read_identity(const char *text)
{
    static const char *const keys[] = {"CPU implementer", "CPU variant",
                                       "CPU part", "CPU revision", NULL};
    char values[4][MAX_VALUE];

    if (copy_all(text, keys, values))
        snprintf(cpuinfo.identity, sizeof cpuinfo.identity,
                 "MIDR-%02lx%lxf%03lx%lx", strtoul(values[0], NULL, 16),
                 strtoul(values[1], NULL, 16), strtoul(values[2], NULL, 16),
                 strtoul(values[3], NULL, 10));
}

#elif defined(__powerpc__)

static void
read_identity(const char *text)
{
    char revision[64];
    unsigned high, low;

    if (copy(text, "revision", revision, sizeof revision) &&
        sscanf(revision, "%*s (pvr %x %x)", &high, &low) == 2)
        snprintf(cpuinfo.identity, sizeof cpuinfo.identity, "PVR-%04x%04x",
                 high, low);
}

#else

static void
read_identity(const char *text)
{
    static const char *const keys[] = {"mvendorid", "marchid", "mimpid", NULL};
    char values[3][MAX_VALUE];

    if (copy_all(text, keys, values))
        snprintf(cpuinfo.identity, sizeof cpuinfo.identity, "RISCV-%s-%s-%s",
                 values[0], values[1], values[2]);
}

#endif

/* "model name" on x86, "cpu" on POWER; on Arm the board's name, if any. */
static void
read_name(const char *text)
{
    static const char *const keys[] = {"model name", "cpu", "Model"};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (copy(text, keys[i], cpuinfo.name, sizeof cpuinfo.name))
            return;
    }
}

static void
read_flags(const char *text)
{
    size_t length;
    const char *flags = find(text, "flags", &length);

    cpuinfo.has_flags = flags != NULL;
    if (flags == NULL)
        return;
    cpuinfo.is_virtual = has_word(flags, length, "hypervisor");
    cpuinfo.has_multiply_add = has_word(flags, length, "fma");
}

static void
read_all(void)
{
    char *text = hpm_memory_new(ENOUGH, 1);

    if (text != NULL && hpm_procfile_read("/proc/cpuinfo", text, ENOUGH) > 0) {
        read_name(text);
        read_model(text);
        read_identity(text);
        read_flags(text);
    }
    hpm_memory_free(text);
}

const struct hpm_cpuinfo *
hpm_cpuinfo_get(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, read_all);
    return &cpuinfo;
}
