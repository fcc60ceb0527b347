/* SPDX-License-Identifier: BSD-3-Clause
 * Chooses what to sample. */
#include "source/sampling.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "host/memory.h"
#include "source/obstacle.h"
#include "source/perf.h"
#include "source/source.h"

enum { MAX_NAME = 256 };

/* Default and least periods: a processor that is interrupted at every event
 * does nothing else. */
enum {
    USUAL_CLOCK_NS = 997000,
    LEAST_CLOCK_NS = 100000, /* at 10 us a program takes 30 times as long */
    USUAL_HARDWARE = 1000003,
    LEAST_HARDWARE = 1000
};

static bool
is_of_kernel(const struct hpm_event *event)
{
    return event->encoding.type == PERF_TYPE_SOFTWARE ||
           event->encoding.type == PERF_TYPE_TRACEPOINT;
}

static uint64_t
usual_period(const struct hpm_event *event)
{
    if (hpm_source_is_clock(event))
        return USUAL_CLOCK_NS;
    return is_of_kernel(event) ? 1 : USUAL_HARDWARE;
}

static uint64_t
least_period(const struct hpm_event *event)
{
    if (hpm_source_is_clock(event))
        return LEAST_CLOCK_NS;
    return is_of_kernel(event) ? 1 : LEAST_HARDWARE;
}

/* A 32nd of the period, but not less than processors and their timers can do:
 * the ring must not be full before the drainer looks (record/drainer.c). */
static uint64_t
least_step(const struct hpm_sampled *sampled)
{
    uint64_t least = hpm_source_is_clock(&sampled->event) ? 10000
                     : is_of_kernel(&sampled->event)      ? 1
                                                          : LEAST_HARDWARE;

    return sampled->period / 32 > least ? sampled->period / 32 : least;
}

/* Read a whole number; for a clock it may have a unit, else it is
 * nanoseconds. */
static bool
read_period(const char *text, bool is_time, uint64_t *ret_period)
{
    static const struct {
        const char *unit;
        uint64_t factor;
    } units[] = {{"", 1}, {"ns", 1}, {"us", 1000}, {"ms", 1000000}};
    const uint64_t most = UINT64_C(1000000000000);
    uint64_t number = 0;
    const char *c = text;

    for (; *c >= '0' && *c <= '9' && number < most; c++)
        number = 10 * number + (uint64_t)(*c - '0');
    for (size_t i = 0; c > text && i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(c, units[i].unit) == 0 && (i == 0 || is_time) &&
            number <= most / units[i].factor) {
            *ret_period = number * units[i].factor;
            return true;
        }
    }
    return false;
}

static bool
set_period(struct hpm_sampled *sampled, const char *text, struct hpm_error *err)
{
    bool is_time = hpm_source_is_clock(&sampled->event);
    uint64_t least = least_period(&sampled->event);

    if (text == NULL) {
        sampled->period = usual_period(&sampled->event);
        return true;
    }
    if (!read_period(text, is_time, &sampled->period))
        return hpm_error_set(err, "'%.40s' is no period; expected %s", text,
                             is_time ? "a time, as in 997us"
                                     : "a whole number, as in 1000003");
    if (sampled->period < least)
        return hpm_error_set(err,
                             "a period of '%.40s' is too short; the least here "
                             "is %llu%s",
                             text, (unsigned long long)(least),
                             is_time ? " ns" : "");
    return true;
}

/* Open the event once, as for sampling. */
static bool
try_sampling(const struct hpm_sampled *sampled, struct hpm_error *err)
{
    int fd =
        hpm_perf_open_samples(&sampled->event, sampled->period, true, 4096);

    if (fd >= 0) {
        hpm_perf_drop(fd);
        return true;
    }
    if (errno == EOPNOTSUPP || errno == EINVAL)
        return hpm_error_set(err,
                             "this processor counts it, but does not "
                             "interrupt; sample another event, or cpu-clock");
    hpm_obstacle_explain(errno, err);
    return false;
}

/* If this user may not count the kernel's part of a software event, sample the
 * program's part. */
static enum hpm_finding
find_in_domain(const char *name, enum hpm_domain domain,
               struct hpm_event *ret_event, struct hpm_error *err)
{
    enum hpm_finding finding =
        hpm_source_kernel.find(name, domain, ret_event, err);
    char own[MAX_NAME + 2];
    struct hpm_error second;

    if (finding != HPM_FINDING_FAILED || domain != HPM_DOMAIN_USER)
        return finding;
    snprintf(own, sizeof own, "%s:u", name);
    return hpm_source_kernel.find(own, domain, ret_event, &second) ==
                   HPM_FINDING_FOUND
               ? HPM_FINDING_FOUND
               : finding;
}

/* Software events are counted including the kernel's part; but samples are
 * wanted only in the domain asked for. */
static bool
find_event(struct hpm_sampled *sampled, const char *name,
           enum hpm_domain domain, struct hpm_error *err)
{
    char plain[MAX_NAME];
    enum hpm_domain fixed = domain;

    sampled->event.name = hpm_memory_copy_text(name);
    if (sampled->event.name == NULL)
        return hpm_error_no_memory(err);
    switch (find_in_domain(name, domain, &sampled->event, err)) {
    case HPM_FINDING_FOUND:
        break;
    case HPM_FINDING_UNKNOWN:
        return hpm_error_set(err, "no event of the kernel or the processor has "
                                  "this name; 'hpmcount -l' lists those that "
                                  "there are");
    default:
        return false;
    }
    if (is_of_kernel(&sampled->event)) {
        hpm_domain_split(name, plain, sizeof plain, &fixed);
        sampled->event.domain = fixed;
    }
    return true;
}

static bool
has_event(const struct hpm_sampling *sampling, const char *name)
{
    for (size_t i = 0; i < sampling->n_events; i++) {
        if (strcmp(sampling->events[i].event.name, name) == 0)
            return true;
    }
    return false;
}

/* `entry` is one entry of the list: a name and, after "@", a period. */
static bool
add_entry(struct hpm_sampling *sampling, const char *entry,
          enum hpm_domain domain, struct hpm_error *err)
{
    struct hpm_sampled *sampled = &sampling->events[sampling->n_events];
    char text[MAX_NAME], *at;

    strcpy(text, entry);
    at = strrchr(text, '@');
    if (at != NULL)
        *at++ = '\0';
    if (text[0] == '\0')
        return hpm_error_set(err, "an event without a name; expected "
                                  "EVENT@PERIOD, as in cpu-clock@997us");
    if (has_event(sampling, text))
        return hpm_error_set(err, "it is there already");
    if (sampling->n_events == HPM_MAX_SAMPLED)
        return hpm_error_set(err, "at most %d events can be sampled at once",
                             HPM_MAX_SAMPLED);
    *sampled = (struct hpm_sampled){.event.domain = domain};
    if (!find_event(sampled, text, domain, err) ||
        !set_period(sampled, at, err) || !try_sampling(sampled, err)) {
        hpm_event_clear(&sampled->event);
        return false;
    }
    sampled->least = least_step(sampled);
    sampling->n_events++;
    return true;
}

static void
add_or_say(struct hpm_sampling *sampling, const char *entry, size_t length,
           enum hpm_domain domain, struct hpm_string *lines)
{
    char text[MAX_NAME];
    struct hpm_error err;

    for (; length > 0 && *entry == ' '; length--)
        entry++;
    while (length > 0 && entry[length - 1] == ' ')
        length--;
    if (length >= sizeof text) {
        hpm_string_add_format(lines,
                              "not sampled: '%.40s...': the name is too "
                              "long\n",
                              entry);
        return;
    }
    memcpy(text, entry, length);
    text[length] = '\0';
    if (!add_entry(sampling, text, domain, &err))
        hpm_string_add_format(lines, "not sampled: '%s': %s\n", text, err.text);
}

void
hpm_sampling_choose(struct hpm_sampling *sampling, const char *list,
                    enum hpm_domain domain, struct hpm_string *lines)
{
    bool in_slashes = false;
    const char *entry = list;

    for (const char *c = list;; c++) {
        if (*c == '/')
            in_slashes = !in_slashes;
        if (*c != '\0' && (*c != ',' || in_slashes))
            continue;
        add_or_say(sampling, entry, (size_t)(c - entry), domain, lines);
        if (*c == '\0')
            return;
        entry = c + 1;
    }
}

void
hpm_sampling_clear(struct hpm_sampling *sampling)
{
    for (size_t i = 0; i < sampling->n_events; i++)
        hpm_event_clear(&sampling->events[i].event);
    sampling->n_events = 0;
}
