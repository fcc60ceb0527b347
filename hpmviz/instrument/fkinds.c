/* SPDX-License-Identifier: BSD-3-Clause
 * What a statement of Fortran is. */
#include "hpmviz/instrument/fkinds.h"

#include <string.h>

const char *
hpmviz_fkinds_close(const char *open)
{
    int depth = 0;

    for (const char *at = open; *at != '\0'; at++) {
        depth += *at == '(' || *at == '[';
        depth -= *at == ')' || *at == ']';
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* A name, with or without indices and components, and "=": no keyword is
 * reserved, so "if(3)=x" gives a value to an array.  "do 10 i = 1, 5" has a
 * comma. */
static gboolean
is_assignment(const char *words)
{
    const char *at = words;

    if (!g_ascii_isalpha(*at))
        return FALSE;
    while (*at != '\0' && *at != '=') {
        if (*at == '(') {
            at = hpmviz_fkinds_close(at);
            if (at == NULL)
                return FALSE;
        } else if (!g_ascii_isalnum(*at) && *at != '_' && *at != '%') {
            return FALSE;
        } else if (at > words && at[-1] == ')' && *at != '%') {
            return FALSE; /* "if (x) y = z" */
        }
        at++;
    }
    if (*at != '=' || at[1] == '=')
        return FALSE;
    for (at++; *at != '\0'; at++) {
        if (*at == ',')
            return FALSE;
        if ((*at == '(' || *at == '[') &&
            (at = hpmviz_fkinds_close(at)) == NULL)
            return FALSE;
    }
    return TRUE;
}

/* "where (mask)" and "forall (i = 1:n)" without a statement behind. */
static gboolean
is_block_of_assignments(const char *words)
{
    const char *open = strchr(words, '('), *close;

    if (open == NULL)
        return FALSE;
    close = hpmviz_fkinds_close(open);
    return close != NULL && close[1] == '\0';
}

#define PREFIX                                                                 \
    "(?:(?:pure|impure|elemental|recursive|non_recursive|module|integer|real|" \
    "doubleprecision|complex|logical|character|type|class)"                    \
    "(?:\\*\\d+|\\((?:[^()]|\\([^()]*\\))*\\))?)*"

static const struct {
    const char *pattern;
    enum hpmviz_fkind kind;
} kinds[] = {
    {"^end(?:(?:program|module|submodule|subroutine|function|procedure|"
     "blockdata)\\w*)?$",
     HPMVIZ_F_END_UNIT},
    {"^end(?:do|if|select|where|forall|associate|block|critical|team|interface|"
     "type|enum)",
     HPMVIZ_F_END_BLOCK},
    {"^contains$", HPMVIZ_F_CONTAINS},
    {"^(?:else|case\\(|casedefault|typeis\\(|classis\\(|classdefault|rank\\(|"
     "rankdefault)",
     HPMVIZ_F_MIDDLE},
    {"^(?:\\w+:)?do(?:\\d+,?)?(?:while\\(.*|concurrent.*|[a-z]\\w*=.*)?$",
     HPMVIZ_F_DO},
    {"^(?:\\w+:)?if\\(.*\\)then\\w*$", HPMVIZ_F_BLOCK},
    {"^(?:\\w+:)?select(?:case|type|rank)\\(", HPMVIZ_F_BLOCK},
    {"^(?:\\w+:)?(?:associate\\(|changeteam\\(|critical|block$)",
     HPMVIZ_F_BLOCK},
    {"^program\\w+$|^module(?!procedure)\\w+$|^submodule\\(|^blockdata",
     HPMVIZ_F_UNIT},
    {"^" PREFIX "function[a-z]\\w*\\(", HPMVIZ_F_UNIT},
    {"^" PREFIX "subroutine[a-z]\\w*", HPMVIZ_F_UNIT},
    {"^(?:abstract)?interface|^type(?:,|::|[a-z])|^enum,",
     HPMVIZ_F_DECLARATIONS},
    {"^format\\(|^include['\"]|^data\\w", HPMVIZ_F_ANYWHERE},
    {"^(?:use|import|implicit|parameter\\(|integer|real|doubleprecision|"
     "doublecomplex|complex|character|logical|byte|type\\(|class\\(|dimension|"
     "common|equivalence|external|intrinsic|save|namelist|allocatable|"
     "pointer|target|procedure|moduleprocedure|public|private|volatile|"
     "asynchronous|bind\\(|contiguous|generic|final|protected|value|optional|"
     "intent|entry|codimension)",
     HPMVIZ_F_DECLARATION},
};

static gboolean
matches(gsize i, const char *words)
{
    static GRegex *patterns[G_N_ELEMENTS(kinds)];

    if (patterns[i] == NULL)
        patterns[i] = g_regex_new(kinds[i].pattern,
                                  G_REGEX_OPTIMIZE | G_REGEX_RAW, 0, NULL);
    return g_regex_match(patterns[i], words, 0, NULL);
}

enum hpmviz_fkind
hpmviz_fkinds_of(const char *words)
{
    const char *behind = strchr(words, ':');
    const char *unnamed =
        behind != NULL && behind[1] != ':' ? behind + 1 : words;

    if (is_assignment(words))
        return HPMVIZ_F_EXECUTABLE;
    if (g_str_has_prefix(unnamed, "where(") ||
        g_str_has_prefix(unnamed, "forall("))
        return is_block_of_assignments(unnamed) ? HPMVIZ_F_BLOCK
                                                : HPMVIZ_F_EXECUTABLE;
    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (matches(i, words))
            return kinds[i].kind;
    }
    return HPMVIZ_F_EXECUTABLE;
}
