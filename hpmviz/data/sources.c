/* SPDX-License-Identifier: BSD-3-Clause
 * Where source files are. */
#include "hpmviz/data/sources.h"

#include <stdlib.h>
#include <string.h>

/* As it was named, and where that was when it was confirmed: a link that is put
 * on its way later leads nowhere. */
struct root {
    char *folder, *real;
};

struct substitution {
    char *from, *to;
    gboolean is_fixed;
};

struct hpmviz_sources {
    GPtrArray *roots;    /* of struct root */
    GPtrArray *searches; /* of char * */
    GPtrArray *substitutions;
    guint n_fixed; /* searches */
};

static void
free_root(gpointer data)
{
    struct root *root = data;

    g_free(root->folder);
    free(root->real);
    g_free(root);
}

static void
free_substitution(gpointer data)
{
    struct substitution *substitution = data;

    g_free(substitution->from);
    g_free(substitution->to);
    g_free(substitution);
}

struct hpmviz_sources *
hpmviz_sources_new(void)
{
    struct hpmviz_sources *sources = g_new0(struct hpmviz_sources, 1);

    sources->roots = g_ptr_array_new_with_free_func(free_root);
    sources->searches = g_ptr_array_new_with_free_func(g_free);
    sources->substitutions = g_ptr_array_new_with_free_func(free_substitution);
    return sources;
}

void
hpmviz_sources_free(struct hpmviz_sources *sources)
{
    if (sources == NULL)
        return;
    g_ptr_array_unref(sources->roots);
    g_ptr_array_unref(sources->searches);
    g_ptr_array_unref(sources->substitutions);
    g_free(sources);
}

static gpointer
copy_root(gconstpointer data, gpointer unused)
{
    const struct root *root = data;
    struct root *copy = g_new0(struct root, 1);

    (void)unused;
    copy->folder = g_strdup(root->folder);
    copy->real = root->real != NULL ? strdup(root->real) : NULL;
    return copy;
}

static gpointer
copy_substitution(gconstpointer data, gpointer unused)
{
    const struct substitution *substitution = data;
    struct substitution *copy = g_new0(struct substitution, 1);

    (void)unused;
    copy->from = g_strdup(substitution->from);
    copy->to = g_strdup(substitution->to);
    copy->is_fixed = substitution->is_fixed;
    return copy;
}

static gpointer
copy_text(gconstpointer text, gpointer unused)
{
    (void)unused;
    return g_strdup(text);
}

static void
add_copies(GPtrArray *to, GPtrArray *from, GCopyFunc copy)
{
    for (guint i = 0; i < from->len; i++)
        g_ptr_array_add(to, copy(from->pdata[i], NULL));
}

struct hpmviz_sources *
hpmviz_sources_copy(const struct hpmviz_sources *sources)
{
    struct hpmviz_sources *copy = hpmviz_sources_new();

    add_copies(copy->roots, sources->roots, copy_root);
    add_copies(copy->searches, sources->searches, copy_text);
    add_copies(copy->substitutions, sources->substitutions, copy_substitution);
    copy->n_fixed = sources->n_fixed;
    return copy;
}

/* ---- folders --------------------------------------------------------- */

static void
add_folder(GPtrArray *folders, const char *folder)
{
    char *whole = g_canonicalize_filename(folder, NULL);

    if (g_ptr_array_find_with_equal_func(folders, whole, g_str_equal, NULL))
        g_free(whole);
    else
        g_ptr_array_add(folders, whole);
}

static struct root *
known_root(const struct hpmviz_sources *sources, const char *folder)
{
    for (guint i = 0; i < sources->roots->len; i++) {
        struct root *root = g_ptr_array_index(sources->roots, i);

        if (g_str_equal(root->folder, folder))
            return root;
    }
    return NULL;
}

static void
add_root(struct hpmviz_sources *sources, const char *folder, gboolean is_new)
{
    char *whole = g_canonicalize_filename(folder, NULL);
    struct root *root = known_root(sources, whole);

    if (root == NULL) {
        root = g_new0(struct root, 1);
        root->folder = g_strdup(whole);
        g_ptr_array_add(sources->roots, root);
    }
    if (is_new || root->real == NULL) {
        free(root->real);
        root->real = realpath(whole, NULL);
    }
    g_free(whole);
}

void
hpmviz_sources_add_root(struct hpmviz_sources *sources, const char *folder)
{
    add_root(sources, folder, FALSE);
}

void
hpmviz_sources_confirm_root(struct hpmviz_sources *sources, const char *folder)
{
    add_root(sources, folder, TRUE);
}

void
hpmviz_sources_add_search(struct hpmviz_sources *sources, const char *folder)
{
    hpmviz_sources_add_root(sources, folder);
    add_folder(sources->searches, folder);
}

static void
insert_substitution(struct hpmviz_sources *sources, int at, const char *from,
                    const char *to)
{
    struct substitution *substitution = g_new0(struct substitution, 1);
    char *root;

    substitution->from = g_canonicalize_filename(from, NULL);
    substitution->to = g_canonicalize_filename(to, NULL);
    g_ptr_array_insert(sources->substitutions, at, substitution);
    root = g_file_test(to, G_FILE_TEST_IS_DIR)
               ? g_strdup(substitution->to)
               : g_path_get_dirname(substitution->to);
    add_root(sources, root, at == 0);
    g_free(root);
}

void
hpmviz_sources_add_substitution(struct hpmviz_sources *sources,
                                const char *from, const char *to)
{
    insert_substitution(sources, -1, from, to);
}

void
hpmviz_sources_fix(struct hpmviz_sources *sources)
{
    for (guint i = 0; i < sources->substitutions->len; i++)
        ((struct substitution *)g_ptr_array_index(sources->substitutions, i))
            ->is_fixed = TRUE;
    sources->n_fixed = sources->searches->len;
}

void
hpmviz_sources_forget(struct hpmviz_sources *sources)
{
    for (guint i = sources->substitutions->len; i-- > 0;) {
        const struct substitution *substitution =
            g_ptr_array_index(sources->substitutions, i);

        if (!substitution->is_fixed)
            g_ptr_array_remove_index(sources->substitutions, i);
    }
    g_ptr_array_set_size(sources->searches, (int)sources->n_fixed);
}

/* What follows the folder in the path, NULL where it does not begin so. */
static const char *
rest_after(const char *path, const char *folder)
{
    gsize length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);

    if (strncmp(path, folder, length) != 0 || path[length] != '/')
        return NULL;
    return path + length + 1;
}

/* The root above a path; NULL for none. */
static const struct root *
root_above(const struct hpmviz_sources *sources, const char *path)
{
    for (guint i = 0; i < sources->roots->len; i++) {
        const struct root *root = g_ptr_array_index(sources->roots, i);

        if (root->real != NULL && rest_after(path, root->folder) != NULL)
            return root;
    }
    return NULL;
}

/* ---- finding --------------------------------------------------------- */

/* What is no file of text is told when it is opened. */
static gboolean
is_there(const char *path)
{
    return g_file_test(path, G_FILE_TEST_EXISTS) &&
           !g_file_test(path, G_FILE_TEST_IS_DIR);
}

/* Give the path if it is a file; FALSE, and it is freed, if not. */
static gboolean
take_if_there(char *path, char **ret_path)
{
    if (path != NULL && is_there(path)) {
        *ret_path = path;
        return TRUE;
    }
    g_free(path);
    return FALSE;
}

static char *
substitute_one(const struct substitution *substitution, const char *recorded)
{
    const char *rest = rest_after(recorded, substitution->from);

    if (strcmp(recorded, substitution->from) == 0) /* one file */
        return g_strdup(substitution->to);
    return rest != NULL ? g_build_filename(substitution->to, rest, NULL) : NULL;
}

static gboolean
substitute(const struct hpmviz_sources *sources, const char *recorded,
           char **ret_path)
{
    for (guint i = 0; i < sources->substitutions->len; i++) {
        const struct substitution *substitution =
            g_ptr_array_index(sources->substitutions, i);

        if (take_if_there(substitute_one(substitution, recorded), ret_path))
            return TRUE;
    }
    return FALSE;
}

/* The files of this ending in the search folders. */
static guint
find_ending(const struct hpmviz_sources *sources, const char *ending,
            char **ret_path)
{
    GString *found = g_string_new(NULL);
    guint n_found = 0;

    for (guint i = 0; i < sources->searches->len; i++) {
        char *path = g_build_filename(g_ptr_array_index(sources->searches, i),
                                      ending, NULL);

        if (is_there(path) && n_found++ > 0)
            g_string_append_c(found, '\n');
        if (is_there(path))
            g_string_append(found, path);
        g_free(path);
    }
    *ret_path = g_string_free(found, n_found == 0);
    return n_found;
}

/* Shorter and shorter endings of the name, in every search folder, from the
 * whole of it to the last two parts; or the last alone. */
static enum hpmviz_finding
search(const struct hpmviz_sources *sources, const char *recorded,
       gboolean is_name_alone, char **ret_path)
{
    const char *ending = recorded + (recorded[0] == '/');

    for (; ending != NULL; ending = strchr(ending, '/')) {
        gboolean is_name;
        guint n_found;

        ending += ending[0] == '/';
        is_name = strchr(ending, '/') == NULL;
        if (is_name != is_name_alone)
            continue;
        n_found = find_ending(sources, ending, ret_path);
        if (n_found > 0)
            return n_found == 1 ? HPMVIZ_FOUND : HPMVIZ_SEVERAL;
    }
    return HPMVIZ_MISSING;
}

static enum hpmviz_finding
confirm(const struct hpmviz_sources *sources, char **path, char **ret_root)
{
    const struct root *root = root_above(sources, *path);
    char *whole;

    if (root == NULL)
        return HPMVIZ_UNCONFIRMED;
    whole = g_build_filename(root->real, rest_after(*path, root->folder), NULL);
    g_free(*path);
    *path = whole;
    *ret_root = g_strdup(root->real);
    return HPMVIZ_FOUND;
}

/* Do a file in the folder and the recorded name share more than their last
 * part, or is there no more of the name? */
static gboolean
agrees(const char *recorded, const char *folder)
{
    char *above = g_path_get_dirname(recorded);
    char *name = g_path_get_basename(above),
         *expected = g_path_get_basename(folder);
    gboolean is_same = strchr(recorded, '/') == NULL ||
                       (strcmp(name, expected) == 0 && strcmp(name, "/") != 0);

    g_free(above);
    g_free(name);
    g_free(expected);
    return is_same;
}

/* Beside the performance file, if more or nothing more than the name agrees. */
static gboolean
find_beside(const char *recorded, const char *beside, gboolean is_agreeing,
            char **ret_path)
{
    char *name;
    gboolean is_found;

    if (beside == NULL || agrees(recorded, beside) != is_agreeing)
        return FALSE;
    name = g_path_get_basename(recorded);
    is_found = take_if_there(g_build_filename(beside, name, NULL), ret_path);
    g_free(name);
    return is_found;
}

/* Where more agrees than the last part of the name. */
static enum hpmviz_finding
find_agreeing(const struct hpmviz_sources *sources, const char *recorded,
              const char *whole, const char *beside, char **ret_path)
{
    if (is_there(whole) && root_above(sources, whole) != NULL)
        *ret_path = g_strdup(whole);
    else if (!find_beside(recorded, beside, TRUE, ret_path) &&
             !substitute(sources, whole, ret_path))
        return search(sources, recorded, strchr(recorded, '/') == NULL,
                      ret_path);
    return HPMVIZ_FOUND;
}

/* A name that is not absolute is one in the performance file's folder. */
static enum hpmviz_finding
find_whole(const struct hpmviz_sources *sources, const char *recorded,
           const char *whole, const char *beside, char **ret_path,
           char **ret_root)
{
    enum hpmviz_finding finding =
        find_agreeing(sources, recorded, whole, beside, ret_path);

    if (finding == HPMVIZ_FOUND)
        return confirm(sources, ret_path, ret_root);
    if (finding == HPMVIZ_MISSING && is_there(whole)) {
        *ret_path = g_strdup(whole);
        return HPMVIZ_UNCONFIRMED;
    }
    if (finding != HPMVIZ_MISSING)
        return finding;
    finding = find_beside(recorded, beside, FALSE, ret_path)
                  ? HPMVIZ_FOUND
                  : search(sources, recorded, TRUE, ret_path);
    if (finding != HPMVIZ_FOUND)
        return finding;
    finding = confirm(sources, ret_path, ret_root);
    return finding == HPMVIZ_FOUND ? HPMVIZ_GUESSED : finding;
}

enum hpmviz_finding
hpmviz_sources_find(const struct hpmviz_sources *sources, const char *recorded,
                    const char *beside, char **ret_path, char **ret_root)
{
    char *folder =
        beside != NULL ? g_canonicalize_filename(beside, NULL) : NULL;
    char *whole = g_canonicalize_filename(recorded, folder);
    enum hpmviz_finding finding;

    *ret_path = *ret_root = NULL;
    finding = find_whole(sources, recorded, whole, folder, ret_path, ret_root);
    g_free(whole);
    g_free(folder);
    return finding;
}

/* ---- locating -------------------------------------------------------- */

/* The names that both paths end in belong to neither side. */
static void
cut_common_end(char *from, char *to)
{
    for (;;) {
        char *a = strrchr(from, '/'), *b = strrchr(to, '/');

        if (a == NULL || b == NULL || a == from || b == to || strcmp(a, b) != 0)
            return;
        *a = *b = '\0';
    }
}

void
hpmviz_sources_locate(struct hpmviz_sources *sources, const char *recorded,
                      const char *beside, const char *path, char **ret_from,
                      char **ret_to)
{
    char *folder =
        beside != NULL ? g_canonicalize_filename(beside, NULL) : NULL;
    char *from = g_canonicalize_filename(recorded, folder);
    char *to = g_canonicalize_filename(path, NULL);

    g_free(folder);
    cut_common_end(from, to);
    insert_substitution(sources, 0, from, to);
    *ret_from = from;
    *ret_to = to;
}

/* ---- names ----------------------------------------------------------- */

static gboolean
ends_in(const char *name, const char *ending)
{
    return g_str_has_suffix(name, ending) &&
           (strlen(name) == strlen(ending) ||
            name[strlen(name) - strlen(ending) - 1] == '/');
}

static const char *
last_part(const char *name)
{
    const char *slash = strrchr(name, '/');

    return slash != NULL ? slash + 1 : name;
}

/* Without what does not say where it is; for g_free. */
static char *
plain_name(const char *name)
{
    if (g_path_is_absolute(name))
        return g_canonicalize_filename(name, NULL);
    while (g_str_has_prefix(name, "./") || g_str_has_prefix(name, "../"))
        name = strchr(name, '/') + 1;
    return g_strdup(name);
}

size_t
hpmviz_sources_common_end(const char *a, const char *b)
{
    char *x, *y;
    size_t n = 0;

    if (strcmp(last_part(a), last_part(b)) != 0)
        return 0;
    x = plain_name(a);
    y = plain_name(b);
    if (ends_in(x, y))
        n = strlen(y);
    else if (ends_in(y, x))
        n = strlen(x);
    g_free(x);
    g_free(y);
    return n;
}

const char *
hpmviz_sources_short_name(const char *name, const GPtrArray *names)
{
    const char *ending = name + strlen(name);
    gboolean is_shared = TRUE;

    while (is_shared && ending > name) {
        for (ending--; ending > name && ending[-1] != '/';)
            ending--;
        is_shared = FALSE;
        for (guint i = 0; i < names->len && !is_shared; i++)
            is_shared = strcmp(names->pdata[i], name) != 0 &&
                        ends_in(names->pdata[i], ending);
    }
    return ending;
}
