/* SPDX-License-Identifier: BSD-3-Clause
 * The classes of MPI's calls: for each class time, calls and, of those that move
 * data whose size the call tells, bytes are counted. */
#ifndef HPM_MPI_CALLCLASS_H
#define HPM_MPI_CALLCLASS_H

/* A class, its word in the names of events, and whether it has bytes. */
#define HPM_CALLCLASSES(DO)                                                    \
    DO(SEND, "send", true)                                                     \
    DO(RECV, "recv", false)                                                    \
    DO(WAIT, "wait", false)                                                    \
    DO(PROBE, "probe", false)                                                  \
    DO(ONE_TO_ALL, "one_to_all", true)                                         \
    DO(ALL_TO_ONE, "all_to_one", true)                                         \
    DO(ALL_TO_ALL, "all_to_all", true)                                         \
    DO(BARRIER, "barrier", false)                                              \
    DO(ONE_SIDED, "one_sided", true)                                           \
    DO(SYNC, "sync", false)                                                    \
    DO(IO, "io", true)                                                         \
    DO(INIT, "init", false)

#define HPM_CALLCLASS_ENUMERATE(name, word, has_bytes) HPM_CALLCLASS_##name,
enum hpm_callclass {
    HPM_CALLCLASSES(HPM_CALLCLASS_ENUMERATE) HPM_N_CALLCLASSES
};

#endif
