/* SPDX-License-Identifier: BSD-3-Clause
 * Converting the attributes of an element to values. */
#include "study/file/parse.h"

#include <string.h>

enum { SHOWN = 40 }; /* length shown of a wrong word */

/* ---- texts ----------------------------------------------------------- */

static int
hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decode \\ and \xHH; any other backslash stays, and a zero byte is not
 * allowed.  Returns the rest of the text. */
static const char *
add_escape(struct hpm_string *string, const char *c, const char *end)
{
    if (end - c >= 4 && c[1] == 'x' && hex_digit(c[2]) >= 0 &&
        hex_digit(c[3]) >= 0 && (c[2] != '0' || c[3] != '0')) {
        hpm_string_add_char(string,
                            (char)(hex_digit(c[2]) << 4 | hex_digit(c[3])));
        return c + 4;
    }
    hpm_string_add_char(string, '\\');
    return c + (end - c >= 2 && c[1] == '\\' ? 2 : 1);
}

/* The parser resolves all references, but leaves an ampersand as "&#38;" for
 * tree builders, which would look for entities once more. */
static const char *
add_ampersand(struct hpm_string *string, const char *c, const char *end)
{
    static const char as_left[] = "&#38;";
    size_t length = sizeof as_left - 1;

    hpm_string_add_char(string, '&');
    return c + ((size_t)(end - c) >= length && memcmp(c, as_left, length) == 0
                    ? length
                    : 1);
}

static void
add_resolved(struct hpm_parse *parse, const char *c, const char *end)
{
    while (c < end) {
        const char *plain = c;

        while (c < end && *c != '&' && (*c != '\\' || !parse->has_escapes))
            c++;
        hpm_string_add_bytes(&parse->text, plain, (size_t)(c - plain));
        if (c < end)
            c = *c == '&' ? add_ampersand(&parse->text, c, end)
                          : add_escape(&parse->text, c, end);
    }
}

static bool
has_any(const char *c, const char *end, char wanted)
{
    return memchr(c, wanted, (size_t)(end - c)) != NULL;
}

static const char *
keep_resolved(struct hpm_parse *parse, const char *c, const char *end)
{
    hpm_string_clear(&parse->text);
    add_resolved(parse, c, end);
    return parse->text.failed
               ? NULL
               : hpm_names_keep(parse->kept, hpm_string_text(&parse->text),
                                parse->text.length);
}

static const char *
keep_text(struct hpm_parse *parse, struct hpm_parse_text *last, const char *c,
          const char *end)
{
    size_t length = (size_t)(end - c);
    const char *kept;

    if (last->kept != NULL && last->length == length &&
        memcmp(last->kept, c, length) == 0)
        return last->kept;
    if (has_any(c, end, '&') || (parse->has_escapes && has_any(c, end, '\\'))) {
        kept = keep_resolved(parse, c, end);
        last->kept = NULL;
    } else {
        kept = hpm_names_keep(parse->kept, c, length);
        *last = (struct hpm_parse_text){kept, length};
    }
    parse->is_out_of_memory |= kept == NULL;
    return kept;
}

const char *
hpm_parse_keep(struct hpm_parse *parse, const char *text)
{
    const char *kept = hpm_names_keep_text(parse->kept, text);

    parse->is_out_of_memory |= kept == NULL;
    return kept;
}

/* ---- one attribute --------------------------------------------------- */

/* Not inlined: the caller would set up this stack frame at each call. */
static __attribute__((cold, noinline)) void
note(struct hpm_parse *parse, const struct hpm_xmlguard *guard,
     enum hpm_format_name element,
     const struct hpm_xmlguard_attribute *attribute, const char *problem)
{
    struct hpm_xmlguard_position position =
        hpm_xmlguard_locate(guard, attribute->value);
    char word[SHOWN + 4];
    size_t n = 0;

    for (const char *c = attribute->value; c < attribute->end && n < SHOWN; c++)
        word[n++] = (unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c;
    strcpy(word + n, attribute->end - attribute->value > SHOWN ? "..." : "");
    hpm_notes_add(parse->notes, "%s:%ld:%ld: '%s' of %s: '%s' is %s; left out",
                  parse->file, position.line, position.column, attribute->name,
                  hpm_format_elements[element].name, word, problem);
}

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool
is_word(const char *word, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (word[i] != text[i])
            return false;
    }
    return word[length] == '\0';
}

/* NULL, or what is wrong. */
static const char *
parse_word(const char *text, const char *end, const char *const *words,
           int *ret_word)
{
    size_t length;

    while (text < end && is_blank(*text))
        text++;
    while (end > text && is_blank(end[-1]))
        end--;
    length = (size_t)(end - text);
    for (int i = 0; words[i] != NULL; i++) {
        if (is_word(words[i], text, length)) {
            *ret_word = i + 1;
            return NULL;
        }
    }
    return "none of the words known here";
}

/* INT64_MAX in the table: any count is allowed. */
static bool
is_in_range(struct hpm_number number, const struct hpm_format_attribute *known)
{
    int64_t integer;

    if (known->most == INT64_MAX && number.kind == HPM_NUMBER_COUNT &&
        number.amount > INT64_MAX)
        return true;
    return hpm_number_to_integer(number, known->least, known->most, &integer);
}

/* NULL, or what is wrong; then *value does not change. */
static const char *
parse_integer(const struct hpm_format_attribute *known, const char *text,
              const char *end, struct hpm_number *value)
{
    struct hpm_number number;
    const char *problem = hpm_number_read(text, end, &number);

    if (problem != NULL)
        return problem;
    if (!is_in_range(number, known))
        return known->least >= 0 ? "not a whole number in the range from 0 up"
                                 : "not a whole number in the range";
    *value = number;
    return NULL;
}

/* NULL, or what is wrong. */
static const char *
parse_value(struct hpm_parse *parse, struct hpm_parse_text *last,
            const struct hpm_format_attribute *known,
            const struct hpm_xmlguard_attribute *attribute, void *value)
{
    const char *text = attribute->value, *end = attribute->end;

    switch (known->type) {
    case HPM_FORMAT_NUMBER:
        return hpm_number_read(text, end, value);
    case HPM_FORMAT_TEXT:
        *(const char **)value = keep_text(parse, last, text, end);
        return NULL;
    case HPM_FORMAT_WORD:
        return parse_word(text, end, known->words, value);
    case HPM_FORMAT_INTEGER:
        return parse_integer(known, text, end, value);
    case HPM_FORMAT_DERIVED:
        break;
    }
    return NULL;
}

/* ---- the element ----------------------------------------------------- */

_Static_assert(HPM_N_NUMBERS + 7 < HPM_PARSE_ATTRIBUTES,
               "the longest element has room in names_met");

/* Find the attribute: first by address, because a name read before has the same
 * address again.  Files of our own have the attributes in the order of the
 * table. */
static size_t
search(const char **met, const struct hpm_format_element *element,
       const char *name, size_t begin)
{
    size_t n = element->n_attributes;

    for (size_t i = begin; i < n; i++) {
        if (met[i] == name)
            return i;
    }
    for (size_t i = 0; i < begin; i++) {
        if (met[i] == name)
            return i;
    }
    for (size_t i = 0; i < n; i++) {
        size_t at = (begin + i) % n;

        if (strcmp(element->attributes[at].name, name) == 0) {
            met[at] = name;
            return at;
        }
    }
    return n;
}

/* The attribute of this name, where it is not the one expected by `step`; NULL
 * where there is none. */
static const struct hpm_format_attribute *
find(struct hpm_parse_names *names, enum hpm_format_name which,
     struct hpm_parse_step *step, const char *name)
{
    const struct hpm_format_element *element = &hpm_format_elements[which];
    size_t at = search(names->attributes[which], element, name,
                       (size_t)(step - names->steps[which]));

    if (at == element->n_attributes)
        return NULL;
    *step = (struct hpm_parse_step){name, &element->attributes[at]};
    return step->known;
}

/* Where a text may be kept that is often equal to this attribute's. */
static struct hpm_parse_text *
place_of_text(struct hpm_parse *parse, enum hpm_format_name element, size_t at)
{
    if (element == HPM_FORMAT_DATA || element == HPM_FORMAT_RECORD ||
        element == HPM_FORMAT_OUTSIDE)
        return &parse->remembered[parse->n_texts++ % HPM_PARSE_REMEMBERED];
    return &parse->before[at];
}

bool
hpm_parse_element(struct hpm_parse *parse, const struct hpm_xmlguard *guard,
                  enum hpm_format_name element,
                  const struct hpm_xmlguard_attribute *attributes, int n,
                  void *values, const struct hpm_format_attribute **ret_bad)
{
    struct hpm_parse_step *steps = parse->names->steps[element], *step = steps;
    const struct hpm_format_attribute *bad = NULL;
    bool is_good = true;

    for (int i = 0; i < n; i++) {
        const struct hpm_xmlguard_attribute *here = &attributes[i];
        const struct hpm_format_attribute *known = step->known;
        struct hpm_parse_text *last = NULL;
        const char *problem;
        size_t at;

        if (here->prefix != NULL)
            continue;
        if (step->name != here->name)
            known = find(parse->names, element, step, here->name);
        if (known == NULL) {
            parse->n_unknown++;
            continue;
        }
        at = (size_t)(known - hpm_format_elements[element].attributes);
        step = steps + at + 1;
        if (known->type == HPM_FORMAT_TEXT)
            last = place_of_text(parse, element, at);
        problem = parse_value(parse, last, known, here,
                              (char *)values + known->offset);
        if (problem == NULL)
            continue;
        note(parse, guard, element, here, problem);
        is_good = is_good && !known->is_vital;
        if (bad == NULL)
            bad = known;
    }
    if (ret_bad != NULL)
        *ret_bad = bad;
    return is_good;
}
