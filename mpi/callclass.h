/* SPDX-License-Identifier: BSD-3-Clause
 * The classes of MPI's calls: for each class time, calls and, of those that move
 * data whose size the call tells, bytes are counted. */
#ifndef HPM_MPI_CALLCLASS_H
#define HPM_MPI_CALLCLASS_H

/* A class, its word in the names of events, whether it has bytes, whether its calls
 * can tell waiting from moving, and whether all tasks of a communicator meet in them,
 * so that one of them comes last. */
#define HPM_CALLCLASSES(DO)                                                    \
    DO(SEND, "send", true, true, false)                                        \
    DO(RECV, "recv", false, true, false)                                       \
    DO(WAIT, "wait", false, false, false)                                      \
    DO(PROBE, "probe", false, false, false)                                    \
    DO(ONE_TO_ALL, "one_to_all", true, false, false)                           \
    DO(ALL_TO_ONE, "all_to_one", true, false, false)                           \
    DO(ALL_TO_ALL, "all_to_all", true, true, true)                             \
    DO(BARRIER, "barrier", false, true, true)                                  \
    DO(ONE_SIDED, "one_sided", true, false, false)                             \
    DO(SYNC, "sync", false, false, false)                                      \
    DO(IO, "io", true, false, false)                                           \
    DO(INIT, "init", false, false, false)

#define HPM_CALLCLASS_ENUMERATE(name, word, has_bytes, waits, meets)           \
    HPM_CALLCLASS_##name,
enum hpm_callclass {
    HPM_CALLCLASSES(HPM_CALLCLASS_ENUMERATE) HPM_N_CALLCLASSES
};

/* The C name of a call that this library takes, and its class.  All of them stand in a
 * section of the library, which the linker begins and ends. */
struct hpm_callname {
    const char *name;
    enum hpm_callclass class;
};
#define HPM_CALLNAME(call, call_class)                                         \
    static const struct hpm_callname callname_##call                           \
        __attribute__((used, section("hpm_callnames"))) = {"MPI_" #call,       \
                                                           call_class};
extern const struct hpm_callname __start_hpm_callnames[]
    __attribute__((visibility("hidden")));
extern const struct hpm_callname __stop_hpm_callnames[]
    __attribute__((visibility("hidden")));

#endif
