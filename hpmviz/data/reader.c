/* SPDX-License-Identifier: BSD-3-Clause
 * Files that are to be read. */
#include "hpmviz/data/reader.h"

struct _HpmvizReader {
    GObject parent_instance;
    GQueue waiting; /* struct reading */
    GQueue running; /* the same, freed by their ends: the one begun first stands
                     * first, and the last alone may be reading files yet */
    guint watch;
};

G_DEFINE_TYPE(HpmvizReader, hpmviz_reader, G_TYPE_OBJECT)

static guint progress;

enum { WATCH_MS = 100 };

/* A reading that goes on belongs to itself: the reader may be gone, or read
 * something else, when it ends. */
struct reading {
    GWeakRef reader;
    char **words;
    enum hpm_precision precision;
    guint tag;
    hpmviz_reader_end *end;
    gpointer owner;
    GCancellable *cancellable;
    struct hpmviz_progress progress;
    gboolean has_ended; /* then: */
    struct hpmviz_loaded *loaded;
    GError *error;
};

static void
free_reading(struct reading *reading)
{
    g_weak_ref_clear(&reading->reader);
    g_strfreev(reading->words);
    g_object_unref(reading->cancellable);
    hpmviz_loaded_free(reading->loaded);
    g_clear_error(&reading->error);
    g_free(reading);
}

static void
finalize(GObject *object)
{
    hpmviz_reader_cancel(HPMVIZ_READER(object));
    G_OBJECT_CLASS(hpmviz_reader_parent_class)->finalize(object);
}

static void
hpmviz_reader_class_init(HpmvizReaderClass *class)
{
    G_OBJECT_CLASS(class)->finalize = finalize;
    progress = g_signal_new("progress", HPMVIZ_TYPE_READER, G_SIGNAL_RUN_LAST,
                            0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hpmviz_reader_init(HpmvizReader *reader)
{
    g_queue_init(&reader->waiting);
    g_queue_init(&reader->running);
}

HpmvizReader *
hpmviz_reader_new(void)
{
    return g_object_new(HPMVIZ_TYPE_READER, NULL);
}

static gboolean watch_progress(gpointer data);

static void
watch(HpmvizReader *reader)
{
    gboolean is_needed = !g_queue_is_empty(&reader->running);

    if (is_needed && reader->watch == 0) {
        reader->watch = g_timeout_add(WATCH_MS, watch_progress, reader);
    } else if (!is_needed && reader->watch != 0) {
        g_source_remove(reader->watch);
        reader->watch = 0;
    }
}

/* ---- the end of a reading ---------------------------------------------- */

/* Whoever is told may cancel, or queue more. */
static void
tell_ends(HpmvizReader *reader)
{
    struct reading *reading;

    while ((reading = g_queue_peek_head(&reader->running)) != NULL &&
           reading->has_ended) {
        g_queue_pop_head(&reader->running);
        watch(reader);
        reading->end(reading->owner, reading->words, reading->tag,
                     g_steal_pointer(&reading->loaded),
                     reading->error != NULL ? reading->error->message : NULL);
        free_reading(reading);
    }
}

static void start_next(HpmvizReader *reader);

static void
end_reading(GObject *source, GAsyncResult *result, gpointer data)
{
    struct reading *reading = data;
    g_autoptr(HpmvizReader) reader = g_weak_ref_get(&reading->reader);

    (void)source;
    reading->loaded = hpmviz_loader_finish(result, &reading->error);
    reading->has_ended = TRUE;
    if (reader == NULL || g_queue_find(&reader->running, reading) == NULL) {
        free_reading(reading);
        return;
    }
    start_next(reader);
    tell_ends(reader);
}

/* ---- the next one ------------------------------------------------------ */

/* While sections of what was read are added up, the next files can be read:
 * that takes another processor, and little memory. */
static void
start_next(HpmvizReader *reader)
{
    struct reading *last = g_queue_peek_tail(&reader->running), *reading;

    if (last != NULL && !last->has_ended &&
        !g_atomic_int_get(&last->progress.are_read))
        return;
    reading = g_queue_pop_head(&reader->waiting);
    if (reading == NULL)
        return;
    g_queue_push_tail(&reader->running, reading);
    watch(reader);
    hpmviz_loader_start(reading->words, reading->precision, &reading->progress,
                        reading->cancellable, end_reading, reading);
}

static gboolean
watch_progress(gpointer data)
{
    start_next(data);
    g_signal_emit(data, progress, 0);
    return G_SOURCE_CONTINUE;
}

/* ---- public functions -------------------------------------------------- */

void
hpmviz_reader_queue(HpmvizReader *reader, char *const *words,
                    enum hpm_precision precision, guint tag,
                    hpmviz_reader_end *end, gpointer owner)
{
    struct reading *reading = g_new0(struct reading, 1);

    g_weak_ref_init(&reading->reader, reader);
    reading->words = g_strdupv((char **)words);
    reading->precision = precision;
    reading->tag = tag;
    reading->end = end;
    reading->owner = owner;
    reading->cancellable = g_cancellable_new();
    g_queue_push_tail(&reader->waiting, reading);
    start_next(reader);
}

void
hpmviz_reader_cancel(HpmvizReader *reader)
{
    struct reading *reading;

    while ((reading = g_queue_pop_head(&reader->waiting)) != NULL)
        free_reading(reading);
    while ((reading = g_queue_pop_head(&reader->running)) != NULL) {
        g_cancellable_cancel(reading->cancellable);
        if (reading->has_ended)
            free_reading(reading);
    }
    watch(reader);
}

gboolean
hpmviz_reader_is_busy(const HpmvizReader *reader, guint *ret_n_done,
                      guint *ret_n_files)
{
    const struct reading *last = g_queue_peek_tail((GQueue *)&reader->running);

    if (last == NULL)
        return FALSE;
    *ret_n_done = (guint)g_atomic_int_get(&last->progress.n_done);
    *ret_n_files = (guint)g_atomic_int_get(&last->progress.n_files);
    return TRUE;
}
