/* SPDX-License-Identifier: BSD-3-Clause
 * Energy from /sys/class/powercap. */
#include "study/node/nodezones.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/string.h"
#include "host/folder.h"
#include "source/machine/procfile.h"

#define ZONES "/sys/class/powercap"

/* Other control types ("intel-rapl-mmio:0") list the same packages again. */
static const char control[] = "intel-rapl:";

static bool
is_named(const char *name, const char *word)
{
    size_t length = strlen(word);

    return word[length - 1] == '-' ? strncmp(name, word, length) == 0
                                   : strcmp(name, word) == 0;
}

static uint64_t
read_range(const char *zone)
{
    char path[128], line[32];
    uint64_t range = 0;

    snprintf(path, sizeof path, ZONES "/%.60s/max_energy_range_uj", zone);
    if (hpm_procfile_line(path, line, sizeof line))
        hpm_string_to_count(line, &range);
    return range;
}

/* Since 2020 only root may read the energy, since a secret key can be guessed
 * from it. */
static bool
check(const char *path, struct hpm_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0 && (errno == EACCES || errno == EPERM))
        return hpm_error_set(err,
                             "only root may read %s; run hpmcount as root, or "
                             "as root: chmod a+r %s",
                             path, path);
    if (fd < 0)
        return hpm_error_set(err, "%s cannot be read: %s", path,
                             strerror(errno));
    close(fd);
    return true;
}

static bool
add_zone(struct hpm_nodeplan *plan, const char *zone, struct hpm_error *err)
{
    struct hpm_nodezone added = {.range = read_range(zone)};

    snprintf(added.path, sizeof added.path, ZONES "/%.60s/energy_uj", zone);
    return check(added.path, err) && hpm_nodeplan_add_zone(plan, &added, err);
}

bool
hpm_nodezones_add(struct hpm_nodeplan *plan, const char *word,
                  bool *ret_is_there, struct hpm_error *err)
{
    struct hpm_folder folder;
    const char *zone;
    bool is_good = true;

    *ret_is_there = false;
    if (!hpm_folder_open(&folder, ZONES))
        return false;
    while (is_good && (zone = hpm_folder_next(&folder)) != NULL) {
        char path[128], name[64];

        snprintf(path, sizeof path, ZONES "/%.60s/name", zone);
        if (strncmp(zone, control, strlen(control)) != 0 ||
            !hpm_procfile_line(path, name, sizeof name) ||
            !is_named(name, word))
            continue;
        *ret_is_there = true;
        is_good = add_zone(plan, zone, err);
    }
    hpm_folder_close(&folder);
    plan->unit = "uJ";
    return is_good && *ret_is_there;
}

bool
hpm_nodezones_read(const struct hpm_nodezone *zone, uint64_t *ret_energy)
{
    char line[32];

    return hpm_procfile_line(zone->path, line, sizeof line) &&
           hpm_string_to_count(line, ret_energy);
}

bool
hpm_nodezones_used(const struct hpm_nodezone *zone, uint64_t before,
                   uint64_t now, uint64_t *ret_used)
{
    if (now < before && (zone->range == 0 || before > zone->range))
        return false;
    *ret_used = now >= before ? now - before : zone->range - before + now;
    return true;
}

uint64_t
hpm_nodezones_patience_ns(const struct hpm_nodezone *zone)
{
    /* range in uJ / 1 kW is a time in ns: 1 uJ at 1 kW takes 1 ns */
    return zone->range > 0 ? zone->range / 2 : UINT64_MAX;
}
