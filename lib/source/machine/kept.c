/* SPDX-License-Identifier: BSD-3-Clause
 * Facts about this machine that hpm doctor has found and kept. */
#include "source/machine/kept.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/env.h"
#include "host/memory.h"
#include "source/machine/cpuinfo.h"
#include "source/machine/procfile.h"

enum { MOST_BYTES = 32768 };

bool
hpm_kept_add_path(struct hpm_string *path)
{
    const char *folder = hpm_env_get(HPM_VARIABLE_MACHINE);
    const char *state = secure_getenv("XDG_STATE_HOME");
    const char *home = secure_getenv("HOME");
    struct utsname system;

    if (uname(&system) != 0)
        return false;
    if (folder != NULL)
        hpm_string_add(path, folder);
    else if (state != NULL && state[0] == '/')
        hpm_string_add_format(path, "%s/hpm-toolkit", state);
    else if (home != NULL && home[0] == '/')
        hpm_string_add_format(path, "%s/.local/state/hpm-toolkit", home);
    else
        return false;
    hpm_string_add_format(path, "/%s.machine", system.nodename);
    return !path->failed;
}

/* Several machines with one name may share a home folder (containers), and a
 * machine may get another processor: so the file names its processor. */
void
hpm_kept_add_processor(struct hpm_string *text)
{
    const struct hpm_cpuinfo *cpu = hpm_cpuinfo_get();

    hpm_string_add_format(text, "processor %s %s", cpu->identity, cpu->name);
}

static void
add_facts(struct hpm_string *facts, const char *text)
{
    static const char fact[] = "\n" HPM_KEPT_FACT;

    while ((text = strstr(text, fact)) != NULL) {
        text += sizeof fact - 1;
        hpm_string_add_char(facts, ' ');
        hpm_string_add_bytes(facts, text, strcspn(text, " \n"));
    }
}

void
hpm_kept_add_facts(struct hpm_string *facts)
{
    struct hpm_string path = {0}, ours = {0};
    char *text = NULL;

    if (hpm_kept_add_path(&path) &&
        (text = hpm_memory_new(MOST_BYTES, 1)) != NULL &&
        hpm_procfile_read(path.text, text, MOST_BYTES) > 0) {
        hpm_kept_add_processor(&ours);
        hpm_string_add_char(&ours, '\n');
        if (!ours.failed && strncmp(text, ours.text, ours.length) == 0)
            add_facts(facts, text + ours.length - 1);
    }
    hpm_memory_free(text);
    hpm_string_free(&ours);
    hpm_string_free(&path);
}
