// Two substances diffuse, and one turns the other into itself (Gray and Scott). Press into the picture to add some of it.
// @start seed
// @frame react from<->to *12, draw
kernel void seed(global float2 *from)
{
    const int x = get_global_id(0), y = get_global_id(1);
    const int width = get_global_size(0), height = get_global_size(1);
    const int cx = x % 64 - 32, cy = y % 64 - 32;
    const bool inside = cx * cx + cy * cy < 30 && (x / 64 + 2 * (y / 64)) % 3 != 1;
    from[y * width + x] = inside ? (float2)(0.5f, 0.25f) : (float2)(1.0f, 0.0f);
}

kernel void react(global const float2 *from, global float2 *to,
                  const float feed, // @slider 0.01..0.09 step 0.0005 = 0.037
                  const float kill, // @slider 0.045..0.07 step 0.0002 = 0.06
                  const float4 mouse)
{
    const int x = get_global_id(0), y = get_global_id(1);
    const int width = get_global_size(0), height = get_global_size(1);
    const int left = x == 0 ? width - 1 : x - 1, right = x == width - 1 ? 0 : x + 1;
    const int up = (y == 0 ? height - 1 : y - 1) * width, down = (y == height - 1 ? 0 : y + 1) * width;
    const int row = y * width;
    const float2 own = from[row + x];
    const float2 sides = from[row + left] + from[row + right] + from[up + x] + from[down + x];
    const float2 corners = from[up + left] + from[up + right] + from[down + left] + from[down + right];
    const float2 spread = 0.2f * sides + 0.05f * corners - own;
    const float reaction = own.x * own.y * own.y;
    float2 next = own + (float2)(spread.x - reaction + feed * (1.0f - own.x),
                                 0.5f * spread.y + reaction - (kill + feed) * own.y);
    const float dx = x - mouse.x, dy = y - mouse.y;
    if (mouse.z > 0.0f && dx * dx + dy * dy < 60.0f)
        next.y = 0.5f;
    to[row + x] = clamp(next, 0.0f, 1.0f);
}

kernel void draw(global const float2 *from, global uchar4 *image)
{
    const int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    const float t = clamp(3.0f * from[at].y, 0.0f, 1.0f);
    const float3 colour = mix((float3)(0.05f, 0.08f, 0.16f), (float3)(0.98f, 0.85f, 0.5f), t);
    image[at] = (uchar4)(convert_uchar3_sat(255.0f * colour * (0.4f + 0.6f * from[at].x)), 255);
}
