/* SPDX-License-Identifier: BSD-3-Clause
 * The libraries' own functions. */
#include "libraries/real.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/forklock.h"
#include "host/memory.h"
#include "host/path.h"
#include "record/noted.h"

enum { MOST_LISTS = 64 };

/* The addresses of the object that has this one. */
struct extent {
    uintptr_t address, from, to;
};

static struct {
    const struct hpm_loan *loan;
    struct extent ours; /* libhpm */
    struct hpm_forklock lock;
    struct hpm_real *known;
    const void *lists[MOST_LISTS]; /* where their libraries are loaded */
    unsigned n_lists;
} own;

/* Stands for a function where there is no memory: it is called, and not measured. */
static __thread struct hpm_real lacking
    __attribute__((tls_model("initial-exec")));

/* ---- sections ----------------------------------------------------------- */

/* Numbers of functions are in the upper half of the negative ones, away from those
 * that programs choose and of libhpm_functions, and come from names: so a function
 * has the same one in all tasks and runs. */
static int
number_of(const char *library, const char *name)
{
    uint32_t hash = 0x811c9dc5u; /* FNV-1a */

    for (const char *c = library; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 0x01000193u;
    hash *= 0x01000193u;
    for (const char *c = name; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 0x01000193u;
    return -(int)(1u << 29 | hash >> 3);
}

/* A stop is for the innermost open section with a number: two functions may not have
 * the same. */
static int
free_number(int number)
{
    const struct hpm_real *each = own.known;

    while (each != NULL) {
        if (each->id == number) {
            number--;
            each = own.known;
        } else {
            each = each->next_known;
        }
    }
    return number;
}

/* ---- finding ------------------------------------------------------------ */

/* Of all callers. */
#define WHOLE UINTPTR_MAX

/* What is found: the function, and whose it is. */
struct finding {
    void *address;
    uintptr_t from, size;
};

static int
find_extent(struct dl_phdr_info *info, size_t size, void *context)
{
    struct extent *extent = context;
    uintptr_t from = UINTPTR_MAX, to = 0;

    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + part->p_vaddr;

        if (part->p_type != PT_LOAD)
            continue;
        from = begin < from ? begin : from;
        to = begin + part->p_memsz > to ? begin + part->p_memsz : to;
    }
    if (extent->address < from || extent->address >= to)
        return 0;
    extent->from = from;
    extent->to = to;
    return 1;
}

/* A function of a list, also of another list that has the same, calls for the
 * library's one. */
static bool
is_of_list(const void *address)
{
    Dl_info info;

    if (dladdr(address, &info) == 0)
        return false;
    for (unsigned i = 0; i < own.n_lists; i++) {
        if (own.lists[i] == info.dli_fbase)
            return true;
    }
    return false;
}

void
hpm_real_begin(const struct hpm_loan *loan)
{
    uintptr_t address = (uintptr_t)loan;

    own.loan = loan;
    own.ours = (struct extent){address, address, address + 1};
    dl_iterate_phdr(find_extent, &own.ours);
}

bool
hpm_real_is_ours(const void *caller)
{
    return (uintptr_t)caller - own.ours.from < own.ours.to - own.ours.from;
}

void
hpm_real_add_list(const struct hpm_wrapped_list *list)
{
    Dl_info info;

    if (own.n_lists < MOST_LISTS && dladdr(list, &info) != 0)
        own.lists[own.n_lists++] = info.dli_fbase;
}

/* What the object with the caller needs: a plug-in that was loaded by dlopen may have
 * brought its libraries for itself alone. */
static void *
find_by_object(const char *path, const char *name)
{
    void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD), *found;

    if (handle == NULL)
        return NULL;
    found = dlsym(handle, name);
    dlclose(handle);
    return found != NULL && is_of_list(found) ? NULL : found;
}

/* The function stays loaded, since calls of it may be under way, and others come. */
static void
keep_loaded(const void *address)
{
    Dl_info info;
    void *handle;

    if (dladdr(address, &info) == 0 || info.dli_fname == NULL)
        return;
    handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    if (handle != NULL)
        dlclose(handle);
}

/* A pointer to the function may have come from another object: then it is the first
 * one that any object has. */
static void *
find_anywhere(const char *name)
{
    const struct link_map *each = NULL;
    Dl_info info;
    void *found = NULL;

    if (dladdr1((const void *)find_anywhere, &info, (void **)&each,
                RTLD_DL_LINKMAP) == 0)
        return NULL;
    while (each != NULL && each->l_prev != NULL)
        each = each->l_prev;
    for (; each != NULL && found == NULL; each = each->l_next) {
        if (each->l_name[0] != '\0' && each->l_name != info.dli_fname)
            found = find_by_object(each->l_name, name);
    }
    return found;
}

/* Code that was made while the program runs is in no object. */
static void
find_for_caller(const char *name, const void *caller, struct finding *ret)
{
    struct extent extent = {(uintptr_t)caller, (uintptr_t)caller,
                            (uintptr_t)caller + 1};
    Dl_info info;

    dl_iterate_phdr(find_extent, &extent);
    ret->from = extent.from;
    ret->size = extent.to - extent.from;
    if (dladdr(caller, &info) != 0 && info.dli_fname != NULL)
        ret->address = find_by_object(info.dli_fname, name);
    if (ret->address == NULL)
        ret->address = find_anywhere(name);
    if (ret->address != NULL)
        keep_loaded(ret->address);
}

/* The lists' libraries are loaded first: what they find from there on is what the
 * program would have. */
static bool
find(const struct hpm_wrapped *function, const void *caller,
     struct finding *ret)
{
    ret->from = 0;
    ret->size = WHOLE;
    ret->address = function->list->find_next(function->name);
    if (ret->address != NULL)
        return true;
    if (caller != NULL)
        find_for_caller(function->name, caller, ret);
    dlerror(); /* is none of the program's */
    return ret->address != NULL;
}

/* ---- what is known ------------------------------------------------------ */

static struct hpm_real *
make(const struct hpm_wrapped *function, const struct finding *finding)
{
    struct hpm_real *made = hpm_memory_new(1, sizeof *made);
    const char *library = "";
    Dl_info info;

    if (made == NULL)
        return NULL;
    made->address = finding->address;
    if (dladdr(finding->address, &info) != 0 && info.dli_fname != NULL)
        library = hpm_path_base_name(info.dli_fname);
    made->from = finding->from;
    made->measured = !function->is_wanted           ? HPM_MEASURED_NEVER
                     : function->list->is_outermost ? HPM_MEASURED_OUTERMOST
                                                    : HPM_MEASURED_ALWAYS;
    made->is_quick =
        made->measured == HPM_MEASURED_ALWAYS && finding->size == WHOLE;
    made->whole = finding->size;
    atomic_init(&made->size, finding->size);
    made->site.label = function->label;
    made->site.file = hpm_memory_copy_text(library);
    if (made->site.file == NULL) {
        hpm_memory_free(made);
        return NULL;
    }
    made->id = number_of(library, function->name);
    return made;
}

/* What is known stays so: no lock. */
static struct hpm_real *
known(const struct hpm_wrapped *function, const void *caller)
{
    struct hpm_real *each = atomic_load(&function->found);

    while (each != NULL && !hpm_real_is_of(each, caller))
        each = each->next;
    return each;
}

/* An object that was unloaded may have come again; the lock is held. */
static struct hpm_real *
known_again(const struct hpm_wrapped *function, const struct finding *finding)
{
    struct hpm_real *each = atomic_load(&function->found);

    while (each != NULL &&
           (each->address != finding->address || each->from != finding->from ||
            each->whole != finding->size))
        each = each->next;
    if (each != NULL)
        atomic_store(&each->size, finding->size);
    return each;
}

/* The function of one library has one number, whoever calls it; the lock is held. */
static void
give_number(struct hpm_real *made, const struct hpm_wrapped *function)
{
    const struct hpm_real *each = atomic_load(&function->found);

    while (each != NULL && strcmp(each->site.file, made->site.file) != 0)
        each = each->next;
    made->id = each != NULL ? each->id : free_number(made->id);
}

static struct hpm_real *
add(struct hpm_wrapped *function, const struct finding *finding)
{
    struct hpm_real *made = make(function, finding), *other;

    if (made == NULL)
        return NULL;
    hpm_forklock_take(&own.lock, getpid());
    other = known_again(function, finding);
    if (other == NULL) {
        give_number(made, function);
        made->next_known = own.known;
        own.known = made;
        made->next = atomic_load(&function->found);
        atomic_store(&function->found, made);
        if (made->measured != HPM_MEASURED_NEVER)
            own.loan->note(made->id, HPM_NOTED_VIA * HPM_VIA_WRAPPER);
    }
    hpm_forklock_give(&own.lock);
    if (other == NULL)
        return made;
    hpm_memory_free((char *)(uintptr_t)made->site.file);
    hpm_memory_free(made);
    return other;
}

/* libblas64.so.3, libopenblas64_-r0.so, libmkl_intel_ilp64.so.2; but the number of a
 * machine, and what follows the first word, say nothing about integers. */
bool
hpm_real_has_long(const char *library)
{
    static const char *const others[] = {"86_64",   "amd64", "arm64",
                                         "aarch64", "ppc64", "_lp64"};
    char word[64];

    snprintf(word, sizeof word, "%.*s", (int)strcspn(library, "-."), library);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        char *other = strstr(word, others[i]);

        if (other != NULL)
            memset(other, '_', strlen(others[i]));
    }
    return strstr(word, "64") != NULL;
}

void
hpm_real_forget_callers(void)
{
    hpm_forklock_take(&own.lock, getpid());
    for (struct hpm_real *each = own.known; each != NULL;
         each = each->next_known) {
        if (each->whole != WHOLE)
            atomic_store(&each->size, 0);
    }
    hpm_forklock_give(&own.lock);
}

bool
hpm_real_look_ahead(struct hpm_wrapped *function)
{
    struct finding finding;

    return find(function, NULL, &finding) && add(function, &finding) != NULL;
}

/* The words and the exit status are those of glibc's dynamic linker. */
static _Noreturn void
end_program(const struct hpm_wrapped *function, const void *caller)
{
    char line[512];
    Dl_info info = {.dli_fname = NULL};
    int length;

    (void)dladdr(caller, &info);
    length =
        snprintf(line, sizeof line,
                 "%s: symbol lookup error: %s: undefined symbol: %s\n",
                 program_invocation_name,
                 info.dli_fname != NULL ? info.dli_fname : "?", function->name);
    if (write(STDERR_FILENO, line, strnlen(line, sizeof line)) < length)
        _exit(127);
    _exit(127);
}

struct hpm_real *
hpm_real_look(struct hpm_wrapped *function, const void *caller)
{
    struct hpm_real *real = known(function, caller);
    struct finding finding;

    if (real != NULL)
        return real;
    if (!find(function, caller, &finding))
        end_program(function, caller);
    real = add(function, &finding);
    if (real != NULL)
        return real;
    lacking.address = finding.address;
    return &lacking;
}
