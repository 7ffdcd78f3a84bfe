// Values that are the same in one call of Draw: glrender/frame.go writes them.
layout(std140) uniform Frame {
    vec4 centre;  // camera centre, m: xy rounded to float, zw the rest that the rounding lost
    vec4 view;    // width and height in pixels, units per metre, content scale
    vec4 blend;   // alpha, seconds per tick, opacity of the fill, scale of the plane
    ivec4 states; // number of bodies in previous and in current, smoothing (plus 256 for late velocities), layers
    vec4 grid;    // centre modulo ten cells (m), cell (m), strength of the fine lines
    mat3 plane;   // from units to homogeneous pixels from the centre of the viewport
};

// With a camera, a unit is a pixel and the plane is the identity. With an overlay,
// a unit is a metre and the plane is the image of z = 0 under the host's matrix.

const int LAYER_SLEEP = 1 << 2;
const int LAYER_GRID = 1 << 3;

// toView converts a point of the world to units. It subtracts the camera in two
// parts, so that no digits are lost far from the origin.
vec2 toView(vec2 world) {
    precise vec2 near = world - centre.xy;
    return (near - centre.zw) * view.z;
}

// seen converts units to homogeneous pixels. A point with z <= 0 is behind the eye.
vec3 seen(vec2 units) {
    return plane * vec3(units, 1.0);
}

// seenDirection converts the direction d to pixels, at a point that seen has
// returned.
vec2 seenDirection(vec3 from, vec2 d) {
    vec3 along = plane * vec3(d, 0.0);
    vec2 pixels = along.xy - from.xy / from.z * along.z;
    float len = length(pixels);
    return len > 0.0 ? pixels / len : d;
}

// pixel is the size of a pixel in units, at points for which seen returns this z.
// A plane that is seen at an angle has two such sizes; pixel is their geometric mean.
float pixel(float z) {
    return sqrt(z * z * z / blend.w);
}

// toClip converts homogeneous pixels from the centre of the viewport to clip space.
vec4 toClip(vec3 pixels) {
    return vec4(pixels.xy * 2.0 / view.xy, 0.0, pixels.z);
}

// nowhere is a point outside the clip volume: a vertex there is not drawn.
const vec4 nowhere = vec4(2.0, 2.0, 2.0, 1.0);
