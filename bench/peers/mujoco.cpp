// SPDX-License-Identifier: BSD-3-Clause
// MuJoCo: joint coordinates along a tree, the loop closed by a `connect`. `tuned` has rk4 and constraints as stiff as
// the step allows (a time constant of two steps).
#include "peer.h"

#include <mujoco/mujoco.h>
#include <string>
#include <vector>

static std::string text(const char *format, double a, double b = 0)
{
    char line[200];
    snprintf(line, sizeof line, format, a, b);
    return line;
}

// Bodies have the axes of the world at the beginning and their origin in the centre.
static std::string body_open(const char *name, const Bar &bar, const Bar *parent)
{
    const double x = bar.centre[0] - (parent ? parent->centre[0] : 0);
    const double y = bar.centre[1] - (parent ? parent->centre[1] : 0);
    return std::string("<body name='") + name + "'" + text(" pos='%.17g %.17g 0'>", x, y) +
           text("<inertial pos='0 0 0' mass='%.17g' ", bar.mass) +
           text("diaginertia='%.17g %.17g ", bar.inertia, bar.inertia) + text("%.17g'/>", bar.inertia);
}

static std::string joint(const char *type, const char *axis, const Bar &bar, const double *at)
{
    return std::string("<joint type='") + type + "' axis='" + axis + "'" +
           text(" pos='%.17g %.17g 0'/>", at[0] - bar.centre[0], at[1] - bar.centre[1]);
}

static std::string connect(const char *first, const char *second, const Bar &bar, const double *at)
{
    return std::string("<connect body1='") + first + "' body2='" + second + "'" +
           text(" anchor='%.17g %.17g 0'/>", at[0] - bar.centre[0], at[1] - bar.centre[1]);
}

static std::string tree(const std::string &name, const Mechanism &m)
{
    const Bar *bar = m.bar;
    const Pin *pin = m.pin;
    std::string world = "<worldbody>", loop;
    world += body_open("b0", bar[0], nullptr);
    if (name == "pendulum-two-bearings")
        world += joint("slide", "1 0 0", bar[0], pin[0].at) + joint("slide", "0 1 0", bar[0], pin[0].at);
    world += joint("hinge", "0 0 1", bar[0], pin[0].at);
    if (name == "four-bar") {
        world += body_open("b1", bar[1], &bar[0]) + joint("hinge", "0 0 1", bar[1], pin[1].at) + "</body></body>";
        world += body_open("b2", bar[2], nullptr) + joint("hinge", "0 0 1", bar[2], pin[3].at) + "</body>";
        loop = connect("b1", "b2", bar[1], pin[2].at);
    } else if (name == "slider-crank") {
        world += "</body>" + body_open("b1", bar[1], nullptr) + joint("slide", "1 0 0", bar[1], pin[2].at) +
                 joint("hinge", "0 0 1", bar[1], pin[2].at) + "</body>";
        loop = connect("b0", "b1", bar[0], pin[1].at);
    } else {
        world += "</body>";
        for (int i = 0; i < 2; i++)
            loop += connect("b0", "world", bar[0], pin[i].at);
    }
    return world + "</worldbody><equality>" + loop + "</equality>";
}

static mjModel *model_create(const std::string &name, const Mechanism &mechanism, bool tuned)
{
    std::string xml = text("<mujoco><option timestep='%.17g' gravity='0 %.17g 0' ", step_size, -gravity);
    xml += tuned ? "integrator='RK4' tolerance='1e-14'/>" : "/>";
    if (tuned)
        xml += "<default><equality solref='0.002 1' solimp='0.9999 0.9999 0.001'/></default>";
    xml += tree(name, mechanism) + "</mujoco>";
    std::vector<mjVFS> files(1);
    mj_defaultVFS(files.data());
    mj_makeEmptyFileVFS(files.data(), "model.xml", (int)xml.size());
    memcpy(files[0].filedata[0], xml.data(), xml.size());
    char error[1000] = "";
    mjModel *model = mj_loadXML("model.xml", files.data(), error, sizeof error);
    if (!model) {
        fprintf(stderr, "%s\n", error);
        exit(1);
    }
    return model;
}

static void body_sample(const mjModel *model, const mjData *data, int body, const Bar &bar, double *out)
{
    double v[6];
    mj_objectVelocity(model, data, mjOBJ_BODY, body, v, 0);
    const double *x = data->xipos + 3 * body, *R = data->xmat + 9 * body;
    const double row[6] = {x[0], x[1], bar.angle + atan2(R[3], R[0]), v[3], v[4], v[2]};
    memcpy(out, row, sizeof row);
}

// A `connect` has three constraint equations, along x, y and z.
static void forces_sample(const mjData *data, double (*out)[2])
{
    for (int i = 0; i < 4; i++)
        out[i / 2][i % 2] = data->efc_force[3 * (i / 2) + i % 2];
}

int main(int argc, char **argv)
{
    const std::string name = argc > 1 ? argv[1] : "";
    const Mechanism mechanism = peer_mechanism(name.c_str());
    mjModel *model = model_create(name, mechanism, argc > 2 && !strcmp(argv[2], "tuned"));
    mjData *data = mj_makeData(model), *copy = mj_makeData(model);
    if (name == "slider-crank") {
        data->qvel[0] = mechanism.bar[0].rate;
        data->qvel[1] = -4;
        data->qvel[2] = mechanism.bar[1].rate;
    }
    std::vector<Sample> samples(STEP_COUNT + 1);
    const double start = peer_cpu();
    for (int k = 0; k <= STEP_COUNT; k++, mj_step(model, data)) {
        if (peer_is_timed(argc, argv))
            continue;
        mj_copyData(copy, model, data);
        mj_forward(model, copy);
        for (int i = 0; i < mechanism.bar_count; i++)
            body_sample(model, copy, i + 1, mechanism.bar[i], samples[(size_t)k].bar[i]);
        if (name == "pendulum-two-bearings")
            forces_sample(copy, samples[(size_t)k].force);
    }
    peer_print(&mechanism, samples.data(), peer_cpu() - start, peer_is_timed(argc, argv));
    return 0;
}
