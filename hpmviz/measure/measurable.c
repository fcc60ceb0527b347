/* SPDX-License-Identifier: BSD-3-Clause
 * How a function of a program can be measured. */
#include "hpmviz/measure/measurable.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <link.h>
#include <string.h>

#include "host/memory.h"
#include "study/probe/demangled.h"
#include "study/probe/hooks.h"
#include "study/probe/probeable.h"
#include "study/symbol/inlined.h"
#include "study/symbol/symbols.h"

enum { MOST_PATTERNS = 16 }; /* more are one, by the plain name */

struct search {
    const struct hpmviz_question *question;
    char *source; /* the last part of its name */
    char *program;
    struct hpm_probeables functions;
    struct hpm_symbols *symbols;
    GPtrArray *found; /* const struct hpm_probeable */
    gboolean has_hooks, is_inlined;
};

static gboolean G_GNUC_PRINTF(2, 3)
    refuse(GError **error, const char *format, ...)
{
    va_list words;

    va_start(words, format);
    g_propagate_error(error,
                      g_error_new_valist(G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                                         format, words));
    va_end(words);
    return FALSE;
}

/* ---- names ----------------------------------------------------------- */

/* Is the text this name, which compilers go on with ".constprop.0" and the
 * like? */
static gboolean
is_name(const char *text, const char *name)
{
    gsize n = strlen(name);

    return strncmp(text, name, n) == 0 && (text[n] == '\0' || text[n] == '.');
}

/* gfortran, ifort and flang each have their own way to write a procedure of a
 * module; one of no module gets an underscore. */
static gboolean
is_fortran_name(const char *linkage, const struct hpmviz_function *function)
{
    static const char *const modules[] = {"_MOD_", "_mp_", "P", NULL};
    g_autofree char *underscored = g_strconcat(function->name, "_", NULL);

    if (function->is_program)
        return is_name(linkage, "MAIN__") || is_name(linkage, "_QQmain");
    if (is_name(linkage, function->name) || is_name(linkage, underscored))
        return TRUE;
    for (gsize i = 0; modules[i] != NULL; i++) {
        const char *at = g_strrstr(linkage, modules[i]);

        if (at == NULL || !(*linkage == '_' || i == 1))
            continue;
        at += strlen(modules[i]);
        if (is_name(at, function->name) || is_name(at, underscored))
            return TRUE;
    }
    return FALSE;
}

/* "grid::solve" ends with this name; "a::b<c::solve>" does not. */
static gboolean
ends_with_name(const char *plain, const char *name)
{
    gsize n = strlen(plain), n_name = strlen(name);

    return n >= n_name && strcmp(plain + n - n_name, name) == 0 &&
           (n == n_name || plain[n - n_name - 1] == ':');
}

/* The arguments of a template belong to the instance, not to its name. */
static void
cut_template(char *plain)
{
    gsize n = strlen(plain);
    int depth = 0;

    if (n == 0 || plain[n - 1] != '>')
        return;
    while (n-- > 0) {
        depth += plain[n] == '>' ? 1 : plain[n] == '<' ? -1 : 0;
        if (depth == 0) {
            plain[n] = '\0';
            return;
        }
    }
}

static gboolean
is_cpp_name(const char *linkage, const char *name)
{
    const char *bare = *name == '~' ? name + 1 : name;
    char *whole, *plain = NULL;
    gboolean is_it = FALSE;

    if (strstr(linkage, bare) == NULL && *name != '~')
        return FALSE;
    whole = hpm_demangled_name(linkage);
    if (whole != NULL)
        plain = hpm_demangled_plain(whole);
    if (plain != NULL) {
        cut_template(plain);
        is_it = ends_with_name(plain, name);
    }
    hpm_memory_free(plain);
    hpm_memory_free(whole);
    return is_it;
}

static gboolean
is_wanted(const struct hpmviz_function *function, const char *linkage)
{
    switch (function->language) {
    case HPMVIZ_LANGUAGE_FIXED:
    case HPMVIZ_LANGUAGE_FREE:
        return is_fortran_name(linkage, function);
    default: /* a header of C may be of a program in C++ */
        return is_name(linkage, function->name) ||
               is_cpp_name(linkage, function->name);
    }
}

/* ---- those of the source ---------------------------------------------- */

/* Is the function in the lines of the source, as far as it is known? */
static gboolean
is_in_lines(const struct search *search, const struct hpm_probeable *function,
            gboolean *ret_is_in_file)
{
    const struct hpmviz_function *wanted = search->question->function;
    const char *file;
    int line;

    *ret_is_in_file = FALSE;
    if (!hpm_symbols_line(search->symbols, function->start, &file, &line) ||
        file == NULL)
        return FALSE;
    *ret_is_in_file = g_str_has_suffix(file, search->source) &&
                      (strlen(file) == strlen(search->source) ||
                       file[strlen(file) - strlen(search->source) - 1] == '/');
    return *ret_is_in_file && line >= (int)wanted->first &&
           line <= (int)wanted->last;
}

/* Of several functions of the name those in the lines; where none is, as the
 * program is of another state of the text, those in the file; else all. */
static void
narrow(struct search *search)
{
    g_autoptr(GPtrArray) in_lines = g_ptr_array_new();
    g_autoptr(GPtrArray) in_file = g_ptr_array_new();
    GPtrArray *best;

    for (guint i = 0; i < search->found->len; i++) {
        const struct hpm_probeable *function = search->found->pdata[i];
        gboolean is_in_file;

        if (is_in_lines(search, function, &is_in_file))
            g_ptr_array_add(in_lines, (gpointer)function);
        if (is_in_file)
            g_ptr_array_add(in_file, (gpointer)function);
    }
    best = in_lines->len > 0 ? in_lines : in_file;
    if (best->len == 0)
        return;
    g_ptr_array_unref(search->found);
    search->found = g_ptr_array_ref(best);
}

static void
find_functions(struct search *search)
{
    for (size_t i = 0; i < search->functions.n; i++) {
        const struct hpm_probeable *function = &search->functions.list[i];

        if (is_wanted(search->question->function, function->name))
            g_ptr_array_add(search->found, (gpointer)function);
    }
    if (search->symbols != NULL)
        narrow(search);
}

static bool
take_inlined(void *context, const char *linkage, const char *file, int line)
{
    struct search *search = context;
    g_autofree char *name = NULL;

    (void)line;
    if (file == NULL || !is_wanted(search->question->function, linkage))
        return true;
    name = g_path_get_basename(file);
    search->is_inlined = strcmp(name, search->source) == 0;
    return !search->is_inlined;
}

/* ---- what cannot be measured ------------------------------------------ */

static gboolean
refuse_absent(struct search *search, GError **error)
{
    const char *name = search->question->function->name;

    hpm_inlined_list(search->question->program, take_inlined, search);
    if (search->is_inlined)
        return refuse(
            error,
            _("'%s' has no code of its own in '%s': the compiler has put it "
              "into the functions that call it (inlined). Measure one of "
              "these, compile with -fno-inline, or put calls around its lines "
              "(Ctrl+I)"),
            name, search->program);
    if (search->functions.is_stripped)
        return refuse(error,
                      _("'%s' has no names of its functions (it was stripped): "
                        "build it without -s and without strip"),
                      search->program);
    return refuse(
        error,
        _("'%s' has no function '%s': it is in a shared library or in another "
          "program, the program was not built since it has this name, or "
          "nothing calls it. Give the program that has it in the command; "
          "behind a launcher write 'hpmcount' before the program"),
        search->program, name);
}

static gboolean
refuse_probes(const struct search *search, const char *why, GError **error)
{
    return refuse(
        error,
        _("'%s' cannot be measured in the program as it is (%s). Compile with "
          "-finstrument-functions, or put calls around its lines (Ctrl+I)"),
        search->question->function->name, why);
}

static gboolean
refuse_user(const struct search *search, GError **error)
{
    return refuse(
        error,
        _("'%s' was not compiled with -finstrument-functions, and without "
          "that only root may measure '%s' (by probes of the kernel): compile "
          "with -finstrument-functions, put calls around its lines (Ctrl+I), "
          "or run hpmviz as root"),
        search->program, search->question->function->name);
}

/* Probes at entry and return are possible; of several functions at some. */
static gboolean
check_probes(struct search *search, GError **error)
{
    const char *why = NULL;

    for (guint i = search->found->len; i-- > 0;) {
        const struct hpm_probeable *function = search->found->pdata[i];

        if (function->probe == HPM_PROBE_WHOLE)
            continue;
        why = function->why;
        g_ptr_array_remove_index(search->found, i);
    }
    if (search->found->len == 0)
        return refuse_probes(search, _(why), error);
    return search->question->may_probe || refuse_user(search, error);
}

/* ---- the answer ------------------------------------------------------ */

/* Names for the linker, which are no globs; of many the name in the source. */
static char *
patterns_of(const struct search *search)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < search->found->len; i++) {
        const struct hpm_probeable *function = search->found->pdata[i];

        g_string_append_printf(text, "%s%s", i > 0 ? "," : "", function->name);
    }
    if (search->found->len > MOST_PATTERNS)
        g_string_printf(text, "%s,*::%s", search->question->function->name,
                        search->question->function->name);
    if (search->has_hooks)
        g_string_append(text, ",short:keep");
    return g_string_free(text, FALSE);
}

static gboolean
read_program(struct search *search, GError **error)
{
    const char *path = search->question->program;
    struct hpm_elffile file = {0};
    struct hpm_error problem;
    gboolean is_shared;

    if (!hpm_elffile_open(&file, path))
        return refuse(error,
                      _("'%s' is no program for this machine: where it is a "
                        "script, give the program that it starts"),
                      path);
    search->has_hooks = hpm_hooks_has(&file);
    is_shared = hpm_elffile_has_part(&file, PT_INTERP);
    hpm_elffile_close(&file);
    if (search->has_hooks && !is_shared)
        search->has_hooks = FALSE; /* nothing can be loaded into it */
    if (!hpm_probeables_read(&search->functions, path, &problem))
        return refuse(error, "%s", problem.text);
    search->symbols = hpm_symbols_new(path, "");
    return TRUE;
}

static gboolean
search_all(struct search *search, GError **error)
{
    if (!read_program(search, error))
        return FALSE;
    find_functions(search);
    if (search->found->len == 0)
        return refuse_absent(search, error);
    return search->has_hooks || check_probes(search, error);
}

gboolean
hpmviz_measurable_find(const struct hpmviz_question *question,
                       enum hpmviz_measuring *ret_way, char **ret_patterns,
                       GError **error)
{
    struct search search = {
        .question = question,
        .source = g_path_get_basename(question->source),
        .program = g_path_get_basename(question->program),
        .found = g_ptr_array_new(),
    };
    gboolean is_found = search_all(&search, error);

    if (is_found) {
        *ret_way = search.has_hooks ? HPMVIZ_BY_HOOKS : HPMVIZ_BY_PROBES;
        *ret_patterns = patterns_of(&search);
    }
    g_ptr_array_unref(search.found);
    hpm_symbols_free(search.symbols);
    hpm_probeables_clear(&search.functions);
    g_free(search.program);
    g_free(search.source);
    return is_found;
}
