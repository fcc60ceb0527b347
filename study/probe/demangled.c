/* SPDX-License-Identifier: BSD-3-Clause
 * Names of C++ functions as people write them. */
#include "study/probe/demangled.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"

/* By the C++ library's function, where the library is installed: names in C and
 * Fortran do not need it. */
char *
hpm_demangled_name(const char *linkage)
{
    static char *(*function)(const char *, char *, size_t *, int *);
    static bool is_looked_for;
    char *shown = NULL, *copy;
    int status = -1;

    if (strncmp(linkage, "_Z", 2) != 0)
        return NULL;
    if (!is_looked_for) {
        void *library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);

        is_looked_for = true;
        if (library != NULL)
            *(void **)&function = dlsym(library, "__cxa_demangle");
    }
    if (function != NULL)
        shown = function(linkage, NULL, NULL, &status);
    copy = status == 0 ? hpm_memory_copy_text(shown) : NULL;
    free(shown);
    return copy;
}

/* Where the arguments begin: the last round bracket opens that closes nothing
 * inside another one.  Behind the arguments there may be words ("const", "[clone
 * .isra.0]"). */
static size_t
find_arguments(const char *name)
{
    const char *last = strrchr(name, ')');
    size_t depth = 0;

    for (const char *at = last; at != NULL && at >= name; at--) {
        depth += *at == ')';
        if (*at == '(' && --depth == 0)
            return (size_t)(at - name);
    }
    return strlen(name);
}

/* Where the name begins, behind the type of the result, which templates have in
 * front.  The names of operators of conversion have blanks themselves. */
static size_t
find_begin(const char *name, size_t end)
{
    const char *word = strstr(name, "operator");
    size_t depth = 0;

    if (word != NULL && (size_t)(word - name) < end)
        end = (size_t)(word - name);
    for (size_t i = end; i > 0; i--) {
        depth += strchr(")>", name[i - 1]) != NULL;
        depth -= strchr("(<", name[i - 1]) != NULL && depth > 0;
        if (name[i - 1] == ' ' && depth == 0)
            return i;
    }
    return 0;
}

char *
hpm_demangled_plain(const char *name)
{
    size_t end = find_arguments(name), begin = find_begin(name, end);
    char *plain = hpm_memory_new(end - begin + 1, 1);

    if (plain != NULL)
        memcpy(plain, name + begin, end - begin);
    return plain;
}
