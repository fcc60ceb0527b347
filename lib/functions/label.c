/* SPDX-License-Identifier: BSD-3-Clause
 * What a function is called. */
#include "functions/label.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"

typedef char *demangle_function(const char *name, char *buffer, size_t *length,
                                int *status);

/* The C++ run time of the program, which may come with a plug-in. */
static demangle_function *
find_demangler(void)
{
    static _Atomic(demangle_function *) known;
    demangle_function *found = atomic_load(&known);
    void *library;

    if (found != NULL)
        return found;
    found = (demangle_function *)dlsym(RTLD_DEFAULT, "__cxa_demangle");
    if (found == NULL) {
        library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
        if (library == NULL)
            library = dlopen("libc++abi.so.1", RTLD_LAZY | RTLD_NOLOAD);
        if (library != NULL)
            found = (demangle_function *)dlsym(library, "__cxa_demangle");
    }
    atomic_store(&known, found);
    return found;
}

static char *
demangle(const char *linkage)
{
    demangle_function *demangler =
        strncmp(linkage, "_Z", 2) == 0 ? find_demangler() : NULL;
    char *made = NULL, *copy = NULL;
    int status = 0;

    if (demangler != NULL)
        made = demangler(linkage, NULL, NULL, &status);
    if (made != NULL && status == 0)
        copy = hpm_memory_copy_text(made);
    free(made);
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
