/* SPDX-License-Identifier: BSD-3-Clause */
/* Mode shapes by body: displacements of centres of mass and rotations, in global axes, for any coordinates. */
#ifndef HOLON_CLI_REPORT_SHAPES_H
#define HOLON_CLI_REPORT_SHAPES_H

#include <holon/modes.h>

typedef struct CliShapes CliShapes;

/* NULL after an error message. `at` is the state of linearisation; all arguments must outlive the shapes. */
CliShapes *cli_shapes_create(const HolMechanism *mechanism, const HolState *at, const HolModes *modes);
void cli_shapes_destroy(CliShapes *shapes);

int cli_shapes_count(const CliShapes *shapes);                                     /* numbers of a shape */
void cli_shapes_name(const CliShapes *shapes, int index, char *name, size_t size); /* "bar.x", "bar.rz" */
/* Real and imaginary parts; the largest magnitude is 1. */
HolStatus cli_shapes_read(CliShapes *shapes, int mode, double *re, double *im);
/* The shares of bodies in the kinetic energy of a mode; without any mass, in the squared norm of the shape. */
void cli_shapes_shares(const CliShapes *shapes, int mode, double *shares);

#endif
