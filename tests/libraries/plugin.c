/* SPDX-License-Identifier: BSD-3-Clause
 * A plug-in that needs libdemo.so. */
int demo_add(int a, int b);
int plugin_call(int n);

int
plugin_call(int n)
{
    return demo_add(n, 2);
}
