// Debug marks in the world: boxes and contacts, one quad each.
#include "frame.glsl"

layout(location = 0) in vec4 place; // a box's corners, or a contact's point and normal
layout(location = 1) in uint what;  // 0 box, 1 contact
layout(location = 2) in vec4 tint;

out vec2 at; // units from the box's centre, or pixels along the normal
flat out int kind;
flat out vec3 size; // half extents (units) or length of the normal and radius, line width (pixels)
flat out vec4 line;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    float scale = view.w;
    kind = int(what);
    line = tint;
    if (kind == 0) {
        vec2 low = toView(place.xy);
        vec2 high = toView(place.zw);
        vec2 half_ = 0.5 * (high - low);
        vec2 middle = 0.5 * (low + high);
        float pad = 1.5 * pixel(max(0.0, seen(middle + mix(-half_, half_, corner)).z));
        at = mix(-half_ - pad, half_ + pad, corner);
        size = vec3(half_, max(1.0, 0.8 * scale));
        gl_Position = toClip(seen(middle + at));
    } else {
        float r = 3.5 * scale;
        float len = 15.0 * scale;
        at = vec2(mix(-r - 1.5, len + 1.5, corner.x), mix(-r - 1.5, r + 1.5, corner.y));
        size = vec3(len, r, 1.4 * scale);
        gl_Position = nowhere;
        vec3 point = seen(toView(place.xy));
        if (point.z <= 0.0) return;
        vec2 n = seenDirection(point, place.zw);
        vec2 out_ = vec2(n.x * at.x - n.y * at.y, n.y * at.x + n.x * at.y);
        gl_Position = toClip(vec3(point.xy / point.z + out_, 1.0));
    }
}
