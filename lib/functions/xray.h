/* SPDX-License-Identifier: BSD-3-Clause
 * Hooks of clang's XRay (-fxray-instrument): the compiler leaves room for a hook where
 * a function begins and where it ends, and a run time in the program writes calls there
 * for the functions that we name.  A function that was not chosen keeps the empty room,
 * which costs a jump. */
#ifndef HPM_FUNCTIONS_XRAY_H
#define HPM_FUNCTIONS_XRAY_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "functions/function.h"

enum hpm_xray_kind {
    HPM_XRAY_BEGIN,
    HPM_XRAY_END,
    HPM_XRAY_END_BY_JUMP /* to another function */
};

typedef void hpm_xray_hook(int32_t id, enum hpm_xray_kind kind);

/* Have `hook` called where the chosen functions of the program begin and end; nothing
 * where the program has no such hooks.  After hpm_function_begin, before other threads;
 * the caller is calm. */
void hpm_xray_begin(hpm_xray_hook *hook);

struct hpm_xray_function {
    uintptr_t address; /* 0: there is none */
    struct hpm_function *function;
    atomic_uint n_unmeasured; /* calls since it is measured no further */
};

/* By number, the last one being `hpm_xray_n`; number 0 has no function. */
extern struct hpm_xray_function *hpm_xray_functions
    __attribute__((visibility("hidden")));
extern size_t hpm_xray_n __attribute__((visibility("hidden")));

/* The function with this number. */
static inline const struct hpm_xray_function *
hpm_xray_find(int32_t id)
{
    return &hpm_xray_functions[(size_t)id <= hpm_xray_n ? id : 0];
}

/* One that is not trusted begins: what is it by now?  After many calls in which it is
 * measured no further its hooks are taken away. */
struct hpm_function *hpm_xray_ask(int32_t id);

/* How far above a hook's frame the place is that hooks of other compilers would have in
 * the same function: the same in its begin and its end. */
extern ptrdiff_t hpm_xray_distances[] __attribute__((visibility("hidden")));

static inline uintptr_t
hpm_xray_place(uintptr_t frame, enum hpm_xray_kind kind)
{
    return frame + (uintptr_t)hpm_xray_distances[kind];
}

/* The hook was called for a function without a number, with this frame: only to know
 * where that is. */
void hpm_xray_note_frame(uintptr_t frame);

#endif
