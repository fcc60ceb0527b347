/* SPDX-License-Identifier: BSD-3-Clause
 * The fence without libxml2, for files that our own writers have just written:
 * where a measured program reads some, no XML library must come along.  What
 * those writers do not write (text, comments, single quotes, namespaces, other
 * references than &#N;) is refused. */
#include "study/file/xmlguard.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/string.h"
#include "host/memory.h"
#include "study/store/interner.h"

enum { READ_BYTES = 4 << 10, MOST_ATTRIBUTES = 64, DEEPEST = 16 };

struct hpm_fence {
    const char *name;
    const struct hpm_fence_listener *listener;
    void *owner;
    struct hpm_error *err;
    struct hpm_string
        text; /* the file; references in it are resolved in place */
    char *at, *end;
    const char *mark; /* the tag that is read, and where it is */
    struct hpm_fence_position marked;
    struct hpm_arena arena;
    struct hpm_atoms names; /* listeners know a name by its address */
    const char *open[DEEPEST];
    int depth;
    bool has_root;
    bool is_stopped; /* err is set */
};

/* ---- places ---------------------------------------------------------- */

/* Where `piece` is, which is not before the mark: a listener asks for each
 * record, so nobody counts from the beginning.  References resolved on the way
 * count as what they became. */
struct hpm_fence_position
hpm_fence_locate(const struct hpm_fence *fence, const char *piece)
{
    struct hpm_fence_position position = fence->marked;

    if (piece == NULL || piece < fence->mark || piece > fence->end)
        piece = fence->at;
    for (const char *c = fence->mark; c < piece; c++) {
        position.column = *c == '\n' ? 1 : position.column + 1;
        position.line += *c == '\n';
    }
    return position;
}

static void
mark(struct hpm_fence *fence)
{
    fence->marked = hpm_fence_locate(fence, NULL);
    fence->mark = fence->at;
}

void
hpm_fence_stop(struct hpm_fence *fence, const char *piece, const char *format,
               ...)
{
    struct hpm_fence_position position = hpm_fence_locate(fence, piece);
    char sentence[400];
    va_list arguments;

    if (fence->is_stopped)
        return;
    fence->is_stopped = true;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    hpm_error_set(fence->err, "%s:%ld:%ld: %s", fence->name, position.line,
                  position.column, sentence);
}

static bool
refuse(struct hpm_fence *fence)
{
    hpm_fence_stop(fence, NULL,
                   fence->at >= fence->end
                       ? "the file ends here, in the middle of an element"
                       : "not as performance files are written");
    return false;
}

/* ---- pieces of a tag ------------------------------------------------- */

static void
skip_blanks(struct hpm_fence *fence)
{
    while (*fence->at == ' ' || *fence->at == '\n')
        fence->at++;
}

/* The text ends in NUL, which is none of these. */
static bool
accept(struct hpm_fence *fence, const char *word)
{
    size_t length = strlen(word);

    if (strncmp(fence->at, word, length) != 0)
        return false;
    fence->at += length;
    return true;
}

static bool
is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static const char *
read_name(struct hpm_fence *fence)
{
    const char *start = fence->at;
    const char *name = NULL;

    while (is_letter(*fence->at) ||
           (fence->at > start && *fence->at >= '0' && *fence->at <= '9'))
        fence->at++;
    if (fence->at == start) {
        refuse(fence);
        return NULL;
    }
    name = hpm_atoms_add(&fence->names, start, (size_t)(fence->at - start));
    if (name == NULL)
        hpm_fence_stop(fence, NULL, "out of memory");
    return name;
}

/* The number of the reference at `at`, which becomes that character; 0 when it
 * is no such reference. */
static int
read_reference(struct hpm_fence *fence)
{
    char *c = fence->at + 2;
    int number = 0;

    if (fence->at[1] != '#')
        return 0;
    while (*c >= '0' && *c <= '9' && number < 128)
        number = 10 * number + (*c++ - '0');
    if (*c != ';' || number >= 128)
        return 0;
    fence->at = c + 1;
    return number;
}

/* An ampersand stays as it is written, &#38;, as the other fence leaves it. */
static bool
read_value(struct hpm_fence *fence, struct hpm_fence_attribute *attribute)
{
    char *out = fence->at;

    attribute->value = out;
    while (*fence->at != '"') {
        const char *start = fence->at;
        int reference = 0;

        if (fence->at >= fence->end || *fence->at == '<' || *fence->at == '\0')
            return refuse(fence);
        if (*fence->at == '&' && (reference = read_reference(fence)) == 0)
            return refuse(fence);
        if (reference == '&') {
            memmove(out, start, (size_t)(fence->at - start));
            out += fence->at - start;
        } else {
            *out++ = reference != 0 ? (char)reference : *fence->at++;
        }
    }
    attribute->end = out;
    fence->at++;
    return true;
}

/* ---- tags ------------------------------------------------------------ */

static bool
end_element(struct hpm_fence *fence)
{
    fence->depth--;
    fence->listener->end_element(fence->owner, fence);
    return !fence->is_stopped;
}

static bool
read_attribute(struct hpm_fence *fence, struct hpm_fence_attribute *attribute)
{
    *attribute = (struct hpm_fence_attribute){.name = read_name(fence)};
    if (attribute->name == NULL)
        return false;
    return accept(fence, "=\"") ? read_value(fence, attribute) : refuse(fence);
}

static bool
read_begin(struct hpm_fence *fence)
{
    struct hpm_fence_attribute attributes[MOST_ATTRIBUTES];
    const char *name = read_name(fence);
    bool is_empty;
    int n = 0;

    if (name == NULL)
        return false;
    mark(fence);
    if (fence->depth == DEEPEST || (fence->depth == 0 && fence->has_root))
        return refuse(fence);
    for (skip_blanks(fence); is_letter(*fence->at); skip_blanks(fence)) {
        if (n == MOST_ATTRIBUTES)
            return refuse(fence);
        if (!read_attribute(fence, &attributes[n++]))
            return false;
    }
    is_empty = accept(fence, "/");
    if (!accept(fence, ">"))
        return refuse(fence);
    fence->has_root = true;
    fence->open[fence->depth++] = name;
    fence->listener->begin_element(fence->owner, fence, name, attributes, n);
    if (fence->is_stopped)
        return false;
    return !is_empty || end_element(fence);
}

static bool
read_end(struct hpm_fence *fence)
{
    const char *name = read_name(fence);

    if (name == NULL)
        return false;
    skip_blanks(fence);
    if (!accept(fence, ">") || fence->depth == 0 ||
        fence->open[fence->depth - 1] != name)
        return refuse(fence);
    return end_element(fence);
}

static bool
read_elements(struct hpm_fence *fence)
{
    char *declared;

    if (accept(fence, "<?xml ")) {
        declared = strstr(fence->at, "?>");
        if (declared == NULL)
            return refuse(fence);
        fence->at = declared + 2;
    }
    for (skip_blanks(fence); fence->at < fence->end; skip_blanks(fence)) {
        bool is_good = accept(fence, "</")  ? read_end(fence)
                       : accept(fence, "<") ? read_begin(fence)
                                            : refuse(fence);

        if (!is_good)
            return false;
    }
    return (fence->depth == 0 && fence->has_root) || refuse(fence);
}

/* ---- the file -------------------------------------------------------- */

static bool
read_text(struct hpm_fence *fence, int fd)
{
    char buffer[READ_BYTES];
    ssize_t n;

    do {
        n = read(fd, buffer, sizeof buffer);
        if (n > 0)
            hpm_string_add_bytes(&fence->text, buffer, (size_t)n);
    } while (n > 0 || (n < 0 && errno == EINTR));
    if (n < 0)
        return hpm_error_set(fence->err, "%s: cannot be read: %s", fence->name,
                             strerror(errno));
    hpm_string_add(&fence->text, "");
    if (fence->text.failed)
        return hpm_error_no_memory(fence->err);
    fence->at = fence->text.text;
    fence->end = fence->at + fence->text.length;
    fence->mark = fence->at;
    fence->marked = (struct hpm_fence_position){1, 1};
    return true;
}

void
hpm_fence_prepare(void)
{
}

struct hpm_fence *
hpm_fence_new(void)
{
    return hpm_memory_new(1, sizeof(struct hpm_fence));
}

void
hpm_fence_free(struct hpm_fence *fence)
{
    hpm_memory_free(fence);
}

bool
hpm_fence_read(struct hpm_fence *fence, int fd, const char *name,
               const struct hpm_fence_listener *listener, void *owner,
               struct hpm_error *err)
{
    struct hpm_error ignored;
    bool is_good;

    *fence = (struct hpm_fence){.name = name,
                                .listener = listener,
                                .owner = owner,
                                .err = err != NULL ? err : &ignored};
    fence->names.arena = &fence->arena;
    is_good = read_text(fence, fd) && read_elements(fence);
    hpm_string_free(&fence->text);
    hpm_arena_free(&fence->arena);
    return is_good;
}

/* Names are those of one file. */
bool
hpm_fence_is_reusable(const struct hpm_fence *fence)
{
    (void)fence;
    return false;
}
