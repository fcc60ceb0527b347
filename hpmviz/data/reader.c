/* SPDX-License-Identifier: BSD-3-Clause
 * Files that are to be read. */
#include "hpmviz/data/reader.h"

struct _HpmvizReader {
    GObject parent_instance;
    GQueue waiting;          /* struct reading */
    struct reading *current; /* freed by its end, or NULL */
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
};

static void
free_reading(struct reading *reading)
{
    g_weak_ref_clear(&reading->reader);
    g_strfreev(reading->words);
    g_object_unref(reading->cancellable);
    g_free(reading);
}

static void
stop_watching(HpmvizReader *reader)
{
    if (reader->watch != 0)
        g_source_remove(reader->watch);
    reader->watch = 0;
    reader->current = NULL;
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
}

HpmvizReader *
hpmviz_reader_new(void)
{
    return g_object_new(HPMVIZ_TYPE_READER, NULL);
}

static gboolean
watch_progress(gpointer data)
{
    g_signal_emit(data, progress, 0);
    return G_SOURCE_CONTINUE;
}

static void start_next(HpmvizReader *reader);

static void
end_reading(GObject *source, GAsyncResult *result, gpointer data)
{
    struct reading *reading = data;
    g_autoptr(HpmvizReader) reader = g_weak_ref_get(&reading->reader);
    g_autoptr(GError) error = NULL;
    struct hpmviz_loaded *loaded = hpmviz_loader_finish(result, &error);

    (void)source;
    if (reader == NULL || reading != reader->current) { /* another goes on */
        hpmviz_loaded_free(loaded);
    } else {
        stop_watching(reader);
        start_next(reader);
        reading->end(reading->owner, reading->words, reading->tag, loaded,
                     error != NULL ? error->message : NULL);
    }
    free_reading(reading);
}

static void
start_next(HpmvizReader *reader)
{
    struct reading *reading = g_queue_pop_head(&reader->waiting);

    if (reading == NULL)
        return;
    reader->current = reading;
    reader->watch = g_timeout_add(WATCH_MS, watch_progress, reader);
    hpmviz_loader_start(reading->words, reading->precision, &reading->progress,
                        reading->cancellable, end_reading, reading);
}

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
    if (reader->current == NULL)
        start_next(reader);
}

void
hpmviz_reader_cancel(HpmvizReader *reader)
{
    struct reading *reading;

    while ((reading = g_queue_pop_head(&reader->waiting)) != NULL)
        free_reading(reading);
    if (reader->current != NULL)
        g_cancellable_cancel(reader->current->cancellable);
    stop_watching(reader);
}

gboolean
hpmviz_reader_is_busy(const HpmvizReader *reader, guint *ret_n_done,
                      guint *ret_n_files)
{
    const struct reading *reading = reader->current;

    if (reading == NULL)
        return FALSE;
    *ret_n_done = (guint)g_atomic_int_get(&reading->progress.n_done);
    *ret_n_files = (guint)g_atomic_int_get(&reading->progress.n_files);
    return TRUE;
}
