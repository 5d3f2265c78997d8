#include "cimages.h"

#include <malloc.h>
#include <stdlib.h>
#include <turbojpeg.h>

// A second look: `Photo.scansLimit` is far below libjpeg-turbo's own limit of 500.
enum { flags = TJFLAG_LIMITSCANS };

int cimages_jpeg_size(const unsigned char *bytes, unsigned long count, unsigned int *width, unsigned int *height) {
    tjhandle handle = tjInitDecompress();
    if (handle == NULL) return cimages_broken;
    int w = 0, h = 0, sampling = 0, colours = 0;
    int status = tjDecompressHeader3(handle, bytes, count, &w, &h, &sampling, &colours);
    tjDestroy(handle);
    if (status != 0 || w <= 0 || h <= 0) return cimages_broken;
    *width = (unsigned int)w;
    *height = (unsigned int)h;
    return cimages_done;
}

// The smallest of the library's own scales (1/8 to 1) that leaves the shorter side long enough.
static tjscalingfactor scale_for(int width, int height, unsigned int wanted) {
    int shorter = width < height ? width : height;
    tjscalingfactor best = {1, 1};
    for (int denominator = 2; denominator <= 8; denominator *= 2) {
        tjscalingfactor factor = {1, denominator};
        if (TJSCALED(shorter, factor) >= (int)wanted) best = factor;
    }
    return best;
}

// Four inks, stored inverted as Adobe's programs do and the library hands them over: light is what is left of each.
// It is done in place: a second picture of the same size would be held beside it.
static void to_rgb(unsigned char *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        unsigned char black = pixels[4 * i + 3];
        for (int colour = 0; colour < 3; colour++)
            pixels[3 * i + colour] = (unsigned char)(pixels[4 * i + colour] * black / 255);
    }
}

static int decode(
    tjhandle handle, const unsigned char *bytes, unsigned long count, unsigned int wanted, cimages_picture *picture) {
    int width = 0, height = 0, sampling = 0, colours = 0;
    if (tjDecompressHeader3(handle, bytes, count, &width, &height, &sampling, &colours) != 0) return cimages_broken;
    tjscalingfactor factor = scale_for(width, height, wanted);
    width = TJSCALED(width, factor);
    height = TJSCALED(height, factor);
    int is_inks = colours == TJCS_CMYK || colours == TJCS_YCCK;
    size_t area = (size_t)width * (size_t)height;
    unsigned char *decoded = malloc(area * (is_inks ? 4 : 3));
    if (decoded == NULL) return cimages_broken;
    int status =
        tjDecompress2(handle, bytes, count, decoded, width, 0, height, is_inks ? TJPF_CMYK : TJPF_RGB, flags);
    // A warning is a byte too many before a marker, as some cameras write it; the picture is there.
    if (status != 0 && tjGetErrorCode(handle) != TJERR_WARNING) {
        free(decoded);
        return cimages_broken;
    }
    if (is_inks) to_rgb(decoded, area);
    picture->pixels = decoded;
    picture->width = (unsigned int)width;
    picture->height = (unsigned int)height;
    return cimages_done;
}

int cimages_jpeg_decode(
    const unsigned char *bytes, unsigned long count, unsigned int wanted, cimages_picture *picture) {
    tjhandle handle = tjInitDecompress();
    if (handle == NULL) return cimages_broken;
    int status = decode(handle, bytes, count, wanted, picture);
    tjDestroy(handle);
    return status;
}

int cimages_jpeg_encode(
    const unsigned char *pixels, unsigned int width, unsigned int height, int quality, unsigned char **bytes,
    unsigned long *count) {
    tjhandle handle = tjInitCompress();
    if (handle == NULL) return cimages_broken;
    *bytes = NULL;
    *count = 0;
    int status = tjCompress2(
        handle, pixels, (int)width, 0, (int)height, TJPF_RGB, bytes, count, TJSAMP_420, quality, 0);
    tjDestroy(handle);
    if (status == 0) return cimages_done;
    tjFree(*bytes);
    *bytes = NULL;
    return cimages_broken;
}

void cimages_free_jpeg(unsigned char *bytes) { tjFree(bytes); }

void cimages_free(cimages_picture *picture) {
    free(picture->pixels);
    picture->pixels = NULL;
}

void cimages_give_back(void) { malloc_trim(0); }
