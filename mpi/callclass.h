/* SPDX-License-Identifier: BSD-3-Clause
 * The classes of MPI's calls: for each class time, calls and, of those that move
 * data whose size the call tells, bytes are counted. */
#ifndef HPM_MPI_CALLCLASS_H
#define HPM_MPI_CALLCLASS_H

/* A class, its word in the names of events, whether it has bytes, and whether its
 * calls can tell waiting from moving. */
#define HPM_CALLCLASSES(DO)                                                    \
    DO(SEND, "send", true, false)                                              \
    DO(RECV, "recv", false, true)                                              \
    DO(WAIT, "wait", false, false)                                             \
    DO(PROBE, "probe", false, false)                                           \
    DO(ONE_TO_ALL, "one_to_all", true, false)                                  \
    DO(ALL_TO_ONE, "all_to_one", true, false)                                  \
    DO(ALL_TO_ALL, "all_to_all", true, true)                                   \
    DO(BARRIER, "barrier", false, true)                                        \
    DO(ONE_SIDED, "one_sided", true, false)                                    \
    DO(SYNC, "sync", false, false)                                             \
    DO(IO, "io", true, false)                                                  \
    DO(INIT, "init", false, false)

#define HPM_CALLCLASS_ENUMERATE(name, word, has_bytes, waits)                  \
    HPM_CALLCLASS_##name,
enum hpm_callclass {
    HPM_CALLCLASSES(HPM_CALLCLASS_ENUMERATE) HPM_N_CALLCLASSES
};

#endif
