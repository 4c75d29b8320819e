/* SPDX-License-Identifier: BSD-3-Clause */
/* The shortest program: a bar on a pin, let go, and where its centre is after a second. */
#include <holon/holon.h>

#include <stdio.h>

int main(void)
{
    HolMessage message;
    HolRecording *motion;
    HolModel *model = hol_model_create();
    hol_model_set_world(model, &(HolWorldDef){.is_planar = true, .gravity = {0, -9.81}});
    HolBodyDef bar = hol_body_def();
    bar.mass = 2, bar.inertia[2] = 0.5, bar.at[0] = 0.5;
    hol_model_add_body(model, "bar", &bar);
    HolJointDef pin = hol_joint_def();
    pin.second = "bar", pin.at[0] = 0;
    hol_model_add_joint(model, "pin", &pin);
    HolStatus status = hol_model_run(model, NULL, 0, &motion, &message);
    if (status == HOL_OK)
        printf("bar.x = %.6f m, pin.fy = %.3f N\n", hol_recording_value(motion, -1, "bar.x"),
               hol_recording_value(motion, -1, "pin.fy"));
    else
        fprintf(stderr, "%s\n", message.text);
    hol_recording_destroy(motion);
    hol_model_destroy(model);
    return status == HOL_OK ? 0 : 1;
}
