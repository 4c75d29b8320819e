/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of an evaluation, one file each: bodies, coinciding points, general rows, rolling, velocity rows, held
 * values. Each reads the frames of a motion and writes its part of the wanted terms. */
#ifndef HOLON_MECHANISM_EVALUATE_EVALUATE_H
#define HOLON_MECHANISM_EVALUATE_EVALUATE_H

#include "mechanism/evaluate/system_ops.h"
#include "mechanism/motion.h"

enum {
    HOL_WANT_GEOMETRY = HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA,
    HOL_WANT_RATES = HOL_WANT_FORCE | HOL_WANT_GAMMA | HOL_WANT_ENERGY,
};

/* Position and orientation of a planar body, all that coincidences need. */
typedef struct HolPose {
    double x, y, c, s, ww; /* cosine and sine of phi; ww = w^2 */
} HolPose;

/* bodies.c: frames and poses of all bodies and the ground. Velocities only where v is not NULL, else they are
 * left as they are. */
void hol_spatial_frames(const HolMechanism *mechanism, const double *q, const double *v, HolFrame *frames);
void hol_planar_poses(const HolMechanism *mechanism, const double *q, const double *v, HolPose *poses);
void hol_planar_frames(const HolMechanism *mechanism, const HolPose *poses, const double *q, const double *v,
                       HolFrame *frames, double *phi);

/* bodies.c: M, Q and energies of the bodies alone; Q and the energies are set, not added to. */
void hol_spatial_bodies(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms);
void hol_planar_bodies(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms);
void hol_spatial_qdot(const void *self, const double *q, const double *v, double *qdot);
void hol_spatial_retract(const void *self, const double *q, const double *w, double *q_new);
/* Adds the gyroscopic moments to C. */
void hol_spatial_add_gyroscopic(const HolMechanism *mechanism, const HolPoint *at, HolTerms *terms);

/* mean.c: a step from q_a to q_b in reference-point coordinates in space. */
void hol_spatial_displace(const void *self, const double *q_a, const double *delta, double *q_b);
/* The mean pose of each body; velocities are those of v unless it is NULL. False if a body turns too far. */
bool hol_mean_frames(const HolMechanism *mechanism, const double *q_a, const double *q_b, const double *v,
                     HolFrame *frames);
void hol_mean_coincidences(const HolMechanism *mechanism, const HolFrame *frames, HolTerms *terms);

/* natural.c: the same in natural coordinates, and the rows that keep bodies rigid. All but frames, masses and tangents
 * are for space only. */
void hol_natural_frames(const HolMechanism *mechanism, const double *q, const double *v, HolFrame *frames);
void hol_natural_bodies(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms);
void hol_natural_rigidity(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms);
void hol_natural_add_rigid_tangent(const HolMotion *motion, const double *lambda);
void hol_natural_coincidences(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms);
/* Whether the constant D of all coincidences has been written. */
bool hol_natural_jacobians_stand(const HolMechanism *mechanism, const HolTerms *terms);
/* M of the rigid body b. */
void hol_natural_mass(const HolMechanism *mechanism, int b, double *M);
double hol_natural_kinetic(const HolMechanism *mechanism, const HolBody *body, const double *v);
void hol_natural_keep_rigid(const HolBody *body, const double *a, const double *adot, unsigned want, HolTerms *terms);

/* natural_mixed.c: the same in the plane, and for mechanisms with particles or directions. */
void hol_mixed_bodies(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms);
void hol_mixed_rigidity(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms);
void hol_mixed_coincidences(const HolMechanism *mechanism, const HolFrame *frames, unsigned want, HolTerms *terms);

/* particles.c: one particle or direction, in natural coordinates; energies are added. */
void hol_particle_frame(const HolMechanism *mechanism, const HolBody *body, const double *q, const double *v,
                        HolFrame *frame);
void hol_particle_mass(const HolMechanism *mechanism, const HolBody *body, double *M);
void hol_particle_force(const HolMechanism *mechanism, const HolBody *body, double *Q);
void hol_particle_energy(const HolMechanism *mechanism, const HolBody *body, const double *q, const double *v,
                         HolTerms *terms);
void hol_particle_rigidity(const HolMechanism *mechanism, const HolBody *body, const double *q, const double *v,
                           unsigned want, HolTerms *terms);
void hol_particle_add_rigid_tangent(const HolMechanism *mechanism, const HolBody *body, const double *lambda,
                                    double *K);
/* Two points of any bodies that coincide; the terms of all rods, which are added to those of the bodies. */
void hol_particle_coincide(const HolMechanism *mechanism, const HolCoincidence *c, const HolFrame *frames,
                           unsigned want, HolTerms *terms);
/* Evaluates a general row that is a distance or an offset of particles or the ground; false for others. */
bool hol_particle_row(const HolMotion *motion, const HolRow *row, unsigned want);
/* K += factor times the second derivatives of such a row. */
bool hol_particle_add_tangent(const HolMotion *motion, const HolRow *row, double factor);
void hol_rods_evaluate(const HolMotion *motion, unsigned want);

/* coincidences.c */
void hol_spatial_coincidences(const HolMechanism *mechanism, const HolFrame *frames, unsigned want, HolTerms *terms);
void hol_planar_coincidences(const HolMechanism *mechanism, const HolPose *poses, unsigned want, HolTerms *terms);
void hol_coincidences_add_tangent(const HolMotion *motion, const double *lambda);

/* rows.c */
void hol_rows_evaluate(const HolMotion *motion, unsigned want);
void hol_rows_add_tangent(const HolMotion *motion, const double *lambda);

/* rolling.c, only in space: HOL_SINGULAR where a disc lies flat or a ball is at the top of its sphere. */
HolStatus hol_rolling_evaluate(const HolMotion *motion, unsigned want);
HolStatus hol_rolling_add_tangent(const HolMotion *motion, const double *lambda);

/* velocity_rows.c: HOL_SINGULAR where an edge is normal to its plane. */
HolStatus hol_velocity_rows_evaluate(const HolMotion *motion, unsigned want);
HolStatus hol_velocity_rows_add_tangent(const HolMotion *motion, const double *lambda);

/* held_values.c */
void hol_held_values_evaluate(const HolMotion *motion, const HolPoint *at, unsigned want);
void hol_held_values_add_tangent(const HolMotion *motion, const HolPoint *at, const double *lambda);

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

/* Returns the status, and reports the rows of the group as undefined unless it is HOL_OK. */
static inline HolStatus hol_report_undefined(HolTerms *terms, int group, HolStatus status)
{
    if (status != HOL_OK)
        terms->undefined_group = group;
    return status;
}

/* Where the row `row` of a group begins in D at a body (1-based), NULL for the ground. */
double *hol_row_in_D(const HolMotion *motion, int group, int row, int body);

#endif
