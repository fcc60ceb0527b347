// SPDX-License-Identifier: BSD-3-Clause
// The door of C++ for tests/record/programs: sections are objects, and end
// with their scopes, by exceptions as well.
#include <libhpm.hpp>

#include "record/perform.h"

namespace
{

struct leaving {
    int n; // scopes
};

void run_scopes(int depth);

// It is left where run_scopes returns, or throws.
template <class Section>
void
run_scope(const sequence_step *step, int depth)
{
    const perform_call call = perform_call_of(step);
    Section section(call.id, call.label, call.file, call.line);

    run_scopes(depth);
}

void
enter(const sequence_step *step, int depth)
{
    try {
        if (step->is_process)
            run_scope<hpm::process_section>(step, depth + 1);
        else
            run_scope<hpm::thread_section>(step, depth + 1);
    } catch (leaving &left) {
        if (--left.n > 0)
            throw;
    }
}

// The steps of this scope, until its end.
void
run_scopes(int depth)
{
    while (const sequence_step *step = perform_next()) {
        if (step->kind == '(')
            enter(step, depth);
        else if (step->kind == ')' && depth > 0)
            return;
        else if (step->kind == '!' && depth > 0)
            throw leaving{step->id < depth ? step->id : depth};
        else if (step->kind != ')' && step->kind != '!')
            perform_step(step);
    }
}

} // namespace

extern "C" void
door_run()
{
    run_scopes(0);
}
