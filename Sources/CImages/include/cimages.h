#pragma once
// Three image libraries behind a few functions that answer codes: libpng's longjmp and every structure of theirs stay on
// this side. No system header here: one that defines _GNU_SOURCE would clash with Dispatch's own in debug builds.

/// What happened to a picture.
enum {
    cimages_done = 0,
    cimages_broken = 1,
    cimages_moving = 2,
};

/// Pixels, three bytes each (red, green, blue), in rows without gaps; null when there are none.
typedef struct {
    unsigned char *pixels;
    unsigned int width, height;
} cimages_picture;

/// Width and height as the head of a file says them; no pixel is decoded.
int cimages_jpeg_size(const unsigned char *bytes, unsigned long count, unsigned int *width, unsigned int *height);
int cimages_webp_size(const unsigned char *bytes, unsigned long count, unsigned int *width, unsigned int *height);

/// Decodes to pixels, the transparent ones on white. A JPEG or a WebP file may come out smaller than it is, when its shorter side stays
/// at least `wanted`: that takes a fraction of the time and the memory. Whoever calls has bounded the size before.
int cimages_jpeg_decode(
    const unsigned char *bytes, unsigned long count, unsigned int wanted, cimages_picture *picture);
int cimages_png_decode(const unsigned char *bytes, unsigned long count, cimages_picture *picture);
int cimages_webp_decode(
    const unsigned char *bytes, unsigned long count, unsigned int wanted, cimages_picture *picture);

/// Frees the pixels.
void cimages_free(cimages_picture *picture);

/// A baseline JPEG of pixels, with nothing in it but the picture; quality 1 to 100. Free it with `cimages_free_jpeg`.
int cimages_jpeg_encode(
    const unsigned char *pixels, unsigned int width, unsigned int height, int quality, unsigned char **bytes,
    unsigned long *count);
void cimages_free_jpeg(unsigned char *bytes);

/// The same for tests: PNG (lossless) and WebP of pixels. Free them with `cimages_free_file`.
int cimages_png_encode(
    const unsigned char *pixels, unsigned int width, unsigned int height, unsigned char **bytes, unsigned long *count);
int cimages_webp_encode(
    const unsigned char *pixels, unsigned int width, unsigned int height, unsigned char **bytes, unsigned long *count);
void cimages_free_file(unsigned char *bytes);

/// Gives memory that the decoders have freed back to the machine.
void cimages_give_back(void);
