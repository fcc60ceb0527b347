/* SPDX-License-Identifier: BSD-3-Clause
 * Counts how often this program, or a library in it, has asked for a file or a
 * connection by its name.  Linking opened.c is enough. */
#ifndef HPM_TESTS_OPENED_H
#define HPM_TESTS_OPENED_H

extern int opened_files;
extern int opened_sockets;

#endif
