// SPDX-License-Identifier: BSD-3-Clause
// Simbody: joint coordinates along a tree, the loop closed by two PointInPlane, Runge-Kutta-Merson with error control.
// `tuned` has an accuracy of 1e-9 and a constraint tolerance of 1e-13.
#include "peer.h"

#include <Simbody.h>
#include <string>
#include <vector>
using namespace SimTK;

struct Peer {
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    GeneralForceSubsystem forces{system};
    Force::Gravity pull{forces, matter, Vec3(0, -gravity, 0)};
    std::vector<MobilizedBody> bodies;
    std::vector<Constraint> constraints;
};

static Vec3 local(const double *at, const Bar &bar)
{
    return Vec3(at[0] - bar.centre[0], at[1] - bar.centre[1], 0);
}

static Body::Rigid rigid(const Bar &bar)
{
    return Body::Rigid(MassProperties(bar.mass, Vec3(0), Inertia(bar.inertia)));
}

static void pin_add(Peer &peer, const Mechanism &m, int parent, int bar, const double *at)
{
    MobilizedBody &base = parent == GROUND ? (MobilizedBody &)peer.matter.Ground() : peer.bodies[(size_t)parent];
    const Vec3 where = parent == GROUND ? Vec3(at[0], at[1], 0) : local(at, m.bar[parent]);
    peer.bodies.push_back(MobilizedBody::Pin(base, where, rigid(m.bar[bar]), local(at, m.bar[bar])));
}

static void point_hold(Peer &peer, MobilizedBody &plane, const Vec3 &point, int bar, const Vec3 &follower, bool slides)
{
    const UnitVec3 x(1, 0, 0), y(0, 1, 0);
    MobilizedBody &body = peer.bodies[(size_t)bar];
    if (!slides)
        peer.constraints.push_back(Constraint::PointInPlane(plane, x, point[0], body, follower));
    peer.constraints.push_back(Constraint::PointInPlane(plane, y, point[1], body, follower));
}

static void peer_build(Peer &peer, const std::string &name, const Mechanism &m)
{
    const Pin *pin = m.pin;
    if (name == "pendulum-two-bearings") {
        const Vec3 centre(m.bar[0].centre[0], m.bar[0].centre[1], 0);
        peer.bodies.push_back(MobilizedBody::Planar(peer.matter.Ground(), centre, rigid(m.bar[0]), Vec3(0)));
        for (int i = 0; i < 2; i++)
            point_hold(peer, peer.matter.Ground(), Vec3(0), 0, local(pin[i].at, m.bar[0]), false);
        return;
    }
    pin_add(peer, m, GROUND, 0, pin[0].at);
    if (name == "four-bar") {
        pin_add(peer, m, 0, 1, pin[1].at);
        pin_add(peer, m, GROUND, 2, pin[3].at);
        point_hold(peer, peer.bodies[2], local(pin[2].at, m.bar[2]), 1, local(pin[2].at, m.bar[1]), false);
    } else {
        pin_add(peer, m, 0, 1, pin[1].at);
        point_hold(peer, peer.matter.Ground(), Vec3(0), 1, local(pin[2].at, m.bar[1]), true);
    }
}

static void body_sample(const State &state, const MobilizedBody &body, const Bar &bar, double *out)
{
    const Vec3 x = body.getBodyOriginLocation(state), v = body.getBodyOriginVelocity(state);
    const Rotation &R = body.getBodyRotation(state);
    const double w = body.getBodyAngularVelocity(state)[2];
    const double row[6] = {x[0], x[1], bar.angle + std::atan2(R[1][0], R[0][0]), v[0], v[1], w};
    memcpy(out, row, sizeof row);
}

static void forces_sample(Peer &peer, const State &state, double (*out)[2])
{
    peer.system.realize(state, Stage::Acceleration);
    for (int i = 0; i < 4; i++)
        out[i / 2][i % 2] = -peer.constraints[(size_t)i].getMultipliersAsVector(state)[0];
}

int main(int argc, char **argv)
{
    const std::string name = argc > 1 ? argv[1] : "";
    const Mechanism mechanism = peer_mechanism(name.c_str());
    Peer peer;
    peer_build(peer, name, mechanism);
    State state = peer.system.realizeTopology();
    if (name == "slider-crank") {
        peer.bodies[0].setOneU(state, 0, mechanism.bar[0].rate);
        peer.bodies[1].setOneU(state, 0, mechanism.bar[1].rate - mechanism.bar[0].rate);
    }
    RungeKuttaMersonIntegrator integrator(peer.system);
    if (argc > 2 && !strcmp(argv[2], "tuned")) {
        integrator.setAccuracy(1e-9);
        integrator.setConstraintTolerance(1e-13);
    }
    integrator.initialize(state);
    std::vector<Sample> samples(STEP_COUNT + 1);
    const double start = peer_cpu();
    for (int k = 0; k <= STEP_COUNT; k++) {
        if (peer_is_timed(argc, argv))
            k = STEP_COUNT; // reports in between cost time
        while (integrator.getState().getTime() < k * step_size)
            integrator.stepTo(k * step_size);
        const State &now = integrator.getState();
        peer.system.realize(now, Stage::Velocity);
        for (int i = 0; i < mechanism.bar_count; i++)
            body_sample(now, peer.bodies[(size_t)i], mechanism.bar[i], samples[(size_t)k].bar[i]);
        if (name == "pendulum-two-bearings")
            forces_sample(peer, now, samples[(size_t)k].force);
    }
    peer_print(&mechanism, samples.data(), peer_cpu() - start, peer_is_timed(argc, argv));
    return 0;
}
