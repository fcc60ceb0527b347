/* SPDX-License-Identifier: BSD-3-Clause
 * The functions of the measured program. */
#include "functions/function.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "elf/wanted.h"
#include "functions/label.h"
#include "functions/objects.h"
#include "host/forklock.h"
#include "host/memory.h"
#include "record/noted.h"

enum { FIRST_BITS = 12, MOST_BITS = 22, N_CHAINS = 1024, N_EXAMPLES = 3 };

struct hpm_function hpm_function_off, hpm_function_unknown;

_Atomic uintptr_t hpm_function_known;

static struct {
    struct hpm_forklock lock;
    const char *text; /* HPM_FUNCTIONS */
    const struct hpm_loan *loan;
    struct hpm_wanted *choice;
    struct hpm_function *chains[N_CHAINS]; /* by id */
    size_t n_slots;                        /* of the table that are taken */
    size_t n_chosen;
    size_t n_seen;
    size_t n_short;
    const char *shorts[N_EXAMPLES]; /* names of functions that were too short */
    char *examples[N_EXAMPLES]; /* names of functions that were not chosen */
} own;

/* ---- the table -------------------------------------------------------- */

static size_t
count_slots(uintptr_t table)
{
    return (size_t)1 << (64 - hpm_function_shift(table));
}

static size_t
next_slot(uintptr_t table, size_t i)
{
    return (i + 1) & (count_slots(table) - 1);
}

struct hpm_function *
hpm_function_search(uintptr_t address)
{
    uintptr_t table =
        atomic_load_explicit(&hpm_function_known, memory_order_acquire);
    size_t i = hpm_function_hash(table, address);

    for (;; i = next_slot(table, i)) {
        struct hpm_function_slot *slot = &hpm_function_slots(table)[i];
        uintptr_t here =
            atomic_load_explicit(&slot->address, memory_order_acquire);

        if (here == address)
            return atomic_load_explicit(&slot->function, memory_order_acquire);
        if (here == 0)
            return &hpm_function_unknown;
    }
}

/* 0 when memory runs out. */
static uintptr_t
make_table(unsigned bits)
{
    size_t size = sizeof(struct hpm_function_slot) << bits;
    void *memory = hpm_memory_new(1, size + HPM_FUNCTION_SHIFTS - 1);
    uintptr_t slots = ((uintptr_t)memory + HPM_FUNCTION_SHIFTS - 1) &
                      -(uintptr_t)HPM_FUNCTION_SHIFTS;

    return memory != NULL ? slots | (64 - bits) : 0;
}

/* The function is written before the address, which a reader looks at first.  True if
 * a slot was taken for it. */
static bool
put(uintptr_t table, uintptr_t address, struct hpm_function *function)
{
    struct hpm_function_slot *slots = hpm_function_slots(table);
    size_t i = hpm_function_hash(table, address);
    uintptr_t here;

    while ((here = slots[i].address) != 0 && here != address)
        i = next_slot(table, i);
    slots[i].function = function;
    slots[i].address = address;
    return here == 0;
}

/* The old table stays, since another thread may be searching it; together all old
 * ones are as large as the new one. */
static bool
make_room(void)
{
    uintptr_t old = hpm_function_known, table;
    unsigned bits = 64 - hpm_function_shift(old);
    size_t n = count_slots(old);

    if (own.n_slots < n / 2)
        return true;
    table = bits < MOST_BITS ? make_table(bits + 1) : 0;
    if (table == 0)
        return own.n_slots + 2 < n;
    for (size_t i = 0; i < n; i++) {
        const struct hpm_function_slot *slot = &hpm_function_slots(old)[i];

        if (slot->address != 0)
            put(table, slot->address, slot->function);
    }
    hpm_function_known = table;
    return true;
}

/* ---- a function's section --------------------------------------------- */

static unsigned
next_number(unsigned number)
{
    return number < INT32_MAX ? number + 1 : 1u << 30;
}

/* Two functions may not have one number: a stop is for the innermost open section
 * with it. */
static void
give_id(struct hpm_function *function, unsigned number)
{
    struct hpm_function *other;

    do {
        other = own.chains[number % N_CHAINS];
        while (other != NULL && other->id != (int)number)
            other = other->next;
        if (other != NULL)
            number = next_number(number);
    } while (other != NULL);
    function->id = (int)number;
    function->next = own.chains[number % N_CHAINS];
    own.chains[number % N_CHAINS] = function;
}

/* What the tables of symbols say of an address. */
struct finding {
    char name[32]; /* where there is no symbol */
    const char *linkage;
    const char *object;
    uint32_t twin;    /* how many of this name the object has before it */
    const char *file; /* NULL: not known */
    int line;
    size_t size;
};

static void
find_symbol(const struct hpm_object *object, uintptr_t address,
            struct finding *ret)
{
    const struct hpm_symbol *symbol = NULL;
    uintptr_t offset = address;

    *ret = (struct finding){.object = ""};
    if (object != NULL) {
        offset = address - object->bias;
        ret->object = object->name;
        symbol = hpm_elfsymbols_at(&object->symbols, offset);
    }
    if (symbol != NULL) {
        ret->linkage = symbol->name;
        if (object->twins != NULL)
            ret->twin = object->twins[symbol - object->symbols.list];
        ret->size = symbol->size;
        ret->file = symbol->file;
        ret->line = symbol->line;
        return;
    }
    snprintf(ret->name, sizeof ret->name, "0x%llx", (unsigned long long)offset);
    ret->linkage = ret->name;
}

/* Numbers of functions are in the upper half of the positive ones, away from those
 * that programs choose, and come from names: so a function has the same one in all
 * threads, tasks and runs, which else could not be merged.  Static functions of one
 * name are told apart by their order in the object. */
static unsigned
number_of(const struct finding *finding)
{
    uint32_t hash = 0x811c9dc5u; /* FNV-1a */

    for (const char *c = finding->object; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 0x01000193u;
    hash *= 0x01000193u;
    for (const char *c = finding->linkage; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 0x01000193u;
    for (uint32_t twin = finding->twin; twin > 0; twin--)
        hash = (hash ^ 1) * 0x01000193u;
    return hash >> 2 | 1u << 30;
}

static bool
is_file(const char *one, const char *other)
{
    return one == NULL || other == NULL ? one == other
                                        : strcmp(one, other) == 0;
}

/* The function of a plug-in that was unloaded, and is loaded again: it stays one
 * section.  NULL for none. */
static struct hpm_function *
find_again(unsigned number, const char *name, const struct finding *finding)
{
    unsigned id = number;

    for (;; id = next_number(id)) {
        struct hpm_function *function = own.chains[id % N_CHAINS];

        while (function != NULL && function->id != (int)id)
            function = function->next;
        if (function == NULL)
            return NULL;
        if (function->is_gone && function->number == number &&
            function->size == finding->size &&
            function->site.line == finding->line &&
            strcmp(function->site.label, name) == 0 &&
            is_file(function->site.file, finding->file))
            return function;
    }
}

/* The lock is held. */
static struct hpm_function *
make_function(uintptr_t address, const struct finding *finding,
              const struct hpm_label *label, enum hpm_via via)
{
    const char *name = label->shown != NULL ? label->shown : finding->linkage;
    unsigned number = number_of(finding);
    struct hpm_function *function = find_again(number, name, finding);

    if (function != NULL) {
        function->is_gone = false;
        function->address = address;
        return function->is_short ? &hpm_function_off : function;
    }
    function = hpm_memory_new(1, sizeof *function);
    if (function == NULL)
        return &hpm_function_off;
    function->site.label = hpm_memory_copy_text(name);
    if (function->site.label == NULL) {
        hpm_memory_free(function);
        return &hpm_function_off;
    }
    function->site.file = finding->file;
    function->site.line = finding->line;
    function->size = finding->size;
    function->is_trusted = hpm_wanted_has_short(own.choice);
    function->address = address;
    function->number = number;
    give_id(function, number);
    own.loan->note(function->id, HPM_NOTED_VIA * via);
    own.n_chosen++;
    return function;
}

static void
keep_example(const struct finding *finding, const struct hpm_label *label)
{
    if (own.n_seen < N_EXAMPLES)
        own.examples[own.n_seen] = hpm_memory_copy_text(
            label->shown != NULL ? label->shown : finding->linkage);
}

/* What is loaded is looked for, and names are made, without the lock: that takes locks
 * of the C library, which a thread that waits for ours may hold. */
static void
find(uintptr_t address, struct finding *ret)
{
    const struct hpm_object *object;
    struct hpm_loaded loaded = {0};

    hpm_forklock_take(&own.lock, getpid());
    object = hpm_objects_find(address);
    if (object == NULL) {
        hpm_forklock_give(&own.lock);
        hpm_loaded_find(&loaded, address);
        hpm_forklock_take(&own.lock, getpid());
        object = hpm_objects_find(address);
    }
    if (object == NULL && loaded.path != NULL)
        object = hpm_objects_add(&loaded);
    find_symbol(object, address, ret);
    hpm_forklock_give(&own.lock);
    hpm_loaded_clear(&loaded);
}

struct hpm_function *
hpm_function_look(uintptr_t address, enum hpm_via via)
{
    struct hpm_function *function;
    struct finding finding;
    struct hpm_label label;
    bool is_taken;

    find(address, &finding);
    hpm_label_make(&label, finding.linkage);
    is_taken = hpm_wanted_takes(own.choice, label.forms, finding.file);
    hpm_forklock_take(&own.lock, getpid());
    function = hpm_function_find(address);
    if (function == &hpm_function_unknown) {
        if (!is_taken)
            keep_example(&finding, &label);
        function = is_taken ? make_function(address, &finding, &label, via)
                            : &hpm_function_off;
        own.n_seen++;
        if (make_room())
            own.n_slots += put(hpm_function_known, address, function);
    }
    hpm_forklock_give(&own.lock);
    hpm_label_clear(&label);
    return function;
}

bool
hpm_function_begin(const char *choice, const struct hpm_loan *loan)
{
    own.loan = loan;
    own.text = hpm_memory_copy_text(choice); /* programs write over theirs */
    own.choice = hpm_wanted_new(choice);
    hpm_function_known = make_table(FIRST_BITS);
    hpm_label_init();
    return own.text != NULL && own.choice != NULL && hpm_function_known != 0;
}

/* From now on the function is one of those that are not measured.  Where its plug-in
 * was unloaded meanwhile there is nothing to change. */
void
hpm_function_judge(struct hpm_function *function, uintptr_t address,
                   enum hpm_trial_verdict verdict)
{
    if (verdict == HPM_TRIAL_GOES_ON)
        return;
    hpm_forklock_take(&own.lock, getpid());
    function->is_trusted = verdict == HPM_TRIAL_LONG_ENOUGH;
    if (verdict == HPM_TRIAL_TOO_SHORT &&
        hpm_function_find(address) == function) {
        put(hpm_function_known, address, &hpm_function_off);
        if (own.n_short < N_EXAMPLES)
            own.shorts[own.n_short] = function->site.label;
        own.n_short++;
        function->is_short = true;
        own.loan->note(function->id, HPM_NOTED_FIRST_CALLS);
    }
    hpm_forklock_give(&own.lock);
}

/* ---- dlclose ---------------------------------------------------------- */

/* The places stay taken, so that a search still comes to those behind. */
static void
forget(uintptr_t first, uintptr_t end)
{
    uintptr_t table = hpm_function_known;

    for (size_t i = 0; i < count_slots(table); i++) {
        struct hpm_function_slot *slot = &hpm_function_slots(table)[i];

        if (slot->address >= first && slot->address < end)
            slot->function = &hpm_function_unknown;
    }
    for (size_t i = 0; i < N_CHAINS; i++) {
        struct hpm_function *function = own.chains[i];

        for (; function != NULL; function = function->next)
            function->is_gone |=
                function->address >= first && function->address < end;
    }
}

void
hpm_function_forget_gone(void)
{
    struct hpm_places places;
    size_t n_known;
    bool is_known;

    hpm_forklock_take(&own.lock, getpid());
    n_known = hpm_objects_count();
    hpm_forklock_give(&own.lock);
    is_known = hpm_places_find(&places);
    hpm_forklock_take(&own.lock, getpid());
    if (is_known)
        hpm_objects_keep(&places, n_known, forget);
    hpm_forklock_give(&own.lock);
    hpm_memory_free(places.list);
}

/* ---- the end ---------------------------------------------------------- */

static void
add_names(struct hpm_string *line, const char *const *names, size_t n)
{
    for (size_t i = 0; i < N_EXAMPLES && i < n; i++) {
        if (names[i] != NULL) {
            hpm_string_add(line, i > 0 ? ", " : " ");
            hpm_string_add_safe(line, names[i]);
        }
    }
    if (n > N_EXAMPLES)
        hpm_string_add(line, " ...");
}

static void
say_none_chosen(void)
{
    struct hpm_string line = {0};

    hpm_string_add_format(&line,
                          "HPM_FUNCTIONS=%s matches none of the %zu functions "
                          "that have hooks:",
                          own.text, own.n_seen);
    add_names(&line, (const char *const *)own.examples, own.n_seen);
    hpm_message_say(hpm_string_text(&line));
    hpm_string_free(&line);
}

static void
say_too_short(void)
{
    struct hpm_string line = {0};

    hpm_string_add_format(
        &line,
        "%zu function%s took less time than to measure %s, so only the first "
        "%d calls are sections, and the others belong to their callers:",
        own.n_short, own.n_short == 1 ? "" : "s",
        own.n_short == 1 ? "it" : "them", HPM_TRIAL_COUNTED + HPM_TRIAL_TIMED);
    add_names(&line, own.shorts, own.n_short);
    hpm_string_add(&line, "; leave out by \"!\", or add \"short:keep\" to "
                          "HPM_FUNCTIONS");
    hpm_message_say(hpm_string_text(&line));
    hpm_string_free(&line);
}

void
hpm_function_say_end(void)
{
    if (own.n_chosen == 0 && own.n_seen > 0)
        say_none_chosen();
    if (own.n_short > 0)
        say_too_short();
}
