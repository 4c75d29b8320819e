/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of other kinds: written once, or replaced again and again by one process and no other meanwhile. */
#include <holon/argument.h>

#include "kind.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct HolHeldFile {
    char *path;
    HolOutput output;
};

HolStatus hol_file_check(const char *path, HolMessage *message)
{
    HolStatus status = HOL_CHECK_POINTER(message, path);
    if (status != HOL_OK)
        return status;
    int error = hol_output_check(path);
    return error == 0 ? HOL_OK : hol_output_fail(message, path, error);
}

HolStatus hol_file_write(const char *path, const char *text, size_t size, HolMessage *message)
{
    HolOutput output;
    HolStatus status = HOL_CHECK_POINTER(message, path);
    if (status == HOL_OK)
        status = HOL_CHECK_POINTER(message, text);
    if (status != HOL_OK)
        return status;
    int error = hol_output_open(&output, path);
    if (error == 0)
        error = hol_output_write(&output, text, size);
    if (error == 0)
        error = hol_output_sync(&output);
    if (error == 0)
        error = hol_output_take_name(&output);
    int close_error = hol_output_close(&output);
    error = error != 0 ? error : close_error;
    return error == 0 ? HOL_OK : hol_output_fail(message, path, error);
}

HolStatus hol_file_hold(const char *path, HolHeldFile **held, HolMessage *message)
{
    HolStatus status = HOL_CHECK_POINTER(message, held);
    if (status != HOL_OK)
        return status;
    *held = NULL;
    status = HOL_CHECK_POINTER(message, path);
    if (status != HOL_OK)
        return status;
    HolHeldFile *h = calloc(1, sizeof *h);
    char *copy = strdup(path);
    int error = h && copy ? hol_output_hold(&h->output, path) : ENOMEM;
    if (error == 0) {
        h->path = copy;
        *held = h;
        return HOL_OK;
    }
    free(copy);
    free(h);
    return hol_output_fail(message, path, error);
}

HolStatus hol_file_replace(HolHeldFile *held, const char *text, size_t size, HolMessage *message)
{
    HolStatus status = HOL_CHECK_POINTER(message, held);
    if (status == HOL_OK)
        status = HOL_CHECK_POINTER(message, text);
    if (status != HOL_OK)
        return status;
    int error = hol_output_renew(&held->output);
    if (error == 0)
        error = hol_output_write(&held->output, text, size);
    if (error == 0)
        error = hol_output_hand_over(&held->output);
    return error == 0 ? HOL_OK : hol_output_fail(message, held->path, error);
}

HolStatus hol_file_remove(HolHeldFile *held, HolMessage *message)
{
    HolStatus status = HOL_CHECK_POINTER(message, held);
    if (status != HOL_OK)
        return status;
    int error = hol_output_renew(&held->output); /* it has the lock from now on */
    if (error == 0 && unlink(held->output.target) != 0 && errno != ENOENT)
        error = errno;
    return error == 0 ? HOL_OK : hol_output_fail(message, held->path, error);
}

void hol_file_release(HolHeldFile *held)
{
    if (!held)
        return;
    hol_output_close(&held->output);
    free(held->path);
    free(held);
}
