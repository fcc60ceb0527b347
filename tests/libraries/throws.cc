// SPDX-License-Identifier: BSD-3-Clause
// Exceptions through calls of libdemo.so.
#include <cmath>
#include <cstdio>
#include <stdexcept>

extern "C" int demo_add(int a, int b);
extern "C" int demo_visit(int n, int (*visit)(int, void *), void *context);

static int
visit(int i, void *)
{
    if (demo_add(i, 0) == 3)
        throw std::runtime_error("three");
    return i;
}

int
main()
{
    volatile double x = 0.5;
    int n = 0;

    for (int i = 0; i < 20; i++) {
        try {
            demo_visit(10, visit, nullptr);
        } catch (const std::runtime_error &) {
            n++;
        }
        demo_add(n, 0);
    }
    if (n != 20 || std::exp(x) < 1.6)
        return 1;
    std::puts("demo_visit 20\ndemo_add 100\nexp 1");
    return 3;
}
