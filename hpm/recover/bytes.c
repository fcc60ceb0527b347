/* SPDX-License-Identifier: BSD-3-Clause
 * Reading all bytes of a file, and comparing them with another file. */
#include "hpm/recover/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading --------------------------------------------------------- */

static bool
read_on(int fd, struct hpm_string *bytes)
{
    char piece[16384];
    ssize_t n;

    while ((n = pread(fd, piece, sizeof piece, (off_t)bytes->length)) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        hpm_string_add_bytes(bytes, piece, (size_t)n);
        if (bytes->failed) {
            errno = ENOMEM;
            return false;
        }
    }
    return true;
}

bool
bytes_read(int fd, const char *path, struct hpm_string *ret_bytes,
           struct hpm_error *err)
{
    struct stat status;

    hpm_string_clear(ret_bytes);
    if (!read_on(fd, ret_bytes) || fstat(fd, &status) != 0)
        return hpm_error_set(err, "%.300s: cannot be read: %s", path,
                             strerror(errno));
    if ((size_t)status.st_size != ret_bytes->length)
        return hpm_error_set(err, "%.300s: cannot be read to its end", path);
    return true;
}

bool
bytes_read_file(const char *path, struct hpm_string *ret_bytes,
                struct hpm_error *err)
{
    int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC;
    bool is_good;
    int fd;

    do
        fd = open(path, flags);
    while (fd < 0 && errno == EINTR);
    if (fd < 0)
        return hpm_error_set(err, "%.300s: cannot be opened: %s", path,
                             strerror(errno));
    is_good = bytes_read(fd, path, ret_bytes, err);
    close(fd);
    return is_good;
}

/* ---- comparing ------------------------------------------------------- */

bool
bytes_are_in(const char *path, const struct hpm_string *bytes)
{
    struct hpm_string there = {0};
    bool are_in = bytes_read_file(path, &there, NULL) &&
                  there.length == bytes->length && !bytes->failed &&
                  memcmp(hpm_string_text(&there), hpm_string_text(bytes),
                         there.length) == 0;

    hpm_string_free(&there);
    return are_in;
}

bool
bytes_are_nothing(const struct hpm_string *bytes)
{
    for (size_t i = 0; i < bytes->length; i++) {
        if (bytes->text[i] != '\0')
            return false;
    }
    return true;
}

/* The parts of a file before, in and after the tag of the root. */
struct parts {
    const char *head; /* what comes before it */
    size_t head_length;
    const char *root;
    size_t root_length;
    const char *rest;
    size_t rest_length;
};

static bool
take_apart(const struct hpm_string *bytes, struct parts *ret_parts)
{
    static const char root[] = "<HPMPerformanceFile ";
    const char *text = hpm_string_text(bytes);
    const char *begin, *end;

    if (strlen(text) != bytes->length)
        return false;
    begin = strstr(text, root);
    end = begin != NULL ? strchr(begin, '>') : NULL;
    if (end == NULL)
        return false;
    end++;
    *ret_parts = (struct parts){text,  (size_t)(begin - text),
                                begin, (size_t)(end - begin),
                                end,   bytes->length - (size_t)(end - text)};
    return true;
}

static bool
is_same(const char *a, size_t a_length, const char *b, size_t b_length)
{
    return a_length == b_length && memcmp(a, b, a_length) == 0;
}

/* Is the cut file's root the same as the whole file's, or the root that a
 * complete file has? */
static bool
is_root_known(const struct parts *cut, const struct parts *whole)
{
    static const char *const complete[] = {
        "<HPMPerformanceFile version=\"1\" complete=\"yes\">",
        "<HPMPerformanceFile version=\"1\" complete=\"yes\" kind=\"run\">",
    };

    for (int i = 0; i < 2; i++) {
        if (is_same(cut->root, cut->root_length, complete[i],
                    strlen(complete[i])))
            return true;
    }
    return is_same(cut->root, cut->root_length, whole->root,
                   whole->root_length);
}

/* The length of the text without an unfinished record tag at its end, such as
 * "<InstrumentationPt", which has no contents yet. */
static size_t
length_without_stub(const char *text, size_t length)
{
    static const char *const stubs[] = {"\n  <InstrumentationPt ",
                                        "\n  <Outside "};
    size_t longest = 0;

    for (int i = 0; i < 2; i++) {
        size_t n = strlen(stubs[i]);

        while (n > longest &&
               (n > length || memcmp(text + length - n, stubs[i], n) != 0))
            n--;
        longest = n > longest ? n : longest;
    }
    return length - longest;
}

bool
bytes_hold(const struct hpm_string *whole, const struct hpm_string *cut)
{
    struct parts in, of;
    size_t length;

    if (!take_apart(whole, &in) || !take_apart(cut, &of) ||
        !is_same(in.head, in.head_length, of.head, of.head_length) ||
        !is_root_known(&of, &in))
        return false;
    length = of.rest_length;
    if (length > in.rest_length || memcmp(in.rest, of.rest, length) != 0)
        length = length_without_stub(of.rest, length);
    return length <= in.rest_length && memcmp(in.rest, of.rest, length) == 0;
}
