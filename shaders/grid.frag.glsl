// The background: a faint change of brightness, and a grid whose cells measure a
// power of ten metres. As the fine lines move apart they appear slowly, so nothing
// jumps when the zoom changes.
#include "frame.glsl"

in vec2 at;
layout(location = 0) out vec4 colour;

// nearest is the distance in pixels to the nearest line of a grid.
vec2 nearest(vec2 metres, float cell) {
    vec2 x = metres / cell;
    return abs(x - floor(x + 0.5)) * cell * view.z;
}

float lineAt(float distance, float width) {
    return clamp(0.5 * width + 0.5 - distance, 0.0, 1.0);
}

void main() {
    float height = at.y / view.y + 0.5;
    vec3 c = mix(vec3(0.067, 0.076, 0.094), vec3(0.106, 0.121, 0.149), height);
    if ((states.w & LAYER_GRID) != 0) {
        float width = max(1.0, floor(view.w + 0.25));
        vec2 metres = at / view.z + grid.xy;
        vec2 fine = nearest(metres, grid.z);
        vec2 coarse = nearest(metres, 10.0 * grid.z);
        vec2 axis = abs((centre.xy + centre.zw) * view.z + at);
        float a = 0.045 * grid.w * lineAt(min(fine.x, fine.y), width);
        a = max(a, 0.075 * lineAt(min(coarse.x, coarse.y), width));
        a = max(a, 0.17 * lineAt(min(axis.x, axis.y), width));
        c += a * vec3(0.80, 0.90, 1.0);
    }
    colour = vec4(c, 1.0);
}
