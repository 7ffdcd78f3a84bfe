// The colours of bodies by kind and state. Kinds are numbered as in
// scene.Body.Type.
const int STATIC = 0;
const int KINEMATIC = 1;

const vec3 ground = vec3(0.082, 0.094, 0.114);

// Bodies in neighbouring slots get different tones, so the bodies of a stack look separate.
const vec3 tones[6] = vec3[6](
    vec3(0.42, 0.65, 0.98), vec3(0.55, 0.58, 0.98), vec3(0.73, 0.54, 0.94),
    vec3(0.94, 0.53, 0.72), vec3(0.99, 0.60, 0.48), vec3(0.99, 0.77, 0.42));

vec3 baseColour(int kind, int slot) {
    if (kind == STATIC) return vec3(0.40, 0.46, 0.54);
    if (kind == KINEMATIC) return vec3(0.22, 0.74, 0.62);
    return tones[slot % 6];
}

// bodyColours returns the colours of the fill and of the outline (alpha not premultiplied).
void bodyColours(int kind, int slot, vec4 own, bool sensor, uint flags, bool shadeSleep,
                 out vec4 fill, out vec4 line) {
    vec4 base = own.a > 0.0 ? own : vec4(baseColour(kind, slot), kind == STATIC ? 0.92 : 0.86);
    if ((flags & DISABLED) != 0u) {
        base = vec4(vec3(dot(base.rgb, vec3(0.3, 0.6, 0.1)) * 0.7), base.a * 0.4);
    } else if (shadeSleep && kind != STATIC && (flags & AWAKE) == 0u) {
        vec3 grey = vec3(dot(base.rgb, vec3(0.3, 0.6, 0.1)));
        base.rgb = mix(mix(base.rgb, grey, 0.40), ground, 0.32);
    }
    if (sensor) {
        fill = vec4(base.rgb, base.a * 0.16);
        line = vec4(base.rgb, base.a);
        return;
    }
    fill = base;
    line = vec4(base.rgb * 0.42, min(1.0, base.a * 1.15));
}
