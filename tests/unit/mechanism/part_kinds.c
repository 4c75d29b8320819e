/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of bodies, joints, drivers and forces: words for lists, and values that fit where they are read. */
#include "check.h"
#include "mechanism/bodies/body.h"
#include "mechanism/forces/force_kind.h"
#include "mechanism/joints/joint.h"

static void check_kind(const HolKind *kind)
{
    CHECK_CONTEXT("%s", kind->name);
    CHECK(kind->title && kind->title[0] && kind->connects && kind->connects[0]);
    CHECK(kind->size > 0 && kind->size <= HOL_LARGEST_VALUES);
    REQUIRE(kind->field_count > 0 && kind->field_count <= 64); /* bits of HolPart.given */
    CHECK_STRING(kind->fields[0].name, kind->name);
    CHECK(kind->fields[0].needed);
    for (int i = 0; i < kind->field_count; ++i) {
        CHECK_CONTEXT("%s: %s", kind->name, kind->fields[i].name);
        CHECK(kind->fields[i].help && kind->fields[i].help[0]);
        CHECK(kind->fields[i].offset < kind->size);
        for (int k = 0; k < i; ++k)
            CHECK(strcmp(kind->fields[i].name, kind->fields[k].name) != 0);
    }
}

static void every_kind_has_a_sound_table(void)
{
    int count = 0;
    for (; hol_body_kinds[count]; ++count)
        check_kind(hol_body_kinds[count]);
    CHECK(count < HOL_MAX_KINDS);
    for (count = 0; hol_joint_kinds[count]; ++count)
        check_kind(hol_joint_kinds[count]);
    CHECK(count < HOL_MAX_KINDS);
    for (count = 0; hol_driver_kinds[count]; ++count)
        check_kind(hol_driver_kinds[count]);
    CHECK(count < HOL_MAX_KINDS);
    for (count = 0; hol_force_kinds[count]; ++count)
        check_kind(hol_force_kinds[count]);
    CHECK(count < HOL_MAX_KINDS);
}

CHECK_MAIN(TEST(every_kind_has_a_sound_table))
