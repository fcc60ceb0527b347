/* SPDX-License-Identifier: BSD-3-Clause
 * The HTML page of a run (--html). */
#include "hpmcount/webpage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "host/memory.h"
#include "hpmcount/say.h"
#include "hpmcount/series.h"
#include "hpmcount/sibling.h"

/* ---- making it ------------------------------------------------------- */

static void
say_why(int status)
{
    if (status == -1 && errno == ENOENT)
        say("--html: hpm, which makes the page, is neither beside hpmcount nor "
            "in PATH");
    else if (status == -1)
        say("--html: hpm report failed: %s",
            errno != 0 ? strerror(errno) : "it was ended by a signal");
    else
        say("--html: hpm report failed with exit status %d", status);
}

bool
webpage_make(const struct outputs *outputs, const char *folder,
             const char *const *files, size_t n_files)
{
    const char *const options[] = {"hpm", "report", "--format", "html",
                                   "--each"};
    enum { N_OPTIONS = sizeof options / sizeof *options };
    const char **arguments =
        hpm_memory_new(N_OPTIONS + n_files + 1, sizeof *arguments);
    struct hpm_string text = {0};
    bool is_made = false;
    int status;

    if (arguments == NULL) {
        say("--html: out of memory");
        return false;
    }
    memcpy(arguments, options, sizeof options);
    memcpy(arguments + N_OPTIONS, files, n_files * sizeof *files);
    status = sibling_run(folder, arguments, &text);
    if (sibling_was_good(status))
        is_made = outputs_write_page(outputs, &text);
    else
        say_why(status);
    hpm_string_free(&text);
    hpm_memory_free(arguments);
    return is_made;
}

void
webpage_say_by_hand(const struct outputs *outputs, const char *files,
                    size_t n_files)
{
    say("the page is made by 'hpm report --format html%s -o %s/%s %s'",
        n_files > 1 ? " --each" : "", outputs->page.folder, outputs->page.name,
        files);
}

/* ---- the runs -------------------------------------------------------- */

bool
webpage_begin(struct webpage *ret_page, const struct outputs *outputs,
              struct hpm_error *err)
{
    const char *parent = getenv("TMPDIR");
    struct hpm_string path = {0};

    *ret_page = (struct webpage){.outputs = outputs};
    if (!outputs->has_page)
        return true;
    hpm_string_add(&path, parent != NULL && *parent == '/' ? parent : "/tmp");
    hpm_string_add(&path, "/hpmcount-XXXXXX");
    if (path.failed) {
        hpm_string_free(&path);
        return hpm_error_no_memory(err);
    }
    ret_page->folder = path.text;
    if (mkdtemp(ret_page->folder) != NULL)
        return true;
    hpm_error_set(err,
                  "--html: cannot make the folder '%.200s': %s; TMPDIR names "
                  "another place",
                  ret_page->folder, strerror(errno));
    hpm_memory_free(ret_page->folder);
    ret_page->folder = NULL;
    return false;
}

static char *
path_of(const struct webpage *page, const char *name)
{
    struct hpm_string path = {0};

    hpm_string_add(&path, page->folder);
    hpm_string_add_char(&path, '/');
    hpm_string_add(&path, name);
    return path.text;
}

static bool
write_file(const struct webpage *page, const char *name,
           const struct hpm_experiment *experiment, struct hpm_derived *derived,
           struct hpm_error *err)
{
    struct hpm_destination destination;
    char *path = path_of(page, name);
    bool is_written = false;

    if (path == NULL)
        return hpm_error_no_memory(err);
    if (hpm_destination_fix(&destination, path, err)) {
        is_written =
            outputs_write_experiment(&destination, experiment, derived, err);
        hpm_destination_clear(&destination);
    }
    hpm_memory_free(path);
    return is_written;
}

static bool
add_file(struct webpage *page, const struct hpm_experiment *experiment,
         struct hpm_derived *derived, uint64_t run, struct hpm_error *err)
{
    uint64_t n_runs = page->outputs->options->n_runs;
    char *name;

    if (!hpm_memory_grow(&page->files, &page->files_capacity, page->n_files + 1,
                         sizeof *page->files))
        return hpm_error_no_memory(err);
    name = outputs_expand(n_runs > 1 ? "%n.%i.hpm.xml" : "%n.hpm.xml", run,
                          n_runs, &experiment->run, err);
    if (name == NULL)
        return false;
    if (!write_file(page, name, experiment, derived, err)) {
        hpm_memory_free(name);
        return false;
    }
    page->files[page->n_files++] = name;
    return true;
}

void
webpage_add_run(struct webpage *page, const struct hpm_experiment *experiment,
                struct hpm_derived *derived, uint64_t run)
{
    struct hpm_error err;

    if (page->folder == NULL)
        return;
    if (page->outputs->options->n_runs > 1 && series_has_failed(experiment))
        page->n_failed++;
    else if (!add_file(page, experiment, derived, run, &err))
        say("--html: %s", err.text);
}

static void
remove_folder(const struct webpage *page)
{
    for (size_t i = 0; i < page->n_files; i++) {
        char *path = path_of(page, page->files[i]);

        if (path != NULL)
            unlink(path);
        hpm_memory_free(path);
    }
    rmdir(page->folder);
}

static void
say_rest(const struct webpage *page)
{
    struct hpm_string files = {0};

    hpm_string_add_format(&files, "%s/*", page->folder);
    if (!files.failed)
        webpage_say_by_hand(page->outputs, hpm_string_text(&files),
                            page->n_files);
    hpm_string_free(&files);
}

void
webpage_end(struct webpage *page)
{
    if (page->folder == NULL)
        return;
    if (page->n_files == 0) {
        say("--html: there is no page, for no run %s",
            page->n_failed > 0 ? "ended well" : "was kept");
        remove_folder(page);
        return;
    }
    if (page->n_failed > 0)
        say("--html: %zu failed run%s not in the page", page->n_failed,
            page->n_failed == 1 ? " is" : "s are");
    if (webpage_make(page->outputs, page->folder,
                     (const char *const *)page->files, page->n_files))
        remove_folder(page);
    else
        say_rest(page);
}

void
webpage_clear(struct webpage *page)
{
    for (size_t i = 0; i < page->n_files; i++)
        hpm_memory_free(page->files[i]);
    hpm_memory_free(page->files);
    hpm_memory_free(page->folder);
    *page = (struct webpage){0};
}
