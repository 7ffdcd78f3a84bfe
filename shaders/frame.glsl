// What is the same for all that one call of Draw draws: glrender/frame.go.
layout(std140) uniform Frame {
    vec4 centre;  // camera centre, m: xy rounded to float, zw what that lost
    vec4 view;    // width and height in pixels, units per metre, content scale
    vec4 blend;   // alpha, seconds per tick, how much of the fill is seen, scale of the plane
    ivec4 states; // bodies in previous, bodies in current, smoothing and 256 for late velocities, layers
    vec4 grid;    // centre modulo ten cells (m), cell (m), strength of the fine lines
    mat3 plane;   // from units to homogeneous pixels from the centre of the viewport
};

// A camera's unit is a pixel and its plane the identity. An overlay's unit is
// the metre, and its plane is what the host's matrix makes of z = 0.

const int LAYER_SLEEP = 1 << 2;
const int LAYER_GRID = 1 << 3;

// toView is a point of the world in units. The camera is subtracted in two
// parts so that nothing is lost far from the origin.
vec2 toView(vec2 world) {
    precise vec2 near = world - centre.xy;
    return (near - centre.zw) * view.z;
}

// seen takes units to homogeneous pixels; what has z <= 0 is behind the eye.
vec3 seen(vec2 units) {
    return plane * vec3(units, 1.0);
}

// seenDirection is the direction in pixels of the direction d at a point that
// seen returned.
vec2 seenDirection(vec3 from, vec2 d) {
    vec3 along = plane * vec3(d, 0.0);
    vec2 pixels = along.xy - from.xy / from.z * along.z;
    float len = length(pixels);
    return len > 0.0 ? pixels / len : d;
}

// pixel is the size in units of a pixel where seen has that z. A plane seen at
// an angle has two such sizes; this is their geometric mean.
float pixel(float z) {
    return sqrt(z * z * z / blend.w);
}

// toClip takes homogeneous pixels from the centre of the viewport to clip space.
vec4 toClip(vec3 pixels) {
    return vec4(pixels.xy * 2.0 / view.xy, 0.0, pixels.z);
}

// nowhere is outside the clip volume: what is there is not drawn.
const vec4 nowhere = vec4(2.0, 2.0, 2.0, 1.0);
