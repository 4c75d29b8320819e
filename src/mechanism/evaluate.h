/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of an evaluation, one file each. All read the frames of a motion and write the wanted terms of what they
 * know about: bodies, coinciding points, general rows, rolling, speeds, holding. */
#ifndef HOLON_MECHANISM_EVALUATE_H
#define HOLON_MECHANISM_EVALUATE_H

#include "mechanism/motion.h"
#include "mechanism/system_ops.h"

#include <math.h>

enum {
    HOL_WANT_GEOMETRY = HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA,
    HOL_WANT_RATES = HOL_WANT_FORCE | HOL_WANT_GAMMA | HOL_WANT_ENERGY,
};

/* What a pin needs to know of a planar body. */
typedef struct HolPose {
    double x, y, c, s, ww; /* cosine and sine of phi; ww = w^2 */
} HolPose;

/* evaluate_bodies.c: frames and poses of all bodies and the ground. Velocities only where v is not NULL, else they are
 * left as they are. */
void hol_spatial_frames(const HolMechanism *mechanism, const double *q, const double *v, HolFrame *frames);
void hol_planar_poses(const HolMechanism *mechanism, const double *q, const double *v, HolPose *poses);
void hol_planar_frames(const HolMechanism *mechanism, const HolPose *poses, const double *q, const double *v,
                       HolFrame *frames, double *phi);

/* evaluate_bodies.c: M, Q and energies of the bodies alone; Q and the energies are set, not added to. */
void hol_spatial_bodies(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms);
void hol_planar_bodies(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms);
void hol_spatial_qdot(const void *self, const double *q, const double *v, double *qdot);
void hol_spatial_retract(const void *self, const double *q, const double *w, double *q_new);
/* C of the gyroscopic moments. */
void hol_spatial_add_gyroscopic(const HolMechanism *mechanism, const HolPoint *at, HolTerms *terms);

/* evaluate_natural.c: the same in natural coordinates, and the rows that keep bodies rigid; but for frames, masses and
 * tangents, in space. */
void hol_natural_frames(const HolMechanism *mechanism, const double *q, const double *v, HolFrame *frames);
void hol_natural_bodies(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms);
void hol_natural_rigidity(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms);
void hol_natural_add_rigid_tangent(const HolMotion *motion, const double *lambda);
void hol_natural_coincidences(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms);
/* Of one rigid body. */
void hol_natural_mass(const HolMechanism *mechanism, int b, double *M);
double hol_natural_kinetic(const HolMechanism *mechanism, const HolBody *body, const double *v);
void hol_natural_keep_rigid(const HolBody *body, const double *a, const double *adot, unsigned want, HolTerms *terms);

/* evaluate_natural_planar.c: the same for rigid bodies of the plane alone; geometry: their own rows, and points that
 * coincide. */
void hol_natural_planar_bodies(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms);
void hol_natural_planar_geometry(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms);

/* evaluate_natural_rows.c: general rows of such bodies that need no frames. */
void hol_natural_rows(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms);
/* evaluate_natural_speeds.c: velocity rows likewise. */
void hol_natural_speeds(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms);

/* evaluate_mixed.c: the same where not all bodies are rigid. */
void hol_mixed_bodies(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms);
void hol_mixed_rigidity(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms);
void hol_mixed_coincidences(const HolMechanism *mechanism, const HolFrame *frames, unsigned want, HolTerms *terms);

/* evaluate_elements.c: one particle or unit vector, in natural coordinates; energies are added to. */
void hol_element_frame(const HolMechanism *mechanism, const HolBody *body, const double *q, const double *v,
                       HolFrame *frame);
void hol_element_mass(const HolMechanism *mechanism, const HolBody *body, double *M);
void hol_element_force(const HolMechanism *mechanism, const HolBody *body, double *Q);
void hol_element_energy(const HolMechanism *mechanism, const HolBody *body, const double *q, const double *v,
                        HolTerms *terms);
void hol_element_rigidity(const HolMechanism *mechanism, const HolBody *body, const double *q, const double *v,
                          unsigned want, HolTerms *terms);
void hol_element_add_rigid_tangent(const HolMechanism *mechanism, const HolBody *body, const double *lambda, double *K);
/* Two points that coincide, of any bodies, and the terms of all rods, which are added to those of the bodies. */
void hol_element_coincide(const HolMechanism *mechanism, const HolCoincidence *c, const HolFrame *frames, unsigned want,
                          HolTerms *terms);
/* A general row, if it is a distance or an offset of particles and the ground; false if it is not. */
bool hol_element_row(const HolMotion *motion, const HolRow *row, unsigned want);
/* K += factor times the second derivatives of such a row. */
bool hol_element_add_tangent(const HolMotion *motion, const HolRow *row, double factor);
void hol_rods_evaluate(const HolMotion *motion, unsigned want);

/* evaluate_coincidences.c */
void hol_spatial_coincidences(const HolMechanism *mechanism, const HolFrame *frames, unsigned want, HolTerms *terms);
void hol_planar_coincidences(const HolMechanism *mechanism, const HolPose *poses, unsigned want, HolTerms *terms);
void hol_coincidences_add_tangent(const HolMotion *motion, const double *lambda);

/* evaluate_rows.c */
void hol_rows_evaluate(const HolMotion *motion, unsigned want);
void hol_rows_add_tangent(const HolMotion *motion, const double *lambda);

/* evaluate_rolling.c, only in space: HOL_SINGULAR where a disc lies flat, and where a ball is at the top of its sphere.
 */
HolStatus hol_rolling_evaluate(const HolMotion *motion, unsigned want);
HolStatus hol_rolling_add_tangent(const HolMotion *motion, const double *lambda);

/* evaluate_velocities.c: HOL_SINGULAR where an edge is normal to its plane. */
HolStatus hol_velocity_rows_evaluate(const HolMotion *motion, unsigned want);
/* D of a row becomes zero: several speeds may speak of one body, and are added. */
void hol_velocity_row_clear(const HolMotion *motion, const HolVelocityRow *row);
HolStatus hol_velocity_rows_add_tangent(const HolMotion *motion, const double *lambda);

/* evaluate_holds.c */
void hol_holds_evaluate(const HolMotion *motion, const HolPoint *at, unsigned want);
void hol_holds_add_tangent(const HolMotion *motion, const HolPoint *at, const double *lambda);

/* evaluate.c and tangent.c */
HolMotion hol_mechanism_motion(const HolMechanism *mechanism, const HolPoint *at, bool rates, HolTerms *terms);
HolMotion hol_spatial_motion(const HolMechanism *mechanism, const HolPoint *at, bool rates, HolTerms *terms);
HolMotion hol_planar_motion(const HolMechanism *mechanism, const HolPoint *at, bool rates, HolTerms *terms);
HolStatus hol_spatial_tangent(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                              HolTerms *terms);
HolStatus hol_natural_tangent(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                              HolTerms *terms);
HolStatus hol_planar_tangent(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                             HolTerms *terms);

/* All but D of a row, from sum k_i mu_i - f and sum k_i bias_i; a value that wraps becomes one in (-pi, pi]. */
static inline void hol_row_put(const HolRow *row, HolJet f, double value, double bias, unsigned want, HolTerms *terms)
{
    static const double PI = 3.14159265358979323846;
    if ((want & HOL_WANT_PHI) && row->wraps)
        value -= 2 * PI * ceil((value - PI) / (2 * PI));
    if (want & HOL_WANT_PHI)
        terms->Phi[row->at] = row->factor * value;
    if (want & HOL_WANT_NU)
        terms->nu[row->at] = row->factor * f.d;
    if (want & HOL_WANT_GAMMA)
        terms->gamma[row->at] = row->factor * (f.dd - bias);
}

/* Where the row `row` of a group begins in D at a body (1-based), NULL for the ground. */
double *hol_row_in_D(const HolMotion *motion, int group, int row, int body);

#endif
