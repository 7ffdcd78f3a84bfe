// Package renderloop has the render side of the engine. In each frame, a Loop advances the clock,
// demands steps from physics, takes the newest pair of states, and decides which instant between
// these two states to show. The package draws nothing and imports no OpenGL.
//
// Package clock has the clock, and package frametime has sources of frame times. Package
// internal/pacing makes frame times even before they advance the clock. Package scene has the
// views, poses and the camera, and package glrender draws a view. Package present has the times at
// which frames were seen, and package presenttimes gets these times from window systems.
//
// # One frame
//
// D[N] is the tick that frame N demands, a[N] is the clock's remainder as a fraction of a step (r
// in README), and C is the tick of the newest state. A Pipelined frame takes the newest pair (C-1,
// C), advances the clock by the frame time, demands D[N], and shows the instant D[N-1] - 1 +
// a[N-1]. If physics is fast enough, a Pipelined frame shows bit for bit what the single-threaded
// loop of "Fix Your Timestep!" (Glenn Fiedler) shows one frame earlier. Physics does the steps for
// the next frame while the present frame is drawn, and the render thread never waits.
//
// A Lockstep frame advances the clock, demands D[N], waits for C = D[N], and shows D[N] - 1 + a[N].
// The single-threaded loop shows bit for bit the same in the same frame.
//
// A RunAhead frame shows D[N] - 1 + a[N] plus a lead: one step, and the time until the frame is on
// the display. Physics computes the steps up to that instant before they are demanded.
//
// The shown instant never goes back, and is never later than the newest state. If a step takes
// longer than a frame, the shown instant is further behind the clock, so that motion stays even. If
// a step takes longer than the time that it simulates, the clock slows down.
package renderloop
