/* SPDX-License-Identifier: BSD-3-Clause
 * How often this program, and any library in it, has asked for a file or a
 * connection by its name.  It needs only to be linked. */
#ifndef HPM_TESTS_OPENED_H
#define HPM_TESTS_OPENED_H

extern int opened_files;
extern int opened_sockets;

#endif
