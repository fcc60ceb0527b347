/* SPDX-License-Identifier: BSD-3-Clause
 * What a function is called. */
#include "functions/label.h"

#include <ctype.h>
#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "elf/elffile.h"
#include "functions/elfsymbols.h"
#include "host/memory.h"
#include "host/path.h"

typedef char *demangle_function(const char *name, char *buffer, size_t *length,
                                int *status);

static const char demangler_name[] = "__cxa_demangle";

/* Of the C++ run time that the program has from its start; NULL for none. */
static demangle_function *first_demangler;

void
hpm_label_init(void)
{
    first_demangler = (demangle_function *)dlsym(RTLD_DEFAULT, demangler_name);
}

/* In a run time that has come with a plug-in. */
struct search {
    const char *linkage;
    char *made;
};

static uintptr_t
find_in_file(const char *path)
{
    struct hpm_elfsymbols symbols = {0};
    struct hpm_elffile file;
    uintptr_t address;

    if (!hpm_elffile_open(&file, path))
        return 0;
    hpm_elfsymbols_read(&symbols, &file);
    hpm_elffile_close(&file);
    address = hpm_elfsymbols_named(&symbols, demangler_name);
    hpm_elfsymbols_clear(&symbols);
    return address;
}

static demangle_function *
find_in(const struct dl_phdr_info *info)
{
    static _Atomic(uintptr_t) known_bias, known_address;
    const char *name = hpm_path_base_name(info->dlpi_name);

    if (strncmp(name, "libstdc++.so", 12) != 0 &&
        strncmp(name, "libc++abi.so", 12) != 0)
        return NULL;
    if (known_address == 0 || known_bias != info->dlpi_addr) {
        known_address = find_in_file(info->dlpi_name);
        known_bias = info->dlpi_addr;
    }
    return known_address != 0
               ? (demangle_function *)(known_bias + known_address)
               : NULL;
}

/* The C library unloads nothing during the walk, and lets in one thread at a time. */
static int
demangle_in(struct dl_phdr_info *info, size_t size, void *context)
{
    struct search *search = context;
    demangle_function *demangler = find_in(info);
    int status = 0;

    (void)size;
    if (demangler == NULL)
        return 0;
    search->made = demangler(search->linkage, NULL, NULL, &status);
    return 1;
}

/* Not by dlsym and dlopen: they would take away the message that dlerror has for the
 * program, and wait for a dlopen of another thread, whose plug-in may wait for this
 * one. */
static char *
demangle(const char *linkage)
{
    struct search search = {.linkage = linkage};
    char *copy = NULL;
    int status = 0;

    if (strncmp(linkage, "_Z", 2) != 0)
        return NULL;
    if (first_demangler != NULL)
        search.made = first_demangler(linkage, NULL, NULL, &status);
    else
        dl_iterate_phdr(demangle_in, &search);
    if (search.made != NULL)
        copy = hpm_memory_copy_text(search.made);
    free(search.made);
    return copy;
}

/* gfortran's __MODULE_MOD_PROCEDURE; NULL for another name. */
static char *
of_module(const char *linkage)
{
    const char *middle = strstr(linkage, "_MOD_");
    size_t length;
    char *name;

    if (strncmp(linkage, "__", 2) != 0 || middle == NULL ||
        middle <= linkage + 2)
        return NULL;
    length = (size_t)(middle - linkage) - 2;
    name = hpm_memory_new(strlen(linkage) + 1, 1);
    if (name == NULL)
        return NULL;
    memcpy(name, linkage + 2, length);
    memcpy(name + length, "::", 2);
    strcpy(name + length + 2, middle + 5);
    return name;
}

/* The end of the name: where its last outermost round bracket opens.  `length` is
 * of the text without what may follow the arguments (const, [clone ...]). */
static size_t
begin_of_arguments(const char *text, size_t length)
{
    size_t depth = 0;

    for (size_t i = length; i > 0; i--) {
        depth += text[i - 1] == ')';
        if (text[i - 1] == '(' && --depth == 0)
            return i - 1;
    }
    return length;
}

static size_t
end_of_arguments(const char *text)
{
    const char *end = strrchr(text, ')');

    return end != NULL ? (size_t)(end - text) + 1 : strlen(text);
}

/* The begin of the name: behind the last blank outside brackets, which is behind
 * the result's type; but the name of an operator has blanks. */
static size_t
begin_of_name(const char *text, size_t end)
{
    const char *word = strstr(text, "operator");
    size_t depth = 0;

    if (word != NULL && (size_t)(word - text) < end)
        end = (size_t)(word - text);
    for (size_t i = end; i > 0; i--) {
        depth += strchr(")>}", text[i - 1]) != NULL;
        if (strchr("(<{", text[i - 1]) != NULL && depth > 0)
            depth--;
        if (text[i - 1] == ' ' && depth == 0)
            return i;
    }
    return 0;
}

static char *
make_plain(const char *shown)
{
    size_t end = begin_of_arguments(shown, end_of_arguments(shown));
    size_t begin = begin_of_name(shown, end);
    char *plain = hpm_memory_new(end - begin + 1, 1);

    if (plain != NULL)
        memcpy(plain, shown + begin, end - begin);
    return plain;
}

/* Fortran procedures outside modules end in "_": they can be asked for without. */
static char *
without_underscore(const char *linkage)
{
    size_t length = strlen(linkage);
    char *copy;

    if (length < 2 || linkage[length - 1] != '_')
        return NULL;
    copy = hpm_memory_copy_text(linkage);
    if (copy != NULL)
        copy[length - 1] = '\0';
    return copy;
}

void
hpm_label_make(struct hpm_label *label, const char *linkage)
{
    size_t n = 0;

    *label = (struct hpm_label){.shown = demangle(linkage)};
    if (label->shown != NULL)
        label->plain = make_plain(label->shown);
    else
        label->plain = without_underscore(linkage);
    if (label->shown == NULL)
        label->shown = of_module(linkage);
    label->forms[n++] = linkage;
    if (label->shown != NULL)
        label->forms[n++] = label->shown;
    if (label->plain != NULL)
        label->forms[n++] = label->plain;
}

void
hpm_label_clear(struct hpm_label *label)
{
    hpm_memory_free(label->shown);
    hpm_memory_free(label->plain);
}
