/* SPDX-License-Identifier: BSD-3-Clause */
/* All joints and drivers: one line each. */
#include "mechanism/joints/joint.h"

#define JOINTS                                                                                                         \
    KIND(hol_revolute)                                                                                                 \
    KIND(hol_prismatic)                                                                                                \
    KIND(hol_cylindrical)                                                                                              \
    KIND(hol_screw)                                                                                                    \
    KIND(hol_spherical)                                                                                                \
    KIND(hol_universal)                                                                                                \
    KIND(hol_planar)                                                                                                   \
    KIND(hol_fixed)                                                                                                    \
    KIND(hol_distance)                                                                                                 \
    KIND(hol_rod)                                                                                                      \
    KIND(hol_point_on_line)                                                                                            \
    KIND(hol_point_in_plane)                                                                                           \
    KIND(hol_constant_angle)                                                                                           \
    KIND(hol_lock_angle)                                                                                               \
    KIND(hol_gear)                                                                                                     \
    KIND(hol_rack)                                                                                                     \
    KIND(hol_rolling)                                                                                                  \
    KIND(hol_knife_edge)                                                                                               \
    KIND(hol_velocity)                                                                                                 \
    KIND(hol_angular_velocity)                                                                                         \
    KIND(hol_velocity_sum)

#define DRIVERS                                                                                                        \
    KIND(hol_drive_angle)                                                                                              \
    KIND(hol_drive_displacement)                                                                                       \
    KIND(hol_drive_length)                                                                                             \
    KIND(hol_drive_angle_rate)                                                                                         \
    KIND(hol_drive_displacement_rate)                                                                                  \
    KIND(hol_drive_angle_between)

#define KIND(kind) extern const HolJointKind kind;
JOINTS
DRIVERS
#undef KIND

#define KIND(name) &name.kind,
const HolKind *const hol_joint_kinds[] = {JOINTS NULL};
const HolKind *const hol_driver_kinds[] = {DRIVERS NULL};
#undef KIND
