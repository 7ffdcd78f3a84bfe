// What is the same for all that one call of Draw draws: glrender/frame.go.
layout(std140) uniform Frame {
    vec4 centre;  // camera centre, m: xy rounded to float, zw what that lost
    vec4 view;    // width and height in pixels, pixels per metre, content scale
    vec4 blend;   // alpha, seconds per tick
    ivec4 states; // bodies in previous, bodies in current, smoothing, layers
    vec4 grid;    // centre modulo ten cells (m), cell (m), strength of the fine lines
};

const int LAYER_SLEEP = 1 << 5;
const int LAYER_GRID = 1 << 6;

// toView is a point of the world in pixels from the centre of the viewport.
// The camera is subtracted in two parts so that nothing is lost far from the
// origin.
vec2 toView(vec2 world) {
    precise vec2 near = world - centre.xy;
    return (near - centre.zw) * view.z;
}

// toClip takes pixels from the centre of the viewport to clip space.
vec4 toClip(vec2 pixels) {
    return vec4(pixels * 2.0 / view.xy, 0.0, 1.0);
}

// nowhere is outside the clip volume: what is there is not drawn.
const vec4 nowhere = vec4(2.0, 2.0, 2.0, 1.0);
