/* SPDX-License-Identifier: BSD-3-Clause
 * The language of a source. */
#include "hpmviz/instrument/language.h"

#include <string.h>

static const struct {
    const char *ending;
    enum hpmviz_language language;
} endings[] = {
    {"c", HPMVIZ_LANGUAGE_C},       {"h", HPMVIZ_LANGUAGE_C},
    {"C", HPMVIZ_LANGUAGE_CPP},     {"cc", HPMVIZ_LANGUAGE_CPP},
    {"cpp", HPMVIZ_LANGUAGE_CPP},   {"cxx", HPMVIZ_LANGUAGE_CPP},
    {"c++", HPMVIZ_LANGUAGE_CPP},   {"cp", HPMVIZ_LANGUAGE_CPP},
    {"CPP", HPMVIZ_LANGUAGE_CPP},   {"cu", HPMVIZ_LANGUAGE_CPP},
    {"H", HPMVIZ_LANGUAGE_CPP},     {"hh", HPMVIZ_LANGUAGE_CPP},
    {"hpp", HPMVIZ_LANGUAGE_CPP},   {"hxx", HPMVIZ_LANGUAGE_CPP},
    {"tcc", HPMVIZ_LANGUAGE_CPP},   {"ipp", HPMVIZ_LANGUAGE_CPP},
    {"f", HPMVIZ_LANGUAGE_FIXED},   {"F", HPMVIZ_LANGUAGE_FIXED},
    {"for", HPMVIZ_LANGUAGE_FIXED}, {"FOR", HPMVIZ_LANGUAGE_FIXED},
    {"ftn", HPMVIZ_LANGUAGE_FIXED}, {"FTN", HPMVIZ_LANGUAGE_FIXED},
    {"fpp", HPMVIZ_LANGUAGE_FIXED}, {"FPP", HPMVIZ_LANGUAGE_FIXED},
    {"f77", HPMVIZ_LANGUAGE_FIXED}, {"F77", HPMVIZ_LANGUAGE_FIXED},
    {"f90", HPMVIZ_LANGUAGE_FREE},  {"F90", HPMVIZ_LANGUAGE_FREE},
    {"f95", HPMVIZ_LANGUAGE_FREE},  {"F95", HPMVIZ_LANGUAGE_FREE},
    {"f03", HPMVIZ_LANGUAGE_FREE},  {"F03", HPMVIZ_LANGUAGE_FREE},
    {"f08", HPMVIZ_LANGUAGE_FREE},  {"F08", HPMVIZ_LANGUAGE_FREE},
    {"f18", HPMVIZ_LANGUAGE_FREE},  {"F18", HPMVIZ_LANGUAGE_FREE},
};

/* What follows the last point of the name; empty for none. */
static const char *
ending_of(const char *path)
{
    const char *point = strrchr(path, '.');

    return point != NULL && strchr(point, '/') == NULL ? point + 1 : "";
}

enum hpmviz_language
hpmviz_language_of(const char *path)
{
    for (gsize i = 0; i < G_N_ELEMENTS(endings); i++) {
        if (strcmp(endings[i].ending, ending_of(path)) == 0)
            return endings[i].language;
    }
    return HPMVIZ_LANGUAGE_UNKNOWN;
}

gboolean
hpmviz_language_is_preprocessed(const char *path)
{
    return g_ascii_isupper(*ending_of(path)) ||
           strcmp(ending_of(path), "fpp") == 0;
}
