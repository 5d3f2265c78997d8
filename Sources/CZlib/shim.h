#ifndef SOGLIA_CZLIB_H
#define SOGLIA_CZLIB_H

#include <zlib.h>

#endif
