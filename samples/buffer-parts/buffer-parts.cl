// Colours a stretch of pixels. The kernel is given a part of a picture and knows neither where in the whole it
// lies nor how long the whole is: that was said when the part was made.
__kernel void tint_part(__global uchar4 *pixels, const uint count, const uchar4 colour)
{
    const uint i = get_global_id(0);
    if (i >= count)
        return;
    // Half of the pixel and half of the colour, rounded down; alpha stays.
    const uchar4 pixel = pixels[i];
    pixels[i] = (uchar4)((pixel.xyz >> (uchar)1) + (colour.xyz >> (uchar)1), pixel.w);
}
