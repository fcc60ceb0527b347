/* SPDX-License-Identifier: BSD-3-Clause
 * Symbols without names, where the toolkit is built without elfutils. */
#include "study/symbol/inlined.h"
#include "study/symbol/symbols.h"

/* Only a module's state is known: a pointer to one of these is its
 * hpm_symbols. */
static enum hpm_symbols_state unsupported = HPM_SYMBOLS_UNSUPPORTED;
static enum hpm_symbols_state no_file = HPM_SYMBOLS_NO_FILE;

struct hpm_symbols *
hpm_symbols_new(const char *path, const char *build_id)
{
    (void)build_id;
    return (struct hpm_symbols *)(void *)(path[0] == '/' ? &unsupported
                                                         : &no_file);
}

void
hpm_symbols_free(struct hpm_symbols *symbols)
{
    (void)symbols;
}

enum hpm_symbols_state
hpm_symbols_state(const struct hpm_symbols *symbols)
{
    return *(const enum hpm_symbols_state *)(const void *)symbols;
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

bool
hpm_inlined_list(const char *path, hpm_inlined_take *take, void *context)
{
    (void)path;
    (void)take;
    (void)context;
    return false;
}
