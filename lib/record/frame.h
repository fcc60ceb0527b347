/* SPDX-License-Identifier: BSD-3-Clause
 * An open section, in the stack of a section table (calltree.h). */
#ifndef HPM_RECORD_FRAME_H
#define HPM_RECORD_FRAME_H

#include <stdint.h>

#include "record/node.h"

/* One open section. */
struct hpm_frame {
    struct hpm_node *node; /* left out: the node of the frame below; NULL: the
                            * ground's */
    uint64_t *start;       /* row at the start */
    uint64_t *inner;       /* the node's sums for what runs inside */
    uint64_t recursions; /* recursions of the section; the topmost bits say why
                          * its stop takes the long way in any case, see
                          * below */
    struct hpm_node *left_out; /* the section's own node if it is left out, else
                                * NULL */
    int instance;              /* differs from the node's only for "(other)" */
    int opener;    /* process scope: tid of the thread that opened it */
    uint32_t salt; /* the node's salt; 0 for the ground */
};

/* The node of the section that is open in a frame. */
static inline struct hpm_node *
hpm_frame_node(const struct hpm_frame *frame)
{
    return frame->left_out != NULL ? frame->left_out : frame->node;
}

/* Bits in `recursions` of a frame whose stop takes the long way: */
enum {
    hpm_frame_kept_bit = 60,    /* the section's calls are kept, one by one */
    hpm_frame_unshown_bit = 61, /* its node is hidden while it is open */
    hpm_frame_told_bit = 62,    /* the other paths of its section are
                                 * unsettled */
    hpm_frame_below_bit = 63,   /* opened while nodes below its node were
                                 * open */
};
static const uint64_t hpm_frame_is_kept = (uint64_t)1 << hpm_frame_kept_bit;
static const uint64_t hpm_frame_is_unshown = (uint64_t)1
                                             << hpm_frame_unshown_bit;
static const uint64_t hpm_frame_is_told = (uint64_t)1 << hpm_frame_told_bit;
static const uint64_t hpm_frame_has_below = (uint64_t)1 << hpm_frame_below_bit;

static inline uint64_t
hpm_frame_recursions(const struct hpm_frame *frame)
{
    return frame->recursions & (((uint64_t)1 << hpm_frame_kept_bit) - 1);
}

#endif
