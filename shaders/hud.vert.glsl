// Text, boxes and lines of the HUD, one quad each, in pixels from the top left.
layout(location = 0) in vec4 box;  // two corners, or two ends of a line
layout(location = 1) in uint what; // low 16 bits: a letter's cell, or RECT, or LINE; high: sixteenths of a pixel
layout(location = 2) in vec4 tint;
layout(location = 3) in vec4 clip; // two corners of a rectangle: pixels outside it are not drawn

uniform vec3 screen; // width and height in pixels, pixels per unit

const uint RECT = 0x8000u;
const uint LINE = 0x8001u;

out vec2 at;
out vec4 inside; // distances to the edges of clip
flat out uint kind;
flat out vec3 size; // half extents and corner radius, or length and half width
flat out vec4 colourIn;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    kind = what & 0xffffu;
    float amount = float(what >> 16) / 16.0;
    colourIn = tint;
    vec2 p;
    if (kind == LINE) {
        vec2 along = box.zw - box.xy;
        float len = length(along);
        along = len > 1e-4 ? along / len : vec2(1.0, 0.0);
        float half_ = 0.5 * amount;
        size = vec3(len, half_, 0.0);
        float pad = half_ + 1.0;
        at = vec2(mix(-pad, len + pad, corner.x), mix(-pad, pad, corner.y));
        p = box.xy + vec2(along.x * at.x - along.y * at.y, along.y * at.x + along.x * at.y);
    } else {
        vec2 half_ = 0.5 * (box.zw - box.xy);
        size = vec3(half_, min(amount, min(half_.x, half_.y)));
        float pad = kind == RECT ? 1.0 : 0.0;
        p = mix(box.xy - pad, box.zw + pad, corner);
        at = kind == RECT ? p - 0.5 * (box.xy + box.zw) : (p - box.xy) / screen.z;
    }
    inside = vec4(p - clip.xy, clip.zw - p);
    gl_Position = vec4(p.x * 2.0 / screen.x - 1.0, 1.0 - p.y * 2.0 / screen.y, 0.0, 1.0);
}
