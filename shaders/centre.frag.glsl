// The quartered disc that engineers' drawings use.
in vec2 at;
flat in float radius;
layout(location = 0) out vec4 colour;

void main() {
    float d = length(at) - radius;
    float a = clamp(0.5 - d, 0.0, 1.0);
    vec2 q = clamp(at, -0.5, 0.5);
    float light = 0.5 + 2.0 * q.x * q.y;
    light = min(light, clamp(0.5 - d - radius * 0.3, 0.0, 1.0));
    colour = vec4(mix(vec3(0.05), vec3(0.97), light), 1.0) * a;
}
