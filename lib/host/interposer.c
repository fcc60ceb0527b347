/* SPDX-License-Identifier: BSD-3-Clause
 * Objects that replace functions of the C library. */
#include "host/interposer.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "host/needed.h"
#include "host/path.h"

#ifdef __GLIBC__
#include <gnu/libc-version.h>

/* Functions that the library calls at the end of a run, other than pure
 * computation.  Each name must exist: for a missing one dlsym makes a message
 * with the program's malloc. */
static const char *const needed[] = {
    "clock_gettime", "nanosleep",       "getrusage",
    "getpid",
#if __GLIBC_PREREQ(2, 33)
    "fstat",         "fstatat",
#else
    "__fxstat",      "__fxstatat",
#endif
    "open",          "openat",          "read",
    "write",         "close",           "fsync",
    "fcntl",         "linkat",          "unlinkat",
    "renameat",      "pthread_sigmask", "pthread_mutex_lock",
};

/* Looks up the name, not &function: the address in a program may be one of the
 * program's own (a PLT entry). */
static struct link_map *
object_of(const char *function)
{
    void *address = dlsym(RTLD_DEFAULT, function);
    struct link_map *object = NULL;
    Dl_info ignored;

    if (address == NULL ||
        dladdr1(address, &ignored, (void **)&object, RTLD_DL_LINKMAP) == 0)
        return NULL;
    return object;
}

/* Two addresses, and whether one object has both. */
struct pair {
    uintptr_t a, b;
    bool is_together;
};

static bool
is_inside(const struct dl_phdr_info *object, uintptr_t address)
{
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];

        if (part->p_type == PT_LOAD &&
            address - object->dlpi_addr - part->p_vaddr < part->p_memsz)
            return true;
    }
    return false;
}

static int
look_at(struct dl_phdr_info *object, size_t size, void *context)
{
    struct pair *pair = context;

    (void)size;
    if (!is_inside(object, pair->a))
        return 0;
    pair->is_together = is_inside(object, pair->b);
    return 1;
}

/* Asks for the C library only. dladdr would also search the nearest of its
 * three thousand symbols, which takes longer than the rest of a start. */
static bool
is_libc_function(const char *function)
{
    struct pair pair = {
        .a = (uintptr_t)dlsym(RTLD_DEFAULT, "gnu_get_libc_version"),
        .b = (uintptr_t)dlsym(RTLD_DEFAULT, function)};

    if (pair.a != 0 && pair.b != 0)
        dl_iterate_phdr(look_at, &pair);
    return pair.is_together;
}

/* The object that `function` comes from, if that is not the C library; else
 * NULL. */
static const struct link_map *
interposer_of(const char *function)
{
    const struct link_map *libc, *object;

    if (is_libc_function(function))
        return NULL;
    libc = object_of("gnu_get_libc_version");
    object = object_of(function);
    return libc != NULL && object != libc ? object : NULL;
}

/* Is there in a program built with a sanitizer, whose run time works until the
 * end of the process. */
extern void __sanitizer_set_death_callback(void (*)(void))
    __attribute__((weak));

static const struct link_map *
sanitizer_object(void)
{
    struct link_map *object = NULL;
    Dl_info ignored;

    if (__sanitizer_set_death_callback == NULL ||
        dladdr1((void *)(uintptr_t)__sanitizer_set_death_callback, &ignored,
                (void **)&object, RTLD_DL_LINKMAP) == 0)
        return NULL;
    return object;
}

/* The object that holds this code: libhpm, or the program it was linked
 * into. */
static const struct link_map *
self_object(void)
{
    struct link_map *self = NULL;
    Dl_info ignored;

    if (dladdr1((void *)(uintptr_t)self_object, &ignored, (void **)&self,
                RTLD_DL_LINKMAP) == 0)
        return NULL;
    return self;
}

bool
hpm_interposer_has(const char *function)
{
    return interposer_of(function) != NULL;
}

const char *
hpm_interposer_path(void)
{
    const struct link_map *sanitizer = sanitizer_object();
    const struct link_map *self = self_object();

    for (size_t i = 0; self != NULL && i < sizeof needed / sizeof needed[0];
         i++) {
        const struct link_map *object = interposer_of(needed[i]);

        if (object != NULL && object != self && object != sanitizer &&
            object->l_name[0] != '\0' &&
            !hpm_needed_has(self->l_ld, self->l_addr,
                            hpm_path_base_name(object->l_name)))
            return object->l_name;
    }
    return NULL;
}

#else

bool
hpm_interposer_has(const char *function)
{
    (void)function;
    return false;
}

const char *
hpm_interposer_path(void)
{
    return NULL;
}

#endif
