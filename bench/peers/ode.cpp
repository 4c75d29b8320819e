// SPDX-License-Identifier: BSD-3-Clause
// ODE: bodies with six coordinates, hinges about z, dWorldStep. `tuned` has stiffer constraints than the defaults.
#include "peer.h"

#include <ode/ode.h>
#include <vector>

static dBodyID body_create(dWorldID world, const Bar &bar)
{
    dBodyID body = dBodyCreate(world);
    dMass mass;
    dMassSetParameters(&mass, bar.mass, 0, 0, 0, bar.inertia, bar.inertia, bar.inertia, 0, 0, 0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, bar.centre[0], bar.centre[1], 0);
    dBodySetLinearVel(body, bar.velocity[0], bar.velocity[1], 0);
    dBodySetAngularVel(body, 0, 0, bar.rate);
    return body;
}

static dJointID joint_create(dWorldID world, const Pin &pin, const std::vector<dBodyID> &bodies)
{
    dBodyID first = pin.first == GROUND ? nullptr : bodies[(size_t)pin.first];
    if (pin.slides)
        dBodySetKinematic(first = dBodyCreate(world)); // a guide that stands still
    dJointID joint = pin.slides ? dJointCreatePR(world, nullptr) : dJointCreateHinge(world, nullptr);
    dJointAttach(joint, first, bodies[(size_t)pin.second]);
    if (pin.slides) {
        dJointSetPRAnchor(joint, pin.at[0], pin.at[1], 0);
        dJointSetPRAxis1(joint, 1, 0, 0);
        dJointSetPRAxis2(joint, 0, 0, 1);
    } else {
        dJointSetHingeAnchor(joint, pin.at[0], pin.at[1], 0);
        dJointSetHingeAxis(joint, 0, 0, 1);
    }
    return joint;
}

static void body_sample(dBodyID body, const Bar &bar, double *out)
{
    const dReal *x = dBodyGetPosition(body), *R = dBodyGetRotation(body), *v = dBodyGetLinearVel(body);
    const double row[6] = {x[0], x[1], bar.angle + atan2(R[4], R[0]), v[0], v[1], dBodyGetAngularVel(body)[2]};
    memcpy(out, row, sizeof row);
}

int main(int argc, char **argv)
{
    const Mechanism mechanism = peer_mechanism(argc > 1 ? argv[1] : "");
    dInitODE2(0);
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, -gravity, 0);
    if (argc > 2 && !strcmp(argv[2], "tuned")) {
        dWorldSetERP(world, 0.8);
        dWorldSetCFM(world, 1e-10);
    }
    std::vector<dBodyID> bodies;
    std::vector<dJointID> joints;
    std::vector<dJointFeedback> feedback((size_t)mechanism.pin_count);
    for (int i = 0; i < mechanism.bar_count; i++)
        bodies.push_back(body_create(world, mechanism.bar[i]));
    for (int i = 0; i < mechanism.pin_count; i++) {
        joints.push_back(joint_create(world, mechanism.pin[i], bodies));
        dJointSetFeedback(joints.back(), &feedback[(size_t)i]);
    }
    std::vector<Sample> samples(STEP_COUNT + 1);
    const double start = peer_cpu();
    for (int k = 0; k <= STEP_COUNT; k++, dWorldStep(world, step_size)) {
        if (peer_is_timed(argc, argv))
            continue;
        for (int i = 0; i < mechanism.bar_count; i++)
            body_sample(bodies[(size_t)i], mechanism.bar[i], samples[(size_t)k].bar[i]);
        for (int i = 0; i < mechanism.pin_count; i++) {
            // ODE swaps the bodies of a joint to the ground: the moving one is then its first.
            const bool swapped = mechanism.pin[i].first == GROUND && !mechanism.pin[i].slides;
            const dReal *f = swapped ? feedback[(size_t)i].f1 : feedback[(size_t)i].f2;
            samples[(size_t)k].force[i][0] = f[0];
            samples[(size_t)k].force[i][1] = f[1];
        }
    }
    peer_print(&mechanism, samples.data(), peer_cpu() - start, peer_is_timed(argc, argv));
    return 0;
}
