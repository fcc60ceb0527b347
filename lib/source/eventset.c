/* SPDX-License-Identifier: BSD-3-Clause
 * The events of one run, in the order the user named them. */
#include "source/eventset.h"

#include <linux/perf_event.h>
#include <string.h>

#include "base/env.h"
#include "base/string.h"
#include "host/memory.h"
#include "source/eventfile.h"
#include "source/hardware.h"
#include "source/kinds.h"
#include "source/wrongcodes.h"

enum { MAX_NAME = 256 }; /* bytes of an event's name, with its end */

const struct hpm_named_set hpm_named_sets[] = {
    {"software", "task-clock,page-faults,context-switches,cpu-migrations",
     "what the kernel counts on every machine"},
    {"usage", "ru::utime,ru::stime,ru::minflt,ru::majflt,ru::nvcsw,ru::nivcsw",
     "resource usage at the edges of sections"},
    {"io", "proc::rchar,proc::wchar,proc::syscr,proc::syscw",
     "bytes and calls of read and write"},
    {"basic", "cycles,instructions", "how fast instructions complete"},
    {"branches", "cycles,instructions,branches,branch-misses",
     "how well branches are predicted"},
    {"cache", "cycles,instructions,cache-references,cache-misses",
     "accesses of the last cache level, and misses"},
    {NULL, NULL, NULL},
};

const struct hpm_named_set *
hpm_named_set_find(const char *name)
{
    for (const struct hpm_named_set *set = hpm_named_sets; set->name; set++) {
        if (hpm_string_same_word(set->name, name))
            return set;
    }
    return NULL;
}

void
hpm_eventset_clear(struct hpm_eventset *set)
{
    for (size_t i = 0; i < set->n_events; i++)
        hpm_event_clear(&set->events[i]);
    hpm_memory_free(set->events);
    hpm_memory_free(set->note);
    *set = (struct hpm_eventset){0};
}

/* Libraries beside this one count these, where they are loaded: libhpm_openmp and
 * libhpm_mpi. */
static bool
is_brought(const char *name)
{
    return strncmp(name, "openmp::", 8) == 0 || strncmp(name, "mpi::", 5) == 0;
}

struct nearest {
    const char *wanted;
    unsigned edits;
    bool has_kin; /* is there one of the same word before "::"? */
    char name[64];
};

static void
keep_nearest(const char *name, void *context)
{
    struct nearest *nearest = context;
    unsigned edits = hpm_string_distance(nearest->wanted, name, nearest->edits);

    nearest->has_kin |=
        strncmp(name, nearest->wanted, strcspn(name, ":") + 2) == 0;
    if (edits < nearest->edits && strlen(name) < sizeof nearest->name) {
        nearest->edits = edits;
        strcpy(nearest->name, name);
    }
}

static void
explain_unknown(const char *name, const struct hpm_source *const *sources,
                struct hpm_error *err)
{
    struct nearest nearest = {.wanted = name, .edits = 3};
    int length = (int)strcspn(name, ":");

    for (size_t i = 0; sources[i] != NULL; i++)
        sources[i]->list(keep_nearest, &nearest);
    if (sources[0] == NULL)
        hpm_error_set(err, "no source is in use (HPM_SOURCE=none)");
    else if (is_brought(name) && !nearest.has_kin)
        hpm_error_set(err,
                      "libhpm_%.*s counts it in programs that load it "
                      "(hpmcount --%.*s)",
                      length, name, length, name);
    else if (nearest.name[0] != '\0')
        hpm_error_set(err, "unknown on this machine; did you mean '%s'?",
                      nearest.name);
    else
        hpm_error_set(err, "unknown on this machine; "
                           "'hpmcount -l' lists what is known");
}

/* Other sources would only say that they do not know such a name. */
static bool
is_of_node(const char *name)
{
    return strncmp(name, "node::", 6) == 0;
}

static void
fail_event(struct hpm_event *event, const struct hpm_error *err)
{
    event->state = HPM_STATE_UNSUPPORTED;
    event->reason = hpm_memory_copy_text(err->text);
}

/* Ask the sources in order.  The first that knows the name decides, unless it
 * cannot count the event and a later one can. */
static void
find_event(struct hpm_event *event, enum hpm_domain domain,
           const struct hpm_source *const *sources, struct hpm_error *err)
{
    bool is_known = false;

    for (size_t i = 0; sources[i] != NULL; i++) {
        struct hpm_error why;

        switch (sources[i]->find(event->name, domain, event, &why)) {
        case HPM_FINDING_FOUND:
            return;
        case HPM_FINDING_ZERO:
            *err = why;
            fail_event(event, err);
            return;
        case HPM_FINDING_FAILED:
            if (!is_known)
                *err = why;
            is_known = true;
            break;
        case HPM_FINDING_UNKNOWN:
            break;
        }
    }
    if (sources[0] != NULL && is_of_node(event->name))
        hpm_error_set(err, "it is of the whole node, not of one program; "
                           "hpmcount alone counts it, by the kernel "
                           "(HPM_SOURCE unset or kernel)");
    else if (!is_known)
        explain_unknown(event->name, sources, err);
    fail_event(event, err);
}

static bool
has_event(const struct hpm_eventset *set, const char *name)
{
    for (size_t i = 0; i < set->n_events; i++) {
        if (strcmp(set->events[i].name, name) == 0)
            return true;
    }
    return false;
}

static bool
add_one(struct hpm_eventset *set, const char *text, enum hpm_domain domain,
        const struct hpm_source *const *sources, size_t limit,
        struct hpm_error *err)
{
    struct hpm_event *event;
    struct hpm_error why;

    if (has_event(set, text))
        return true;
    if (set->n_events >= limit)
        return hpm_error_set(err,
                             "more than %zu events; leave out '%s' and "
                             "what follows",
                             limit, text);
    if (!hpm_memory_grow(&set->events, &set->capacity, set->n_events + 1,
                         sizeof *set->events))
        return hpm_error_no_memory(err);
    event = &set->events[set->n_events];
    *event = (struct hpm_event){.domain = domain};
    event->name = hpm_memory_copy_text(text);
    if (event->name == NULL)
        return hpm_error_no_memory(err);
    find_event(event, domain, sources, &why);
    if (has_event(set, event->name)) { /* "name=" gave it that name */
        hpm_error_set(err,
                      "two events are named '%.60s'; give '%.100s' "
                      "another name",
                      event->name, text);
        hpm_event_clear(event);
        return false;
    }
    set->n_events++;
    return true;
}

/* If the processor has cores of several kinds, the kernel's name of an event
 * stands for one event on each kind: add one for each. */
static bool
add_event(struct hpm_eventset *set, const char *name, size_t length,
          enum hpm_domain domain, const struct hpm_source *const *sources,
          size_t limit, struct hpm_error *err)
{
    char text[MAX_NAME], of_kind[MAX_NAME];
    size_t kind = 0;

    for (; length > 0 && *name == ' '; length--)
        name++;
    while (length > 0 && name[length - 1] == ' ')
        length--;
    if (length == 0)
        return hpm_error_set(err, "empty event name in the list; expected "
                                  "names with commas between them");
    if (length >= sizeof text)
        return hpm_error_set(err,
                             "event name '%.40s...' is longer than %zu "
                             "characters",
                             name, sizeof text - 1);
    memcpy(text, name, length);
    text[length] = '\0';
    while (sources[0] == &hpm_source_kernel &&
           hpm_kinds_spell(text, kind, of_kind, sizeof of_kind)) {
        if (!add_one(set, of_kind, domain, sources, limit, err))
            return false;
        kind++;
    }
    return kind > 0 || add_one(set, text, domain, sources, limit, err);
}

static bool
add_list(struct hpm_eventset *set, const char *list, enum hpm_domain domain,
         const struct hpm_source *const *sources, size_t limit,
         struct hpm_error *err)
{
    bool in_slashes = false;
    const char *name = list;

    for (const char *c = list;; c++) {
        if (*c == '/')
            in_slashes = !in_slashes;
        if (*c != '\0' && (*c != ',' || in_slashes))
            continue;
        if (!add_event(set, name, (size_t)(c - name), domain, sources, limit,
                       err))
            return false;
        if (*c == '\0')
            return true;
        name = c + 1;
    }
}

bool
hpm_eventset_add(struct hpm_eventset *set, const char *list,
                 enum hpm_domain domain,
                 const struct hpm_source *const *sources, struct hpm_error *err)
{
    bool is_good = add_list(set, list, domain, sources, HPM_MAX_EVENTS, err);

    set->n_thread_events = set->n_events;
    return is_good;
}

static bool
add_named_set(struct hpm_eventset *set, const char *name,
              enum hpm_domain domain, const struct hpm_source *const *sources,
              struct hpm_error *err)
{
    const struct hpm_named_set *named = hpm_named_set_find(name);
    struct hpm_string names = {0};

    if (named != NULL)
        return hpm_eventset_add(set, named->events, domain, sources, err);
    for (named = hpm_named_sets; named->name != NULL; named++)
        hpm_string_add_format(&names, " %s", named->name);
    hpm_error_set(err, "there is no set of events '%.40s'; expected one of:%s",
                  name, hpm_string_text(&names));
    hpm_string_free(&names);
    return false;
}

/* Add the events that the first source offers as its default; an empty offer is
 * no error. */
static bool
add_offered(struct hpm_eventset *set, enum hpm_domain domain,
            const struct hpm_source *const *sources, struct hpm_error *err)
{
    struct hpm_string list = {0};
    bool is_good = sources[0]->offer(&list, err);

    if (is_good && list.length > 0)
        is_good = hpm_eventset_add(set, list.text, domain, sources, err);
    hpm_string_free(&list);
    return is_good;
}

/* Remove the events after the first `n` that cannot be counted. */
static void
drop_uncountable(struct hpm_eventset *set, size_t n)
{
    while (set->n_events > n &&
           set->events[set->n_events - 1].state == HPM_STATE_UNSUPPORTED)
        hpm_event_clear(&set->events[--set->n_events]);
    set->n_thread_events = set->n_events;
}

/* Add the events that the kernel counts on every machine, without those that
 * this user may not count, because nobody has asked for them.  If none is left,
 * the reasons are given.  Only the first source, the kernel, is asked: events
 * it refuses to an ordinary user it refuses to PAPI, too, and PAPI would be
 * loaded for nothing. */
static bool
add_software(struct hpm_eventset *set, enum hpm_domain domain,
             const struct hpm_source *const *sources, struct hpm_error *err)
{
    static const char *const names[] = {"task-clock", "page-faults",
                                        "context-switches"};
    const struct hpm_source *const first[] = {sources[0], NULL};
    size_t n = set->n_events;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t n_before = set->n_events;

        if (!hpm_eventset_add(set, names[i], domain, first, err))
            return false;
        drop_uncountable(set, n_before);
    }
    return set->n_events > n ||
           hpm_eventset_add(set, "task-clock,page-faults,context-switches",
                            domain, sources, err);
}

static bool
add_default(struct hpm_eventset *set, enum hpm_domain domain,
            const struct hpm_source *const *sources, struct hpm_error *err)
{
    const char *list = NULL;

    if (sources[0] == NULL)
        return true;
    if (sources[0]->offer != NULL)
        return add_offered(set, domain, sources, err);
    if (sources[0] == &hpm_source_usage) /* the kernel source is excluded */
        list = "ru::utime,ru::stime,ru::minflt";
    else if (hpm_hardware_is_usable(NULL))
        list = "cycles,instructions";
    if (sources[0] == &hpm_source_usage && sources[1] == &hpm_source_papi &&
        hpm_hardware_is_usable(NULL))
        list = "PAPI_TOT_CYC,PAPI_TOT_INS";
    return list != NULL ? hpm_eventset_add(set, list, domain, sources, err)
                        : add_software(set, domain, sources, err);
}

static void
note(struct hpm_eventset *set, const char *what, const char *consequence)
{
    struct hpm_string text = {0};

    if (set->note != NULL)
        hpm_string_add_format(&text, "%s\n", set->note);
    hpm_string_add_format(&text, "%s; %s", what, consequence);
    hpm_memory_free(set->note);
    set->note = text.text;
}

/* Only users of such a file need this note. */
static void
note_wrong_codes(struct hpm_eventset *set)
{
    struct hpm_error why;

    if (hpm_env_get(HPM_VARIABLE_WRONG_CODES) != NULL &&
        hpm_wrongcodes_complain(&why))
        note(set, why.text, "its faulty lines are left out");
}

/* The user may have forgotten such a file: its errors are noted, but not fatal.
 * False if the default events must be used. */
static bool
add_from_file(struct hpm_eventset *set, enum hpm_domain domain,
              const struct hpm_source *const *sources)
{
    struct hpm_string list = {0};
    struct hpm_error err;
    bool is_good = false;

    switch (hpm_eventfile_read(HPM_EVENTFILE_NAME, &list, &err)) {
    case HPM_EVENTFILE_NONE:
        hpm_string_free(&list);
        return false;
    case HPM_EVENTFILE_EVENTS:
        is_good = hpm_eventset_add(set, list.text, domain, sources, &err);
        break;
    case HPM_EVENTFILE_SET:
        is_good = add_named_set(set, list.text, domain, sources, &err);
        break;
    case HPM_EVENTFILE_BAD:
        break;
    }
    hpm_string_free(&list);
    if (is_good) {
        note(set, "the file " HPM_EVENTFILE_NAME " here chooses the events",
             "HPM_EVENTS takes precedence");
    } else {
        bool takes_turns = set->takes_turns;

        hpm_eventset_clear(set);
        set->takes_turns = takes_turns;
        note(set, err.text, "the file is left out");
    }
    return is_good;
}

static bool
add_chosen(struct hpm_eventset *set, const char *list, const char *set_name,
           enum hpm_domain domain, const struct hpm_source *const *sources,
           struct hpm_error *err)
{
    if (list == NULL && set_name == NULL)
        list = hpm_env_get(HPM_VARIABLE_EVENTS);
    if (list == NULL && set_name == NULL)
        set_name = hpm_env_get(HPM_VARIABLE_SET);
    if (list == NULL && set_name == NULL)
        set_name = hpm_env_get(HPM_VARIABLE_EVENT_SET);
    if (set_name != NULL && !add_named_set(set, set_name, domain, sources, err))
        return false;
    if (list != NULL)
        return hpm_eventset_add(set, list, domain, sources, err);
    return set_name != NULL ||
           (sources[0] != NULL && add_from_file(set, domain, sources)) ||
           add_default(set, domain, sources, err);
}

static void
settle(struct hpm_eventset *set, const struct hpm_source *const *sources)
{
    for (size_t i = 0; sources[i] != NULL; i++) {
        if (sources[i]->settle != NULL)
            sources[i]->settle(set);
    }
    note_wrong_codes(set);
}

bool
hpm_eventset_choose(struct hpm_eventset *set, const char *list,
                    const char *set_name, enum hpm_domain domain,
                    const struct hpm_source *const *sources,
                    struct hpm_error *err)
{
    bool is_good = add_chosen(set, list, set_name, domain, sources, err);

    settle(set, sources);
    return is_good;
}

bool
hpm_eventset_choose_default(struct hpm_eventset *set, enum hpm_domain domain,
                            const struct hpm_source *const *sources,
                            struct hpm_error *err)
{
    bool is_good = add_default(set, domain, sources, err);

    settle(set, sources);
    return is_good;
}

/* Replace PAPI's event by the kernel's, under the user's name and
 * description. */
static bool
replace(struct hpm_event *event, const char *kernel_name, struct hpm_error *err)
{
    struct hpm_event found = {.name = event->name};

    switch (
        hpm_source_kernel.find(kernel_name, event->domain_asked, &found, err)) {
    case HPM_FINDING_FOUND:
        hpm_memory_free(event->unit);
        hpm_memory_free(found.description);
        found.description = event->description;
        *event = found;
        return true;
    case HPM_FINDING_UNKNOWN:
        return hpm_error_set(err,
                             "PAPI counts '%s' for it, which libpfm4 "
                             "does not know here",
                             kernel_name);
    case HPM_FINDING_FAILED:
    case HPM_FINDING_ZERO:
        break;
    }
    return false;
}

void
hpm_eventset_settle_for_program(struct hpm_eventset *set)
{
    bool is_new = false;

    for (size_t i = 0; i < set->n_events; i++) {
        struct hpm_event *event = &set->events[i];
        struct hpm_error err;
        char name[256];

        if (event->source == NULL || event->source->translate == NULL)
            continue;
        if (event->source->translate(event, name, sizeof name, &err) &&
            replace(event, name, &err)) {
            is_new = true;
            continue;
        }
        event->source = NULL;
        fail_event(event, &err);
    }
    if (is_new)
        hpm_source_kernel.settle(set);
}

bool
hpm_eventset_is_charged(const struct hpm_eventset *set, size_t event)
{
    const struct hpm_event *asked = &set->events[event];

    return asked->source != NULL && !asked->is_coarse &&
           !asked->belongs_to_process &&
           (asked->source != &hpm_source_papi || asked->encoding.config == 0);
}

bool
hpm_eventset_has_hardware(const struct hpm_eventset *set)
{
    for (size_t i = 0; i < set->n_events; i++) {
        uint32_t type = set->events[i].encoding.type;

        if (set->events[i].source == &hpm_source_kernel &&
            (type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE ||
             type == PERF_TYPE_RAW))
            return true;
    }
    return false;
}

/* Is this the first event with its reason? */
static bool
is_first_of_reason(const struct hpm_eventset *set, size_t event)
{
    for (size_t i = 0; i < event; i++) {
        if (set->events[i].reason != NULL &&
            strcmp(set->events[i].reason, set->events[event].reason) == 0)
            return false;
    }
    return true;
}

void
hpm_eventset_explain(const struct hpm_eventset *set, struct hpm_string *lines)
{
    if (set->note != NULL)
        hpm_string_add_format(lines, "%s\n", set->note);
    for (size_t i = 0; i < set->n_events; i++) {
        const char *reason = set->events[i].reason;
        const char *separator = "";

        if (reason == NULL || !is_first_of_reason(set, i))
            continue;
        hpm_string_add(lines, "not counted: ");
        for (size_t j = i; j < set->n_events; j++) {
            if (set->events[j].reason == NULL ||
                strcmp(set->events[j].reason, reason) != 0)
                continue;
            hpm_string_add_format(lines, "%s'%s'", separator,
                                  set->events[j].name);
            separator = ", ";
        }
        hpm_string_add_format(lines, ": %s\n", reason);
    }
}

bool
hpm_eventset_add_process(struct hpm_eventset *set, const char *list,
                         enum hpm_domain domain,
                         const struct hpm_source *const *sources,
                         struct hpm_error *err)
{
    size_t first = set->n_events;
    bool is_good =
        add_list(set, list, domain, sources, HPM_MAX_ALL_EVENTS, err);

    for (size_t i = first; i < set->n_events; i++)
        set->events[i].is_hidden = true;
    return is_good;
}

/* Works as find_event, but does not search the nearest name, which takes longer
 * than all else when thousands of names are asked about. */
bool
hpm_eventset_can_count(const char *name, enum hpm_domain domain,
                       const struct hpm_source *const *sources)
{
    for (size_t i = 0; sources[i] != NULL && strlen(name) < MAX_NAME; i++) {
        struct hpm_event event = {.domain = domain};
        struct hpm_error why;

        switch (sources[i]->find(name, domain, &event, &why)) {
        case HPM_FINDING_FOUND:
            hpm_event_clear(&event);
            return true;
        case HPM_FINDING_ZERO:
            return false;
        default:
            break;
        }
    }
    return false;
}
