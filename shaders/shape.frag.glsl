// Edges are computed from signed distances in pixels, so they blend over one pixel
// at any zoom.
#include "frame.glsl"

in vec2 at;
flat in ivec2 kind;
flat in vec4 p01, p23, p45, p67;
flat in vec2 size;
flat in vec4 fill, line;

layout(location = 0) out vec4 colour;

const int DISC = 0;
const int CONVEX = 1;
const int SEGMENT = 2;

// edge updates two values for one side of the polygon: inside, the largest signed
// distance to the line of a side, and outside, the least squared distance to a side.
void edge(vec2 a, vec2 b, inout float inside, inout float outside) {
    vec2 side = b - a;
    vec2 v = at - a;
    float len2 = max(dot(side, side), 1e-12);
    inside = max(inside, (v.x * side.y - v.y * side.x) * inversesqrt(len2));
    vec2 off = v - side * clamp(dot(v, side) / len2, 0.0, 1.0);
    outside = min(outside, dot(off, off));
}

float convexDistance() {
    float inside = -1e30;
    float outside = 1e30;
    int n = kind.y;
    vec2 last = n == 3 ? p23.xy : n == 4 ? p23.zw : n == 5 ? p45.xy : n == 6 ? p45.zw : n == 7 ? p67.xy : p67.zw;
    edge(p01.xy, p01.zw, inside, outside);
    edge(p01.zw, p23.xy, inside, outside);
    if (n > 3) edge(p23.xy, p23.zw, inside, outside);
    if (n > 4) edge(p23.zw, p45.xy, inside, outside);
    if (n > 5) edge(p45.xy, p45.zw, inside, outside);
    if (n > 6) edge(p45.zw, p67.xy, inside, outside);
    if (n > 7) edge(p67.xy, p67.zw, inside, outside);
    edge(last, p01.xy, inside, outside);
    return inside <= 0.0 ? inside : sqrt(outside);
}

float segmentDistance(vec2 p, float len) {
    return length(vec2(p.x - clamp(p.x, 0.0, len), p.y));
}

float covered(float distance) {
    return clamp(0.5 - distance, 0.0, 1.0);
}

void main() {
    vec4 c;
    if (kind.x == DISC || kind.x == CONVEX) {
        float unit = pixel(1.0 / gl_FragCoord.w);
        float d;
        float stroke;
        if (kind.x == DISC) {
            vec2 v = at - p01.xy;
            d = (length(v) - size.x) / unit;
            stroke = covered(-d - size.y);
            float spoke = segmentDistance(v, size.x) / unit - 0.5 * size.y;
            stroke = max(stroke, covered(spoke) * min(1.0, size.y));
        } else {
            d = (convexDistance() - size.x) / unit;
            stroke = covered(-d - size.y);
        }
        c = mix(vec4(fill.rgb * fill.a, fill.a), vec4(line.rgb * line.a, line.a), stroke);
        c *= covered(d);
    } else {
        float d = segmentDistance(at, size.x) - size.y;
        if (kind.x != SEGMENT) {
            float ends = min(length(at), length(at - vec2(size.x, 0.0)));
            d = min(d, ends - p01.x);
        }
        c = vec4(line.rgb * line.a, line.a) * covered(d);
    }
    if (c.a <= 0.0) discard;
    colour = c;
}
