/* SPDX-License-Identifier: BSD-3-Clause
 * The guard without libxml2, for files that our own writers have just written:
 * a measured program that reads files must not load an XML library.  Refuses
 * what these writers do not write (text, comments, single quotes, namespaces,
 * other references than &#N;). */
#include "study/file/xmlguard.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/names.h"
#include "base/string.h"
#include "host/memory.h"
#include "study/store/keyedhash.h"

enum { READ_BYTES = 4 << 10, MOST_ATTRIBUTES = 64, DEEPEST = 16 };

struct hpm_xmlguard {
    const char *name;
    const struct hpm_xmlguard_listener *listener;
    void *owner;
    struct hpm_error *err;
    struct hpm_string text; /* the file; references are resolved in place */
    char *at, *end;
    const char *mark; /* the tag being read, and its place */
    struct hpm_xmlguard_position marked;
    struct hpm_arena arena;
    struct hpm_names names; /* listeners know a name by its address */
    const char *open[DEEPEST];
    int depth;
    bool has_root;
    bool is_stopped; /* err is set */
};

/* ---- places ---------------------------------------------------------- */

/* The place of `piece`, which is not before the mark.  Listeners ask for each
 * record, so the count does not start from the begin of the file.  A resolved
 * reference counts as the character it became. */
struct hpm_xmlguard_position
hpm_xmlguard_locate(const struct hpm_xmlguard *guard, const char *piece)
{
    struct hpm_xmlguard_position position = guard->marked;

    if (piece == NULL || piece < guard->mark || piece > guard->end)
        piece = guard->at;
    for (const char *c = guard->mark; c < piece; c++) {
        position.column = *c == '\n' ? 1 : position.column + 1;
        position.line += *c == '\n';
    }
    return position;
}

static void
mark(struct hpm_xmlguard *guard)
{
    guard->marked = hpm_xmlguard_locate(guard, NULL);
    guard->mark = guard->at;
}

void
hpm_xmlguard_stop(struct hpm_xmlguard *guard, const char *piece,
                  const char *format, ...)
{
    struct hpm_xmlguard_position position = hpm_xmlguard_locate(guard, piece);
    char sentence[400];
    va_list arguments;

    if (guard->is_stopped)
        return;
    guard->is_stopped = true;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    hpm_error_set(guard->err, "%s:%ld:%ld: %s", guard->name, position.line,
                  position.column, sentence);
}

static bool
refuse(struct hpm_xmlguard *guard)
{
    hpm_xmlguard_stop(guard, NULL,
                      guard->at >= guard->end
                          ? "the file ends here, in the middle of an element"
                          : "not as performance files are written");
    return false;
}

/* ---- pieces of a tag ------------------------------------------------- */

static void
skip_blanks(struct hpm_xmlguard *guard)
{
    while (*guard->at == ' ' || *guard->at == '\n')
        guard->at++;
}

/* The text ends in NUL, which no word has. */
static bool
accept(struct hpm_xmlguard *guard, const char *word)
{
    size_t length = strlen(word);

    if (strncmp(guard->at, word, length) != 0)
        return false;
    guard->at += length;
    return true;
}

static bool
is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static const char *
read_name(struct hpm_xmlguard *guard)
{
    const char *start = guard->at;
    const char *name = NULL;

    while (is_letter(*guard->at) ||
           (guard->at > start && *guard->at >= '0' && *guard->at <= '9'))
        guard->at++;
    if (guard->at == start) {
        refuse(guard);
        return NULL;
    }
    name = hpm_names_keep(&guard->names, start, (size_t)(guard->at - start));
    if (name == NULL)
        hpm_xmlguard_stop(guard, NULL, "out of memory");
    return name;
}

/* Resolve the reference at `at` in place; returns the character, or 0 where
 * there is no such reference. */
static int
read_reference(struct hpm_xmlguard *guard)
{
    char *c = guard->at + 2;
    int number = 0;

    if (guard->at[1] != '#')
        return 0;
    while (*c >= '0' && *c <= '9' && number < 128)
        number = 10 * number + (*c++ - '0');
    if (*c != ';' || number >= 128)
        return 0;
    guard->at = c + 1;
    return number;
}

/* An ampersand stays as it is written, &#38;, as with libxml2. */
static bool
read_value(struct hpm_xmlguard *guard, struct hpm_xmlguard_attribute *attribute)
{
    char *out = guard->at;

    attribute->value = out;
    while (*guard->at != '"') {
        const char *start = guard->at;
        int reference = 0;

        if (guard->at >= guard->end || *guard->at == '<' || *guard->at == '\0')
            return refuse(guard);
        if (*guard->at == '&' && (reference = read_reference(guard)) == 0)
            return refuse(guard);
        if (reference == '&') {
            memmove(out, start, (size_t)(guard->at - start));
            out += guard->at - start;
        } else {
            *out++ = reference != 0 ? (char)reference : *guard->at++;
        }
    }
    attribute->end = out;
    guard->at++;
    return true;
}

/* ---- tags ------------------------------------------------------------ */

static bool
end_element(struct hpm_xmlguard *guard)
{
    guard->depth--;
    guard->listener->end_element(guard->owner, guard);
    return !guard->is_stopped;
}

static bool
read_attribute(struct hpm_xmlguard *guard,
               struct hpm_xmlguard_attribute *attribute)
{
    *attribute = (struct hpm_xmlguard_attribute){.name = read_name(guard)};
    if (attribute->name == NULL)
        return false;
    return accept(guard, "=\"") ? read_value(guard, attribute) : refuse(guard);
}

static bool
read_begin(struct hpm_xmlguard *guard)
{
    struct hpm_xmlguard_attribute attributes[MOST_ATTRIBUTES];
    const char *name = read_name(guard);
    bool is_empty;
    int n = 0;

    if (name == NULL)
        return false;
    mark(guard);
    if (guard->depth == DEEPEST || (guard->depth == 0 && guard->has_root))
        return refuse(guard);
    for (skip_blanks(guard); is_letter(*guard->at); skip_blanks(guard)) {
        if (n == MOST_ATTRIBUTES)
            return refuse(guard);
        if (!read_attribute(guard, &attributes[n++]))
            return false;
    }
    is_empty = accept(guard, "/");
    if (!accept(guard, ">"))
        return refuse(guard);
    guard->has_root = true;
    guard->open[guard->depth++] = name;
    guard->listener->begin_element(guard->owner, guard, name, attributes, n);
    if (guard->is_stopped)
        return false;
    return !is_empty || end_element(guard);
}

static bool
read_end(struct hpm_xmlguard *guard)
{
    const char *name = read_name(guard);

    if (name == NULL)
        return false;
    skip_blanks(guard);
    if (!accept(guard, ">") || guard->depth == 0 ||
        guard->open[guard->depth - 1] != name)
        return refuse(guard);
    return end_element(guard);
}

static bool
read_elements(struct hpm_xmlguard *guard)
{
    char *declared;

    if (accept(guard, "<?xml ")) {
        declared = strstr(guard->at, "?>");
        if (declared == NULL)
            return refuse(guard);
        guard->at = declared + 2;
    }
    for (skip_blanks(guard); guard->at < guard->end; skip_blanks(guard)) {
        bool is_good = accept(guard, "</")  ? read_end(guard)
                       : accept(guard, "<") ? read_begin(guard)
                                            : refuse(guard);

        if (!is_good)
            return false;
    }
    return (guard->depth == 0 && guard->has_root) || refuse(guard);
}

/* ---- the file -------------------------------------------------------- */

/* The result of the last read: 0 at the end. */
static ssize_t
read_file(struct hpm_xmlguard *guard, int fd)
{
    char buffer[READ_BYTES];
    ssize_t n;

    do {
        n = read(fd, buffer, sizeof buffer);
        if (n > 0)
            hpm_string_add_bytes(&guard->text, buffer, (size_t)n);
    } while (n > 0 || (n < 0 && errno == EINTR));
    return n;
}

static bool
read_text(struct hpm_xmlguard *guard, const struct hpm_xmlguard_source *source)
{
    if (source->text != NULL)
        hpm_string_add_bytes(&guard->text, source->text, source->length);
    else if (read_file(guard, source->fd) < 0)
        return hpm_error_set(guard->err, "%s: cannot be read: %s", guard->name,
                             strerror(errno));
    hpm_string_add(&guard->text, "");
    if (guard->text.failed)
        return hpm_error_no_memory(guard->err);
    guard->at = guard->text.text;
    guard->end = guard->at + guard->text.length;
    guard->mark = guard->at;
    guard->marked = (struct hpm_xmlguard_position){1, 1};
    return true;
}

void
hpm_xmlguard_prepare(void)
{
}

struct hpm_xmlguard *
hpm_xmlguard_new(void)
{
    return hpm_memory_new(1, sizeof(struct hpm_xmlguard));
}

void
hpm_xmlguard_free(struct hpm_xmlguard *guard)
{
    hpm_memory_free(guard);
}

bool
hpm_xmlguard_read(struct hpm_xmlguard *guard,
                  const struct hpm_xmlguard_source *source, const char *name,
                  const struct hpm_xmlguard_listener *listener, void *owner,
                  struct hpm_error *err)
{
    struct hpm_error ignored;
    bool is_good;

    *guard = (struct hpm_xmlguard){.name = name,
                                   .listener = listener,
                                   .owner = owner,
                                   .err = err != NULL ? err : &ignored};
    guard->names.arena = &guard->arena;
    guard->names.hash = hpm_keyedhash;
    hpm_keyedhash_seed(guard->names.seed);
    is_good = read_text(guard, source) && read_elements(guard);
    hpm_string_free(&guard->text);
    hpm_arena_free(&guard->arena);
    return is_good;
}

/* Names are kept for one file only. */
bool
hpm_xmlguard_is_reusable(const struct hpm_xmlguard *guard)
{
    (void)guard;
    return false;
}
