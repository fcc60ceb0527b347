/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of source files, embedded in pages. */
#include "study/html/sources.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/memory.h"
#include "study/report/format.h"

enum { MARGIN = 4, MOST_BYTES = 4 << 20, MOST_ABOVE = 8 };

/* A source file and the range of lines of its sections. */
struct source {
    const char *file, *base;
    int first, last;
};

struct sources {
    struct source *all;
    size_t n, capacity;
    bool failed;
};

static struct source *
find_source(struct sources *sources, const struct hpm_study_section *section)
{
    for (size_t i = 0; i < sources->n; i++) {
        if (strcmp(sources->all[i].file, section->file) == 0)
            return &sources->all[i];
    }
    if (!hpm_memory_grow(&sources->all, &sources->capacity, sources->n + 1,
                         sizeof *sources->all)) {
        sources->failed = true;
        return NULL;
    }
    sources->all[sources->n] = (struct source){.file = section->file,
                                               .base = section->base,
                                               .first = section->line,
                                               .last = section->line};
    return &sources->all[sources->n++];
}

static void
collect(struct sources *sources, const struct hpm_study *study)
{
    for (size_t i = 0; i < study->n_rows; i++) {
        const struct hpm_study_section *section =
            hpm_study_section_of(study, i);
        int end = hpm_study_row(study, i)->line_end;
        struct source *source;

        if (section->is_outside || section->file == NULL ||
            section->file[0] == '\0' || section->line <= 0)
            continue;
        source = find_source(sources, section);
        if (source == NULL)
            return;
        if (section->line < source->first)
            source->first = section->line;
        if (section->line > source->last)
            source->last = section->line;
        if (end > source->last)
            source->last = end;
    }
}

/* ---- reading --------------------------------------------------------- */

/* Read only a regular file: reading a pipe or device could block. */
static bool
read_file(const char *path, struct hpm_string *ret_text)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    struct stat status;
    char bytes[16384];
    ssize_t n = 0;
    bool is_good = fd >= 0 && fstat(fd, &status) == 0 &&
                   S_ISREG(status.st_mode) && status.st_size <= MOST_BYTES;

    while (is_good && ret_text->length <= MOST_BYTES &&
           (n = read(fd, bytes, sizeof bytes)) > 0)
        hpm_string_add_bytes(ret_text, bytes, (size_t)n);
    if (fd >= 0)
        close(fd);
    return is_good && n == 0 && ret_text->length > 0 &&
           memchr(ret_text->text, '\0', ret_text->length) == NULL;
}

/* Read a file from the folder of the performance file, or n_above folders
 * higher. */
static bool
read_near(const char *performance_file, int n_above, const char *name,
          struct hpm_string *ret_text)
{
    const char *slash =
        performance_file != NULL ? strrchr(performance_file, '/') : NULL;
    struct hpm_string path = {0};
    bool is_good;

    hpm_string_clear(ret_text);
    if (slash != NULL)
        hpm_string_add_bytes(&path, performance_file,
                             (size_t)(slash + 1 - performance_file));
    for (int i = 0; i < n_above; i++)
        hpm_string_add(&path, "../");
    hpm_string_add(&path, name);
    is_good = !path.failed && read_file(hpm_string_text(&path), ret_text);
    hpm_string_finish(&path, &ret_text->failed); /* the file may be there */
    return is_good;
}

/* Has the text this line?  A different file of that name may be too short. */
static bool
reaches(const struct hpm_string *text, int line)
{
    const char *at = hpm_string_text(text);

    for (; line > 1 && at != NULL; line--) {
        at = strchr(at, '\n');
        at = at != NULL && at[1] != '\0' ? at + 1 : NULL;
    }
    return at != NULL;
}

/* A program often runs below the folder in which it was compiled, and a
 * recorded path is relative to the latter.  A name without a folder is too
 * common to be looked for above. */
static bool
read_from_above(const char *performance_file, const struct source *source,
                struct hpm_string *ret_text)
{
    bool has_folder = strchr(source->file, '/') != NULL;

    if (source->file[0] == '/')
        return false;
    for (int n = 0; n <= (has_folder ? MOST_ABOVE : 0); n++) {
        if (read_near(performance_file, n, source->file, ret_text) &&
            reaches(ret_text, source->last))
            return true;
    }
    return false;
}

static bool
find_text(const struct source *source, struct hpm_study *const *studies,
          size_t n, struct hpm_string *ret_text)
{
    if (read_file(source->file, ret_text) && reaches(ret_text, source->last))
        return true;
    for (size_t i = 0; i < n; i++) {
        const char *file =
            studies[i]->n_tasks > 0 ? studies[i]->tasks[0].file : NULL;

        if (studies[i]->n_tasks == 0)
            continue;
        if (read_near(file, 0, source->base, ret_text) &&
            reaches(ret_text, source->last))
            return true;
        if (read_from_above(file, source, ret_text))
            return true;
    }
    return false;
}

/* ---- writing --------------------------------------------------------- */

static void
add_lines(struct hpm_string *json, const struct source *source,
          const char *text)
{
    int from = source->first > MARGIN ? source->first - MARGIN : 1, line = 1;
    struct hpm_string one = {0};
    bool is_first = true;

    hpm_json_add_text(json, source->file);
    hpm_string_add_format(json, ":{\"from\":%d,\"lines\":[", from);
    for (; *text != '\0' && line <= source->last + MARGIN; line++) {
        size_t length = strcspn(text, "\n");

        if (line >= from) {
            hpm_string_clear(&one);
            hpm_string_add_bytes(&one, text, length);
            hpm_string_add(json, is_first ? "" : ",");
            hpm_json_add_text(json, hpm_string_text(&one));
            is_first = false;
        }
        text += length + (text[length] == '\n');
    }
    hpm_string_add(json, "]}");
    hpm_string_finish(&one, &json->failed);
}

struct hpm_html_found
hpm_html_add_sources(struct hpm_string *json, struct hpm_study *const *studies,
                     size_t n)
{
    struct hpm_html_found found = {0};
    struct sources sources = {0};

    for (size_t i = 0; i < n; i++)
        collect(&sources, studies[i]);
    hpm_string_add_char(json, '{');
    for (size_t i = 0; i < sources.n; i++) {
        struct hpm_string text = {0};

        if (find_text(&sources.all[i], studies, n, &text)) {
            hpm_string_add(json, found.n > 0 ? ",\n" : "\n");
            add_lines(json, &sources.all[i], hpm_string_text(&text));
            found.n++;
        } else if (found.n_missing++ == 0) {
            found.missing = sources.all[i].file;
        }
        hpm_string_finish(&text, &json->failed);
    }
    hpm_string_add_char(json, '}');
    json->failed |= sources.failed;
    hpm_memory_free(sources.all);
    return found;
}
