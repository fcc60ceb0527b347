/* SPDX-License-Identifier: BSD-3-Clause
 * JSON documents, read by json-c. */
#include "study/vendor/json.h"

#include <limits.h>
#include <string.h>

/* Vendors' files nest five deep. */
enum { MOST_DEPTH = 32 };

static int
line_of(const char *text, size_t offset)
{
    int line = 1;

    for (size_t i = 0; i < offset; i++)
        line += text[i] == '\n';
    return line;
}

static struct json_object *
parse(struct json_tokener *tokener, const char *path, const char *text,
      size_t length, struct hpm_error *err)
{
    struct json_object *root =
        json_tokener_parse_ex(tokener, text, (int)length);
    enum json_tokener_error error = json_tokener_get_error(tokener);
    size_t end = json_tokener_get_parse_end(tokener);
    size_t rest = end + strspn(text + end, " \t\r\n");

    if (error == json_tokener_continue)
        hpm_error_set(err, "%.300s:%d: the file ends before its JSON does",
                      path, line_of(text, length));
    else if (error != json_tokener_success)
        hpm_error_set(err, "%.300s:%d: is no JSON at '%.20s': %s", path,
                      line_of(text, end), text + end,
                      json_tokener_error_desc(error));
    else if (rest < length)
        hpm_error_set(err, "%.300s:%d: '%.20s' follows where the JSON ends",
                      path, line_of(text, rest), text + rest);
    else
        return root;
    json_object_put(root);
    return NULL;
}

struct json_object *
hpm_json_read(const char *path, const char *text, size_t length,
              struct hpm_error *err)
{
    struct json_tokener *tokener;
    struct json_object *root = NULL;

    if (length > INT_MAX) {
        hpm_error_set(err, "%.300s: is too large", path);
        return NULL;
    }
    tokener = json_tokener_new_ex(MOST_DEPTH);
    if (tokener == NULL) {
        hpm_error_no_memory(err);
        return NULL;
    }
    root = parse(tokener, path, text, length, err);
    json_tokener_free(tokener);
    return root;
}

struct json_object *
hpm_json_member(struct json_object *object, const char *name)
{
    struct json_object *member = NULL;

    if (json_object_is_type(object, json_type_object))
        json_object_object_get_ex(object, name, &member);
    return member;
}

const char *
hpm_json_text(struct json_object *object, const char *name)
{
    struct json_object *member = hpm_json_member(object, name);
    const char *text = member != NULL ? json_object_get_string(member) : NULL;

    return text != NULL ? text : "";
}

bool
hpm_json_each(struct json_object *array, hpm_json_visit *visit, void *context,
              struct hpm_error *err)
{
    size_t n = json_object_is_type(array, json_type_array)
                   ? json_object_array_length(array)
                   : 0;

    for (size_t i = 0; i < n; i++) {
        if (!visit(json_object_array_get_idx(array, i), i, context, err))
            return false;
    }
    return true;
}
