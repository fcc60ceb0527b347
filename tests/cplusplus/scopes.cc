// SPDX-License-Identifier: BSD-3-Clause
// Sections that end with their scopes, however these are left.
#include <libhpm.hpp>

#include <stdexcept>
#include <string>
#include <thread>

static int depth;

static void
fall(int n)
{
    HPM_FUNCTION(2);
    if (n == 0)
        throw std::runtime_error("the bottom");
    hpm::thread_section inner(3, "level", __FILE__, __LINE__);
    depth++;
    fall(n - 1);
}

static int
leave_early(int way)
{
    HPM_SECTION(4, "ways");
    for (int i = 0; i < 3; i++) {
        HPM_SECTION(5, "loop");
        if (way == 1)
            break;
        if (way == 2)
            return i;
        if (way == 3)
            continue;
    }
    return way;
}

int
main()
{
    hpmInit(-1, "scopes");
    {
        HPM_PROCESS_SECTION(1, "process");
        HPM_SECTION(6, std::string("made of ") + "strings");
        try {
            fall(5);
        } catch (const std::runtime_error &) {
            hpm::thread_section after(7, "after");
        }
        for (int way = 0; way < 4; way++)
            leave_early(way);
        std::thread other([] { HPM_SECTION(8, "other thread"); });
        other.join();
    }
    hpm::process_section whole(9);
    hpm::thread_section stopped(10, "stopped", __FILE__, __LINE__);
    stopped.stop(__LINE__);
    stopped.stop();
    whole.stop();
#ifndef HPM_OFF
    if (hpm_error_count != 0)
        return 1;
#endif
    hpmTerminate(-1);
    return depth == 5 ? 0 : 2;
}
