#include "cimages.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

// libpng's simplified interface: its longjmp ends inside it. It unfolds every text before the picture: who calls it has left them out.

int cimages_png_decode(const unsigned char *bytes, unsigned long count, cimages_picture *picture) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(&image, bytes, count)) return cimages_broken;
    image.format = PNG_FORMAT_RGB;
    unsigned char *pixels = malloc(PNG_IMAGE_SIZE(image));
    if (pixels == NULL) {
        png_image_free(&image);
        return cimages_broken;
    }
    png_color white = {255, 255, 255};
    unsigned int width = image.width, height = image.height;
    if (!png_image_finish_read(&image, &white, pixels, 0, NULL)) {
        free(pixels);
        return cimages_broken;
    }
    picture->pixels = pixels;
    picture->width = width;
    picture->height = height;
    return cimages_done;
}

int cimages_png_encode(
    const unsigned char *pixels, unsigned int width, unsigned int height, unsigned char **bytes, unsigned long *count) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.format = PNG_FORMAT_RGB;
    image.width = width;
    image.height = height;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    *bytes = malloc(size);
    if (*bytes == NULL) return cimages_broken;
    if (!png_image_write_to_memory(&image, *bytes, &size, 0, pixels, 0, NULL)) {
        free(*bytes);
        *bytes = NULL;
        return cimages_broken;
    }
    *count = size;
    return cimages_done;
}

void cimages_free_file(unsigned char *bytes) { free(bytes); }
