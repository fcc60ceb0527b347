/* SPDX-License-Identifier: BSD-3-Clause
 * Lists of events, with simulated sources so that every answer is known. */
#include "source/eventset.h"

#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "source/hardware.h"
#include "source/sources.h"
#include "tap.h"

/* ---- sources --------------------------------------------------------- */

static const struct hpm_source fruit, vegetables;

static enum hpm_finding
find_found(const struct hpm_source *source, struct hpm_event *ret_event,
           struct hpm_error *err)
{
    ret_event->description = hpm_memory_copy_text("food");
    ret_event->unit = hpm_memory_copy_text("");
    if (ret_event->description == NULL || ret_event->unit == NULL) {
        hpm_memory_free(ret_event->description);
        hpm_memory_free(ret_event->unit);
        ret_event->description = ret_event->unit = NULL;
        hpm_error_no_memory(err);
        return HPM_FINDING_FAILED;
    }
    ret_event->source = source;
    return HPM_FINDING_FOUND;
}

/* This source knows names that begin with "apple" or "crate/", and cannot count
 * "unripe...". */
static enum hpm_finding
find_fruit(const char *name, enum hpm_domain domain,
           struct hpm_event *ret_event, struct hpm_error *err)
{
    (void)domain;
    if (strncmp(name, "unripe", 6) == 0 || strcmp(name, "tomato") == 0) {
        hpm_error_set(err, "not ripe yet");
        return HPM_FINDING_FAILED;
    }
    if (strncmp(name, "apple", 5) != 0 && strncmp(name, "crate/", 6) != 0)
        return HPM_FINDING_UNKNOWN;
    return find_found(&fruit, ret_event, err);
}

static enum hpm_finding
find_vegetable(const char *name, enum hpm_domain domain,
               struct hpm_event *ret_event, struct hpm_error *err)
{
    (void)domain;
    if (strcmp(name, "unripe-bean") == 0 || strcmp(name, "mouldy") == 0) {
        hpm_error_set(err, "not for eating");
        return HPM_FINDING_FAILED;
    }
    if (strcmp(name, "carrot") != 0 && strcmp(name, "tomato") != 0)
        return HPM_FINDING_UNKNOWN;
    return find_found(&vegetables, ret_event, err);
}

static void
list_fruit(void (*visit)(const char *name, void *context), void *context)
{
    visit("apple", context);
    visit("apple-red", context);
}

static void
list_vegetables(void (*visit)(const char *name, void *context), void *context)
{
    visit("carrot", context);
}

static const struct hpm_source fruit = {
    .name = "fruit", .find = find_fruit, .list = list_fruit};
static const struct hpm_source vegetables = {
    .name = "vegetables", .find = find_vegetable, .list = list_vegetables};
static const struct hpm_source *const both[] = {&fruit, &vegetables, NULL};
static const struct hpm_source *const none[] = {NULL};

/* ---- a set for each test --------------------------------------------- */

static struct hpm_eventset set;
static struct hpm_error error;

static bool
add(const char *list)
{
    error.text[0] = '\0';
    return hpm_eventset_add(&set, list, HPM_DOMAIN_USER, both, &error);
}

/* The names in the set with a blank between. */
static void
check_names(const char *expected, const char *sentence)
{
    struct hpm_string names = {0};

    for (size_t i = 0; i < set.n_events; i++) {
        hpm_string_add(&names, i > 0 ? " " : "");
        hpm_string_add(&names, set.events[i].name);
    }
    is_text(hpm_string_text(&names), expected, sentence);
    hpm_string_free(&names);
    hpm_eventset_clear(&set);
}

static void
check_list(const char *list, const char *expected, const char *sentence)
{
    ok(add(list), "a list is taken");
    check_names(expected, sentence);
}

static void
check_error(const char *list, const char *expected, const char *sentence)
{
    ok(!add(list), sentence);
    is_text(error.text, expected, "the message says what is wrong");
    hpm_eventset_clear(&set);
}

/* ---- lists ----------------------------------------------------------- */

static void
test_lists(void)
{
    check_list("apple", "apple", "one event");
    check_list("carrot,apple,apple-red", "carrot apple apple-red",
               "events stay in the order of the list");
    check_list("apple, carrot,  apple-red", "apple carrot apple-red",
               "blanks after a comma are nothing");
    check_list(" apple ,carrot ", "apple carrot",
               "so are blanks before one and at the ends");
    check_list("crate/a=1,b=2/,apple,crate/c,d/",
               "crate/a=1,b=2/ apple "
               "crate/c,d/",
               "a comma between slashes belongs to the name");
    check_list("apple,carrot,apple", "apple carrot",
               "what is there already is skipped");
    add("apple,carrot");
    check_list("carrot,apple-red,apple", "apple carrot apple-red",
               "also what came with another list");
}

static void
test_found(void)
{
    ok(add("apple,carrot"), "known events are added");
    ok(set.events[0].source == &fruit && set.events[1].source == &vegetables,
       "each from the source that knows it");
    ok(set.events[0].state == HPM_STATE_COUNTED &&
           set.events[0].reason == NULL &&
           set.events[0].domain == HPM_DOMAIN_USER && !set.events[0].is_hidden,
       "ready to be counted");
    is_count(set.n_thread_events, 2, "in threads as well");
    hpm_eventset_clear(&set);
    is_count(set.n_events, 0, "a cleared set is empty");
}

static void
check_reason(const char *name, const char *expected, const char *sentence)
{
    ok(add(name) && set.n_events == 1 && set.events[0].source == NULL &&
           set.events[0].state == HPM_STATE_UNSUPPORTED,
       "what cannot be counted is added all the same");
    is_text(set.n_events > 0 ? set.events[0].reason : NULL, expected, sentence);
    hpm_eventset_clear(&set);
}

static void
test_not_countable(void)
{
    check_reason("aple", "unknown on this machine; did you mean 'apple'?",
                 "an unknown event gets the nearest name");
    check_reason("carort", "unknown on this machine; did you mean 'carrot'?",
                 "of any source");
    check_reason("potato",
                 "unknown on this machine; 'hpmcount -l' lists what is known",
                 "or, where none is near, the list");
    check_reason("node::energy-pkg",
                 "it is of the whole node, not of one program; hpmcount alone "
                 "counts it, by the kernel (HPM_SOURCE unset or kernel)",
                 "what is of the node belongs to hpmcount");
    check_reason("unripe-pear", "not ripe yet",
                 "what a source cannot count has its reason");
    check_reason("mouldy", "not for eating", "of any source");
    check_reason("unripe-bean", "not ripe yet", "of the first that knows it");
    ok(add("tomato") && set.events[0].source == &vegetables &&
           set.events[0].reason == NULL,
       "what a later source can count is counted");
    hpm_eventset_clear(&set);
}

static void
test_no_source(void)
{
    ok(hpm_eventset_add(&set, "apple", HPM_DOMAIN_USER, none, NULL),
       "without a source, events are added");
    is_text(set.events[0].reason, "no source is in use (HPM_SOURCE=none)",
            "and say so");
    hpm_eventset_clear(&set);
}

static void
test_sources(void)
{
    static const char *const words[] = {"auto",  "kernel", "papi",
                                        "usage", "replay", "none"};
    struct hpm_error err;

    ok(hpm_sources_choose("kernels", &err) == NULL,
       "a word that is no source is none");
    is_text(err.text,
            "HPM_SOURCE='kernels' is unknown; expected auto, kernel, papi, "
            "usage, replay or none",
            "and those there are are named");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        ok(strstr(err.text, words[i]) != NULL &&
               hpm_sources_choose(words[i], NULL) != NULL,
           "each of them is one");
}

static void
test_empty_names(void)
{
    static const char expected[] = "empty event name in the list; expected "
                                   "names with commas between them";

    check_error("", expected, "an empty list is an error");
    check_error("apple,,carrot", expected, "so are two commas");
    check_error("apple,", expected, "so is a comma at the end");
    check_error(",apple", expected, "so is one in front");
    check_error("apple, ,carrot", expected, "so is nothing but a blank");
}

static void
fill_up(int n)
{
    for (int i = 0; i < n; i++) {
        char name[32];

        snprintf(name, sizeof name, "apple%d", i);
        add(name);
    }
}

static void
test_too_many(void)
{
    fill_up(HPM_MAX_EVENTS);
    is_count(set.n_events, 64, "64 events are allowed");
    ok(add("apple0,apple63"), "what is there already is no 65th");
    check_error("apple64,apple65",
                "more than 64 events; leave out 'apple64' and what follows",
                "a 65th is an error");
    fill_up(HPM_MAX_EVENTS - 1);
    ok(!add("carrot,tomato"), "in the middle of a list, too");
    is_count(set.n_thread_events, set.n_events, "what was added is counted");
    hpm_eventset_clear(&set);
}

static void
test_long_name(void)
{
    char name[300] = "apple";

    memset(name + 5, 'x', 250);
    ok(add(name) && strcmp(set.events[0].name, name) == 0,
       "a name may have 255 characters");
    hpm_eventset_clear(&set);
    memset(name + 5, 'x', 294);
    ok(!add(name) && strstr(error.text, "'applexx") != NULL,
       "a longer one is an error that begins with it");
    hpm_eventset_clear(&set);
}

/* ---- choosing -------------------------------------------------------- */

static void
set_variables(const char *events, const char *named, const char *old_named)
{
    setenv("HPM_EVENTS", events, 1);
    setenv("HPM_SET", named, 1);
    setenv("HPM_EVENT_SET", old_named, 1);
}

static bool
choose(const char *list, const char *set_name)
{
    error.text[0] = '\0';
    return hpm_eventset_choose(&set, list, set_name, HPM_DOMAIN_USER, both,
                               &error);
}

static void
check_choice(const char *list, const char *set_name, const char *expected,
             const char *sentence)
{
    ok(choose(list, set_name), "a choice is taken");
    check_names(expected, sentence);
}

static void
test_choice(void)
{
    set_variables("apple,carrot", "basic", "io");
    check_choice(NULL, NULL, "apple carrot", "HPM_EVENTS comes first");
    check_choice("tomato", NULL, "tomato", "but an option before it");
    check_choice(NULL, "basic", "cycles instructions", "so does a set's");
    check_choice("apple", "basic", "cycles instructions apple",
                 "a set and a list add up");
    set_variables("", "basic", "io");
    check_choice(NULL, NULL, "cycles instructions", "then HPM_SET");
    set_variables("", "", "io");
    check_choice(NULL, NULL, "proc::rchar proc::wchar proc::syscr proc::syscw",
                 "then HPM_EVENT_SET");
    set_variables("", "", "");
    check_choice(NULL, NULL,
                 hpm_hardware_is_usable(NULL)
                     ? "cycles instructions"
                     : "task-clock page-faults context-switches",
                 "then what every machine like this one has");
    ok(hpm_eventset_choose(&set, NULL, NULL, HPM_DOMAIN_USER, none, NULL) &&
           set.n_events == 0,
       "and without a source nothing");
}

static void
test_unknown_set(void)
{
    static const char expected[] =
        "there is no set of events 'fruits'; expected one of:";

    set_variables("", "", "");
    ok(!choose(NULL, "fruits"), "a set that does not exist is an error");
    ok(strncmp(error.text, expected, sizeof expected - 1) == 0,
       "the message names it");
    for (int i = 0; hpm_named_sets[i].name != NULL; i++)
        ok(strstr(error.text, hpm_named_sets[i].name) != NULL,
           "and each set there is");
    set_variables("", "fruits", "");
    ok(!choose(NULL, NULL), "in the environment, too");
    set_variables("", "", "5");
    ok(!choose(NULL, NULL), "in the old variable, too");
    set_variables("", "", "");
}

static void
test_named_sets(void)
{
    ok(hpm_named_set_find("BASIC") == hpm_named_set_find("basic") &&
           hpm_named_set_find("basic") != NULL,
       "a set is found in any case");
    ok(hpm_named_set_find("") == NULL && hpm_named_set_find("basi") == NULL,
       "but only by its whole name");
    for (int i = 0; hpm_named_sets[i].name != NULL; i++) {
        const struct hpm_named_set *named = &hpm_named_sets[i];

        ok(hpm_named_set_find(named->name) == named &&
               named->purpose[0] != '\0' && add(named->events),
           "each set has a name, a purpose and a good list");
        hpm_eventset_clear(&set);
    }
}

/* ---- explaining ------------------------------------------------------ */

static void
test_explain(void)
{
    struct hpm_string lines = {0};

    add("apple,carrot");
    hpm_eventset_explain(&set, &lines);
    is_text(hpm_string_text(&lines), "", "what is counted needs no words");
    add("unripe-pear,aple,mouldy,unripe-plum,apple-red,potato,unripe-bean");
    hpm_eventset_explain(&set, &lines);
    is_text(hpm_string_text(&lines),
            "not counted: 'unripe-pear', 'unripe-plum', 'unripe-bean': "
            "not ripe yet\n"
            "not counted: 'aple': unknown on this machine; did you mean "
            "'apple'?\n"
            "not counted: 'mouldy': not for eating\n"
            "not counted: 'potato': unknown on this machine; 'hpmcount -l' "
            "lists what is known\n",
            "events with the same reason share a line");
    hpm_string_free(&lines);
    hpm_eventset_clear(&set);
}

static void
test_process_events(void)
{
    add("apple,carrot");
    ok(hpm_eventset_add_process(&set, "carrot,apple-red,tomato",
                                HPM_DOMAIN_USER, both, &error),
       "events can be added per process");
    is_count(set.n_events, 4, "but for those that are there");
    is_count(set.n_thread_events, 2, "threads do not count them");
    ok(!set.events[0].is_hidden && !set.events[1].is_hidden &&
           set.events[2].is_hidden && set.events[3].is_hidden,
       "they are not shown at first");
    ok(!hpm_eventset_add_process(&set, "unripe,,apple", HPM_DOMAIN_USER, both,
                                 &error) &&
           set.n_thread_events == 2 && set.n_events == 5 &&
           set.events[4].is_hidden,
       "nor those of a list that breaks off");
    hpm_eventset_clear(&set);
}

static void
test_process_room(void)
{
    fill_up(HPM_MAX_EVENTS);
    for (int i = HPM_MAX_EVENTS; i < HPM_MAX_ALL_EVENTS; i++) {
        char name[32];

        snprintf(name, sizeof name, "apple%d", i);
        hpm_eventset_add_process(&set, name, HPM_DOMAIN_USER, both, NULL);
    }
    is_count(set.n_events, HPM_MAX_ALL_EVENTS,
             "there is room for them beside 64 events");
    ok(!hpm_eventset_add_process(&set, "carrot", HPM_DOMAIN_USER, both,
                                 &error) &&
           strstr(error.text, "'carrot'") != NULL,
       "but not for any number");
    is_count(set.n_thread_events, HPM_MAX_EVENTS, "threads have their 64");
    hpm_eventset_clear(&set);
}

/* ---- memory ---------------------------------------------------------- */

/* Every event in the set has a name, and either a source or the state of an
 * event without one. */
static bool
is_set_right(void)
{
    bool is_right = set.n_thread_events == set.n_events;

    for (size_t i = 0; i < set.n_events; i++) {
        const struct hpm_event *event = &set.events[i];

        is_right =
            is_right && event->name != NULL &&
            (event->source != NULL) == (event->state == HPM_STATE_COUNTED);
    }
    return is_right;
}

/* Has each event that can be counted its source, and each other one its
 * reason? */
static bool
is_set_whole(void)
{
    return set.n_events == 6 && set.events[0].source == &fruit &&
           set.events[1].source == &vegetables &&
           set.events[2].source == &fruit && set.events[3].reason != NULL &&
           set.events[4].reason != NULL && set.events[5].source == &vegetables;
}

static void
test_no_memory(void)
{
    static const char list[] = "apple,carrot,crate/a,b/,unripe,aple,tomato";
    bool is_right = true, is_whole = false;
    unsigned long k;

    for (k = 1; k < 200 && !is_whole; k++) {
        for (int for_ever = 0; for_ever < 2; for_ever++) {
            struct hpm_string lines = {0};
            bool is_added;

            hpm_memory_fail_at(k, for_ever);
            is_added = add(list);
            hpm_memory_fail_at(0, false);
            is_whole = is_added && is_set_whole();
            is_right = is_right && is_set_right() &&
                       (is_added || error.text[0] != '\0');
            hpm_eventset_explain(&set, &lines);
            hpm_string_free(&lines);
            hpm_eventset_clear(&set);
        }
    }
    ok(is_whole && k > 15, "every allocation has failed once");
    ok(is_right, "without memory, the events that are there are right");
}

int
main(void)
{
    test_lists();
    test_found();
    test_not_countable();
    test_no_source();
    test_sources();
    test_empty_names();
    test_too_many();
    test_long_name();
    test_choice();
    test_unknown_set();
    test_named_sets();
    test_explain();
    test_process_events();
    test_process_room();
    test_no_memory();
    return done();
}
