#include "frame.glsl"

in vec2 at;
flat in int kind;
flat in vec3 size;
flat in vec4 line;
layout(location = 0) out vec4 colour;

float covered(float distance) {
    return clamp(0.5 - distance, 0.0, 1.0);
}

void main() {
    float a;
    if (kind == 0) {
        vec2 v = abs(at) - size.xy;
        float d = max(v.x, v.y) / pixel(1.0 / gl_FragCoord.w);
        a = covered(abs(d + 0.5 * size.z) - 0.5 * size.z);
    } else {
        float dotD = length(at) - size.y;
        float normal = length(vec2(at.x - clamp(at.x, 0.0, size.x), at.y)) - 0.5 * size.z;
        a = covered(min(dotD, normal));
    }
    colour = vec4(line.rgb, 1.0) * (line.a * a);
}
