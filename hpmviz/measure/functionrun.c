/* SPDX-License-Identifier: BSD-3-Clause
 * The command that measures one function. */
#include "hpmviz/measure/functionrun.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "hpmviz/measure/measurable.h"
#include "hpmviz/measure/shellcommand.h"

struct hpmviz_functionrun *
hpmviz_functionrun_new(const char *folder, const char *command,
                       const char *source,
                       const struct hpmviz_function *function)
{
    struct hpmviz_functionrun *run = g_new0(struct hpmviz_functionrun, 1);

    run->folder = g_strdup(folder);
    run->command = g_strdup(command);
    run->source = g_strdup(source);
    run->function = *function;
    run->function.name = g_strdup(function->name);
    return run;
}

void
hpmviz_functionrun_free(gpointer data)
{
    struct hpmviz_functionrun *run = data;

    if (run == NULL)
        return;
    hpmviz_function_clear(&run->function);
    g_free(run->source);
    g_free(run->command);
    g_free(run->folder);
    g_free(run);
}

/* ---- files ----------------------------------------------------------- */

/* The file of the program, as the shell finds it in that folder; NULL for none. */
static char *
find_file(const struct hpmviz_functionrun *run, const char *program)
{
    char *path;

    if (strchr(program, '/') == NULL)
        return g_find_program_in_path(program);
    path = g_canonicalize_filename(program, run->folder);
    if (g_file_test(path, G_FILE_TEST_IS_EXECUTABLE) &&
        !g_file_test(path, G_FILE_TEST_IS_DIR))
        return path;
    g_free(path);
    return NULL;
}

static gboolean
is_older(const char *path, const char *source)
{
    GStatBuf program, text;

    return g_stat(path, &program) == 0 && g_stat(source, &text) == 0 &&
           program.st_mtime < text.st_mtime;
}

/* hpmcount by its name, where the shell finds it; else that beside this program. */
static char *
find_hpmcount(GError **error)
{
    g_autofree char *found = g_find_program_in_path("hpmcount");
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *folder = g_path_get_dirname(self != NULL ? self : "/");
    g_autofree char *beside = g_build_filename(folder, "hpmcount", NULL);

    if (found != NULL)
        return g_strdup("hpmcount");
    if (g_file_test(beside, G_FILE_TEST_IS_EXECUTABLE) &&
        !g_file_test(beside, G_FILE_TEST_IS_DIR))
        return g_shell_quote(beside);
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s",
                _("hpmcount, which measures functions, is not in PATH: install "
                  "it, or put its folder into PATH"));
    return NULL;
}

/* ---- the command ----------------------------------------------------- */

/* With hooks libhpm writes the file of the sections, named by HPM_OUTPUT_NAME.
 * hpmcount would write that of the whole run by the same name, and the two are no
 * tasks of one run: it gets a name that is not taken for one of the results. */
static char *
put_in(const struct hpmviz_functionrun *run,
       const struct hpmviz_shellcommand *command, enum hpmviz_measuring way,
       const char *patterns, GError **error)
{
    g_autofree char *hpmcount =
        command->has_hpmcount ? g_strdup("") : find_hpmcount(error);
    g_autofree char *quoted = g_shell_quote(patterns);

    if (hpmcount == NULL)
        return NULL;
    return g_strdup_printf(
        "%.*s%s%s%s %s%s %s", (int)command->at, run->command, hpmcount,
        command->has_hpmcount ? "" : " ",
        way == HPMVIZ_BY_HOOKS ? "--functions" : "--section", quoted,
        way == HPMVIZ_BY_HOOKS ? " -o \"${HPM_OUTPUT_NAME%/*}/program.xml\""
                               : " -o \"$HPM_OUTPUT_NAME\"",
        run->command + command->at);
}

static char *
refuse_missing(const struct hpmviz_functionrun *run, const char *program,
               GError **error)
{
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                _("there is no program '%s' in %s: build it, or correct the "
                  "folder or the command, which ends with the program and its "
                  "arguments"),
                program, run->folder);
    return NULL;
}

static char *
make_command(const struct hpmviz_functionrun *run,
             const struct hpmviz_shellcommand *command, const char *path,
             GError **error)
{
    struct hpmviz_question question = {
        .program = path,
        .source = run->source,
        .function = &run->function,
        .may_probe = geteuid() == 0,
    };
    enum hpmviz_measuring way;
    g_autofree char *patterns = NULL;

    if (!hpmviz_measurable_find(&question, &way, &patterns, error))
        return NULL;
    return put_in(run, command, way, patterns, error);
}

static char *
find_next(const struct hpmviz_functionrun *run,
          const struct hpmviz_shellcommand *command,
          gboolean *ret_is_preparation, GError **error)
{
    g_autofree char *path = find_file(run, command->program);

    *ret_is_preparation = !run->is_prepared && *command->preparation != '\0' &&
                          (path == NULL || is_older(path, run->source));
    if (*ret_is_preparation)
        return g_strdup(command->preparation);
    if (path == NULL)
        return refuse_missing(run, command->program, error);
    return make_command(run, command, path, error);
}

char *
hpmviz_functionrun_next(const struct hpmviz_functionrun *run,
                        gboolean *ret_is_preparation, GError **error)
{
    struct hpmviz_shellcommand command;
    char *next = NULL;

    if (hpmviz_shellcommand_read(run->command, &command, error))
        next = find_next(run, &command, ret_is_preparation, error);
    hpmviz_shellcommand_clear(&command);
    return next;
}
