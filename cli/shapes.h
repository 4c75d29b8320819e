/* SPDX-License-Identifier: BSD-3-Clause */
/* How bodies move in a mode, by name: displacements of their centres and rotations, in global axes, whatever the
 * coordinates. */
#ifndef HOLON_CLI_SHAPES_H
#define HOLON_CLI_SHAPES_H

#include <holon/modes.h>

typedef struct CliShapes CliShapes;

/* NULL after a sentence. at is the state that the modes are about; it and the rest must outlive the shapes. */
CliShapes *cli_shapes_create(const HolMechanism *mechanism, const HolState *at, const HolModes *modes);
void cli_shapes_destroy(CliShapes *shapes);

int cli_shapes_count(const CliShapes *shapes);                                     /* numbers of a shape */
void cli_shapes_name(const CliShapes *shapes, int index, char *name, size_t size); /* "bar.x", "bar.rz" */
/* Real and imaginary parts; the largest size is 1. */
HolStatus cli_shapes_read(CliShapes *shapes, int mode, double *re, double *im);
/* The parts that bodies have in the kinetic energy of a mode; where none has a mass, in the size of the shape. */
void cli_shapes_shares(const CliShapes *shapes, int mode, double *shares);

#endif
