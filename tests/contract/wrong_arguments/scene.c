/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/scene.h>

#include "wrong_arguments.h"

static void wrong_hol_scene_create(void)
{
    Subject s;
    HolScene *scene = (HolScene *)&s;
    if (subject_open(&s, "four-bar")) {
        CHECK_STATUS(hol_scene_create(NULL, &scene), HOL_BAD_INPUT);
        CHECK(scene == NULL);
        CHECK_STATUS(hol_scene_create(s.mechanism, NULL), HOL_BAD_INPUT);
    }
    subject_close(&s);
}

static void wrong_hol_scene_destroy(void)
{
    hol_scene_destroy(NULL);
    CHECK(true);
}

WRONG_ARGUMENTS_MAIN()
