/* SPDX-License-Identifier: BSD-3-Clause
 * In place of names, where the toolkit is built without elfutils. */
#include "study/symbol/symbols.h"

#include "host/memory.h"

struct hpm_symbols {
    enum hpm_symbols_state state;
};

struct hpm_symbols *
hpm_symbols_new(const char *path, const char *build_id)
{
    struct hpm_symbols *symbols = hpm_memory_new(1, sizeof *symbols);

    (void)build_id;
    if (symbols != NULL)
        symbols->state = path[0] == '/' ? HPM_SYMBOLS_UNSUPPORTED
                                        : HPM_SYMBOLS_NO_FILE;
    return symbols;
}

void
hpm_symbols_free(struct hpm_symbols *symbols)
{
    hpm_memory_free(symbols);
}

enum hpm_symbols_state
hpm_symbols_state(const struct hpm_symbols *symbols)
{
    return symbols->state;
}

size_t
hpm_symbols_find(const struct hpm_symbols *symbols, uint64_t offset)
{
    (void)symbols;
    (void)offset;
    return HPM_SYMBOLS_NONE;
}

const char *
hpm_symbols_name(struct hpm_symbols *symbols, size_t function)
{
    (void)symbols;
    (void)function;
    return "";
}

bool
hpm_symbols_line(struct hpm_symbols *symbols, uint64_t offset,
                 const char **ret_file, int *ret_line)
{
    (void)symbols;
    (void)offset;
    (void)ret_file;
    (void)ret_line;
    return false;
}
