/* SPDX-License-Identifier: BSD-3-Clause
 * One sweep of gas dynamics along one axis: a plane of pencils, each by
 * itself.  The scheme is MUSCL-Hancock (B. van Leer, 1979, 1984) with the HLLC
 * fluxes of E. F. Toro ("Riemann Solvers and Numerical Methods for Fluid
 * Dynamics", chapters 10 and 14), second order in space and time.
 *
 * The state of a cell is its density, momentum along the sweep, the other two
 * momenta, and energy; a pencil has two cells more at each end. */
#include <libhpm.h>

#include <math.h>
#include <stdlib.h>

enum { RHO, ALONG, ACROSS, ACROSS_TOO, ENERGY, N_STATE };
enum { N_GHOSTS = 2, SECTION_PLANE = 40 };

#define GAMMA 1.4

struct state {
    double of[N_STATE];
};

/* Density, velocities and pressure, in the places of the state's own. */
static struct state
primitive(const struct state *u)
{
    struct state w = *u;

    for (int k = ALONG; k <= ACROSS_TOO; k++)
        w.of[k] /= u->of[RHO];
    w.of[ENERGY] =
        (GAMMA - 1.0) *
        (u->of[ENERGY] -
         0.5 * (u->of[ALONG] * w.of[ALONG] + u->of[ACROSS] * w.of[ACROSS] +
                u->of[ACROSS_TOO] * w.of[ACROSS_TOO]));
    return w;
}

static struct state
conserved(const struct state *w)
{
    struct state u = *w;
    double squares = 0.0;

    for (int k = ALONG; k <= ACROSS_TOO; k++) {
        u.of[k] *= w->of[RHO];
        squares += w->of[k] * w->of[k];
    }
    u.of[ENERGY] = w->of[ENERGY] / (GAMMA - 1.0) + 0.5 * w->of[RHO] * squares;
    return u;
}

static struct state
flux(const struct state *u, const struct state *w)
{
    struct state f;

    for (int k = 0; k < N_STATE; k++)
        f.of[k] = u->of[k] * w->of[ALONG];
    f.of[ALONG] += w->of[ENERGY];
    f.of[ENERGY] += w->of[ENERGY] * w->of[ALONG];
    return f;
}

/* Van Leer's harmonic mean: 0 at an extremum. */
static double
slope(double left, double middle, double right)
{
    double before = middle - left, after = right - middle;
    double product = before * after;

    return product > 0.0 ? 2.0 * product / (before + after) : 0.0;
}

/* The states at the two faces of a cell, half a step on. */
static void
reconstruct(const struct state *w, double dt_dx, struct state *ret_left,
            struct state *ret_right)
{
    struct state w_left, w_right, f_left, f_right;

    for (int k = 0; k < N_STATE; k++) {
        double half = 0.5 * slope(w[-1].of[k], w[0].of[k], w[1].of[k]);

        w_left.of[k] = w[0].of[k] - half;
        w_right.of[k] = w[0].of[k] + half;
    }
    *ret_left = conserved(&w_left);
    *ret_right = conserved(&w_right);
    f_left = flux(ret_left, &w_left);
    f_right = flux(ret_right, &w_right);
    for (int k = 0; k < N_STATE; k++) {
        double change = 0.5 * dt_dx * (f_left.of[k] - f_right.of[k]);

        ret_left->of[k] += change;
        ret_right->of[k] += change;
    }
}

/* The flux behind the contact, between `u` and the star state. */
static struct state
star_flux(const struct state *u, const struct state *w, double speed,
          double contact)
{
    struct state f = flux(u, w), star;
    double away = speed - w->of[ALONG];
    double rho = u->of[RHO] * away / (speed - contact);

    star.of[RHO] = rho;
    star.of[ALONG] = rho * contact;
    star.of[ACROSS] = rho * w->of[ACROSS];
    star.of[ACROSS_TOO] = rho * w->of[ACROSS_TOO];
    star.of[ENERGY] =
        rho * (u->of[ENERGY] / u->of[RHO] +
               (contact - w->of[ALONG]) *
                   (contact + w->of[ENERGY] / (u->of[RHO] * away)));
    for (int k = 0; k < N_STATE; k++)
        f.of[k] += speed * (star.of[k] - u->of[k]);
    return f;
}

/* HLLC, with Davis' estimates of the outer speeds. */
static struct state
face_flux(const struct state *left, const struct state *right)
{
    const struct state wl = primitive(left), wr = primitive(right);
    double sound_left = sqrt(GAMMA * wl.of[ENERGY] / wl.of[RHO]);
    double sound_right = sqrt(GAMMA * wr.of[ENERGY] / wr.of[RHO]);
    double s_left = fmin(wl.of[ALONG] - sound_left, wr.of[ALONG] - sound_right);
    double s_right =
        fmax(wl.of[ALONG] + sound_left, wr.of[ALONG] + sound_right);
    double push_left = wl.of[RHO] * (s_left - wl.of[ALONG]);
    double push_right = wr.of[RHO] * (s_right - wr.of[ALONG]);
    double contact = (wr.of[ENERGY] - wl.of[ENERGY] + push_left * wl.of[ALONG] -
                      push_right * wr.of[ALONG]) /
                     (push_left - push_right);

    if (s_left >= 0.0)
        return flux(left, &wl);
    if (s_right <= 0.0)
        return flux(right, &wr);
    return contact >= 0.0 ? star_flux(left, &wl, s_left, contact)
                          : star_flux(right, &wr, s_right, contact);
}

/* Room for one pencil: its states and primitives, and the faces. */
struct room {
    struct state *u, *w, *left, *right;
};

static void
advance_pencil(struct room *room, int n, double dt_dx)
{
    struct state *u = room->u + N_GHOSTS, *w = room->w + N_GHOSTS;
    struct state *left = room->left + 1, *right = room->right + 1;
    struct state before, after;

    for (int i = -N_GHOSTS; i < n + N_GHOSTS; i++)
        w[i] = primitive(&u[i]);
    for (int i = -1; i <= n; i++)
        reconstruct(&w[i], dt_dx, &left[i], &right[i]);
    before = face_flux(&right[-1], &left[0]);
    for (int i = 0; i < n; i++) {
        after = face_flux(&right[i], &left[i + 1]);
        for (int k = 0; k < N_STATE; k++)
            u[i].of[k] += dt_dx * (before.of[k] - after.of[k]);
        before = after;
    }
}

/* Advance the pencils of a plane.
 *
 * q       the first ghost cell of the first pencil: N_STATE variables,
 *         `variable` apart, of which number ALONG..ACROSS_TOO are given in
 *         `order` (the momentum along the sweep first)
 * n       cells of a pencil, `step` apart, without the ghosts
 * n_pencils, next    how many pencils, and how far apart
 *
 * Called by several threads, for different planes. */
void
advance_plane(double *q, int n, long step, int n_pencils, long next,
              long variable, const int order[3], double dt_dx)
{
    const int places[N_STATE] = {RHO, order[0], order[1], order[2], ENERGY};
    size_t n_all = (size_t)n + 2 * N_GHOSTS;
    struct room room;

    hpmTstart(SECTION_PLANE, "Plane");
    room.u = malloc(4 * n_all * sizeof *room.u);
    if (room.u == NULL)
        abort();
    room.w = room.u + n_all;
    room.left = room.w + n_all;
    room.right = room.left + n_all;
    for (int pencil = 0; pencil < n_pencils; pencil++) {
        double *first = q + pencil * next;

        for (size_t i = 0; i < n_all; i++)
            for (int k = 0; k < N_STATE; k++)
                room.u[i].of[k] = first[(long)i * step + places[k] * variable];
        advance_pencil(&room, n, dt_dx);
        for (size_t i = N_GHOSTS; i < n_all - N_GHOSTS; i++)
            for (int k = 0; k < N_STATE; k++)
                first[(long)i * step + places[k] * variable] = room.u[i].of[k];
    }
    free(room.u);
    hpmTstop(SECTION_PLANE);
}
