/* SPDX-License-Identifier: BSD-3-Clause
 * Defining and removing probes for other users. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/memory.h"
#include "hpm/frame/helper.h"
#include "hpm/probing/probing.h"
#include "study/probe/chosen.h"
#include "study/probe/costplaces.h"
#include "study/probe/executable.h"
#include "study/probe/probelist.h"
#include "study/probe/runprobes.h"
#include "study/probe/standing.h"
#include "study/words/words.h"

/* ---- what the parts share ---------------------------------------------- */

const char probing_command[] = "probes";

enum status
probing_refuse(void)
{
    if (errno == EACCES || errno == EPERM)
        subcommand_say(probing_command,
                       "you may not read or change the kernel's list of "
                       "probes (tracefs); run 'hpm probes' as root");
    else if (errno == ENOENT)
        subcommand_say(probing_command,
                       "the kernel's list of probes is not here; as root "
                       "'mount -t tracefs nodev /sys/kernel/tracing', and the "
                       "kernel must have CONFIG_UPROBE_EVENTS");
    else
        subcommand_say(probing_command,
                       "the kernel's list of probes cannot be read or "
                       "changed: %s",
                       hpm_words_of_system(strerror(errno)));
    return NOTHING;
}

bool
probing_join(char *const *patterns, size_t n, struct hpm_string *ret_list)
{
    for (size_t i = 0; i < n; i++)
        hpm_string_add_format(ret_list, "%s%s", i > 0 ? "," : "", patterns[i]);
    return !ret_list->failed;
}

static enum status
fail_memory(void)
{
    struct hpm_error err;

    hpm_error_no_memory(&err);
    return subcommand_fail(probing_command, &err, NOTHING);
}

/* ---- defining ---------------------------------------------------------- */

/* One file's probes on their way into the kernel's list. */
struct defining {
    int descriptor;
    const struct hpm_probelist *list; /* as it was */
    const char *path;
    char group[HPM_STANDING_NAME];
    size_t n_new, n_there;
};

static bool
add(struct defining *defining, const char *event, uint64_t offset)
{
    struct hpm_probeline line = {.is_return =
                                     strcmp(event, HPM_STANDING_BACK) == 0,
                                 .path = (char *)defining->path,
                                 .offset = offset};

    strcpy(line.group, defining->group);
    strcpy(line.event, event);
    return hpm_standing_has(defining->list, line.group, event, offset) ||
           hpm_probelist_add(defining->descriptor, &line) || errno == EEXIST;
}

/* Where the second probe of a function is refused, the first one must not stay: users
 * would see calls without an end. */
static bool
add_function(struct defining *defining, uint64_t offset, bool is_entry_only)
{
    const char *event = is_entry_only ? HPM_STANDING_CALLS : HPM_STANDING_ENTRY;

    if (hpm_standing_has(defining->list, defining->group, event, offset))
        defining->n_there++;
    else
        defining->n_new++;
    return (is_entry_only || add(defining, HPM_STANDING_BACK, offset)) &&
           add(defining, event, offset);
}

/* Users' hpmcount finds the costs of probes at functions of its own. */
static enum status
define_costs(struct defining *defining)
{
    uint64_t offsets[HPM_N_COST_PLACES];
    struct hpm_string found = {0};
    struct hpm_error err;
    char *path = NULL;
    bool is_good = helper_find_hpmcount(&found, &err);

    if (is_good)
        path = realpath(hpm_string_text(&found), NULL);
    hpm_string_free(&found);
    if (!is_good || path == NULL || !hpm_costplaces_read(path, offsets, &err) ||
        !hpm_standing_group(path, defining->group, &err)) {
        if (is_good && path == NULL)
            hpm_error_no_memory(&err);
        free(path);
        return subcommand_fail(probing_command, &err, NOTHING);
    }
    defining->path = path;
    for (size_t k = 0; k < HPM_N_COST_PLACES && is_good; k++)
        is_good = add_function(defining, offsets[k], false);
    free(path);
    return is_good ? GOOD : probing_refuse();
}

static enum status
say_refused(const struct hpm_chosen *chosen, const char *path, const char *list,
            bool is_entry_only)
{
    const char *why = hpm_words_get(chosen->why);

    if (chosen->n_refused > 0 && chosen->extent == HPM_PROBE_ENTRY &&
        !is_entry_only)
        subcommand_say(probing_command,
                       "functions without a probe: %zu, such as '%.100s': %s; "
                       "--entry-only defines probes that count their calls",
                       chosen->n_refused, chosen->refused, why);
    else if (chosen->n_refused > 0)
        subcommand_say(probing_command,
                       "functions without a probe: %zu, such as '%.100s': %s",
                       chosen->n_refused, chosen->refused, why);
    else if (chosen->n == 0)
        subcommand_say(probing_command,
                       "no function of '%s' is called '%s'; 'hpm functions' "
                       "lists them",
                       path, list);
    return chosen->n == 0 ? NOTHING : GOOD;
}

static enum status
define_all(struct defining *defining, const struct hpm_chosen *chosen,
           bool is_entry_only)
{
    struct hpm_string text = {0};
    enum status status;

    for (size_t i = 0; i < chosen->n; i++) {
        if (!add_function(defining, chosen->points[i].offset, is_entry_only))
            return probing_refuse();
    }
    hpm_string_add_format(&text,
                          _("%s: functions with a new probe: %zu, with one "
                            "before: %zu\n"),
                          defining->path, defining->n_new, defining->n_there);
    status = is_entry_only ? GOOD : define_costs(defining);
    if (status == GOOD)
        probing_add_rights(&text);
    return subcommand_print(probing_command, &text, status);
}

static void
say_old(const struct defining *defining)
{
    if (hpm_standing_is_old(defining->list, defining->group, defining->path))
        subcommand_say(probing_command,
                       "'%s' was another file when probes were defined "
                       "before; those hit nothing any more",
                       defining->path);
}

static enum status
define_in(const char *path, const char *list, bool is_entry_only)
{
    struct defining defining = {.path = path};
    struct hpm_chosen chosen = {.points = NULL};
    struct hpm_probelist before = {.lines = NULL};
    struct hpm_error err;
    enum status status;

    defining.list = &before;
    if (!hpm_chosen_read(&chosen, path, list, is_entry_only, &err) ||
        !hpm_standing_group(path, defining.group, &err))
        status = subcommand_fail(probing_command, &err, NOTHING);
    else
        status = say_refused(&chosen, path, list, is_entry_only);
    if (status == GOOD) {
        defining.descriptor = hpm_probelist_open(O_WRONLY | O_APPEND);
        if (defining.descriptor < 0 || !hpm_probelist_read(&before)) {
            status = probing_refuse();
        } else {
            say_old(&defining);
            status = define_all(&defining, &chosen, is_entry_only);
        }
        if (defining.descriptor >= 0)
            close(defining.descriptor);
    }
    hpm_probelist_clear(&before);
    hpm_chosen_clear(&chosen);
    return status;
}

enum status
probing_define(const char *word, char *const *patterns, size_t n,
               bool is_entry_only)
{
    struct hpm_string list = {0};
    char *path = hpm_executable_file(word);
    enum status status;

    if (path == NULL || !probing_join(patterns, n, &list)) {
        status = fail_memory();
    } else if (strpbrk(path, " \t\n:") != NULL) {
        subcommand_say(probing_command,
                       "the kernel sets no probe in a file with a blank or "
                       "colon in its path ('%s'); copy it elsewhere",
                       path);
        status = NOTHING;
    } else {
        status = define_in(path, hpm_string_text(&list), is_entry_only);
    }
    hpm_memory_free(path);
    hpm_string_free(&list);
    return status;
}

/* ---- removing ---------------------------------------------------------- */

struct removing {
    const char *path;  /* NULL: all files */
    bool has_patterns; /* then only these functions */
    const struct hpm_chosen *chosen;
    size_t n_removed, n_busy;
};

static bool
is_meant(const struct removing *removing, const struct hpm_probeline *line)
{
    if (!hpm_standing_is_group(line->group) ||
        (removing->path != NULL && strcmp(line->path, removing->path) != 0))
        return false;
    for (size_t i = 0; removing->has_patterns && i < removing->chosen->n; i++) {
        if (removing->chosen->points[i].offset == line->offset)
            return true;
    }
    return !removing->has_patterns;
}

/* False where the kernel refuses for another reason than that it is in use. */
static bool
remove_meant(struct removing *removing, const struct hpm_probelist *list,
             int descriptor)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct hpm_probeline *line = &list->lines[i];

        if (!is_meant(removing, line))
            continue;
        if (hpm_probelist_remove_one(descriptor, line))
            removing->n_removed += !line->is_return;
        else if (errno == EBUSY)
            removing->n_busy++;
        else if (errno != ENOENT) /* somebody else was faster */
            return false;
    }
    return true;
}

/* Of probes for users only hpmcount's own, of costs, are left: nobody needs them. */
static bool
remove_costs(int descriptor)
{
    struct hpm_probelist list = {.lines = NULL};
    struct hpm_string found = {0};
    struct hpm_error err;
    char *path = NULL;
    bool is_good = hpm_probelist_read(&list), is_needed = false;

    if (helper_find_hpmcount(&found, &err))
        path = realpath(hpm_string_text(&found), NULL);
    for (size_t i = 0; i < list.n; i++)
        is_needed = is_needed ||
                    (hpm_standing_is_group(list.lines[i].group) &&
                     (path == NULL || strcmp(list.lines[i].path, path) != 0));
    if (is_good && path != NULL && !is_needed) {
        struct removing rest = {.path = path};

        is_good = remove_meant(&rest, &list, descriptor);
    }
    free(path);
    hpm_string_free(&found);
    hpm_probelist_clear(&list);
    return is_good;
}

static enum status
remove_all(struct removing *removing)
{
    struct hpm_probelist list = {.lines = NULL};
    int descriptor = hpm_probelist_open(O_WRONLY | O_APPEND);
    struct hpm_string text = {0};
    bool is_good = descriptor >= 0 && hpm_probelist_read(&list) &&
                   remove_meant(removing, &list, descriptor) &&
                   remove_costs(descriptor);
    size_t n_left = is_good && removing->path == NULL
                        ? hpm_runprobes_remove_left(descriptor)
                        : 0;
    enum status status = GOOD;

    if (!is_good)
        status = probing_refuse();
    if (descriptor >= 0)
        close(descriptor);
    hpm_probelist_clear(&list);
    if (removing->n_busy > 0) {
        subcommand_say(probing_command,
                       "%zu probes are in use by a program that is measured "
                       "now; remove them when it has ended",
                       removing->n_busy);
        status = SOME_BAD;
    }
    hpm_string_add_format(&text,
                          _("functions whose probes were removed: %zu\n"),
                          removing->n_removed);
    if (n_left > 0)
        hpm_string_add_format(&text,
                              _("killed runs of hpmcount whose probes were "
                                "removed: %zu\n"),
                              n_left);
    return subcommand_print(probing_command, &text, status);
}

enum status
probing_remove(const char *word, char *const *patterns, size_t n)
{
    struct hpm_chosen chosen = {.points = NULL};
    struct hpm_string list = {0};
    struct hpm_error err;
    char *path = word != NULL ? hpm_executable_file(word) : NULL;
    struct removing removing = {
        .path = path, .has_patterns = n > 0, .chosen = &chosen};
    enum status status;

    if ((word != NULL && path == NULL) || !probing_join(patterns, n, &list))
        status = fail_memory();
    else if (n > 0 && !hpm_chosen_read(&chosen, path, hpm_string_text(&list),
                                       true, &err))
        status = subcommand_fail(probing_command, &err, NOTHING);
    else if (n > 0 && chosen.n == 0)
        status = say_refused(&chosen, path, hpm_string_text(&list), true);
    else
        status = remove_all(&removing);
    hpm_memory_free(path);
    hpm_string_free(&list);
    hpm_chosen_clear(&chosen);
    return status;
}
