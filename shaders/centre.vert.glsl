// A mark at each body's centre of mass; the instance is the slot.
#include "frame.glsl"
#include "pose.glsl"

out vec2 at; // pixels, in the body's frame
flat out float radius;

void main() {
    gl_Position = nowhere;
    State c = currentState(gl_InstanceID);
    if ((c.bits & ALIVE) == 0u) return;
    Pose pose = shownPose(gl_InstanceID, c);
    radius = 4.5 * view.w;
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    at = (2.0 * corner - 1.0) * (radius + 1.0);
    vec3 middle = seen(toView(pose.at.xy));
    if (middle.z <= 0.0) return;
    vec2 d = seenDirection(middle, direction(pose.at.z));
    gl_Position = toClip(vec3(middle.xy / middle.z + rotated(d, at), 1.0));
}
