// A surface in motion: each work-item is one vertex of a grid and says where it is at a time. The vertices are
// a vertex buffer of OpenGL, so what is written here is what is drawn.
__kernel void wave_vertices(__global float4 *vertices,
                            const float time) // seconds
{
    const int column = get_global_id(0);
    const int row = get_global_id(1);
    const int columns = get_global_size(0);
    const int rows = get_global_size(1);

    // The grid covers the square from -1 to 1.
    const float x = 2.0f * column / (columns - 1) - 1.0f;
    const float z = 2.0f * row / (rows - 1) - 1.0f;

    // A ring that runs outwards and gets lower, and a swell across it.
    const float distance = sqrt(x * x + z * z);
    const float ring = 0.2f * sin(12.0f * distance - 4.0f * time) / (1.0f + 3.0f * distance);
    const float swell = 0.05f * sin(4.0f * x + 1.5f * time);
    vertices[row * columns + column] = (float4)(x, ring + swell, z, 1.0f);
}
