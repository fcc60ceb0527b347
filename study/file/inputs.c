/* SPDX-License-Identifier: BSD-3-Clause
 * The performance files that the user names. */
#include "study/file/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/memory.h"
#include "study/columns/agree.h"
#include "study/columns/family.h"
#include "study/columns/lacks.h"
#include "study/columns/merge.h"
#include "study/file/collect.h"

#define STANDARD_INPUT "(standard input)"

/* ---- refused files --------------------------------------------------- */

/* The reason without the file's name at the begin of the message, which may be
 * in quotes. */
static const char *
reason_in(const char *message, const char *file)
{
    const char *at = strstr(message, file);

    if (at == NULL || at > message + 20)
        return message;
    at += strlen(file);
    return at + strspn(at, "': ");
}

static bool
refuse(struct hpm_inputs *inputs, const char *file, const char *message,
       bool is_said)
{
    struct hpm_inputs_refusal refusal = {
        hpm_memory_copy_text(file),
        hpm_memory_copy_text(reason_in(message, file)),
        is_said ? NULL : hpm_memory_copy_text(message)};

    if (refusal.file != NULL && refusal.reason != NULL &&
        (is_said || refusal.unsaid != NULL) &&
        hpm_memory_grow(&inputs->refusals, &inputs->refusals_capacity,
                        inputs->n_refusals + 1, sizeof *inputs->refusals)) {
        inputs->refusals[inputs->n_refusals++] = refusal;
        return true;
    }
    hpm_memory_free(refusal.file);
    hpm_memory_free(refusal.reason);
    hpm_memory_free(refusal.unsaid);
    return false;
}

void
hpm_inputs_forget_refusals(struct hpm_inputs *inputs, size_t n)
{
    while (inputs->n_refusals > n) {
        struct hpm_inputs_refusal *last =
            &inputs->refusals[--inputs->n_refusals];

        hpm_memory_free(last->file);
        hpm_memory_free(last->reason);
        hpm_memory_free(last->unsaid);
    }
}

bool
hpm_inputs_leave_out(const struct hpm_inputs *inputs, struct hpm_study *study,
                     struct hpm_error *err)
{
    for (size_t i = 0; i < inputs->n_refusals; i++) {
        if (!hpm_lacks_add(study, inputs->refusals[i].file,
                           inputs->refusals[i].reason))
            return hpm_study_no_memory(study, err);
    }
    /* a file of one run cannot list what was left out */
    if (inputs->n_refusals > 0 && study->kind == HPM_STUDY_RUN)
        study->kind = HPM_STUDY_MERGED;
    return true;
}

/* ---- finding --------------------------------------------------------- */

static bool
add_file(struct hpm_inputs *inputs, const char *path, struct hpm_error *err)
{
    struct hpm_inputs_file input = {.path = NULL};
    struct stat status;

    while (strncmp(path, "./", 2) == 0 && path[2] != '\0' && path[2] != '/')
        path += 2;
    input.path = hpm_memory_copy_text(path);
    if (input.path == NULL ||
        !hpm_memory_grow(&inputs->files, &inputs->capacity, inputs->n_files + 1,
                         sizeof *inputs->files)) {
        hpm_memory_free(input.path);
        return hpm_error_no_memory(err);
    }
    if (stat(path, &status) == 0) {
        input.device = status.st_dev;
        input.inode = status.st_ino;
    }
    inputs->files[inputs->n_files++] = input;
    return true;
}

/* Is this NAME.hpm.xml, packed or with a number behind it, and not hidden? */
static bool
is_performance_file(const char *name)
{
    const char *end = NULL;

    for (const char *at = name; (at = strstr(at, ".hpm.xml")) != NULL; at++)
        end = at + strlen(".hpm.xml");
    if (end == NULL || name[0] == '.')
        return false;
    if (end[0] == '.' && end[1] != '\0' &&
        end[1 + strspn(end + 1, "0123456789")] == '\0')
        return true;
    return end[0] == '\0' || strcmp(end, ".gz") == 0;
}

static bool
add_entry(struct hpm_inputs *inputs, const char *folder, const char *name,
          struct hpm_error *err)
{
    size_t length = strlen(folder);
    struct hpm_string path = {0};
    bool is_good;

    while (length > 1 && folder[length - 1] == '/')
        length--;
    hpm_string_add_bytes(&path, folder, length);
    if (folder[length - 1] != '/')
        hpm_string_add_char(&path, '/');
    hpm_string_add(&path, name);
    is_good = path.failed ? hpm_error_no_memory(err)
                          : add_file(inputs, hpm_string_text(&path), err);
    hpm_string_free(&path);
    return is_good;
}

static bool
add_folder(struct hpm_inputs *inputs, const char *folder, struct hpm_error *err)
{
    size_t n_before = inputs->n_files;
    DIR *stream = opendir(folder);
    const struct dirent *entry;
    bool is_good = true;

    if (stream == NULL)
        return hpm_error_set(err, "the folder '%s' cannot be read: %s", folder,
                             strerror(errno));
    while (is_good && (errno = 0, entry = readdir(stream)) != NULL) {
        if (is_performance_file(entry->d_name))
            is_good = add_entry(inputs, folder, entry->d_name, err);
    }
    if (is_good && errno != 0)
        is_good = hpm_error_set(err,
                                "the folder '%s' cannot be read to its end: "
                                "%s",
                                folder, strerror(errno));
    closedir(stream);
    if (is_good && inputs->n_files == n_before)
        return hpm_error_set(err,
                             "the folder '%s' holds no *.hpm.xml; expected "
                             "performance files, or their names",
                             folder);
    return is_good;
}

static bool
add_pattern(struct hpm_inputs *inputs, const char *pattern,
            struct hpm_error *err)
{
    bool is_good = true;
    glob_t found;

    if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
        return hpm_error_set(err, "no file is named like '%s'", pattern);
    for (size_t i = 0; is_good && i < found.gl_pathc; i++)
        is_good = add_file(inputs, found.gl_pathv[i], err);
    globfree(&found);
    return is_good;
}

static bool
add_word(struct hpm_inputs *inputs, const char *word, struct hpm_error *err)
{
    struct stat status;

    if (strcmp(word, "-") == 0) {
        inputs->has_standard_input = true;
        return true;
    }
    if (stat(word, &status) != 0)
        return strpbrk(word, "*?[") != NULL ? add_pattern(inputs, word, err)
                                            : add_file(inputs, word, err);
    return S_ISDIR(status.st_mode) ? add_folder(inputs, word, err)
                                   : add_file(inputs, word, err);
}

/* By device and inode, which are 0 for a missing file; then by path. */
static int
compare_identities(const void *a, const void *b)
{
    const struct hpm_inputs_file *x = a, *y = b;

    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    if (x->inode != y->inode)
        return x->inode < y->inode ? -1 : 1;
    return strcmp(x->path, y->path);
}

static int
compare_paths(const void *a, const void *b)
{
    const struct hpm_inputs_file *x = a, *y = b;

    return strcmp(x->path, y->path);
}

static bool
is_same(const struct hpm_inputs_file *a, const struct hpm_inputs_file *b)
{
    if (a->inode == 0 || b->inode == 0)
        return strcmp(a->path, b->path) == 0;
    return a->device == b->device && a->inode == b->inode;
}

static void
drop_one(struct hpm_inputs *inputs, struct hpm_inputs_file *file)
{
    if (inputs->n_repeated++ == 0)
        inputs->first_repeated = file->path;
    else
        hpm_memory_free(file->path);
}

static void
drop_repeated(struct hpm_inputs *inputs)
{
    size_t n = 0;

    qsort(inputs->files, inputs->n_files, sizeof *inputs->files,
          compare_identities);
    for (size_t i = 0; i < inputs->n_files; i++) {
        if (n > 0 && is_same(&inputs->files[n - 1], &inputs->files[i]))
            drop_one(inputs, &inputs->files[i]);
        else
            inputs->files[n++] = inputs->files[i];
    }
    inputs->n_files = n;
    qsort(inputs->files, n, sizeof *inputs->files, compare_paths);
}

bool
hpm_inputs_find(struct hpm_inputs *inputs, char *const *words, size_t n,
                struct hpm_error *err)
{
    struct hpm_error why;

    for (size_t i = 0; i < n; i++) {
        if (add_word(inputs, words[i], &why))
            continue;
        if (!refuse(inputs, words[i], why.text, false))
            return hpm_error_no_memory(err);
    }
    if (inputs->n_files == 0 && !inputs->has_standard_input)
        return hpm_error_set(err, "%s",
                             inputs->n_refusals > 0 ? inputs->refusals[0].unsaid
                                                    : "no file is named");
    if (inputs->n_files > 0)
        drop_repeated(inputs);
    return true;
}

bool
hpm_inputs_has(const struct hpm_inputs *inputs, const char *path)
{
    struct stat status;

    if (stat(path, &status) != 0)
        return false;
    for (size_t i = 0; i < inputs->n_files; i++) {
        if (inputs->files[i].device == status.st_dev &&
            inputs->files[i].inode == status.st_ino)
            return true;
    }
    return false;
}

void
hpm_inputs_clear(struct hpm_inputs *inputs)
{
    for (size_t i = 0; i < inputs->n_files; i++)
        hpm_memory_free(inputs->files[i].path);
    hpm_inputs_forget_refusals(inputs, 0);
    hpm_memory_free(inputs->refusals);
    hpm_memory_free(inputs->first_repeated);
    inputs->refusals = NULL;
    inputs->first_repeated = NULL;
    inputs->refusals_capacity = inputs->n_repeated = 0;
    hpm_memory_free(inputs->files);
    inputs->files = NULL;
    inputs->n_files = inputs->capacity = 0;
}

/* ---- reading --------------------------------------------------------- */

struct reading {
    struct hpm_inputs *inputs;
    const struct hpm_inputs_listener *listener;
    hpm_inputs_take *take;
    void *owner;
    size_t n_done;
    size_t n_newer; /* files with elements or attributes unknown to this
                     * version */
    bool is_broken;
};

static void
say(const struct reading *reading, const char *sentence)
{
    reading->listener->say(reading->listener->owner, sentence);
}

/* One more file is done.  False: stop. */
static bool
step(struct reading *reading)
{
    const struct hpm_inputs *inputs = reading->inputs;

    return reading->listener->step(reading->listener->owner, ++reading->n_done,
                                   inputs->n_files +
                                       inputs->has_standard_input);
}

/* Report the notes, a line each, and how many more there were. */
static void
say_notes(struct reading *reading, const struct hpm_notes *notes,
          const char *path)
{
    const char *line = hpm_string_text(&notes->lines);
    struct hpm_string sentence = {0};

    for (size_t length; *line != '\0'; line += length + 1) {
        length = strcspn(line, "\n");
        hpm_string_clear(&sentence);
        hpm_string_add_bytes(&sentence, line, length);
        say(reading, hpm_string_text(&sentence));
    }
    if (notes->n > HPM_NOTES_KEPT) {
        hpm_string_clear(&sentence);
        hpm_string_add_format(&sentence, "%s: and %zu more of this kind", path,
                              notes->n - HPM_NOTES_KEPT);
        say(reading, hpm_string_text(&sentence));
    }
    hpm_string_free(&sentence);
}

static bool
take_collected(void *owner, struct hpm_collected *collected)
{
    struct reading *reading = owner;
    struct hpm_inputs *inputs = reading->inputs;
    enum hpm_inputs_verdict verdict = HPM_INPUTS_REFUSED;
    bool is_bad = collected->report.notes.n > 0;

    say_notes(reading, &collected->report.notes, collected->path);
    reading->n_newer += collected->report.n_unknown > 0;
    if (collected->study != NULL)
        verdict =
            reading->take(reading->owner, collected->study, &collected->err);
    if (verdict != HPM_INPUTS_TAKEN)
        say(reading, collected->err.text);
    if (verdict == HPM_INPUTS_REFUSED &&
        !refuse(inputs, collected->path, collected->err.text, true)) {
        hpm_error_no_memory(&collected->err);
        say(reading, collected->err.text);
        verdict = HPM_INPUTS_BROKEN;
    }
    inputs->n_taken += verdict == HPM_INPUTS_TAKEN;
    inputs->n_bad += is_bad || verdict != HPM_INPUTS_TAKEN;
    reading->is_broken = verdict == HPM_INPUTS_BROKEN || !step(reading);
    return !reading->is_broken;
}

static bool
read_standard_input(struct reading *reading)
{
    struct hpm_collected collected = {.path = STANDARD_INPUT};
    bool is_going_on;

    collected.study = hpm_reader_read_open(STDIN_FILENO, STANDARD_INPUT,
                                           reading->inputs->most_bytes,
                                           &collected.report, &collected.err);
    is_going_on = take_collected(reading, &collected);
    hpm_notes_free(&collected.report.notes);
    return is_going_on;
}

static bool
read_files(struct reading *reading)
{
    struct hpm_inputs *inputs = reading->inputs;
    const char **paths;

    if (inputs->n_files == 0)
        return true;
    paths = hpm_memory_new(inputs->n_files, sizeof *paths);
    if (paths == NULL)
        return false;
    for (size_t i = 0; i < inputs->n_files; i++)
        paths[i] = inputs->files[i].path;
    hpm_collect(paths, inputs->n_files, inputs->n_threads, inputs->most_bytes,
                take_collected, reading);
    hpm_memory_free(paths);
    return true;
}

/* Half of the machine's memory: the rest is for everything else. */
static size_t
half_of_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

    return pages > 0 && size > 0 ? (size_t)pages / 2 * (size_t)size : 0;
}

static void
say_newer(struct reading *reading)
{
    struct hpm_error text;

    if (reading->n_newer == 0)
        return;
    hpm_error_set(&text,
                  "%zu file%s of a newer HPM Toolkit: what this one does not "
                  "know was passed over",
                  reading->n_newer, reading->n_newer == 1 ? " is" : "s are");
    say(reading, text.text);
}

/* Report words that match no file, and files that are named twice. */
static void
say_words(struct reading *reading)
{
    struct hpm_inputs *inputs = reading->inputs;
    struct hpm_error text;

    for (size_t i = 0; i < inputs->n_refusals; i++) {
        if (inputs->refusals[i].unsaid == NULL)
            continue;
        say(reading, inputs->refusals[i].unsaid);
        inputs->n_bad++;
    }
    if (inputs->n_repeated == 0)
        return;
    if (inputs->n_repeated == 1)
        hpm_error_set(&text, "'%.300s' is named twice; it is read once",
                      inputs->first_repeated);
    else
        hpm_error_set(&text,
                      "%zu files, as '%.300s', are named more than once; each "
                      "is read once",
                      inputs->n_repeated, inputs->first_repeated);
    say(reading, text.text);
}

bool
hpm_inputs_read(struct hpm_inputs *inputs,
                const struct hpm_inputs_listener *listener,
                hpm_inputs_take *take, void *owner)
{
    struct reading reading = {
        .inputs = inputs, .listener = listener, .take = take, .owner = owner};
    struct hpm_error err;

    if (inputs->most_bytes == 0)
        inputs->most_bytes = half_of_memory();
    say_words(&reading);
    if ((!inputs->has_standard_input || read_standard_input(&reading)) &&
        !read_files(&reading)) {
        hpm_error_no_memory(&err);
        say(&reading, err.text);
        reading.is_broken = true;
    }
    say_newer(&reading);
    return !reading.is_broken && inputs->n_taken > 0;
}

/* ---- as one ---------------------------------------------------------- */

struct merging {
    struct hpm_study *first; /* while there is only one */
    struct hpm_study *all;
    struct hpm_study **waiting; /* studies with forked children */
    size_t n_waiting, waiting_capacity;
    size_t most_bytes;
    bool is_forced;
};

static enum hpm_inputs_verdict
merge_study(struct merging *merging, struct hpm_study *study,
            struct hpm_error *err)
{
    bool is_broken = false, is_good;

    is_good =
        hpm_merge_add(merging->all, study, merging->is_forced, &is_broken, err);
    hpm_study_free(study);
    if (is_good)
        return HPM_INPUTS_TAKEN;
    return is_broken ? HPM_INPUTS_BROKEN : HPM_INPUTS_REFUSED;
}

static enum hpm_inputs_verdict
take_now(struct merging *merging, struct hpm_study *study,
         struct hpm_error *err)
{
    if (merging->first == NULL && merging->all == NULL) {
        merging->first = study;
        return HPM_INPUTS_TAKEN;
    }
    if (merging->all == NULL) {
        struct hpm_study *first = merging->first;

        merging->first = NULL;
        merging->all = hpm_study_new(merging->most_bytes);
        if (merging->all == NULL) {
            hpm_study_free(first);
            hpm_study_free(study);
            hpm_error_no_memory(err);
            return HPM_INPUTS_BROKEN;
        }
        if (merge_study(merging, first, err) != HPM_INPUTS_TAKEN) {
            hpm_study_free(study);
            return HPM_INPUTS_BROKEN;
        }
    }
    return merge_study(merging, study, err);
}

/* A study with forked children waits: the tasks that forked them are only known
 * when all other files are read. */
static enum hpm_inputs_verdict
take_for_merge(void *owner, struct hpm_study *study, struct hpm_error *err)
{
    struct merging *merging = owner;

    if (!hpm_family_has_child(study))
        return take_now(merging, study, err);
    if (!hpm_memory_grow(&merging->waiting, &merging->waiting_capacity,
                         merging->n_waiting + 1, sizeof(struct hpm_study *))) {
        hpm_study_free(study);
        hpm_error_no_memory(err);
        return HPM_INPUTS_BROKEN;
    }
    merging->waiting[merging->n_waiting++] = study;
    return HPM_INPUTS_TAKEN;
}

/* Find the first waiting study that belongs to the family of the tasks that are
 * there.  False when there is none; *ret_place is its index. */
static bool
find_kin(const struct merging *merging, size_t *ret_place)
{
    const struct hpm_study *there =
        merging->all != NULL ? merging->all : merging->first;

    for (size_t i = 0; i < merging->n_waiting; i++) {
        if (merging->waiting[i] != NULL &&
            (there == NULL || merging->is_forced ||
             hpm_family_is_kin(there, merging->waiting[i]))) {
            *ret_place = i;
            return true;
        }
    }
    return false;
}

/* Refuse a study that was counted as taken while it waited. */
static void
refuse_late(struct hpm_inputs *inputs,
            const struct hpm_inputs_listener *listener, const char *name,
            const struct hpm_error *why)
{
    listener->say(listener->owner, why->text);
    refuse(inputs, name, why->text, true);
    inputs->n_taken--;
    inputs->n_bad++;
}

static void
refuse_others(struct merging *merging, struct hpm_inputs *inputs,
              const struct hpm_inputs_listener *listener)
{
    struct hpm_string name = {0};
    struct hpm_error why;

    for (size_t i = 0; i < merging->n_waiting; i++) {
        if (merging->waiting[i] == NULL)
            continue;
        hpm_string_clear(&name);
        hpm_agree_add_name(merging->waiting[i], &name);
        hpm_error_set(&why,
                      "%.200s is of a process that was forked by none of those "
                      "in the other files: not one run; leave it out, or "
                      "merge them by 'hpm merge --force'",
                      hpm_string_text(&name));
        refuse_late(inputs, listener, hpm_string_text(&name), &why);
    }
    hpm_string_free(&name);
}

/* Take the waiting studies.  False when reading cannot go on. */
static bool
take_waiting(struct merging *merging, struct hpm_inputs *inputs,
             const struct hpm_inputs_listener *listener, struct hpm_error *err)
{
    size_t i;

    while (find_kin(merging, &i)) {
        struct hpm_study *study = merging->waiting[i];
        struct hpm_string name = {0};
        enum hpm_inputs_verdict verdict;

        merging->waiting[i] = NULL;
        hpm_agree_add_name(study, &name);
        verdict = take_now(merging, study, err);
        if (verdict == HPM_INPUTS_REFUSED)
            refuse_late(inputs, listener, hpm_string_text(&name), err);
        hpm_string_free(&name);
        if (verdict == HPM_INPUTS_BROKEN)
            return false;
    }
    refuse_others(merging, inputs, listener);
    return true;
}

static bool
end_merge(struct merging *merging, struct hpm_inputs *inputs,
          const struct hpm_inputs_listener *listener, struct hpm_error *err)
{
    if (!take_waiting(merging, inputs, listener, err) ||
        (merging->all != NULL &&
         !hpm_merge_end(merging->all, merging->is_forced, err)))
        return false;
    return hpm_inputs_leave_out(
        inputs, merging->all != NULL ? merging->all : merging->first, err);
}

static void
drop_waiting(struct merging *merging)
{
    for (size_t i = 0; i < merging->n_waiting; i++)
        hpm_study_free(merging->waiting[i]);
    hpm_memory_free(merging->waiting);
}

struct hpm_study *
hpm_inputs_merge(struct hpm_inputs *inputs,
                 const struct hpm_inputs_listener *listener, bool is_forced)
{
    struct merging merging = {.most_bytes = inputs->most_bytes,
                              .is_forced = is_forced};
    struct hpm_error err;

    if (hpm_inputs_read(inputs, listener, take_for_merge, &merging)) {
        if (end_merge(&merging, inputs, listener, &err)) {
            drop_waiting(&merging);
            return merging.all != NULL ? merging.all : merging.first;
        }
        listener->say(listener->owner, err.text);
    }
    drop_waiting(&merging);
    hpm_study_free(merging.first);
    hpm_study_free(merging.all);
    return NULL;
}
