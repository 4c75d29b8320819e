/* SPDX-License-Identifier: BSD-3-Clause */
/* The mechanisms that `make facts` gives to other engines, and the table of states that each program prints.
 *
 * All of them lie in the plane xy with gravity along -y. The numbers are those of models/. A program steps for 10 s,
 * 1 ms at a time, and prints `# cpu SECONDS` and one line per millisecond: the time, of each
 * bar x, y, phi of its centre and their rates, and of each pin the force on its second body where it is known.
 * facts.py reads these lines and computes closure, energy and errors for all engines in the same way. */
#ifndef PEER_H
#define PEER_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GROUND = -1, MAX_BARS = 3, MAX_PINS = 4, STEP_COUNT = 10000 };

static const double step_size = 1e-3, gravity = 9.81;

typedef struct Bar {
    double centre[2], angle, mass, inertia; /* about the centre */
    double velocity[2], rate;               /* of the centre, of the angle */
} Bar;

typedef struct Pin {
    int first, second; /* bars; the first may be GROUND */
    double at[2];
    int slides; /* the second bar slides along x, too */
} Pin;

typedef struct Mechanism {
    int bar_count, pin_count;
    Bar bar[MAX_BARS];
    Pin pin[MAX_PINS];
} Mechanism;

typedef struct Sample {
    double bar[MAX_BARS][6], force[MAX_PINS][2];
} Sample;

static inline Bar peer_bar(const double *from, const double *to, double mass, double inertia)
{
    Bar bar;
    memset(&bar, 0, sizeof bar);
    bar.centre[0] = (from[0] + to[0]) / 2;
    bar.centre[1] = (from[1] + to[1]) / 2;
    bar.angle = atan2(to[1] - from[1], to[0] - from[0]);
    bar.mass = mass;
    bar.inertia = inertia;
    return bar;
}

static inline void peer_pin(Mechanism *mechanism, int first, int second, const double *at, int slides)
{
    Pin *pin = &mechanism->pin[mechanism->pin_count++];
    pin->first = first;
    pin->second = second;
    pin->at[0] = at[0];
    pin->at[1] = at[1];
    pin->slides = slides;
}

/* Bars 2, 4, 4 m on a ground of 2.5 m, the crank at 60 degrees, released from rest. */
static inline void peer_four_bar(Mechanism *mechanism)
{
    const double A[2] = {0, 0}, B[2] = {2 * cos(M_PI / 3), 2 * sin(M_PI / 3)}, D[2] = {2.5, 0};
    const double angle = atan2(-B[1], D[0] - B[0]) + acos(hypot(D[0] - B[0], B[1]) / 8);
    const double C[2] = {B[0] + 4 * cos(angle), B[1] + 4 * sin(angle)};
    mechanism->bar_count = 3;
    mechanism->bar[0] = peer_bar(A, B, 1, 0.3);
    mechanism->bar[1] = peer_bar(B, C, 2.25, 2);
    mechanism->bar[2] = peer_bar(D, C, 2.2, 1.35);
    peer_pin(mechanism, GROUND, 0, A, 0);
    peer_pin(mechanism, 0, 1, B, 0);
    peer_pin(mechanism, 1, 2, C, 0);
    peer_pin(mechanism, GROUND, 2, D, 0);
}

/* Two slender rods of 1 m and 1 kg, the crank at 45 degrees, the slider with -4 m/s. */
static inline void peer_slider_crank(Mechanism *mechanism)
{
    const double s = sqrt(0.5), P1[2] = {0, 0}, P2[2] = {s, s}, P3[2] = {2 * s, 0}, rate = 2 / s;
    mechanism->bar_count = 2;
    mechanism->bar[0] = peer_bar(P1, P2, 1, 1. / 12);
    mechanism->bar[1] = peer_bar(P2, P3, 1, 1. / 12);
    mechanism->bar[0].rate = rate;
    mechanism->bar[0].velocity[0] = -rate * s / 2;
    mechanism->bar[0].velocity[1] = rate * s / 2;
    mechanism->bar[1].rate = -rate;
    mechanism->bar[1].velocity[0] = -rate * s * 3 / 2;
    mechanism->bar[1].velocity[1] = rate * s / 2;
    peer_pin(mechanism, GROUND, 0, P1, 0);
    peer_pin(mechanism, 0, 1, P2, 0);
    peer_pin(mechanism, GROUND, 1, P3, 1);
}

/* 1 kg at the end of a massless bar of 2 m, in two bearings at the same place. */
static inline void peer_two_bearings(Mechanism *mechanism)
{
    const double O[2] = {0, 0}, tip[2] = {2, 0};
    mechanism->bar_count = 1;
    mechanism->bar[0] = peer_bar(tip, tip, 1, 1e-6);
    peer_pin(mechanism, GROUND, 0, O, 0);
    peer_pin(mechanism, GROUND, 0, O, 0);
}

static inline Mechanism peer_mechanism(const char *name)
{
    Mechanism mechanism;
    memset(&mechanism, 0, sizeof mechanism);
    if (!strcmp(name, "four-bar"))
        peer_four_bar(&mechanism);
    if (!strcmp(name, "slider-crank"))
        peer_slider_crank(&mechanism);
    if (!strcmp(name, "pendulum-two-bearings"))
        peer_two_bearings(&mechanism);
    if (!mechanism.bar_count) {
        fprintf(stderr, "there is no mechanism %s\n", name);
        exit(2);
    }
    return mechanism;
}

static inline double peer_cpu(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Arguments: MECHANISM [default|tuned [timed]]; a timed run records nothing. */
static inline int peer_is_timed(int argc, char **argv)
{
    return argc > 3 && !strcmp(argv[3], "timed");
}

static inline void peer_print(const Mechanism *mechanism, const Sample *samples, double cpu, int is_timed)
{
    printf("# cpu %.6f\n", cpu);
    if (is_timed)
        return;
    for (int k = 0; k <= STEP_COUNT; k++) {
        printf("%.3f", k * step_size);
        for (int i = 0; i < mechanism->bar_count; i++)
            for (int j = 0; j < 6; j++)
                printf(",%.17g", samples[k].bar[i][j]);
        for (int i = 0; i < mechanism->pin_count; i++)
            printf(",%.17g,%.17g", samples[k].force[i][0], samples[k].force[i][1]);
        printf("\n");
    }
}

#endif
