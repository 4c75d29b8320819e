// SPDX-License-Identifier: BSD-3-Clause
// Bullet, rigid bodies with six coordinates in double precision. `tuned` solves each step directly (Dantzig) instead of
// by ten sequential impulses, with stiffer constraints.
#include "peer.h"

#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>
#include <memory>
#include <vector>

static btRigidBody *body_create(const Bar &bar)
{
    static btEmptyShape shape;
    btRigidBody::btRigidBodyConstructionInfo info(bar.mass, nullptr, &shape,
                                                  btVector3(bar.inertia, bar.inertia, bar.inertia));
    btRigidBody *body = new btRigidBody(info);
    btTransform place(btQuaternion::getIdentity(), btVector3(bar.centre[0], bar.centre[1], 0));
    body->setCenterOfMassTransform(place);
    body->setInterpolationWorldTransform(place);
    body->setLinearVelocity(btVector3(bar.velocity[0], bar.velocity[1], 0));
    body->setAngularVelocity(btVector3(0, 0, bar.rate));
    body->setActivationState(DISABLE_DEACTIVATION);
    return body;
}

static btVector3 local(const Pin &pin, const Bar &bar)
{
    return btVector3(pin.at[0] - bar.centre[0], pin.at[1] - bar.centre[1], 0);
}

static btTypedConstraint *slider_create(const Pin &pin, const Mechanism &m, btRigidBody &body)
{
    const btTransform frame(btQuaternion::getIdentity(), local(pin, m.bar[pin.second]));
    auto *joint = new btGeneric6DofConstraint(body, frame, false);
    joint->setLinearLowerLimit(btVector3(1, 0, 0)); // lower above upper: free
    joint->setLinearUpperLimit(btVector3(-1, 0, 0));
    joint->setAngularLowerLimit(btVector3(0, 0, 1));
    joint->setAngularUpperLimit(btVector3(0, 0, -1));
    return joint;
}

static btTypedConstraint *joint_create(const Pin &pin, const Mechanism &m, const std::vector<btRigidBody *> &bodies)
{
    btVector3 axis(0, 0, 1);
    btRigidBody &second = *bodies[(size_t)pin.second];
    if (pin.slides)
        return slider_create(pin, m, second);
    if (pin.first == GROUND)
        return new btHingeConstraint(second, local(pin, m.bar[pin.second]), axis);
    return new btHingeConstraint(*bodies[(size_t)pin.first], second, local(pin, m.bar[pin.first]),
                                 local(pin, m.bar[pin.second]), axis, axis);
}

static void body_sample(const btRigidBody &body, const Bar &bar, double *out)
{
    const btVector3 x = body.getCenterOfMassPosition(), v = body.getLinearVelocity();
    const btMatrix3x3 R = body.getCenterOfMassTransform().getBasis();
    const double angle = bar.angle + atan2(R[1][0], R[0][0]);
    const double row[6] = {x.x(), x.y(), angle, v.x(), v.y(), body.getAngularVelocity().z()};
    memcpy(out, row, sizeof row);
}

int main(int argc, char **argv)
{
    const Mechanism mechanism = peer_mechanism(argc > 1 ? argv[1] : "");
    const bool tuned = argc > 2 && !strcmp(argv[2], "tuned");
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver impulses;
    btDantzigSolver dantzig;
    btMLCPSolver direct(&dantzig);
    btConstraintSolver *solver = &impulses;
    if (tuned)
        solver = &direct;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, solver, &configuration);
    world.setGravity(btVector3(0, -gravity, 0));
    if (tuned) {
        world.getSolverInfo().m_erp = 0.8;
        world.getSolverInfo().m_globalCfm = 1e-10;
    }

    std::vector<btRigidBody *> bodies;
    std::vector<btTypedConstraint *> joints;
    std::vector<btJointFeedback> feedback((size_t)mechanism.pin_count);
    for (int i = 0; i < mechanism.bar_count; i++) {
        bodies.push_back(body_create(mechanism.bar[i]));
        world.addRigidBody(bodies.back(), 0, 0); // no collisions
    }
    for (int i = 0; i < mechanism.pin_count; i++) {
        joints.push_back(joint_create(mechanism.pin[i], mechanism, bodies));
        joints.back()->setJointFeedback(&feedback[(size_t)i]);
        world.addConstraint(joints.back(), true);
    }
    std::vector<Sample> samples(STEP_COUNT + 1);
    const double start = peer_cpu();
    for (int k = 0; k <= STEP_COUNT; k++, world.stepSimulation(step_size, 0)) {
        if (peer_is_timed(argc, argv))
            continue;
        for (int i = 0; i < mechanism.bar_count; i++)
            body_sample(*bodies[(size_t)i], mechanism.bar[i], samples[(size_t)k].bar[i]);
        for (int i = 0; i < mechanism.pin_count; i++) {
            const btJointFeedback &f = feedback[(size_t)i];
            const bool second = mechanism.pin[i].first != GROUND || mechanism.pin[i].slides;
            const btVector3 force = second ? f.m_appliedForceBodyB : f.m_appliedForceBodyA;
            samples[(size_t)k].force[i][0] = force.x();
            samples[(size_t)k].force[i][1] = force.y();
        }
    }
    peer_print(&mechanism, samples.data(), peer_cpu() - start, peer_is_timed(argc, argv));
    return 0;
}
