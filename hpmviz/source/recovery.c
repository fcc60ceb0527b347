/* SPDX-License-Identifier: BSD-3-Clause
 * Drafts: texts that were edited and not saved.
 *
 * A draft is a few lines and the text, in the folder hpm-toolkit/unsaved of the
 * user's state.  Its name is a digest of the path, then what no other draft
 * has: numbers of processes come again, after a reboot or in a container. While
 * its process lives it is locked (flock), and so is one that is being offered.
 *
 *     hpmviz draft 1
 *     path /home/u/src/swim.f         escaped as in a URI
 *     machine node17
 *     file 2049 131 5120 1763760000 5 device, inode, size, time of change
 *
 *     text
 */
#include "hpmviz/source/recovery.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/write.h"

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

/* ---- drafts of this process ------------------------------------------ */

struct own {
    char *name;
    int fd; /* holds the lock */
};

static GMutex guard;
static GHashTable *owned; /* struct own by path */

static void
free_own(gpointer data)
{
    struct own *own = data;

    if (own->fd >= 0)
        close(own->fd);
    g_free(own->name);
    g_free(own);
}

/* Not of GLib's generator, which goes on alike in a process that was forked. */
static char *
new_number(void)
{
    guint64 parts[2] = {(guint64)getpid(), (guint64)g_get_real_time()};

    if (getentropy(parts, sizeof parts) != 0)
        g_debug("numbers of drafts are of process and time");
    return g_strdup_printf("%016" G_GINT64_MODIFIER "x%016" G_GINT64_MODIFIER
                           "x",
                           parts[0], parts[1]);
}

static struct own *
own_draft(const char *path, const char *folder)
{
    struct own *own;
    char *digest, *number;

    if (owned == NULL)
        owned =
            g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_own);
    own = g_hash_table_lookup(owned, path);
    if (own != NULL)
        return own;
    own = g_new(struct own, 1);
    digest = digest_of(path);
    number = new_number();
    own->name = g_strdup_printf("%s/%s-%s", folder, digest, number);
    own->fd = -1;
    g_hash_table_insert(owned, g_strdup(path), own);
    g_free(number);
    g_free(digest);
    return own;
}

/* ---- writing --------------------------------------------------------- */

/* Both keep errno of what failed before. */
static void
close_quietly(int fd)
{
    int number = errno;

    close(fd);
    errno = number;
}

static void
remove_quietly(const char *name)
{
    int number = errno;

    g_unlink(name);
    errno = number;
}

/* Locked before it has its name.  A file system without locks is no reason not
 * to keep a text. */
static int
write_new(const char *name, const char *bytes)
{
    int fd =
        open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    int number;

    if (fd < 0)
        return -1;
    flock(fd, LOCK_EX | LOCK_NB);
    number = hpm_write_all(fd, bytes, strlen(bytes));
    if (number == 0 && fsync(fd) == 0)
        return fd;
    errno = number != 0 ? number : errno;
    close_quietly(fd);
    return -1;
}

/* In place of the last. */
static gboolean
replace(struct own *own, const char *folder, const char *bytes)
{
    char *number = new_number();
    char *temporary = g_strdup_printf("%s/.%s.tmp", folder, number);
    int fd = write_new(temporary, bytes), before = own->fd;
    gboolean is_good = fd >= 0 && rename(temporary, own->name) == 0;

    if (is_good)
        own->fd = fd;
    else
        remove_quietly(temporary);
    if (is_good && before >= 0)
        close(before);
    if (!is_good && fd >= 0)
        close_quietly(fd);
    g_free(temporary);
    g_free(number);
    return is_good;
}

static char *
content_of(const char *path, const struct hpmviz_fileidentity *base,
           const char *text)
{
    char *escaped = g_uri_escape_string(path, "/", FALSE);
    char *machine = g_uri_escape_string(g_get_host_name(), NULL, FALSE);
    char *whole =
        g_strdup_printf("%s\npath %s\nmachine %s\nfile %" G_GUINT64_FORMAT
                        " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
                        " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n\n%s",
                        magic, escaped, machine, base->device, base->inode,
                        base->size, base->seconds, base->nanoseconds, text);

    g_free(machine);
    g_free(escaped);
    return whole;
}

gboolean
hpmviz_recovery_write(const char *path, const struct hpmviz_fileidentity *base,
                      const char *text, GError **error)
{
    char *folder = folder_name(), *whole = content_of(path, base, text);
    gboolean is_good;

    g_mkdir_with_parents(folder, 0700);
    g_mutex_lock(&guard);
    is_good = replace(own_draft(path, folder), folder, whole);
    if (!is_good)
        g_set_error(error, G_IO_ERROR, (gint)g_io_error_from_errno(errno),
                    "%s: %s", folder, g_strerror(errno));
    g_mutex_unlock(&guard);
    g_free(whole);
    g_free(folder);
    return is_good;
}

void
hpmviz_recovery_remove(const char *path)
{
    const struct own *own;

    g_mutex_lock(&guard);
    own = owned != NULL ? g_hash_table_lookup(owned, path) : NULL;
    if (own != NULL) {
        g_unlink(own->name);
        g_hash_table_remove(owned, path);
    }
    g_mutex_unlock(&guard);
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
read_base(const char *numbers, struct hpmviz_fileidentity *ret_base)
{
    char **words = g_strsplit(numbers != NULL ? numbers : "", " ", -1);
    gboolean is_good = g_strv_length(words) == 5;

    if (is_good)
        *ret_base = (struct hpmviz_fileidentity){
            .device = g_ascii_strtoull(words[0], NULL, 10),
            .inode = g_ascii_strtoull(words[1], NULL, 10),
            .size = g_ascii_strtoull(words[2], NULL, 10),
            .seconds = g_ascii_strtoll(words[3], NULL, 10),
            .nanoseconds = g_ascii_strtoll(words[4], NULL, 10),
        };
    g_strfreev(words);
    return is_good;
}

/* Its lines, then its text. */
static gboolean
parse(char *whole, gsize length, const char *path,
      struct hpmviz_draft *ret_draft)
{
    char *at = whole, *line;
    gboolean is_good;

    is_good = g_utf8_validate(whole, (gssize)length, NULL) &&
              g_str_has_prefix(whole, magic) && whole[strlen(magic)] == '\n';
    at += is_good ? strlen(magic) + 1 : 0;
    line = take_line(&at, "path");
    is_good = is_good && is_equal_unescaped(line, path);
    is_good = is_good && take_line(&at, "machine") != NULL;
    line = take_line(&at, "file");
    is_good = is_good && read_base(line, &ret_draft->base) && *at == '\n';
    if (is_good)
        ret_draft->text = g_strdup(at + 1);
    return is_good;
}

/* Lock the draft, which its process would do if it lived; -1 where another has.
 * What was locked may have been replaced just before. */
static int
take_over(const char *name, struct stat *ret_status)
{
    int fd = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat now;

    if (fd < 0)
        return -1;
    if ((flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) &&
        fstat(fd, ret_status) == 0 && S_ISREG(ret_status->st_mode) &&
        lstat(name, &now) == 0 && now.st_dev == ret_status->st_dev &&
        now.st_ino == ret_status->st_ino)
        return fd;
    close(fd);
    return -1;
}

static gboolean
read_draft(const char *name, const char *path, struct hpmviz_draft *ret_draft)
{
    struct hpmviz_draft draft = {.name = NULL};
    struct stat status;
    int fd = take_over(name, &status);
    gboolean is_good;
    char *whole;
    gsize length;

    if (fd < 0)
        return FALSE;
    is_good = g_file_get_contents(name, &whole, &length, NULL);
    if (is_good) {
        is_good = parse(whole, length, path, &draft);
        g_free(whole);
    }
    if (!is_good) {
        close(fd);
        return FALSE;
    }
    draft.name = g_strdup(name);
    draft.seconds = status.st_mtime;
    draft.lock = fd;
    *ret_draft = draft;
    return TRUE;
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
    if (draft->name != NULL)
        close(draft->lock);
    g_clear_pointer(&draft->name, g_free);
    g_clear_pointer(&draft->text, g_free);
}
