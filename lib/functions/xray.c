/* SPDX-License-Identifier: BSD-3-Clause
 * Hooks of clang's XRay. */
#include "functions/xray.h"

#include <elf.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/message.h"
#include "elf/elffile.h"
#include "elf/elfsymbols.h"
#include "functions/function.h"
#include "functions/objects.h"
#include "host/memory.h"

/* What the run time answers to a request that it has carried out. */
enum { DONE = 1 };

/* Calls of a function that is measured no further, before its hooks go.  Other threads
 * may be in calls that are still measured, whose ends need the hook; they are short. */
enum { CALLS_BEFORE_REMOVAL = 10000 };

/* The run time's functions, which are in the program. */
static struct {
    int (*set_handler)(hpm_xray_hook *hook);
    int (*patch)(int32_t id);
    int (*unpatch)(int32_t id);
    uintptr_t (*address)(int32_t id);
    size_t (*count)(void);
    uintptr_t codes[HPM_XRAY_END_BY_JUMP + 1]; /* that call hooks, by kind */
} runtime;

struct hpm_xray_function *hpm_xray_functions;
size_t hpm_xray_n;

/* ---- finding the run time ---------------------------------------------- */

/* The run time's symbols are hidden, so that the dynamic linker knows none of them:
 * only the program's table of symbols has them. */
static uintptr_t
find_symbol(const struct hpm_elfsymbols *symbols, uintptr_t bias,
            const char *name)
{
    uintptr_t address = hpm_elfsymbols_named(symbols, name);

    return address != 0 ? bias + address : 0;
}

static bool
find_runtime(const struct hpm_elfsymbols *symbols, uintptr_t bias)
{
    const struct {
        void *place;
        const char *name;
    } wanted[] = {
        {&runtime.set_handler, "__xray_set_handler"},
        {&runtime.patch, "__xray_patch_function"},
        {&runtime.unpatch, "__xray_unpatch_function"},
        {&runtime.address, "__xray_function_address"},
        {&runtime.count, "__xray_max_function_id"},
        {&runtime.codes[HPM_XRAY_BEGIN], "__xray_FunctionEntry"},
        {&runtime.codes[HPM_XRAY_END], "__xray_FunctionExit"},
        {&runtime.codes[HPM_XRAY_END_BY_JUMP], "__xray_FunctionTailExit"}};

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        uintptr_t address = find_symbol(symbols, bias, wanted[i].name);

        if (address == 0)
            return false;
        memcpy(wanted[i].place, &address, sizeof address);
    }
    return true;
}

static bool
find_runtime_in(const struct hpm_elffile *file, uintptr_t bias)
{
    struct hpm_elfsymbols symbols = {0};
    bool is_found;

    hpm_elfsymbols_read(&symbols, file);
    is_found = find_runtime(&symbols, bias);
    hpm_elfsymbols_clear(&symbols);
    if (!is_found)
        hpm_message_say("the program has hooks of XRay (-fxray-instrument), "
                        "but not the names of XRay's own functions (strip "
                        "takes them away), so nothing can be measured by "
                        "these hooks; run the program as it was linked");
    return is_found;
}

/* Only the program has such hooks, not its libraries: XRay writes calls into no shared
 * library. */
static bool
find_program(void)
{
    struct hpm_loaded loaded;
    struct hpm_elffile file;
    bool is_found = false;

    if (!hpm_loaded_find(&loaded, (uintptr_t)getauxval(AT_ENTRY)))
        return false;
    if (hpm_elffile_open(&file, loaded.path)) {
        is_found = hpm_elffile_named(&file, "xray_instr_map") != NULL &&
                   hpm_loaded_is_file(&loaded, &file) &&
                   find_runtime_in(&file, loaded.bias);
        hpm_elffile_close(&file);
    }
    hpm_loaded_clear(&loaded);
    return is_found;
}

/* ---- the stack --------------------------------------------------------- */

/* A hook is called by code of the run time, which saves registers first: in begins
 * more than in ends, and in each version others.
 *
 *     stack at the call of f:   address to return to, of f's caller
 *                               address to return to, in f      (in begins only)
 *                               registers ...
 *                               the hook's frame
 *
 * The place that is wanted is two words below the first of these: a hook of gcc that f's
 * caller has called was one word below it or higher, and one that a function called by
 * f calls is at least five words below. */
enum { PLACE = 2 * sizeof(uintptr_t) };

ptrdiff_t hpm_xray_distances[HPM_XRAY_END_BY_JUMP + 1];
static volatile uintptr_t seen_frame;

void
hpm_xray_note_frame(uintptr_t frame)
{
    seen_frame = frame;
}

#ifdef __x86_64__
/* Call the run time's code as the hook of a function without a number does, with the
 * stack as it is there; return where the address to return to was put.  The ends get
 * there by a jump, and return for the function. */
static __attribute__((noinline)) uintptr_t
call_runtime(uintptr_t code, enum hpm_xray_kind kind)
{
    uint64_t shift = kind == HPM_XRAY_BEGIN ? 8 : 0;
    uintptr_t put;

    __asm__ volatile(
        "movq %%rsp, %%rbx\n\t"
        "subq $256, %%rsp\n\t" /* not where this function's data is */
        "andq $-16, %%rsp\n\t"
        "subq %[shift], %%rsp\n\t"
        "leaq -8(%%rsp), %%r12\n\t"
        "xorl %%r10d, %%r10d\n\t"
        "call *%[code]\n\t"
        "movq %%rbx, %%rsp\n\t"
        "movq %%r12, %[put]"
        : [put] "=&r"(put)
        : [shift] "r"(shift), [code] "r"(code)
        : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11",
          "r12", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
          "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
          "memory", "cc");
    return put;
}

static bool
measure_distance(enum hpm_xray_kind kind)
{
    uintptr_t put;

    seen_frame = 0;
    put = call_runtime(runtime.codes[kind], kind);
    if (kind == HPM_XRAY_BEGIN)
        put += sizeof(uintptr_t);
    hpm_xray_distances[kind] = (ptrdiff_t)(put - PLACE - seen_frame);
    return seen_frame != 0;
}

static bool
measure_distances(void)
{
    return measure_distance(HPM_XRAY_BEGIN) && measure_distance(HPM_XRAY_END) &&
           measure_distance(HPM_XRAY_END_BY_JUMP);
}
#else
static bool
measure_distances(void)
{
    return false;
}
#endif

/* ---- choosing ---------------------------------------------------------- */

static bool
make_table(void)
{
    hpm_xray_n = runtime.count();
    hpm_xray_functions =
        hpm_memory_new(hpm_xray_n + 1, sizeof *hpm_xray_functions);
    return hpm_xray_functions != NULL;
}

/* A function has its entry before its hooks can be called. */
static void
patch_chosen(void)
{
    size_t n_refused = 0;

    for (size_t i = 1; i <= hpm_xray_n; i++) {
        struct hpm_xray_function *hooked = &hpm_xray_functions[i];

        hooked->address = runtime.address((int32_t)i);
        hooked->function =
            hooked->address != 0
                ? hpm_function_look(hooked->address, HPM_VIA_XRAY)
                : &hpm_function_off;
        if (hooked->function != &hpm_function_off)
            n_refused += runtime.patch((int32_t)i) != DONE;
    }
    if (n_refused > 0)
        hpm_message_say_format("XRay could not write its hooks into %zu of the "
                               "chosen functions, which are not measured; "
                               "does the system forbid to change code?",
                               n_refused);
}

void
hpm_xray_begin(hpm_xray_hook *hook)
{
    if (!find_program())
        return;
    if (!make_table())
        hpm_message_say("out of memory; no function is measured by hooks of "
                        "XRay");
    else if (runtime.set_handler(hook) != DONE || !measure_distances())
        hpm_message_say("XRay's run time in the program is not ready, or of a "
                        "kind that is not known; no function is measured by "
                        "its hooks: use -finstrument-functions");
    else
        patch_chosen();
}

struct hpm_function *
hpm_xray_ask(int32_t id)
{
    struct hpm_xray_function *hooked = &hpm_xray_functions[id];
    struct hpm_function *function = hpm_function_find(hooked->address);

    if (function == &hpm_function_off &&
        atomic_fetch_add_explicit(&hooked->n_unmeasured, 1,
                                  memory_order_relaxed) == CALLS_BEFORE_REMOVAL)
        runtime.unpatch(id);
    return function;
}
