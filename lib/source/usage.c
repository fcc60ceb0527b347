/* SPDX-License-Identifier: BSD-3-Clause
 * Source "usage": getrusage, /proc/self/io and /proc/self/schedstat. */
#include "source/usage.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mark.h"
#include "base/string.h"
#include "host/memory.h"
#include "host/ownusage.h"
#include "source/machine/procfile.h"
#include "source/meter.h"
#include "source/source.h"

const struct hpm_usage_field hpm_usage_fields[HPM_USAGE_FIELDS] = {
    {"ru::utime", N_("user time"), "ns", true},
    {"ru::stime", N_("system time"), "ns", true},
    {"ru::maxrss", N_("maximum resident set"), "kB", true},
    {"ru::ixrss", N_("shared text memory"), "kB s", false},
    {"ru::idrss", N_("unshared data memory"), "kB s", false},
    {"ru::minflt", N_("page faults without I/O"), "", true},
    {"ru::majflt", N_("page faults with I/O"), "", true},
    {"ru::nswap", N_("times swapped out"), "", false},
    {"ru::inblock", N_("file system input blocks"), "", true},
    {"ru::oublock", N_("file system output blocks"), "", true},
    {"ru::msgsnd", N_("IPC messages sent"), "", false},
    {"ru::msgrcv", N_("IPC messages received"), "", false},
    {"ru::nsignals", N_("signals delivered"), "", false},
    {"ru::nvcsw", N_("voluntary context switches"), "", true},
    {"ru::nivcsw", N_("involuntary context switches"), "", true},
};

static const struct {
    const char *name; /* "proc::rchar" */
    const char *key;  /* in /proc/self/io */
    const char *description;
    const char *unit;
} io_fields[] = {
    {"proc::rchar", "rchar:", N_("bytes read, from the cache too"), "byte"},
    {"proc::wchar", "wchar:", N_("bytes written, to the cache too"), "byte"},
    {"proc::syscr", "syscr:", N_("read calls"), ""},
    {"proc::syscw", "syscw:", N_("write calls"), ""},
    {"proc::read_bytes", "read_bytes:", N_("bytes read from a disk"), "byte"},
    {"proc::write_bytes", "\nwrite_bytes:", N_("bytes written to a disk"),
     "byte"},
};

enum { N_IO_FIELDS = HPM_USAGE_IO_FIELDS };
/* indices in hpm_usage_fields */
enum { FIELD_STIME = 1, FIELD_MAXRSS = 2 };
enum { FIELD_RCHAR = 0, FIELD_SYSCR = 2 }; /* indices in io_fields */

_Static_assert(sizeof io_fields / sizeof io_fields[0] == HPM_USAGE_IO_FIELDS,
               "as the header says");

/* What our own reading of these files adds to the numbers in /proc/self/io. */
struct own_reads {
    uint64_t calls, bytes;
};

/* By the calling thread, and by all threads, which the process's numbers
 * include. */
static __thread struct own_reads own_here
    __attribute__((tls_model("initial-exec")));
static _Atomic uint64_t all_own_calls, all_own_bytes;

/* In the order of /proc/self/schedstat, which describes one thread: of a
 * process the main one. */
static const struct {
    const char *name;
    const char *description;
} schedule_fields[] = {
    {"proc::run_time", N_("time the (first) thread ran")},
    {"proc::run_delay", N_("time the (first) thread waited for a processor")},
};

enum { N_SCHEDULE_FIELDS = sizeof schedule_fields / sizeof schedule_fields[0] };
enum { FROM_RUSAGE, FROM_IO, FROM_SCHEDULE }; /* hpm_encoding.type */

static uint64_t
nanoseconds(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * 1000000000u +
           (uint64_t)time->tv_usec * 1000u;
}

uint64_t
hpm_usage_value(const struct rusage *usage, size_t field)
{
    const uint64_t values[HPM_USAGE_FIELDS] = {
        nanoseconds(&usage->ru_utime), nanoseconds(&usage->ru_stime),
        (uint64_t)usage->ru_maxrss,    (uint64_t)usage->ru_ixrss,
        (uint64_t)usage->ru_idrss,     (uint64_t)usage->ru_minflt,
        (uint64_t)usage->ru_majflt,    (uint64_t)usage->ru_nswap,
        (uint64_t)usage->ru_inblock,   (uint64_t)usage->ru_oublock,
        (uint64_t)usage->ru_msgsnd,    (uint64_t)usage->ru_msgrcv,
        (uint64_t)usage->ru_nsignals,  (uint64_t)usage->ru_nvcsw,
        (uint64_t)usage->ru_nivcsw};

    return values[field];
}

static void
add_time(struct timeval *sum, const struct timeval *more)
{
    sum->tv_sec += more->tv_sec;
    sum->tv_usec += more->tv_usec;
    if (sum->tv_usec >= 1000000) {
        sum->tv_usec -= 1000000;
        sum->tv_sec++;
    }
}

uint64_t
hpm_usage_processor_ns(const struct rusage *usage)
{
    return nanoseconds(&usage->ru_utime) + nanoseconds(&usage->ru_stime);
}

uint64_t
hpm_usage_uncounted_ns(const struct rusage *usage)
{
    return 100000 + 1500 * (uint64_t)(usage->ru_minflt + usage->ru_majflt) +
           20000 * (uint64_t)usage->ru_nvcsw +
           2000 * (uint64_t)usage->ru_nivcsw +
           125 * (uint64_t)usage->ru_maxrss; /* kB: 0.5 us per page */
}

static void
take_off_time(struct timeval *time, const struct timeval *before)
{
    uint64_t now = nanoseconds(time), then = nanoseconds(before);
    uint64_t rest = now > then ? now - then : 0;

    time->tv_sec = (time_t)(rest / 1000000000);
    time->tv_usec = (suseconds_t)(rest % 1000000000 / 1000);
}

static void
take_off(long *count, long before)
{
    *count = *count > before ? *count - before : 0;
}

void
hpm_usage_take_off(struct rusage *usage, const struct rusage *before)
{
    take_off_time(&usage->ru_utime, &before->ru_utime);
    take_off_time(&usage->ru_stime, &before->ru_stime);
    take_off(&usage->ru_minflt, before->ru_minflt);
    take_off(&usage->ru_majflt, before->ru_majflt);
    take_off(&usage->ru_inblock, before->ru_inblock);
    take_off(&usage->ru_oublock, before->ru_oublock);
    take_off(&usage->ru_nvcsw, before->ru_nvcsw);
    take_off(&usage->ru_nivcsw, before->ru_nivcsw);
}

void
hpm_usage_of_process(struct rusage *ret_usage)
{
    struct rusage children;

    getrusage(RUSAGE_SELF, ret_usage);
    getrusage(RUSAGE_CHILDREN, &children);
    add_time(&ret_usage->ru_utime, &children.ru_utime);
    add_time(&ret_usage->ru_stime, &children.ru_stime);
    if (children.ru_maxrss > ret_usage->ru_maxrss)
        ret_usage->ru_maxrss = children.ru_maxrss;
    ret_usage->ru_minflt += children.ru_minflt;
    ret_usage->ru_majflt += children.ru_majflt;
    ret_usage->ru_inblock += children.ru_inblock;
    ret_usage->ru_oublock += children.ru_oublock;
    ret_usage->ru_nvcsw += children.ru_nvcsw;
    ret_usage->ru_nivcsw += children.ru_nivcsw;
}

bool
hpm_usage_is_peak(const struct hpm_event *event)
{
    return event->source == &hpm_source_usage &&
           event->encoding.type == FROM_RUSAGE &&
           event->encoding.config == FIELD_MAXRSS;
}

bool
hpm_usage_is_time(const struct hpm_event *event)
{
    return event->source == &hpm_source_usage &&
           event->encoding.type == FROM_RUSAGE &&
           event->encoding.config <= FIELD_STIME;
}

const char hpm_usage_short_clock[] = N_(
    "it missed more than a tenth of the processor time, all of which user and "
    "system time have");

bool
hpm_usage_is_clock_short(uint64_t used_ns, uint64_t seen_ns)
{
    uint64_t missing = used_ns > seen_ns ? used_ns - seen_ns : 0;

    return missing > HPM_USAGE_SHORT_NS && missing > used_ns / 10;
}

/* ---- the source ------------------------------------------------------ */

static enum hpm_finding
fill_event(struct hpm_event *ret_event, uint32_t type, size_t field,
           const char *description, const char *unit, struct hpm_error *err)
{
    ret_event->description = hpm_memory_copy_text(description);
    ret_event->unit = hpm_memory_copy_text(unit);
    if (ret_event->description == NULL || ret_event->unit == NULL) {
        hpm_memory_free(ret_event->description);
        hpm_memory_free(ret_event->unit);
        ret_event->description = ret_event->unit = NULL;
        hpm_error_no_memory(err);
        return HPM_FINDING_FAILED;
    }
    ret_event->domain = HPM_DOMAIN_ALL;
    ret_event->is_coarse = type != FROM_IO;
    ret_event->encoding.type = type;
    ret_event->encoding.config = field;
    ret_event->source = &hpm_source_usage;
    return HPM_FINDING_FOUND;
}

static enum hpm_finding
usage_find(const char *name, enum hpm_domain domain,
           struct hpm_event *ret_event, struct hpm_error *err)
{
    (void)domain;
    for (size_t i = 0; i < HPM_USAGE_FIELDS; i++) {
        if (strcmp(name, hpm_usage_fields[i].name) != 0)
            continue;
        if (!hpm_usage_fields[i].is_known) {
            hpm_error_set(err, "Linux does not keep it");
            return HPM_FINDING_FAILED;
        }
        return fill_event(ret_event, FROM_RUSAGE, i,
                          hpm_usage_fields[i].description,
                          hpm_usage_fields[i].unit, err);
    }
    for (size_t i = 0; i < N_IO_FIELDS; i++) {
        if (strcmp(name, io_fields[i].name) != 0)
            continue;
        if (access("/proc/self/io", R_OK) != 0) {
            hpm_error_set(err, "/proc/self/io cannot be read here");
            return HPM_FINDING_FAILED;
        }
        return fill_event(ret_event, FROM_IO, i, io_fields[i].description,
                          io_fields[i].unit, err);
    }
    for (size_t i = 0; i < N_SCHEDULE_FIELDS; i++) {
        if (strcmp(name, schedule_fields[i].name) != 0)
            continue;
        if (access("/proc/self/schedstat", R_OK) != 0) {
            hpm_error_set(err, "/proc/self/schedstat cannot be read here");
            return HPM_FINDING_FAILED;
        }
        return fill_event(ret_event, FROM_SCHEDULE, i,
                          schedule_fields[i].description, "ns", err);
    }
    return HPM_FINDING_UNKNOWN;
}

bool
hpm_usage_take(const struct hpm_event *event, const struct rusage *usage,
               uint64_t *ret_value)
{
    if (event->source != &hpm_source_usage ||
        event->encoding.type != FROM_RUSAGE)
        return false;
    *ret_value = hpm_usage_value(usage, event->encoding.config);
    return true;
}

static uint64_t
io_number(const char *text, size_t field)
{
    const char *key = io_fields[field].key;
    const char *found = strstr(text, key);

    return found != NULL ? strtoull(found + strlen(key), NULL, 10) : 0;
}

void
hpm_usage_read_io(bool is_first, struct hpm_usage_io *ret_io)
{
    char text[512];
    long length = hpm_procfile_read("/proc/self/io", text, sizeof text);

    *ret_io = (struct hpm_usage_io){.is_known = length > 0};
    if (length <= 0)
        return;
    for (size_t i = 0; i < N_IO_FIELDS; i++)
        ret_io->values[i] = io_number(text, i);
    if (is_first) {
        ret_io->values[FIELD_RCHAR] += (uint64_t)length;
        ret_io->values[FIELD_SYSCR] += 2; /* the text, and its end */
    }
}

bool
hpm_usage_is_io(const struct hpm_event *event)
{
    return event->source == &hpm_source_usage &&
           event->encoding.type == FROM_IO;
}

bool
hpm_usage_take_io(const struct hpm_event *event,
                  const struct hpm_usage_io *before,
                  const struct hpm_usage_io *after, uint64_t *ret_value)
{
    size_t field = event->encoding.config;

    if (!hpm_usage_is_io(event) || !before->is_known || !after->is_known)
        return false;
    *ret_value = after->values[field] - before->values[field];
    return true;
}

static void
usage_list(void (*visit)(const char *name, void *context), void *context)
{
    for (size_t i = 0; i < HPM_USAGE_FIELDS; i++) {
        if (hpm_usage_fields[i].is_known)
            visit(hpm_usage_fields[i].name, context);
    }
    for (size_t i = 0; i < N_IO_FIELDS; i++)
        visit(io_fields[i].name, context);
    for (size_t i = 0; i < N_SCHEDULE_FIELDS; i++)
        visit(schedule_fields[i].name, context);
}

struct usage_counting {
    struct hpm_meter *meter;
    bool needs_rusage;
    bool needs_io;
    bool needs_schedule;
    struct hpm_procfile io, schedule;
    uint64_t first[N_IO_FIELDS]; /* the fields' values at the opening */
    size_t n;
    struct {
        uint32_t type;
        uint16_t field;
        uint16_t slot;
    } items[HPM_MAX_ALL_EVENTS];
};

static void
name_file(const struct hpm_meter *meter, const char *name, char *ret_path,
          size_t size)
{
    if (meter->target == HPM_TARGET_THREAD)
        snprintf(ret_path, size, "/proc/thread-self/%s", name);
    else if (meter->target == HPM_TARGET_PROGRAM)
        snprintf(ret_path, size, "/proc/%ld/%s", (long)meter->pid, name);
    else
        snprintf(ret_path, size, "/proc/self/%s", name);
}

/* Not for a program: its files are read only once or twice. */
static void
hold_file(const struct hpm_meter *meter, const char *name, bool is_needed,
          struct hpm_procfile *file)
{
    char path[64];

    file->fd = -1;
    if (!is_needed || meter->target == HPM_TARGET_PROGRAM)
        return;
    name_file(meter, name, path, sizeof path);
    hpm_procfile_hold(file, path);
}

/* Does the text begin like one of these files?  The program may have opened
 * another file with our descriptor's number. */
static bool
is_ours(const char *text)
{
    return strncmp(text, "rchar:", 6) == 0 || (*text >= '0' && *text <= '9');
}

/* Counts our reads.  The texts get longer as their numbers grow, so no cost
 * measured before tells how many bytes a reading takes.  Other reads of ours
 * (of counters' descriptors) are the same at each start and stop, and are
 * subtracted like other costs. */
static void
note_reads(unsigned n_calls, long length)
{
    uint64_t bytes = length > 0 ? (uint64_t)length : 0;

    own_here.calls += n_calls;
    own_here.bytes += bytes;
    atomic_fetch_add_explicit(&all_own_calls, n_calls, memory_order_relaxed);
    atomic_fetch_add_explicit(&all_own_bytes, bytes, memory_order_relaxed);
}

/* Disables cancellation: reading a file is a cancellation point, a start or
 * stop of a section must not be one. */
static bool
read_file(const struct hpm_meter *meter, const struct hpm_procfile *file,
          const char *name, char *ret_text, size_t size)
{
    char path[64];
    int state;
    long length;
    bool is_good;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    length = hpm_procfile_reread(file, ret_text, size);
    is_good = length > 0 && is_ours(ret_text);
    note_reads(file->fd >= 0, length);
    if (!is_good) {
        name_file(meter, name, path, sizeof path);
        length = hpm_procfile_read(path, ret_text, size);
        is_good = length > 0;
        note_reads(is_good ? 2 : 0, length); /* hpm_procfile_read reads until
                                              * the end */
    }
    pthread_setcancelstate(state, &state);
    return is_good;
}

/* Our own reads that a field includes and that nothing else subtracts. */
static uint64_t
own_part(const struct usage_counting *counting, const struct own_reads *own,
         size_t field)
{
    if (counting->meter->target == HPM_TARGET_PROGRAM)
        return 0;
    if (field == FIELD_RCHAR)
        return own->bytes;
    return field == FIELD_SYSCR ? own->calls : 0;
}

/* `own` is from before this reading, whose own read is not yet in the text. */
static uint64_t
io_value(const struct usage_counting *counting, const struct own_reads *own,
         const char *text, size_t field)
{
    return io_number(text, field) - own_part(counting, own, field) -
           counting->first[field];
}

/* A thread's own reads; for the process those of all threads. */
static struct own_reads
own_reads_of(const struct usage_counting *counting)
{
    if (counting->meter->target == HPM_TARGET_THREAD)
        return own_here;
    return (struct own_reads){
        .calls = atomic_load_explicit(&all_own_calls, memory_order_relaxed),
        .bytes = atomic_load_explicit(&all_own_bytes, memory_order_relaxed)};
}

/* Keep the values at the opening: what a thread did before it was measured does
 * not count. */
static void
take_first(struct usage_counting *counting)
{
    struct own_reads own = own_reads_of(counting);
    char text[512];

    if (counting->needs_io && counting->meter->target != HPM_TARGET_PROGRAM &&
        read_file(counting->meter, &counting->io, "io", text, sizeof text)) {
        for (size_t i = 0; i < N_IO_FIELDS; i++)
            counting->first[i] = io_value(counting, &own, text, i);
    }
}

static void *
usage_open(struct hpm_meter *meter)
{
    struct usage_counting *counting = hpm_memory_new_apart(sizeof *counting);

    for (size_t i = 0; i < meter->n_events; i++) {
        const struct hpm_event *event = &meter->set->events[i];

        if (event->source != &hpm_source_usage)
            continue;
        if (counting == NULL) {
            hpm_meter_fail(meter, i, HPM_STATE_UNSUPPORTED, "out of memory");
            continue;
        }
        counting->items[counting->n].type = event->encoding.type;
        counting->items[counting->n].field = (uint16_t)event->encoding.config;
        counting->items[counting->n].slot = (uint16_t)(1 + i);
        counting->n++;
        counting->needs_rusage |= event->encoding.type == FROM_RUSAGE;
        counting->needs_io |= event->encoding.type == FROM_IO;
        counting->needs_schedule |= event->encoding.type == FROM_SCHEDULE;
    }
    if (counting == NULL)
        return NULL;
    counting->meter = meter;
    if (counting->needs_rusage && meter->target != HPM_TARGET_PROGRAM)
        hpm_ownusage_watch();
    hold_file(meter, "io", counting->needs_io, &counting->io);
    hold_file(meter, "schedstat", counting->needs_schedule,
              &counting->schedule);
    take_first(counting);
    return counting;
}

static void
read_rusage(enum hpm_target target, struct rusage *ret_usage)
{
    if (target == HPM_TARGET_THREAD)
        getrusage(RUSAGE_THREAD, ret_usage);
    else if (target == HPM_TARGET_PROCESS)
        hpm_usage_of_process(ret_usage);
    else
        getrusage(RUSAGE_CHILDREN, ret_usage);
    if (target != HPM_TARGET_PROGRAM)
        hpm_ownusage_take_off(ret_usage, target == HPM_TARGET_THREAD);
}

/* The number of index `field` in a line. */
static uint64_t
schedule_value(const char *text, size_t field)
{
    char *rest;

    for (size_t i = 0; i < field; i++) {
        strtoull(text, &rest, 10);
        text = rest;
    }
    return strtoull(text, NULL, 10);
}

/* The program was waited for, so its files are gone: the last values read stay,
 * which were read after its end. */
static bool
is_gone(const struct hpm_meter *meter)
{
    return meter->target == HPM_TARGET_PROGRAM && kill(meter->pid, 0) != 0 &&
           errno == ESRCH;
}

/* Has the program ended, and not been waited for yet?  Then its i/o is not
 * lost: wait adds it to the parent's /proc/self/io (hpm_usage_take_io). */
static bool
is_told_by_wait(const struct hpm_meter *meter, uint32_t type)
{
    siginfo_t info = {0};

    return meter->target == HPM_TARGET_PROGRAM && type == FROM_IO &&
           waitid(P_PID, (id_t)meter->pid, &info,
                  WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid != 0;
}

static void
usage_read(void *context, uint64_t *slots)
{
    const struct usage_counting *counting = context;
    enum hpm_target target = counting->meter->target;
    struct own_reads own = own_reads_of(counting);
    struct rusage usage;
    char io[512], schedule[128];
    bool has_io =
        counting->needs_io &&
        read_file(counting->meter, &counting->io, "io", io, sizeof io);
    bool has_schedule = counting->needs_schedule &&
                        read_file(counting->meter, &counting->schedule,
                                  "schedstat", schedule, sizeof schedule);

    if (counting->needs_rusage)
        read_rusage(target, &usage);
    for (size_t i = 0; i < counting->n; i++) {
        uint16_t slot = counting->items[i].slot;
        uint16_t field = counting->items[i].field;
        uint32_t type = counting->items[i].type;

        if (type == FROM_RUSAGE)
            slots[slot] = hpm_usage_value(&usage, field);
        else if (type == FROM_IO && has_io)
            slots[slot] = io_value(counting, &own, io, field);
        else if (type == FROM_SCHEDULE && has_schedule)
            slots[slot] = schedule_value(schedule, field);
        else if (!is_gone(counting->meter) &&
                 !is_told_by_wait(counting->meter, type))
            hpm_meter_fail(counting->meter, slot - 1u, HPM_STATE_LOST,
                           "its file in /proc could not be read any more");
    }
}

static void
usage_close(void *context)
{
    struct usage_counting *counting = context;

    hpm_procfile_release(&counting->io);
    hpm_procfile_release(&counting->schedule);
    hpm_memory_free(counting);
}

const struct hpm_source hpm_source_usage = {
    .name = "usage",
    .opens_alone = true,
    .is_own_thread_only = true,
    .find = usage_find,
    .list = usage_list,
    .open = usage_open,
    .read = usage_read,
    .close = usage_close,
};
