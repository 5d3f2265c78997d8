#include "cimages.h"

#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>
#include <webp/encode.h>

int cimages_webp_size(const unsigned char *bytes, unsigned long count, unsigned int *width, unsigned int *height) {
    WebPBitstreamFeatures features;
    if (WebPGetFeatures(bytes, count, &features) != VP8_STATUS_OK) return cimages_broken;
    if (features.has_animation) return cimages_moving;
    if (features.width <= 0 || features.height <= 0) return cimages_broken;
    *width = (unsigned int)features.width;
    *height = (unsigned int)features.height;
    return cimages_done;
}

// What shows through is white. The library gives colours that are multiplied by how much they cover.
static void put_on_white(const unsigned char *from, unsigned char *to, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (int colour = 0; colour < 3; colour++) {
            int light = from[4 * i + colour] + 255 - from[4 * i + 3];
            to[3 * i + colour] = (unsigned char)(light > 255 ? 255 : light);
        }
}

int cimages_webp_decode(
    const unsigned char *bytes, unsigned long count, unsigned int wanted, cimages_picture *picture) {
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) return cimages_broken;
    if (WebPGetFeatures(bytes, count, &config.input) != VP8_STATUS_OK) return cimages_broken;
    int width = config.input.width, height = config.input.height;
    int shorter = width < height ? width : height;
    if (shorter > (int)wanted) {
        config.options.use_scaling = 1;
        config.options.scaled_width = (int)((long)width * (long)wanted / shorter);
        config.options.scaled_height = (int)((long)height * (long)wanted / shorter);
    }
    config.output.colorspace = MODE_rgbA;
    if (WebPDecode(bytes, count, &config) != VP8_STATUS_OK) {
        WebPFreeDecBuffer(&config.output);
        return cimages_broken;
    }
    size_t area = (size_t)config.output.width * (size_t)config.output.height;
    unsigned char *pixels = malloc(area * 3);
    if (pixels != NULL) {
        for (int row = 0; row < config.output.height; row++)
            put_on_white(
                config.output.u.RGBA.rgba + (size_t)row * (size_t)config.output.u.RGBA.stride,
                pixels + (size_t)row * (size_t)config.output.width * 3, (size_t)config.output.width);
        picture->pixels = pixels;
        picture->width = (unsigned int)config.output.width;
        picture->height = (unsigned int)config.output.height;
    }
    WebPFreeDecBuffer(&config.output);
    return pixels == NULL ? cimages_broken : cimages_done;
}

int cimages_webp_encode(
    const unsigned char *pixels, unsigned int width, unsigned int height, unsigned char **bytes, unsigned long *count) {
    unsigned char *made = NULL;
    size_t size = WebPEncodeRGB(pixels, (int)width, (int)height, (int)width * 3, 90, &made);
    if (size == 0) return cimages_broken;
    *bytes = malloc(size);
    if (*bytes != NULL) memcpy(*bytes, made, size);
    WebPFree(made);
    *count = size;
    return *bytes == NULL ? cimages_broken : cimages_done;
}
