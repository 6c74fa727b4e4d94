// Conway's game of life, in which cells remember how long they have been dead. Press into the picture to draw living ones.
// @start sow
// @frame live cells<->cells_next, draw
kernel void sow(global uchar *cells,
                const float density) // @slider 0.05..0.6 = 0.28
{
    const int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    uint hash = at * 747796405u + 2891336453u;
    hash = ((hash >> ((hash >> 28) + 4)) ^ hash) * 277803737u;
    hash = (hash >> 22) ^ hash;
    cells[at] = (hash & 0xffff) < density * 65536.0f ? 255 : 0;
}

kernel void live(global const uchar *cells, global uchar *cells_next, const float4 mouse)
{
    const int x = get_global_id(0), y = get_global_id(1);
    const int width = get_global_size(0), height = get_global_size(1);
    int around = 0;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            const int nx = (x + dx + width) % width, ny = (y + dy + height) % height;
            around += (dx != 0 || dy != 0) && cells[ny * width + nx] == 255;
        }
    }
    const uchar own = cells[y * width + x];
    const bool alive = around == 3 || (around == 2 && own == 255);
    const float mx = x - mouse.x, my = y - mouse.y;
    const bool drawn = mouse.z > 0.0f && mx * mx + my * my < 30.0f && ((x * 7 + y * 13) & 3) != 0;
    const int faded = own == 255 ? 180 : max((int)own - 3, 0);
    cells_next[y * width + x] = alive || drawn ? 255 : faded;
}

kernel void draw(global const uchar *cells, global uchar4 *image)
{
    const int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    const float t = cells[at] / 255.0f;
    const float3 dead = (float3)(0.5f * t * t, 0.25f * t, 0.1f + 0.5f * t);
    const float3 colour = cells[at] == 255 ? (float3)(0.95f, 0.95f, 0.7f) : dead;
    image[at] = (uchar4)(convert_uchar3_sat(255.0f * colour), 255);
}
