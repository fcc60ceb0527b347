/* SPDX-License-Identifier: BSD-3-Clause
 * The folder of a campaign. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/folder.h"
#include "host/write.h"
#include "hpm/campaign/campaign.h"

#define DONE "done"
#define TAKEN_BACK "short"
#define ENDING ".hpm.xml"
#define DESCRIPTION "campaign"
#define UNFINISHED DESCRIPTION ".unfinished"

enum { MOST_TRIES = 10000 }; /* for one run */

struct campaign_run
campaign_run_at(const struct campaign *campaign, size_t i)
{
    if (campaign->is_interleaved)
        return (struct campaign_run){i % campaign->n_sets,
                                     i / campaign->n_sets};
    return (struct campaign_run){i / campaign->n_repeats,
                                 i % campaign->n_repeats};
}

/* ---- the description ------------------------------------------------- */

static bool
read_whole(int fd, struct hpm_string *text)
{
    char bytes[4096];
    ssize_t n;

    while ((n = read(fd, bytes, sizeof bytes)) > 0)
        hpm_string_add_bytes(text, bytes, (size_t)n);
    return n == 0;
}

/* Is the folder's campaign the same in all that results depend on? */
static bool
is_same(const struct campaign *campaign, const char *path,
        const struct hpm_string *text, struct hpm_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct hpm_string found = {0};
    bool is_same = false;

    if (fd < 0 || !read_whole(fd, &found))
        hpm_error_set(err, "cannot read '%.200s': %s", path, strerror(errno));
    else
        is_same = campaign_compare(campaign, hpm_string_text(&found),
                                   hpm_string_text(text), err);
    if (fd >= 0)
        close(fd);
    hpm_string_free(&found);
    return is_same;
}

/* Written completely or not at all, because this file identifies the
 * campaign. */
static bool
write_description(const char *path, const struct hpm_string *text,
                  struct hpm_error *err)
{
    struct hpm_string unfinished = {0};
    bool is_good = false;
    int fd;

    hpm_string_add_format(&unfinished, "%s.unfinished", path);
    fd = open(hpm_string_text(&unfinished),
              O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd >= 0) {
        errno = hpm_write_all(fd, hpm_string_text(text), text->length);
        is_good = errno == 0;
        is_good = close(fd) == 0 && is_good;
    }
    is_good = is_good && rename(hpm_string_text(&unfinished), path) == 0;
    if (!is_good) {
        hpm_error_set(err, "cannot write '%.200s': %s", path, strerror(errno));
        unlink(hpm_string_text(&unfinished));
    }
    hpm_string_free(&unfinished);
    return is_good;
}

/* A folder without a description does not belong to a campaign.  It may be used
 * if it is empty, or has only the unfinished description of a campaign that was
 * killed while writing it. */
static bool
is_empty(const char *path)
{
    struct hpm_folder folder;
    const char *name;

    if (!hpm_folder_open(&folder, path))
        return false;
    while ((name = hpm_folder_next(&folder)) != NULL) {
        if (strcmp(name, UNFINISHED) != 0)
            break;
    }
    hpm_folder_close(&folder);
    return name == NULL;
}

static enum status
take_folder(const struct campaign *campaign, const char *path,
            const struct hpm_string *text, struct hpm_error *err)
{
    struct stat status;

    if (stat(path, &status) == 0)
        return is_same(campaign, path, text, err) ? GOOD : USAGE;
    if (is_empty(campaign->path))
        return write_description(path, text, err) ? GOOD : OUTPUT;
    hpm_error_set(err,
                  "the folder '%.200s' has other files; name another with "
                  "--folder",
                  campaign->folder);
    return USAGE;
}

/* Make the folder, and set campaign->path to its path. */
static bool
make_folder(struct campaign *campaign, struct hpm_error *err)
{
    if (mkdir(campaign->folder, 0777) != 0 && errno != EEXIST)
        return hpm_error_set(err, "cannot make the folder '%.200s': %s",
                             campaign->folder, strerror(errno));
    campaign->path = realpath(campaign->folder, NULL);
    return campaign->path != NULL ||
           hpm_error_set(err, "cannot use the folder '%.200s': %s",
                         campaign->folder, strerror(errno));
}

enum status
campaign_open_folder(struct campaign *campaign, struct hpm_error *err)
{
    struct hpm_string text = {0}, path = {0};
    enum status status = OUTPUT;

    if (!make_folder(campaign, err))
        return OUTPUT;
    campaign_describe(campaign, &text);
    hpm_string_add_format(&path, "%s/" DESCRIPTION, campaign->path);
    if (text.failed || path.failed)
        hpm_error_no_memory(err);
    else
        status = take_folder(campaign, path.text, &text, err);
    hpm_string_free(&text);
    hpm_string_free(&path);
    return status;
}

/* ---- the campaign's runs --------------------------------------------- */

/* The folder of the n-th time that the run is made. */
static void
set_path(const struct campaign *campaign, struct campaign_run run, unsigned n,
         struct hpm_string *path)
{
    hpm_string_clear(path);
    hpm_string_add_format(path, "%s/set-%02zu-run-%llu", campaign->path,
                          run.set + 1, (unsigned long long)run.repeat + 1);
    if (n > 1)
        hpm_string_add_format(path, "-try-%u", n);
}

static bool
has_mark(const char *folder, const char *mark)
{
    struct hpm_string path = {0};
    bool has;

    hpm_string_add_format(&path, "%s/%s", folder, mark);
    has = !path.failed && access(path.text, F_OK) == 0;
    hpm_string_free(&path);
    return has;
}

/* Append the run's first folder with this mark to `path`, unless that is NULL;
 * false where there is none. */
static bool
find_mark(const struct campaign *campaign, struct campaign_run run,
          const char *mark, struct hpm_string *path)
{
    struct hpm_string folder = {0};
    bool is_found = false;

    for (unsigned n = 1; n <= MOST_TRIES && !is_found; n++) {
        set_path(campaign, run, n, &folder);
        if (folder.failed || access(folder.text, F_OK) != 0)
            break;
        is_found = has_mark(folder.text, mark);
    }
    if (is_found && path != NULL)
        hpm_string_add(path, folder.text);
    hpm_string_free(&folder);
    return is_found;
}

bool
campaign_is_done(const struct campaign *campaign, struct campaign_run run,
                 struct hpm_string *path)
{
    return find_mark(campaign, run, DONE, path);
}

size_t
campaign_count_processes(const struct campaign *campaign,
                         struct campaign_run run)
{
    struct hpm_string folder = {0};
    size_t n = 0;

    if (campaign_is_done(campaign, run, &folder) && !folder.failed)
        n = campaign_add_files(folder.text, NULL);
    hpm_string_free(&folder);
    return n;
}

bool
campaign_was_taken_back(const struct campaign *campaign,
                        struct campaign_run run)
{
    return find_mark(campaign, run, TAKEN_BACK, NULL);
}

bool
campaign_take_back(const struct campaign *campaign, struct campaign_run run,
                   struct hpm_error *err)
{
    struct hpm_string done = {0}, mark = {0};
    bool is_good;

    campaign_is_done(campaign, run, &done);
    hpm_string_add_format(&mark, "%s/" TAKEN_BACK, hpm_string_text(&done));
    hpm_string_add(&done, "/" DONE);
    is_good = !done.failed && !mark.failed && rename(done.text, mark.text) == 0;
    if (!is_good)
        hpm_error_set(err, "cannot rename '%.200s': %s", hpm_string_text(&done),
                      strerror(errno));
    hpm_string_free(&done);
    hpm_string_free(&mark);
    return is_good;
}

bool
campaign_begin_run(const struct campaign *campaign, struct campaign_run run,
                   struct hpm_string *path, struct hpm_error *err)
{
    struct hpm_string folder = {0};
    bool is_made = false;

    errno = EEXIST;
    for (unsigned n = 1; n <= MOST_TRIES && !is_made && errno == EEXIST; n++) {
        set_path(campaign, run, n, &folder);
        if (folder.failed)
            errno = ENOMEM;
        else
            is_made = mkdir(folder.text, 0777) == 0;
    }
    if (is_made)
        hpm_string_add(path, folder.text);
    else
        hpm_error_set(err, "cannot make the folder '%.200s': %s",
                      hpm_string_text(&folder), strerror(errno));
    hpm_string_free(&folder);
    return is_made;
}

bool
campaign_end_run(const char *folder, struct hpm_error *err)
{
    struct hpm_string path = {0};
    int fd;

    hpm_string_add_format(&path, "%s/" DONE, folder);
    fd = open(hpm_string_text(&path), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        hpm_error_set(err, "cannot write '%.200s': %s", hpm_string_text(&path),
                      strerror(errno));
    else
        close(fd);
    hpm_string_free(&path);
    return fd >= 0;
}

static bool
is_performance_file(const char *name)
{
    size_t length = strlen(name), ending = strlen(ENDING);

    return length > ending && strcmp(name + length - ending, ENDING) == 0;
}

size_t
campaign_add_files(const char *path, struct hpm_string *paths)
{
    struct hpm_folder folder;
    const char *name;
    size_t n = 0;

    if (!hpm_folder_open(&folder, path))
        return 0;
    while ((name = hpm_folder_next(&folder)) != NULL) {
        if (!is_performance_file(name))
            continue;
        n++;
        if (paths == NULL)
            continue;
        hpm_string_add_format(paths, "%s/%s", path, name);
        hpm_string_add_char(paths, '\0');
    }
    hpm_folder_close(&folder);
    return n;
}
