/* SPDX-License-Identifier: BSD-3-Clause
 * The grid in which tasks stand. */
#include "hpmviz/data/topology.h"

#include <glib/gi18n.h>
#include <string.h>

static gboolean
read_dims(const char *text, struct hpmviz_topology *topology)
{
    guint64 n_places = 1;
    const char *at = text;

    for (topology->n = 0; topology->n < HPM_CARTESIAN_MOST;) {
        char *end;
        guint64 dim = g_ascii_strtoull(at, &end, 10);

        if (!g_ascii_isdigit(*at) || dim == 0 || dim > HPMVIZ_TOPOLOGY_MOST)
            return FALSE;
        n_places *= dim;
        if (n_places > HPMVIZ_TOPOLOGY_MOST)
            return FALSE;
        topology->dims[topology->n++] = (int)dim;
        if (*end == '\0')
            return TRUE;
        if (*end != 'x' && *end != 'X')
            return FALSE;
        at = end + 1;
    }
    return FALSE;
}

gboolean
hpmviz_topology_read(const char *text, struct hpmviz_topology *ret_topology,
                     char **ret_problem)
{
    struct hpmviz_topology topology = {0};
    g_autofree char *word = g_strstrip(g_strdup(text));

    if (!read_dims(word, &topology)) {
        *ret_problem =
            g_strdup_printf(_("topology '%s': expected 1 to %d numbers above 0 "
                              "with an x between "
                              "them, such as 8x8x4, and at most %d places"),
                            word, HPM_CARTESIAN_MOST, HPMVIZ_TOPOLOGY_MOST);
        return FALSE;
    }
    *ret_topology = topology;
    return TRUE;
}

static gboolean
read_place(const struct hpm_task *task, struct hpm_cartesian_place *place)
{
    return task->dims != NULL && hpm_cartesian_read(task->dims, task->periods,
                                                    task->coords, place, NULL);
}

static gboolean
is_same(const struct hpmviz_topology *topology,
        const struct hpm_cartesian_place *place)
{
    return topology->n == place->n &&
           memcmp(topology->dims, place->dims,
                  place->n * sizeof *place->dims) == 0;
}

gboolean
hpmviz_topology_find(const struct hpm_study *study,
                     struct hpmviz_topology *ret_topology)
{
    struct hpmviz_topology topology = {.is_recorded = TRUE};

    for (size_t i = 0; i < study->n_tasks; i++) {
        struct hpm_cartesian_place place;

        if (!read_place(&study->tasks[i], &place))
            continue;
        if (topology.n == 0) {
            topology.n = place.n;
            memcpy(topology.dims, place.dims, place.n * sizeof *place.dims);
        } else if (!is_same(&topology, &place)) {
            return FALSE;
        }
    }
    *ret_topology = topology;
    return topology.n > 0;
}

gboolean
hpmviz_topology_place(const struct hpmviz_topology *topology,
                      const struct hpm_study *study, uint32_t task,
                      int ret_coords[HPM_CARTESIAN_MOST])
{
    struct hpm_cartesian_place place;
    int number;

    if (task == HPM_NO_INDEX)
        return FALSE;
    number = study->tasks[task].number;
    if (topology->is_recorded) {
        if (!read_place(&study->tasks[task], &place))
            return FALSE;
        memcpy(ret_coords, place.coords, place.n * sizeof *place.coords);
        return TRUE;
    }
    if (number < 0)
        return FALSE;
    for (size_t i = topology->n; i-- > 0;) {
        ret_coords[i] = number % topology->dims[i];
        number /= topology->dims[i];
    }
    return number == 0;
}

char *
hpmviz_topology_name(const struct hpmviz_topology *topology)
{
    GString *name = g_string_new(NULL);

    for (size_t i = 0; i < topology->n; i++)
        g_string_append_printf(name, "%s%d", i > 0 ? "x" : "",
                               topology->dims[i]);
    return g_string_free(name, FALSE);
}
