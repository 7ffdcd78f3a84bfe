in vec2 at;
in vec4 inside;
flat in uint kind;
flat in vec3 size;
flat in vec4 colourIn;
layout(location = 0) out vec4 colour;

uniform sampler2D glyphs; // cells of 16×20 units, 32 in a row
uniform vec3 screen;      // as in hud.vert.glsl

const uint RECT = 0x8000u;
const uint LINE = 0x8001u;

void main() {
    float a;
    if (kind == LINE) {
        float d = length(vec2(at.x - clamp(at.x, 0.0, size.x), at.y)) - size.y;
        // A line that is thinner than a pixel keeps its place and becomes fainter.
        a = clamp(0.5 - d, 0.0, 1.0) * min(1.0, 2.0 * size.y + 0.25);
    } else if (kind == RECT) {
        vec2 v = abs(at) - size.xy + size.z;
        float d = length(max(v, 0.0)) + min(max(v.x, v.y), 0.0) - size.z;
        a = clamp(0.5 - d, 0.0, 1.0);
    } else {
        int unit = int(screen.z);
        ivec2 cell = ivec2(int(kind & 31u) * 16, int(kind >> 5) * 20) * unit;
        a = texelFetch(glyphs, cell + clamp(ivec2(floor(at * screen.z)), ivec2(0), ivec2(16, 20) * unit - 1), 0).r;
    }
    if (a <= 0.0 || any(lessThan(inside, vec4(0.0)))) discard;
    a *= colourIn.a;
    colour = vec4(colourIn.rgb * a, a);
}
