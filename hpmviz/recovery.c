/* SPDX-License-Identifier: BSD-3-Clause
 * Drafts: texts that were edited and not saved.
 *
 * A draft is a few lines and the text, in the folder hpm-toolkit/unsaved of the
 * user's state; its name is a digest of the path, then the process:
 *
 *     hpmviz draft 1
 *     path /home/u/src/swim.f         escaped as in a URI
 *     machine node17
 *     file 2049 131 5120 1763760000 5 device, inode, size, time of change
 *
 *     text
 */
#include "hpmviz/recovery.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[] = "hpmviz draft 1";

enum { N_DIGEST = 32 };

/* ---- names ----------------------------------------------------------- */

static char *
folder_name(void)
{
    const char *state = g_getenv("XDG_STATE_HOME");

    if (state != NULL && g_path_is_absolute(state))
        return g_build_filename(state, "hpm-toolkit", "unsaved", NULL);
    return g_build_filename(g_get_home_dir(), ".local", "state", "hpm-toolkit",
                            "unsaved", NULL);
}

static char *
digest_of(const char *path)
{
    char *digest = g_compute_checksum_for_string(G_CHECKSUM_SHA256, path, -1);

    digest[N_DIGEST] = '\0';
    return digest;
}

static char *
own_name(const char *path)
{
    char *folder = folder_name(), *digest = digest_of(path);
    char *name = g_strdup_printf("%s/%s-%ld", folder, digest, (long)getpid());

    g_free(folder);
    g_free(digest);
    return name;
}

/* ---- writing --------------------------------------------------------- */

gboolean
hpmviz_recovery_write(const char *path, const struct hpmviz_identity *base,
                      const char *text, GError **error)
{
    char *folder = folder_name(), *name = own_name(path);
    char *escaped = g_uri_escape_string(path, "/", FALSE);
    char *machine = g_uri_escape_string(g_get_host_name(), NULL, FALSE);
    char *whole =
        g_strdup_printf("%s\npath %s\nmachine %s\nfile %" G_GUINT64_FORMAT
                        " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
                        " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n\n%s",
                        magic, escaped, machine, base->device, base->inode,
                        base->size, base->seconds, base->nanoseconds, text);
    gboolean is_good;

    g_mkdir_with_parents(folder, 0700);
    is_good = g_file_set_contents_full(name, whole, (gssize)strlen(whole),
                                       G_FILE_SET_CONTENTS_CONSISTENT |
                                           G_FILE_SET_CONTENTS_DURABLE,
                                       0600, error);
    g_free(whole);
    g_free(machine);
    g_free(escaped);
    g_free(name);
    g_free(folder);
    return is_good;
}

void
hpmviz_recovery_remove(const char *path)
{
    char *name = own_name(path);

    g_unlink(name);
    g_free(name);
}

/* ---- reading --------------------------------------------------------- */

/* The rest of the line after a word and a blank; *at goes behind the line. NULL
 * where the line begins otherwise. */
static char *
take_line(char **at, const char *word)
{
    char *end = strchr(*at, '\n'), *rest = *at + strlen(word);

    if (end == NULL || !g_str_has_prefix(*at, word) || *rest != ' ')
        return NULL;
    *end = '\0';
    *at = end + 1;
    return rest + 1;
}

static gboolean
is_equal_unescaped(const char *escaped, const char *expected)
{
    char *text = escaped != NULL ? g_uri_unescape_string(escaped, NULL) : NULL;
    gboolean is_equal = g_strcmp0(text, expected) == 0;

    g_free(text);
    return is_equal;
}

static gboolean
read_base(const char *numbers, struct hpmviz_identity *ret_base)
{
    char **words = g_strsplit(numbers != NULL ? numbers : "", " ", -1);
    gboolean is_good = g_strv_length(words) == 5;

    if (is_good)
        *ret_base = (struct hpmviz_identity){
            .device = g_ascii_strtoull(words[0], NULL, 10),
            .inode = g_ascii_strtoull(words[1], NULL, 10),
            .size = g_ascii_strtoull(words[2], NULL, 10),
            .seconds = g_ascii_strtoll(words[3], NULL, 10),
            .nanoseconds = g_ascii_strtoll(words[4], NULL, 10),
        };
    g_strfreev(words);
    return is_good;
}

/* Is the process there, on this machine, that wrote a draft of this name? */
static gboolean
is_owned(const char *name, const char *machine)
{
    const char *number = strrchr(name, '-');
    gint64 process = number != NULL ? g_ascii_strtoll(number + 1, NULL, 10) : 0;

    return is_equal_unescaped(machine, g_get_host_name()) && process > 0 &&
           (kill((pid_t)process, 0) == 0 || errno == EPERM);
}

static gboolean
read_draft(const char *name, const char *path, struct hpmviz_draft *ret_draft)
{
    char *whole, *at, *line, *machine;
    struct hpmviz_draft draft = {.name = NULL};
    gboolean is_good;
    GStatBuf status;
    gsize length;

    if (g_stat(name, &status) != 0 || !S_ISREG(status.st_mode) ||
        !g_file_get_contents(name, &whole, &length, NULL))
        return FALSE;
    at = whole;
    is_good = g_utf8_validate(whole, (gssize)length, NULL) &&
              g_str_has_prefix(whole, magic) && whole[strlen(magic)] == '\n';
    at += is_good ? strlen(magic) + 1 : 0;
    line = take_line(&at, "path");
    is_good = is_good && is_equal_unescaped(line, path);
    machine = take_line(&at, "machine");
    is_good = is_good && machine != NULL && !is_owned(name, machine);
    line = take_line(&at, "file");
    is_good = is_good && read_base(line, &draft.base) && *at == '\n';
    if (is_good) {
        draft.name = g_strdup(name);
        draft.text = g_strdup(at + 1);
        draft.seconds = status.st_mtime;
        *ret_draft = draft;
    }
    g_free(whole);
    return is_good;
}

gboolean
hpmviz_recovery_find(const char *path, struct hpmviz_draft *ret_draft)
{
    char *folder = folder_name(), *digest = digest_of(path);
    GDir *entries = g_dir_open(folder, 0, NULL);
    gboolean is_found = FALSE;
    const char *entry;

    while (entries != NULL && (entry = g_dir_read_name(entries)) != NULL) {
        char *name = g_build_filename(folder, entry, NULL);
        struct hpmviz_draft draft;

        if (g_str_has_prefix(entry, digest) && read_draft(name, path, &draft)) {
            if (is_found && draft.seconds <= ret_draft->seconds) {
                hpmviz_draft_clear(&draft);
            } else {
                if (is_found)
                    hpmviz_draft_clear(ret_draft);
                *ret_draft = draft;
                is_found = TRUE;
            }
        }
        g_free(name);
    }
    g_clear_pointer(&entries, g_dir_close);
    g_free(digest);
    g_free(folder);
    return is_found;
}

void
hpmviz_draft_discard(const struct hpmviz_draft *draft)
{
    if (draft->name != NULL)
        g_unlink(draft->name);
}

void
hpmviz_draft_clear(struct hpmviz_draft *draft)
{
    g_clear_pointer(&draft->name, g_free);
    g_clear_pointer(&draft->text, g_free);
}
