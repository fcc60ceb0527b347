/* SPDX-License-Identifier: BSD-3-Clause
 * Where definitions come from. */
#include "config.h"

#include "metric/language/definitions.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/env.h"
#include "host/folder.h"
#include "host/memory.h"
#include "host/path.h"
#include "metric/language/builtin.h"
#include "metric/language/peek.h"
#include "metric/language/tables.h"

/* Far more than any file that people write. */
enum { LARGEST_FILE = 16 << 20 };

struct file {
    char *path;
    bool is_installed;                  /* part of the toolkit's installation */
    bool is_model;                      /* of the folder of the models */
    const struct hpm_builtin *replaces; /* the shipped file of the same name, or
                                         * NULL */
    bool is_read;
};

struct reading {
    struct hpm_spec *spec;
    struct file *files; /* later ones override earlier ones */
    size_t n_files;
    size_t capacity;
    bool *has_builtin; /* per shipped file: already read */
    unsigned layer;
    const char *path; /* of the file being read; NULL for a shipped one */
    bool is_for_one;  /* for one PMU; files only for others may be skipped */
    const char *pmu;  /* that PMU; NULL: not known */
    bool has_no_memory;
};

static bool
no_memory(struct reading *reading)
{
    reading->has_no_memory = true;
    return false;
}

/* ---- files ----------------------------------------------------------- */

/* Read a whole file, or say why that fails, without waiting for a writer (the
 * path may be a FIFO). */
static bool
read_bytes(const char *path, struct hpm_string *text, struct hpm_error *err)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat status;
    char buffer[4096];
    ssize_t n;

    if (descriptor < 0)
        return hpm_error_set(err, "%s", strerror(errno));
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        close(descriptor);
        return hpm_error_set(err, "not a file");
    }
    if (status.st_size <= LARGEST_FILE)
        hpm_string_reserve(text, (size_t)status.st_size);
    while ((n = read(descriptor, buffer, sizeof buffer)) > 0 &&
           text->length <= LARGEST_FILE)
        hpm_string_add_bytes(text, buffer, (size_t)n);
    close(descriptor);
    if (n < 0)
        return hpm_error_set(err, "%s", strerror(errno));
    if (text->length > LARGEST_FILE)
        return hpm_error_set(err, "larger than %d MiB", LARGEST_FILE >> 20);
    return !text->failed || hpm_error_no_memory(err);
}

static void
complain(struct reading *reading, const char *path, const char *why)
{
    hpm_string_add_format(&reading->spec->complaints,
                          "%s: cannot be read: %s\n", path, why);
    reading->spec->n_complaints++;
}

static hpm_spec_include include;

static bool
read_text(struct reading *reading, const char *name, const char *path,
          const char *text, size_t length)
{
    const char *outer = reading->path;
    bool is_good;

    reading->path = path;
    is_good = hpm_spec_read(reading->spec, name, text, length, reading->layer,
                            include, reading, NULL);
    reading->path = outer;
    return is_good || no_memory(reading);
}

/* Skip a shipped file.  Its faults are ours, and our tests read the shipped
 * files for all PMUs. */
static bool
pass_over(struct reading *reading)
{
    reading->spec->is_for_one = true;
    return true;
}

/* Read a shipped file from its tables, which hold the unchanged text. */
static bool
read_shipped(struct reading *reading, const struct hpm_builtin *builtin,
             const char *name, bool may_pass_over)
{
    size_t file = (size_t)(builtin - hpm_builtins);

    if (may_pass_over && reading->is_for_one &&
        hpm_tables_is_for_others(file, reading->pmu))
        return pass_over(reading);
    return hpm_tables_read(reading->spec, file, name, reading->layer, NULL) ||
           no_memory(reading);
}

static bool
read_any(struct reading *reading, const char *name, const char *path,
         const char *text, size_t length, bool may_pass_over)
{
    if (may_pass_over && reading->is_for_one &&
        hpm_peek_is_for_others(text, length, reading->pmu))
        return pass_over(reading);
    return read_text(reading, name, path, text, length);
}

/* Is the file equal to the shipped one, byte for byte?  Size and time cannot
 * tell: a user who edits a limit may change one digit. */
static bool
is_as_shipped(const struct file *file, const struct hpm_string *text)
{
    const struct hpm_builtin *builtin = file->replaces;
    const char *bytes = hpm_string_text(text);

    if (builtin == NULL || text->length != builtin->length)
        return false;
    if (builtin->text != NULL)
        return memcmp(bytes, builtin->text, text->length) == 0;
    return hpm_builtin_digest(bytes, text->length) == builtin->digest;
}

/* Called for a user's file that replaces a shipped one and differs from it:
 * that is no error, but seldom intended, so warn. */
static void
note_replacement(struct reading *reading, const struct file *file)
{
    if (file->replaces == NULL || file->is_installed)
        return;
    reading->spec->has_replaced = true;
    hpm_string_add_format(&reading->spec->complaints,
                          "%s: stands in place of the shipped %s, of which "
                          "nothing holds; to add to it, give the file another "
                          "name\n",
                          file->path, file->replaces->name);
}

static bool
read_file(struct reading *reading, struct file *file, struct hpm_error *err)
{
    struct hpm_string text = {0};
    bool is_good, is_shipped;

    file->is_read = true;
    is_good = read_bytes(file->path, &text, err);
    if (text.failed) /* not the file's fault: without memory no result would be
                      * right */
        no_memory(reading);
    is_shipped = is_good && is_as_shipped(file, &text);
    if (is_shipped && hpm_tables_n_files > 0) {
        is_good = read_shipped(reading, file->replaces, file->path,
                               file->is_installed);
    } else if (is_good) {
        if (!is_shipped)
            note_replacement(reading, file);
        is_good =
            read_any(reading, file->path, file->path, hpm_string_text(&text),
                     text.length, file->is_installed);
    }
    hpm_string_free(&text);
    return is_good;
}

/* ---- the list of files ----------------------------------------------- */

static struct file *
add_file(struct reading *reading, const char *path)
{
    struct file *file;

    for (size_t i = 0; i < reading->n_files; i++) {
        if (strcmp(reading->files[i].path, path) == 0)
            return &reading->files[i];
    }
    if (!hpm_memory_grow(&reading->files, &reading->capacity,
                         reading->n_files + 1, sizeof *reading->files)) {
        no_memory(reading);
        return NULL;
    }
    file = &reading->files[reading->n_files];
    file->path = hpm_memory_copy_text(path);
    if (file->path == NULL) {
        no_memory(reading);
        return NULL;
    }
    reading->n_files++;
    return file;
}

static int
compare_files(const void *a, const void *b)
{
    return strcmp(((const struct file *)a)->path,
                  ((const struct file *)b)->path);
}

/* Add all *.hpm files of a folder, sorted by name. */
static bool
add_folder(struct reading *reading, const char *folder)
{
    struct hpm_folder names;
    size_t first = reading->n_files;
    const char *name;

    if (!hpm_folder_open(&names, folder))
        return false;
    while ((name = hpm_folder_next(&names)) != NULL) {
        size_t length = strlen(name);
        struct hpm_string path = {0};

        if (length <= 4 || strcmp(name + length - 4, ".hpm") != 0)
            continue;
        hpm_string_add_format(&path, "%s/%s", folder, name);
        if (path.failed)
            no_memory(reading);
        else
            add_file(reading, path.text);
        hpm_string_free(&path);
    }
    hpm_folder_close(&names);
    if (reading->n_files > first)
        qsort(reading->files + first, reading->n_files - first,
              sizeof *reading->files, compare_files);
    return true;
}

static void
add_user_folder(struct reading *reading)
{
    const char *config = secure_getenv("XDG_CONFIG_HOME");
    const char *home = secure_getenv("HOME");
    struct hpm_string folder = {0};

    if (config != NULL && config[0] == '/')
        hpm_string_add_format(&folder, "%s/hpm-toolkit", config);
    else if (home != NULL && home[0] == '/')
        hpm_string_add_format(&folder, "%s/.config/hpm-toolkit", home);
    if (folder.length > 0)
        add_folder(reading, folder.text);
    hpm_string_finish(&folder, &reading->has_no_memory);
}

static void
add_paths(struct reading *reading, const char *paths)
{
    while (*paths != '\0') {
        size_t length = strcspn(paths, ":");
        struct hpm_string path = {0};

        hpm_string_add_bytes(&path, paths, length);
        if (path.failed)
            no_memory(reading);
        else if (length > 0 && !add_folder(reading, path.text))
            add_file(reading, path.text);
        hpm_string_free(&path);
        paths += length;
        paths += *paths == ':';
    }
}

/* ---- reading --------------------------------------------------------- */

/* The last file of this base name, which overrides the others, or NULL. */
static struct file *
find_file(struct reading *reading, const char *name)
{
    for (size_t i = reading->n_files; i > 0; i--) {
        struct file *file = &reading->files[i - 1];

        if (strcmp(hpm_path_base_name(file->path), name) == 0)
            return file;
    }
    return NULL;
}

/* Read a shipped file, or the file that replaces it. */
static bool
read_builtin(struct reading *reading, size_t i, struct hpm_error *err)
{
    const struct hpm_builtin *builtin = &hpm_builtins[i];
    struct file *instead = find_file(reading, builtin->name);

    if (reading->has_builtin[i])
        return true;
    reading->has_builtin[i] = true;
    for (size_t j = 0; instead != NULL && j < reading->n_files; j++) {
        if (strcmp(hpm_path_base_name(reading->files[j].path), builtin->name) ==
                0 &&
            &reading->files[j] != instead)
            reading->files[j].is_read = true; /* overridden by `instead` */
    }
    if (instead != NULL && !instead->is_read) {
        instead->replaces = builtin;
        return read_file(reading, instead, err);
    }
    if (instead != NULL)
        return true;
    if (hpm_tables_n_files > 0)
        return read_shipped(reading, builtin, builtin->name, true);
    return read_any(reading, builtin->name, NULL, builtin->text,
                    builtin->length, true);
}

/* Look for the file beside the file that includes it, else among the listed
 * files by base name, else among the shipped ones.  A file read before is not
 * read again. */
static bool
include(struct hpm_spec *spec, const char *name, void *context,
        struct hpm_error *err)
{
    struct reading *reading = context;
    struct hpm_string path = {0};
    struct hpm_error why;
    struct file *file = NULL;

    (void)spec;
    if (reading->path != NULL && name[0] != '/')
        hpm_string_add_bytes(
            &path, reading->path,
            (size_t)(hpm_path_base_name(reading->path) - reading->path));
    hpm_string_add(&path, name);
    if (path.failed)
        return no_memory(reading) || hpm_error_no_memory(err);
    if (access(path.text, R_OK) == 0 &&
        (reading->path != NULL || name[0] == '/'))
        file = add_file(reading, path.text);
    else
        file = find_file(reading, name);
    hpm_string_free(&path);
    if (file != NULL && !file->is_read && !read_file(reading, file, &why))
        return hpm_error_set(err, "'%.200s' cannot be read: %.200s", name,
                             why.text);
    for (size_t i = 0; file == NULL && i < hpm_n_builtins; i++) {
        if (strcmp(hpm_builtins[i].name, name) == 0)
            return read_builtin(reading, i, err);
    }
    return file != NULL ||
           hpm_error_set(err, "there is no file '%.200s' to include", name);
}

static bool
read_files(struct reading *reading)
{
    struct hpm_error why;

    for (size_t i = 0; i < hpm_n_builtins && !reading->has_no_memory; i++) {
        struct file *instead = find_file(reading, hpm_builtins[i].name);

        if (!read_builtin(reading, i, &why) && !reading->has_no_memory)
            complain(reading,
                     instead != NULL ? instead->path : hpm_builtins[i].name,
                     why.text);
    }
    /* an include may add files during this loop */
    for (size_t i = 0; i < reading->n_files && !reading->has_no_memory; i++) {
        char *path = reading->files[i].path;

        if (reading->files[i].is_read)
            continue;
        reading->layer++;
        if (reading->files[i].is_model)
            reading->spec->n_model_layers = reading->layer;
        if (!read_file(reading, &reading->files[i], &why) &&
            !reading->has_no_memory)
            complain(reading, path, why.text);
    }
    return !reading->has_no_memory;
}

static bool
finish(struct reading *reading, struct hpm_error *err)
{
    for (size_t i = 0; i < reading->n_files; i++)
        hpm_memory_free(reading->files[i].path);
    hpm_memory_free(reading->files);
    hpm_memory_free(reading->has_builtin);
    if (reading->has_no_memory || reading->spec->complaints.failed)
        return hpm_error_no_memory(err);
    return true;
}

enum { MOST_ALSO = 3 };
static const char *also[MOST_ALSO];

/* In alphabetical order, as where a whole folder is read: the first of equally special
 * definitions holds. */
void
hpm_definitions_read_also(const char *model)
{
    for (size_t i = 0; i < MOST_ALSO; i++) {
        const char *later = also[i];

        if (later != NULL && strcmp(later, model) <= 0)
            continue;
        also[i] = model;
        if (later == NULL)
            return;
        model = later;
    }
}

static void
add_model(struct reading *reading, const char *folder, const char *model)
{
    struct hpm_string path = {0};

    hpm_string_add_format(&path, "%s/%s.hpm", folder, model);
    if (path.failed)
        no_memory(reading);
    else if (access(path.text, R_OK) == 0)
        add_file(reading, path.text);
    hpm_string_free(&path);
}

const char *
hpm_definitions_models(void)
{
    const char *folder = hpm_env_get(HPM_VARIABLE_MODELS);

    return folder != NULL ? folder : HPM_METRICS_DIR "/models";
}

/* Add the model of the PMU's processor, and none if the PMU is not known.  If
 * definitions are read for all PMUs, add the whole folder. */
static void
add_models(struct reading *reading)
{
    const char *folder = hpm_definitions_models();

    if (!reading->is_for_one) {
        add_folder(reading, folder);
        return;
    }
    for (size_t i = 0; i < MOST_ALSO && also[i] != NULL; i++)
        add_model(reading, folder, also[i]);
    if (reading->pmu != NULL)
        add_model(reading, folder, reading->pmu);
}

static void
add_installed_folder(struct reading *reading)
{
    add_models(reading);
    for (size_t i = 0; i < reading->n_files; i++)
        reading->files[i].is_model = true;
    add_folder(reading, HPM_METRICS_DIR);
    for (size_t i = 0; i < reading->n_files; i++)
        reading->files[i].is_installed = true;
}

static bool
read_all(struct reading *reading, const char *paths, struct hpm_error *err)
{
    if (paths == NULL)
        paths = hpm_env_get(HPM_VARIABLE_DEFS);
    reading->has_builtin = hpm_memory_new(hpm_n_builtins, sizeof(bool));
    if (reading->has_builtin == NULL ||
        !hpm_tables_reserve(reading->spec, reading->is_for_one, reading->pmu,
                            err)) {
        hpm_memory_free(reading->has_builtin);
        return hpm_error_no_memory(err);
    }
    add_installed_folder(reading);
    add_user_folder(reading);
    if (paths != NULL)
        add_paths(reading, paths);
    read_files(reading);
    return finish(reading, err);
}

bool
hpm_definitions_read(struct hpm_spec *spec, const char *paths,
                     struct hpm_error *err)
{
    struct reading reading = {.spec = spec};

    return read_all(&reading, paths, err);
}

bool
hpm_definitions_read_for(struct hpm_spec *spec, const char *paths,
                         const char *pmu, struct hpm_error *err)
{
    struct reading reading = {.spec = spec, .is_for_one = true, .pmu = pmu};

    return read_all(&reading, paths, err);
}

bool
hpm_definitions_read_file(struct hpm_spec *spec, const char *path,
                          struct hpm_error *err)
{
    struct reading reading = {.spec = spec};

    reading.has_builtin = hpm_memory_new(hpm_n_builtins, sizeof(bool));
    if (reading.has_builtin == NULL)
        return hpm_error_no_memory(err);
    add_file(&reading, path);
    read_files(&reading);
    return finish(&reading, err);
}
