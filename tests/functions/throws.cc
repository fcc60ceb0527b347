// SPDX-License-Identifier: BSD-3-Clause
// Functions that exceptions leave; templates and overloads.
#include <stdexcept>

#include "counted.h"

static volatile int sink;

namespace lab {

APART void
leaf()
{
    called("lab::leaf()");
    sink = sink + 1;
}

APART void
thrower(int n)
{
    called("lab::thrower(int)");
    if (n == 0)
        throw std::runtime_error("thrown");
    thrower(n - 1);
    sink = sink + 1;
}

struct Catcher {
    APART void
    run() const
    {
        called("lab::Catcher::run() const");
        for (int i = 0; i < 4; i++) {
            try {
                thrower(3);
            } catch (const std::runtime_error &) {
            }
            leaf();
        }
    }
};

template <typename T>
APART T
twice(T value)
{
    called(sizeof(T) == sizeof(int) ? "int lab::twice<int>(int)"
                                    : "double lab::twice<double>(double)");
    return value + value;
}

} // namespace lab

int
main()
{
    lab::Catcher().run();
    for (int i = 0; i < 3; i++)
        sink = lab::twice(i);
    for (int i = 0; i < 5; i++)
        sink = (int)lab::twice(0.5 * i);
    lab::leaf();
    print_counted();
    return 3;
}
