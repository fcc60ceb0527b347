/* SPDX-License-Identifier: BSD-3-Clause
 * The probes in programs that the kernel knows, and whose they are. */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "host/memory.h"
#include "hpm/probing/probing.h"
#include "report/text.h"
#include "study/probe/costplaces.h"
#include "study/probe/demangled.h"
#include "study/probe/executable.h"
#include "study/probe/probeable.h"
#include "study/probe/probelist.h"
#include "study/probe/runprobes.h"
#include "study/probe/standing.h"
#include "study/report/format.h"
#include "study/report/tablewords.h"
#include "study/words/words.h"

enum { TEXT, CSV, JSON };

/* A file with probes, as it is now. */
struct probed {
    const char *path; /* of a line */
    bool is_readable;
    char group[HPM_STANDING_NAME];
    struct hpm_probeables functions;
    uint64_t costs[HPM_N_COST_PLACES];
    bool has_costs; /* it is an hpmcount */
};

struct listing {
    unsigned format;
    struct hpm_probelist list;
    struct probed *files;
    size_t n_files;
    struct hpm_table table;
    bool is_lacking;
};

/* ---- files ------------------------------------------------------------- */

static struct probed *
get_file(struct listing *listing, const char *path)
{
    struct hpm_error err;
    struct probed *file;

    for (size_t i = 0; i < listing->n_files; i++) {
        if (strcmp(listing->files[i].path, path) == 0)
            return &listing->files[i];
    }
    file = &listing->files[listing->n_files++];
    file->path = path;
    file->is_readable = hpm_standing_group(path, file->group, &err) &&
                        hpm_probeables_read(&file->functions, path, &err);
    file->has_costs =
        file->is_readable && hpm_costplaces_read(path, file->costs, &err);
    return file;
}

static bool
is_cost(const struct probed *file, uint64_t offset)
{
    for (size_t k = 0; k < HPM_N_COST_PLACES && file->has_costs; k++) {
        if (file->costs[k] == offset)
            return true;
    }
    return false;
}

/* Also where another tool has its probe: at the first byte. */
static const char *
name_of(const struct probed *file, uint64_t offset)
{
    for (size_t i = 0; i < file->functions.n; i++) {
        const struct hpm_probeable *function = &file->functions.list[i];

        if (function->offset == offset || function->start == offset)
            return function->name;
    }
    return NULL;
}

/* ---- one row ----------------------------------------------------------- */

/* Who has defined it; and may the probe be hit? */
static void
add_owner(struct hpm_string *owner, const char **ret_state,
          const struct hpm_probeline *line, const struct probed *file)
{
    long pid = 0;
    enum hpm_runprobes_state run = hpm_runprobes_state(line->group, &pid);

    *ret_state = NULL;
    if (run != HPM_RUNPROBES_NONE) {
        hpm_string_add_format(owner, "hpmcount %ld", pid);
        *ret_state = run == HPM_RUNPROBES_RUNNING ? N_("running")
                     : run == HPM_RUNPROBES_LEFT  ? N_("left behind")
                                                  : N_("in another container");
    } else if (hpm_standing_is_group(line->group)) {
        hpm_string_add(owner, "hpm probes");
        if (access(line->path, F_OK) != 0)
            *ret_state = N_("the file is gone");
        else if (!file->is_readable)
            *ret_state = N_("the file cannot be read");
        else if (strcmp(file->group, line->group) != 0)
            *ret_state = N_("the file has changed");
        else
            *ret_state = N_("ready");
    } else {
        hpm_string_add_safe(owner, line->group);
    }
}

/* An entry stands for its return, too. */
static bool
has_return(const struct hpm_probelist *list, const struct hpm_probeline *line)
{
    for (size_t i = 0; i < list->n; i++) {
        if (list->lines[i].is_return && list->lines[i].offset == line->offset &&
            strcmp(list->lines[i].group, line->group) == 0 &&
            strcmp(list->lines[i].path, line->path) == 0)
            return true;
    }
    return false;
}

static bool
has_entry(const struct hpm_probelist *list, const struct hpm_probeline *line)
{
    for (size_t i = 0; i < list->n; i++) {
        if (!list->lines[i].is_return &&
            list->lines[i].offset == line->offset &&
            strcmp(list->lines[i].group, line->group) == 0 &&
            strcmp(list->lines[i].event, HPM_STANDING_CALLS) != 0 &&
            strcmp(list->lines[i].path, line->path) == 0)
            return true;
    }
    return false;
}

static const char *
extent_of(const struct hpm_probelist *list, const struct hpm_probeline *line)
{
    if (line->is_return)
        return N_("return");
    return strcmp(line->event, HPM_STANDING_CALLS) != 0 &&
                   has_return(list, line)
               ? N_("both")
               : N_("entry");
}

static void
add_row(struct listing *listing, const struct hpm_probeline *line)
{
    struct hpm_table *table = &listing->table;
    struct probed *file = get_file(listing, line->path);
    struct hpm_string owner = {0}, offset = {0}, name = {0}, path = {0};
    const char *state, *linkage = name_of(file, line->offset);
    char *shown = linkage != NULL ? hpm_demangled_name(linkage) : NULL;

    add_owner(&owner, &state, line, file);
    hpm_string_add_format(&offset, "0x%llx", (unsigned long long)line->offset);
    if (is_cost(file, line->offset))
        hpm_string_add(&name, _("(to measure what probes cost)"));
    else if (shown != NULL || linkage != NULL)
        hpm_string_add_safe(&name, shown != NULL ? shown : linkage);
    hpm_string_add_safe(&path, line->path);
    hpm_table_add_string(table, &path);
    hpm_table_add_string(table, &offset);
    hpm_table_add_text_or_none(table, hpm_string_text(&name));
    hpm_string_finish(&name, &table->failed);
    hpm_table_add_text(table, extent_of(&listing->list, line));
    hpm_table_add_string(table, &owner);
    hpm_table_add_text_or_none(table, state);
    hpm_memory_free(shown);
}

/* ---- the list ---------------------------------------------------------- */

static bool
is_wanted(const struct hpm_probeline *line, char *const *paths, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(line->path, paths[i]) == 0)
            return true;
    }
    return n == 0;
}

static void
add_rows(struct listing *listing, char *const *paths, size_t n)
{
    static const char *const columns[] = {"file",  "offset", "function",
                                          "probe", "owner",  "state"};
    static const char *const words[] = {N_("file"),     N_("offset"),
                                        N_("function"), N_("probe"),
                                        N_("owner"),    N_("state")};
    const struct hpm_probelist *list = &listing->list;

    hpm_table_add_columns(&listing->table,
                          listing->format == TEXT ? words : columns,
                          sizeof words / sizeof words[0], 0);
    for (size_t i = 0; i < list->n; i++) {
        if (is_wanted(&list->lines[i], paths, n) &&
            !(list->lines[i].is_return && has_entry(list, &list->lines[i])))
            add_row(listing, &list->lines[i]);
    }
}

static enum status
print(struct listing *listing)
{
    struct hpm_string text = {0};

    if (listing->format == CSV) {
        hpm_csv_add_table(&text, &listing->table);
    } else if (listing->format == JSON) {
        hpm_string_add(&text, "{\"tool\": \"hpm probes\",\n"
                              " \"version\": \"" PACKAGE_VERSION "\",\n"
                              " \"format\": 1,\n\"probes\": ");
        hpm_json_add_table(&text, &listing->table);
        hpm_string_add(&text, "}\n");
    } else {
        if (hpm_table_rows(&listing->table) > 0)
            hpm_tablewords_add(&text, &listing->table, "function");
        else
            hpm_string_add(&text, _("no probes\n"));
        hpm_string_add_char(&text, '\n');
        probing_add_rights(&text);
    }
    text.failed |= listing->table.failed || listing->is_lacking;
    return subcommand_print(probing_command, &text, GOOD);
}

enum status
probing_list(char *const *words, size_t n, unsigned format)
{
    struct listing listing = {.format = format};
    char **paths = hpm_memory_new(n + 1, sizeof *paths);
    enum status status = GOOD;

    for (size_t i = 0; paths != NULL && i < n; i++) {
        paths[i] = hpm_executable_file(words[i]);
        listing.is_lacking |= paths[i] == NULL;
    }
    if (!hpm_probelist_read(&listing.list)) {
        status = probing_refuse();
    } else {
        listing.files =
            hpm_memory_new(listing.list.n + 1, sizeof *listing.files);
        listing.is_lacking |= paths == NULL || listing.files == NULL;
        if (!listing.is_lacking)
            add_rows(&listing, paths, n);
        status = print(&listing);
    }
    for (size_t i = 0; i < listing.n_files; i++)
        hpm_probeables_clear(&listing.files[i].functions);
    for (size_t i = 0; paths != NULL && i < n; i++)
        hpm_memory_free(paths[i]);
    hpm_memory_free(paths);
    hpm_memory_free(listing.files);
    hpm_table_clear(&listing.table);
    hpm_probelist_clear(&listing.list);
    return status;
}
