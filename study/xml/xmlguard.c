/* SPDX-License-Identifier: BSD-3-Clause
 * The guard around libxml2.
 *
 * The guard gives the parser the bytes and never the file's name, so the parser
 * opens nothing.  It builds no tree and knows no entities.  When something is
 * refused, the handlers only set a flag, because stopping the parser inside a
 * handler would free what the handler is reading; the flag is checked between
 * pieces.
 */
#include "study/file/xmlguard.h"

#include <ctype.h>
#include <libxml/parser.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "host/memory.h"
#include "study/xml/gzip.h"

enum {
    READ_BYTES = 64 << 10,
    /* The flag is checked between pieces of this size; a tag that fits in one
     * piece cannot have so many attributes that comparing all pairs of them
     * takes long. */
    PIECE_BYTES = 16 << 10,
    MOST_BETWEEN_EVENTS = 64 << 10,
    MOST_ATTRIBUTES = 64,
    MOST_QUOTES = 1024, /* in an unfinished tag */
    MOST_NAMES = 4096,  /* different names; the format has a hundred */
    MANY_NAMES = 512,   /* of several files: the parser keeps all names */
    DEEPEST = 16
};

struct hpm_xmlguard {
    const char *name;
    const struct hpm_xmlguard_listener *listener;
    void *owner;
    struct hpm_error *err;
    xmlParserCtxtPtr parser;
    bool is_whole;   /* the last file was read to its end */
    bool is_stopped; /* err is set */
    bool is_ending;  /* all of the file was given to the parser */
    bool is_bare;    /* the root was added by the guard */
    bool has_event;  /* since the last piece */
    int depth;
};

/* ---- places ---------------------------------------------------------- */

static long
count_characters(const xmlChar *c, const xmlChar *end)
{
    long n = 0;

    for (; c < end; c++)
        n += (*c & 0xc0) != 0x80;
    return n;
}

/* The parser stands after the tag; the piece is somewhere before, in the
 * parser's buffer unless it had a reference. */
struct hpm_xmlguard_position
hpm_xmlguard_locate(const struct hpm_xmlguard *guard, const char *piece)
{
    const xmlParserInput *input = guard->parser->input;
    struct hpm_xmlguard_position position = {input->line, input->col};
    const xmlChar *here = (const xmlChar *)piece, *line_start;
    long n_lines = 0;

    if (piece == NULL || here < input->base || here >= input->cur)
        return position;
    for (const xmlChar *c = here; c < input->cur; c++)
        n_lines += *c == '\n';
    if (n_lines == 0) {
        position.column -= count_characters(here, input->cur);
        return position;
    }
    for (line_start = here; line_start > input->base; line_start--) {
        if (line_start[-1] == '\n')
            break;
    }
    position.line -= n_lines;
    position.column = count_characters(line_start, here) + 1;
    return position;
}

static void
stop_at(struct hpm_xmlguard *guard, struct hpm_xmlguard_position position,
        const char *sentence)
{
    if (guard->is_stopped)
        return;
    guard->is_stopped = true;
    hpm_error_set(guard->err, "%s:%ld:%ld: %s", guard->name, position.line,
                  position.column, sentence);
}

static void
stop_here(struct hpm_xmlguard *guard, const char *sentence)
{
    stop_at(guard, hpm_xmlguard_locate(guard, NULL), sentence);
}

void
hpm_xmlguard_stop(struct hpm_xmlguard *guard, const char *piece,
                  const char *format, ...)
{
    char sentence[400];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    stop_at(guard, hpm_xmlguard_locate(guard, piece), sentence);
}

_Static_assert(sizeof(struct hpm_xmlguard_attribute) == 5 * sizeof(xmlChar *) &&
                   offsetof(struct hpm_xmlguard_attribute, value) ==
                       3 * sizeof(xmlChar *),
               "an attribute is what the parser hands out as one");

/* ---- handlers of the parser ------------------------------------------ */

static void
on_begin(void *context, const xmlChar *name, const xmlChar *prefix,
         const xmlChar *uri, int n_namespaces, const xmlChar **namespaces,
         int n_attributes, int n_defaulted, const xmlChar **attributes)
{
    struct hpm_xmlguard *guard = context;

    (void)uri, (void)n_namespaces, (void)namespaces, (void)n_defaulted;
    guard->has_event = true;
    if (guard->is_stopped)
        return;
    if (++guard->depth > DEEPEST) {
        stop_here(guard, "elements are nested deeper than 16 levels; a "
                         "performance file has 3");
        return;
    }
    if (n_attributes > MOST_ATTRIBUTES) {
        stop_here(guard, "an element has more than 64 attributes");
        return;
    }
    guard->listener->begin_element(
        guard->owner, guard, prefix == NULL ? (const char *)name : "",
        (const struct hpm_xmlguard_attribute *)(const void *)attributes,
        n_attributes);
}

static void
on_end(void *context, const xmlChar *name, const xmlChar *prefix,
       const xmlChar *uri)
{
    struct hpm_xmlguard *guard = context;

    (void)name, (void)prefix, (void)uri;
    guard->has_event = true;
    if (guard->is_stopped)
        return;
    guard->depth--;
    guard->listener->end_element(guard->owner, guard);
}

static void
on_document_type(void *context, const xmlChar *name, const xmlChar *public_id,
                 const xmlChar *system_id)
{
    (void)name, (void)public_id, (void)system_id;
    stop_here(context, "a document type (DOCTYPE) is refused: it could name "
                       "other files; a performance file has none");
}

static void
on_instruction(void *context, const xmlChar *target, const xmlChar *data)
{
    (void)target, (void)data;
    stop_here(context, "a processing instruction ('<?') is refused; a "
                       "performance file has none");
}

/* Keep the parser's sentence; further lines are of no use. */
static void
on_error(void *context, xmlErrorPtr error)
{
    struct hpm_xmlguard *guard = context;
    char sentence[300];

    if (error->level != XML_ERR_FATAL || guard->is_stopped)
        return;
    snprintf(sentence, sizeof sentence, "%s",
             error->message != NULL ? error->message : "not well-formed XML");
    sentence[strcspn(sentence, "\n")] = '\0';
    if (guard->is_ending)
        strcpy(sentence, "the file ends here, in the middle of an element; "
                         "was it cut off?");
    stop_at(guard, (struct hpm_xmlguard_position){error->line, error->int2},
            sentence);
}

/* ---- encodings ------------------------------------------------------- */

/* The first bytes of files that are not UTF-8 text. */
static const struct {
    const char *bytes;
    size_t length;
    const char *what;
} foreign[] = {
    {"\x1f\x8b", 2, "is compressed by gzip; unpack it first"},
    {"\xfd"
     "7zXZ",
     5, "is compressed by xz; unpack it first"},
    {"BZh", 3, "is compressed by bzip2; unpack it first"},
    {"\x28\xb5\x2f\xfd", 4, "is compressed by zstd; unpack it first"},
    {"\xfe\xff", 2, "is not UTF-8 XML but UTF-16"},
    {"\xff\xfe", 2, "is not UTF-8 XML but UTF-16 or UTF-32"},
    {"\0<", 2, "is not UTF-8 XML but UTF-16"},
    {"<\0", 2, "is not UTF-8 XML but UTF-16"},
    {"\0\0", 2, "is not UTF-8 XML: it begins with zeroes"},
    {"\x4c\x6f\xa7\x94", 4, "is not UTF-8 XML but EBCDIC"},
    {"+ADw", 4, "is not UTF-8 XML but UTF-7"},
};

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool
check_first_bytes(struct hpm_xmlguard *guard, const char *bytes, size_t length)
{
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        if (length >= foreign[i].length &&
            memcmp(bytes, foreign[i].bytes, foreign[i].length) == 0)
            return hpm_error_set(guard->err, "%s:1:1: %s", guard->name,
                                 foreign[i].what);
    }
    while (length > 0 && is_blank(*bytes))
        bytes++, length--;
    if (length == 0 || *bytes == '<' || *bytes == '\0')
        return true;
    return hpm_error_set(guard->err,
                         "%s:1:1: is not XML: its text begins with '%.*s'; "
                         "expected a performance file",
                         guard->name, (int)(length < 20 ? length : 20), bytes);
}

/* The value of encoding="..." in the XML declaration, or "". */
static void
find_encoding(const char *bytes, size_t length, char *ret_encoding, size_t size)
{
    char declaration[256];
    const char *value, *end;
    size_t n =
        length < sizeof declaration - 1 ? length : sizeof declaration - 1;

    *ret_encoding = '\0';
    memcpy(declaration, bytes, n);
    declaration[n] = '\0';
    end = strstr(declaration, "?>");
    value = strstr(declaration, "encoding");
    if (strncmp(declaration, "<?xml", 5) != 0 || end == NULL || value == NULL ||
        value > end)
        return;
    value = strpbrk(value, "\"'");
    if (value != NULL)
        snprintf(ret_encoding, size, "%.*s", (int)strcspn(value + 1, "\"'"),
                 value + 1);
}

static bool
check_encoding(struct hpm_xmlguard *guard, const char *bytes, size_t length)
{
    char encoding[64];

    if (!check_first_bytes(guard, bytes, length))
        return false;
    find_encoding(bytes, length, encoding, sizeof encoding);
    if (encoding[0] == '\0' || strcasecmp(encoding, "UTF-8") == 0 ||
        strcasecmp(encoding, "US-ASCII") == 0)
        return true;
    for (char *c = encoding; *c != '\0'; c++) {
        if (!isgraph((unsigned char)*c))
            *c = '?';
    }
    return hpm_error_set(guard->err,
                         "%s:1:1: is not UTF-8 XML but says to be '%s'",
                         guard->name, encoding);
}

/* ---- feeding --------------------------------------------------------- */

/* A tag that is not complete yet: how much of it was read. */
struct unfinished {
    size_t bytes;
    size_t n_quotes;
};

/* The parser keeps each name it meets in a hash table of fixed size: a million
 * names took 14 s and 55 MB. */
static bool
has_too_many_names(struct hpm_xmlguard *guard)
{
    if (xmlDictSize(guard->parser->dict) > MOST_NAMES)
        stop_here(guard, "more than 4096 different names of elements and "
                         "attributes; a performance file has a hundred");
    return guard->is_stopped;
}

static bool
is_too_long(struct hpm_xmlguard *guard, struct unfinished *unfinished,
            const char *bytes, size_t length)
{
    if (guard->has_event) {
        guard->has_event = false;
        *unfinished = (struct unfinished){0};
        return false;
    }
    unfinished->bytes += length;
    for (size_t i = 0; i < length; i++)
        unfinished->n_quotes += bytes[i] == '"' || bytes[i] == '\'';
    if (unfinished->bytes > MOST_BETWEEN_EVENTS)
        stop_here(guard, "more than 64 KiB without an element; a performance "
                         "file has nothing as long");
    else if (unfinished->n_quotes > MOST_QUOTES)
        stop_here(guard, "an element has more than 64 attributes");
    return guard->is_stopped;
}

static bool
feed(struct hpm_xmlguard *guard, struct unfinished *unfinished,
     const char *bytes, size_t length)
{
    const char *zero = memchr(bytes, '\0', length);
    size_t good = zero != NULL ? (size_t)(zero - bytes) : length;

    for (size_t i = 0; i < good; i += PIECE_BYTES) {
        size_t n = good - i < PIECE_BYTES ? good - i : PIECE_BYTES;

        xmlParseChunk(guard->parser, bytes + i, (int)n, 0);
        if (guard->is_stopped || has_too_many_names(guard) ||
            is_too_long(guard, unfinished, bytes + i, n))
            return false;
    }
    if (zero != NULL)
        stop_here(guard, "a zero byte; text was expected (was the file cut "
                         "off by a crash?)");
    return zero == NULL;
}

/* The length of the XML declaration, or 0. */
static size_t
length_of_declaration(const char *bytes, size_t length)
{
    const char *end;

    if (length < 5 || memcmp(bytes, "<?xml", 5) != 0)
        return 0;
    end = memmem(bytes, length, "?>", 2);
    return end != NULL ? (size_t)(end + 2 - bytes) : 0;
}

/* Does an element of this name begin here, after blanks? */
static bool
begins_with(const char *bytes, size_t length, const char *name)
{
    size_t n = strlen(name);

    while (length > 0 && is_blank(*bytes))
        bytes++, length--;
    return length > n + 1 && bytes[0] == '<' &&
           memcmp(bytes + 1, name, n) == 0 &&
           (is_blank(bytes[n + 1]) || bytes[n + 1] == '>');
}

/* Give the parser a tag that is not in the file; lines and columns do not
 * change. */
static void
feed_tag(struct hpm_xmlguard *guard, const char *begin, const char *name)
{
    xmlParserInput *input = guard->parser->input;
    int line = input->line, column = input->col;
    char tag[64];

    snprintf(tag, sizeof tag, "%s%s>", begin, name);
    xmlParseChunk(guard->parser, tag, (int)strlen(tag), 0);
    guard->parser->input->line = line;
    guard->parser->input->col = column;
}

/* Give the parser the first bytes of the file. */
static bool
feed_first(struct hpm_xmlguard *guard, struct unfinished *unfinished,
           const char *bytes, size_t length)
{
    size_t begin = length_of_declaration(bytes, length);

    guard->is_bare =
        guard->listener->bare != NULL &&
        begins_with(bytes + begin, length - begin, guard->listener->bare);
    if (!guard->is_bare)
        return feed(guard, unfinished, bytes, length);
    if (begin > 0 && !feed(guard, unfinished, bytes, begin))
        return false;
    feed_tag(guard, "<", guard->listener->root);
    return feed(guard, unfinished, bytes + begin, length - begin);
}

/* Damaged packing is a fault of the file; the message says where, unless the
 * first read failed. */
static bool
say_failure(struct hpm_xmlguard *guard, const struct hpm_bytes *bytes,
            bool is_first)
{
    const char *problem = bytes->problem;
    char sentence[120];

    if (is_first)
        return hpm_error_set(guard->err, "%s:%s cannot be read: %s",
                             guard->name,
                             bytes->unpacking != NULL ? "1:1:" : "", problem);
    snprintf(sentence, sizeof sentence, "cannot be read on: %s", problem);
    stop_here(guard, sentence);
    return false;
}

static bool
read_all(struct hpm_xmlguard *guard, struct hpm_bytes *bytes)
{
    char buffer[READ_BYTES];
    struct unfinished unfinished = {0};
    bool is_first = true;
    ssize_t n;

    while ((n = hpm_bytes_read(bytes, buffer, sizeof buffer)) > 0) {
        bool is_good;

        if (is_first) {
            size_t bom =
                n >= 3 && memcmp(buffer, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

            is_good =
                check_encoding(guard, buffer + bom, (size_t)n - bom) &&
                feed_first(guard, &unfinished, buffer + bom, (size_t)n - bom);
        } else {
            is_good = feed(guard, &unfinished, buffer, (size_t)n);
        }
        is_first = false;
        if (!is_good)
            return false;
    }
    if (n < 0)
        return say_failure(guard, bytes, is_first);
    if (is_first)
        return hpm_error_set(guard->err,
                             "%s:1:1: is empty; expected a performance file",
                             guard->name);
    guard->is_ending = true;
    if (guard->is_bare)
        feed_tag(guard, "</", guard->listener->root);
    xmlParseChunk(guard->parser, NULL, 0, 1);
    if (!guard->is_stopped && !guard->parser->wellFormed)
        stop_here(guard, "not well-formed XML");
    return !guard->is_stopped;
}

void
hpm_xmlguard_prepare(void)
{
    xmlInitParser();
}

struct hpm_xmlguard *
hpm_xmlguard_new(void)
{
    return hpm_memory_new(1, sizeof(struct hpm_xmlguard));
}

void
hpm_xmlguard_free(struct hpm_xmlguard *guard)
{
    if (guard == NULL)
        return;
    xmlFreeParserCtxt(guard->parser);
    hpm_memory_free(guard);
}

/* A parser for the next file.  A new parser costs a thirtieth of the time for
 * parsing a file of 18 KB, and has to learn all names again. */
static bool
begin_file(struct hpm_xmlguard *guard)
{
    static const xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC,
                                          .startElementNs = on_begin,
                                          .endElementNs = on_end,
                                          .internalSubset = on_document_type,
                                          .processingInstruction =
                                              on_instruction,
                                          .serror = on_error};
    xmlSAXHandler copy = handler;

    if (guard->parser == NULL)
        guard->parser = xmlCreatePushParserCtxt(&copy, guard, NULL, 0, NULL);
    else if (xmlCtxtResetPush(guard->parser, NULL, 0, NULL, NULL) != 0)
        return false;
    if (guard->parser == NULL)
        return false;
    xmlCtxtUseOptions(guard->parser, XML_PARSE_NONET | XML_PARSE_IGNORE_ENC);
    return true;
}

bool
hpm_xmlguard_read(struct hpm_xmlguard *guard,
                  const struct hpm_xmlguard_source *source, const char *name,
                  const struct hpm_xmlguard_listener *listener, void *owner,
                  struct hpm_error *err)
{
    struct hpm_bytes bytes = {
        .fd = source->fd, .text = source->text, .left = source->length};
    struct hpm_error ignored;

    *guard = (struct hpm_xmlguard){.name = name,
                                   .listener = listener,
                                   .owner = owner,
                                   .err = err != NULL ? err : &ignored,
                                   .parser = guard->parser};
    if (!begin_file(guard))
        return hpm_error_no_memory(err);
    guard->is_whole = read_all(guard, &bytes);
    hpm_bytes_clear(&bytes);
    /* libxml2 made it for the entities of a document type, before the guard
     * refused the type */
    xmlFreeDoc(guard->parser->myDoc);
    guard->parser->myDoc = NULL;
    return guard->is_whole;
}

bool
hpm_xmlguard_is_reusable(const struct hpm_xmlguard *guard)
{
    return guard->is_whole && xmlDictSize(guard->parser->dict) <= MANY_NAMES;
}
