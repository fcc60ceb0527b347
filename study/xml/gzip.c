/* SPDX-License-Identifier: BSD-3-Clause
 * Files packed by gzip. */
#include "study/xml/gzip.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>

#include "host/memory.h"

enum {
    BUFFER_BYTES = 1 << 16,
    GZIP_FORMAT = 15 + 16, /* zlib: largest window, gzip's head */
    /* Unpacked performance files are 10 to 60 times as large; a file that grows
     * more than this was made to fill memory or time. */
    MOST_GROWTH = 250,
    FREE_GROWTH_BYTES = 1 << 24,
};

/* ---- reading --------------------------------------------------------- */

struct hpm_unpacking {
    z_stream stream;
    bool is_at_end; /* of a member; another one may follow */
    char packed[BUFFER_BYTES];
};

/* After an error of read: may reading go on?  Standard input may be
 * non-blocking, then wait. */
static bool
can_be_read_on(int fd)
{
    struct pollfd waiting = {.fd = fd, .events = POLLIN};

    return errno == EINTR || (errno == EAGAIN && poll(&waiting, 1, -1) >= 0);
}

/* Fill the buffer as far as there are bytes: a pipe gives few at a time, and
 * only a read of no bytes means the end of the file. */
static ssize_t
read_fully(struct hpm_bytes *bytes, char *buffer, size_t size)
{
    size_t n = 0;

    while (n < size && !bytes->is_at_end) {
        ssize_t got = read(bytes->fd, buffer + n, size - n);

        if (got < 0 && !can_be_read_on(bytes->fd)) {
            if (n > 0)
                return (ssize_t)n;
            bytes->problem = strerror(errno);
            return -1;
        }
        bytes->is_at_end = got == 0;
        n += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)n;
}

/* Begin unpacking with the n bytes already read; false when there is no
 * memory. */
static bool
begin_unpacking(struct hpm_bytes *bytes, const char *first, size_t n)
{
    struct hpm_unpacking *unpacking = hpm_memory_new(1, sizeof *unpacking);

    if (unpacking == NULL)
        return false;
    if (inflateInit2(&unpacking->stream, GZIP_FORMAT) != Z_OK) {
        hpm_memory_free(unpacking);
        return false;
    }
    memcpy(unpacking->packed, first, n);
    unpacking->stream.next_in = (Bytef *)unpacking->packed;
    unpacking->stream.avail_in = (uInt)n;
    bytes->unpacking = unpacking;
    return true;
}

/* Read more packed bytes; 0 at the end of the file. */
static ssize_t
refill(struct hpm_bytes *bytes)
{
    struct hpm_unpacking *unpacking = bytes->unpacking;
    ssize_t n = read_fully(bytes, unpacking->packed, sizeof unpacking->packed);

    unpacking->stream.next_in = (Bytef *)unpacking->packed;
    unpacking->stream.avail_in = n > 0 ? (uInt)n : 0;
    return n;
}

/* Unpack one step; false at the end or when something is wrong. */
static bool
unpack_some(struct hpm_bytes *bytes)
{
    struct hpm_unpacking *unpacking = bytes->unpacking;
    z_stream *stream = &unpacking->stream;
    int result;

    if (stream->avail_in == 0 && refill(bytes) <= 0) {
        if (!unpacking->is_at_end && bytes->problem == NULL)
            bytes->problem = "the packed file ends early";
        return false;
    }
    if (unpacking->is_at_end) {
        inflateReset(stream);
        unpacking->is_at_end = false;
    }
    result = inflate(stream, Z_NO_FLUSH);
    unpacking->is_at_end = result == Z_STREAM_END;
    if (result != Z_OK && result != Z_STREAM_END) {
        bytes->problem = "its packing by gzip is damaged";
        return false;
    }
    if (stream->total_out > FREE_GROWTH_BYTES &&
        stream->total_out / MOST_GROWTH > stream->total_in) {
        bytes->problem = "it unpacks to more than 250 times its size";
        return false;
    }
    return true;
}

static ssize_t
unpack(struct hpm_bytes *bytes, char *buffer, size_t size)
{
    z_stream *stream = &bytes->unpacking->stream;

    if (bytes->problem != NULL)
        return -1;
    stream->next_out = (Bytef *)buffer;
    stream->avail_out = (uInt)size;
    while (stream->avail_out > 0 && unpack_some(bytes))
        continue;
    if (stream->avail_out == size && bytes->problem != NULL)
        return -1;
    return (ssize_t)(size - stream->avail_out);
}

static ssize_t
read_first(struct hpm_bytes *bytes, char *buffer, size_t size)
{
    size_t most = size < BUFFER_BYTES ? size : BUFFER_BYTES;
    ssize_t n = read_fully(bytes, buffer, most);

    bytes->has_begun = true;
    if (n < 2 || memcmp(buffer, "\x1f\x8b", 2) != 0)
        return n;
    if (begin_unpacking(bytes, buffer, (size_t)n))
        return unpack(bytes, buffer, size);
    bytes->problem = "out of memory";
    return -1;
}

static ssize_t
copy_text(struct hpm_bytes *bytes, char *buffer, size_t size)
{
    size_t n = bytes->left < size ? bytes->left : size;

    memcpy(buffer, bytes->text, n);
    bytes->text += n;
    bytes->left -= n;
    return (ssize_t)n;
}

ssize_t
hpm_bytes_read(struct hpm_bytes *bytes, char *buffer, size_t size)
{
    if (bytes->text != NULL)
        return copy_text(bytes, buffer, size);
    if (!bytes->has_begun)
        return read_first(bytes, buffer, size);
    return bytes->unpacking != NULL ? unpack(bytes, buffer, size)
                                    : read_fully(bytes, buffer, size);
}

void
hpm_bytes_clear(struct hpm_bytes *bytes)
{
    if (bytes->unpacking != NULL)
        inflateEnd(&bytes->unpacking->stream);
    hpm_memory_free(bytes->unpacking);
    bytes->unpacking = NULL;
}

/* ---- writing --------------------------------------------------------- */

struct hpm_gzip {
    struct hpm_output *output;
    z_stream stream;
    bool has_failed;
    char packed[BUFFER_BYTES];
};

bool
hpm_gzip_is_name(const char *path)
{
    size_t length = strlen(path);

    return length > 3 && strcmp(path + length - 3, ".gz") == 0;
}

struct hpm_gzip *
hpm_gzip_new(struct hpm_output *output)
{
    struct hpm_gzip *gzip = hpm_memory_new(1, sizeof *gzip);

    if (gzip == NULL)
        return NULL;
    gzip->output = output;
    if (deflateInit2(&gzip->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                     GZIP_FORMAT, 8, Z_DEFAULT_STRATEGY) == Z_OK)
        return gzip;
    hpm_memory_free(gzip);
    return NULL;
}

static void
pack(struct hpm_gzip *gzip, int flush)
{
    z_stream *stream = &gzip->stream;

    do {
        stream->next_out = (Bytef *)gzip->packed;
        stream->avail_out = sizeof gzip->packed;
        if (deflate(stream, flush) == Z_STREAM_ERROR)
            gzip->has_failed = true;
        hpm_output_write(gzip->output, gzip->packed,
                         sizeof gzip->packed - stream->avail_out);
    } while (stream->avail_out == 0 && !gzip->has_failed);
}

void
hpm_gzip_write(struct hpm_gzip *gzip, const char *bytes, size_t length)
{
    while (length > 0 && !gzip->has_failed) {
        size_t n = length < (1u << 30) ? length : 1u << 30;

        gzip->stream.next_in = (Bytef *)(uintptr_t)bytes;
        gzip->stream.avail_in = (uInt)n;
        pack(gzip, Z_NO_FLUSH);
        bytes += n;
        length -= n;
    }
}

bool
hpm_gzip_end(struct hpm_gzip *gzip)
{
    bool is_good;

    gzip->stream.next_in = NULL;
    gzip->stream.avail_in = 0;
    if (!gzip->has_failed)
        pack(gzip, Z_FINISH);
    is_good = !gzip->has_failed;
    deflateEnd(&gzip->stream);
    hpm_memory_free(gzip);
    return is_good;
}
