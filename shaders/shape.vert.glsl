// One quad an instance: a disc, a convex polygon, a piece of a polyline, or a
// line of a joint. Points are relative to the centre of mass of their body.
#include "frame.glsl"
#include "pose.glsl"
#include "palette.glsl"

layout(location = 0) in vec4 points01;
layout(location = 1) in vec4 points23;
layout(location = 2) in vec4 points45;
layout(location = 3) in vec4 points67;
layout(location = 4) in ivec2 slots; // slots of the bodies at both ends of a joint; -1 is the world
layout(location = 5) in uint what;   // bits 0..3 kind, 4..7 points, 8..9 body kind, 10 sensor
layout(location = 6) in vec4 own;    // the shape's own colour; alpha 0 for none
layout(location = 7) in float radius;

// 0 draws the bodies, 1 the outlines at the previous state, 2 the outlines at the current state.
uniform int ghost;

const int DISC = 0;
const int CONVEX = 1;
const int SEGMENT = 2;
const int JOINT = 3;

// For discs and polygons, the fragment shader gets points and radii in units and
// widths in pixels. For lines it gets everything in pixels.
out vec2 at;
flat out ivec2 kind; // kind, number of points
flat out vec4 p01, p23, p45, p67;
flat out vec2 size; // radius and width of the outline; length and half width of a line
flat out vec4 fill, line;

const float FEATHER = 1.0; // width outside the shape that an anti-aliased edge needs, in pixels

bool poseOf(int slot, State c, out Pose pose) {
    if ((c.bits & ALIVE) == 0u) return false;
    if (ghost == 0) {
        pose = shownPose(slot, c);
        return true;
    }
    // A body that has not moved casts no ghosts.
    State p = previousState(slot);
    bool same = sameBody(p, c);
    if (same && p.at == c.at && p.turns == c.turns) return false;
    if (ghost == 1) pose = Pose(p.at, p.turns);
    else pose = Pose(c.at, c.turns);
    return same || ghost == 2;
}

// inFront cuts off the part of a line that is behind the eye. It returns false if
// nothing is left.
bool inFront(inout vec3 a, inout vec3 b) {
    float z = 1e-3 * max(a.z, b.z);
    if (z <= 0.0) return false;
    if (a.z < z) a = mix(a, b, (z - a.z) / (b.z - a.z));
    if (b.z < z) b = mix(b, a, (z - b.z) / (a.z - b.z));
    return true;
}

// across is twice the signed area of the triangle of the origin and two points.
float across(vec2 a, vec2 b) { return a.x * b.y - a.y * b.x; }

void main() {
    gl_Position = nowhere;
    int shape = int(what & 15u);
    int count = int((what >> 4) & 15u);
    kind = ivec2(shape, count);
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    float scale = view.w;

    vec2 middle = vec2(0.0);
    vec2 d = vec2(1.0, 0.0);
    uint flags = ALIVE | AWAKE;
    if (slots.x >= 0) {
        State c = currentState(slots.x);
        Pose pose;
        if (!poseOf(slots.x, c, pose)) return;
        flags = c.bits;
        middle = toView(pose.at.xy);
        d = direction(pose.at.z);
    }
    bool sensor = ((what >> 10) & 1u) != 0u;
    bodyColours(int((what >> 8) & 3u), slots.x, own, sensor, flags, (states.w & LAYER_SLEEP) != 0, fill, line);
    // Over a host's picture the fill is nearly transparent and the outline is bright.
    line.rgb = mix(fill.rgb, line.rgb, blend.z);
    fill.a *= blend.z;

    if (shape == SEGMENT || shape == JOINT) {
        vec2 near = slots.x >= 0 ? middle + rotated(d, points01.xy) * view.z : toView(points01.xy);
        vec2 far = points01.zw;
        if (shape == SEGMENT) {
            far = middle + rotated(d, far) * view.z;
        } else if (slots.y < 0) {
            far = toView(far);
        } else {
            State other = currentState(slots.y);
            Pose pose;
            if (!poseOf(slots.y, other, pose)) return;
            far = toView(pose.at.xy) + rotated(direction(pose.at.z), far) * view.z;
        }
        vec3 a = seen(near);
        vec3 b = seen(far);
        if (!inFront(a, b)) return;
        vec2 from = a.xy / a.z;
        vec2 along = b.xy / b.z - from;
        float len = length(along);
        along = len > 1e-4 ? along / len : vec2(1.0, 0.0);
        float half_ = (shape == JOINT ? 0.65 : 1.1) * scale;
        if (shape == SEGMENT) {
            half_ = max(half_, radius * view.z / pixel(max(a.z, b.z)));
            line = vec4(mix(fill.rgb, vec3(1.0), sensor ? 0.0 : 0.3), sensor ? 0.7 : 1.0);
        } else {
            line = own.a > 0.0 ? own : vec4(0.96, 0.88, 0.52, 0.85);
        }
        size = vec2(len, half_);
        float dot_ = half_;
        if (shape == JOINT && count == 0) { // the marks at a joint's anchors; they shrink with distance, so that they do not merge
            dot_ = min(2.6 * scale, max(1.2 * scale, 0.1 * view.z / pixel(max(a.z, b.z))));
        }
        float pad = max(half_, dot_) + FEATHER;
        at = vec2(mix(-pad, len + pad, corner.x), mix(-pad, pad, corner.y));
        p01 = vec4(dot_, 0.0, 0.0, 0.0);
        gl_Position = toClip(vec3(from + rotated(along, at), 1.0));
    } else {
        vec2 low = points01.xy;
        vec2 high = low;
        if (shape == CONVEX) {
            low = min(low, points01.zw);
            high = max(high, points01.zw);
            low = min(low, points23.xy);
            high = max(high, points23.xy);
            // After the last corner, all others up to the eighth are equal to it.
            low = min(low, min(points23.zw, min(min(points45.xy, points45.zw), min(points67.xy, points67.zw))));
            high = max(high, max(points23.zw, max(max(points45.xy, points45.zw), max(points67.xy, points67.zw))));
        }
        p01 = points01 * view.z;
        p23 = points23 * view.z;
        p45 = points45 * view.z;
        p67 = points67 * view.z;
        vec2 extent = (high - low + 2.0 * radius) * view.z;
        // The outline covers at most a sixth of a body, so that small bodies keep their colour. The
        // thickness of a thin polygon is about its area divided by its length. With twice the area,
        // the outline of a square does not change.
        float twice = across(points01.xy, points01.zw) + across(points01.zw, points23.xy) + across(points23.xy, points23.zw) + across(points23.zw, points45.xy)
            + across(points45.xy, points45.zw) + across(points45.zw, points67.xy) + across(points67.xy, points67.zw) + across(points67.zw, points01.xy);
        float thin = min(extent.x, extent.y);
        if (shape == CONVEX) thin = min(thin, (twice / max(length(high - low), 1e-6) + 2.0 * radius) * view.z);
        float width = min(1.4 * scale, thin / (6.0 * pixel(max(0.0, seen(middle).z))));
        size = vec2(radius * view.z, sensor ? max(width, min(scale, 1.0)) : width);
        vec2 bare = rotated(d, mix(low, high, corner) * view.z);
        float pad = radius * view.z + FEATHER * pixel(max(0.0, seen(middle + bare).z));
        at = mix(low * view.z - pad, high * view.z + pad, corner);
        gl_Position = toClip(seen(middle + rotated(d, at)));
    }
    if (ghost != 0) {
        fill = vec4(0.0);
        line = ghost == 1 ? vec4(0.35, 0.75, 1.0, 0.75) : vec4(1.0, 0.55, 0.25, 0.75);
        if (shape == DISC || shape == CONVEX) size.y = scale;
    }
}
