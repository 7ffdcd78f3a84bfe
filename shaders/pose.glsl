// The pose of a body between two states. The operations are those of scene.Blend,
// one by one, and a test compares the results. The keyword precise keeps the
// compiler from fusing or reordering operations.
#include "frame.glsl"

uniform usamplerBuffer previousStates; // two texels a body: body2d.State
uniform usamplerBuffer currentStates;

const uint ALIVE = 1u;
const uint JUMP = 2u;
const uint IMPACT = 4u;
const uint AWAKE = 8u;
const uint DISABLED = 16u;

const int INTERPOLATE = 0;
const int NONE = 1;
const int EXTRAPOLATE = 2;
const int HERMITE = 3;

const int LATE = 256;

const float TURN = 6.283185307179586;

struct State {
    vec3 at;    // x, y (m), angle (rad)
    vec3 speed; // changes of x, y and the angle, per second
    int turns;
    uint bits;
};

struct Pose {
    vec3 at; // x, y (m), angle (rad, plus whole turns)
    int turns;
};

State decode(uvec4 a, uvec4 b) {
    return State(uintBitsToFloat(a.xyz), uintBitsToFloat(uvec3(a.w, b.xy)), int(b.z), b.w);
}

// A slot beyond the states has no body.
State currentState(int slot) {
    if (slot < 0 || slot >= states.y) return decode(uvec4(0u), uvec4(0u));
    return decode(texelFetch(currentStates, 2 * slot), texelFetch(currentStates, 2 * slot + 1));
}

State previousState(int slot) {
    if (slot < 0 || slot >= states.x) return decode(uvec4(0u), uvec4(0u));
    return decode(texelFetch(previousStates, 2 * slot), texelFetch(previousStates, 2 * slot + 1));
}

bool sameBody(State p, State c) {
    return (p.bits & ALIVE) != 0u && (p.bits >> 8) == (c.bits >> 8);
}

Pose blended(State p, State c, float t, float dt, int mode, bool late) {
    int own = int((c.bits >> 5) & 7u);
    if (own != 0) mode = own - 1;
    if (mode == EXTRAPOLATE) {
        precise float s = t * dt;
        precise vec3 ahead = c.at + s * c.speed;
        return Pose(ahead, c.turns);
    }
    if (mode == NONE || (c.bits & JUMP) != 0u) return Pose(c.at, c.turns);
    if (!sameBody(p, c)) { // a new body moves along its velocity
        if ((c.bits & (IMPACT | DISABLED)) != 0u) return Pose(c.at, c.turns);
        precise float left = (1.0 - t) * dt;
        precise vec3 coming = c.at - left * c.speed;
        return Pose(coming, c.turns);
    }

    precise vec3 moved = c.at - p.at;
    precise float turned = moved.z + float(c.turns - p.turns) * TURN;
    moved.z = turned;
    precise vec3 straight = p.at + t * moved;
    if (mode != HERMITE || (c.bits & IMPACT) != 0u) return Pose(straight, p.turns);

    precise vec3 first = late ? p.speed : c.speed;
    precise vec3 last = late ? c.speed : 2.0 * c.speed - p.speed;
    precise float u = 1.0 - t;
    precise float a = t * u * u;
    precise float b = t * t * u;
    precise vec3 leave = a * (first * dt - moved);
    precise vec3 arrive = b * (last * dt - moved);
    precise vec3 curved = straight + leave - arrive;
    return Pose(curved, p.turns);
}

Pose shownPose(int slot, State c) {
    return blended(previousState(slot), c, blend.x, blend.y, states.z & 255, (states.z & LATE) != 0);
}

// direction is the first column of the rotation by an angle.
vec2 direction(float angle) {
    return vec2(cos(angle), sin(angle));
}

// rotated converts v from the body's frame to the world's.
vec2 rotated(vec2 d, vec2 v) {
    return vec2(d.x * v.x - d.y * v.y, d.y * v.x + d.x * v.y);
}
