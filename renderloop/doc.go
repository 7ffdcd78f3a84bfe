// Package renderloop is the frame protocol: in each frame, Loop advances the clock, demands
// steps from physics, takes the newest pair of states, and decides which instant between them
// to show. It draws nothing and imports no OpenGL.
//
// Package clock has the clock, and package frametime has sources of frame times. Package
// internal/pacing makes frame times even before the clock gets them. Package scene has the
// views, poses and the camera, and package glrender draws them. Package present has the times
// at which frames were seen, and package presenttimes gets these times from window systems.
//
// # One frame
//
// D[N] is the number of ticks demanded by frame N, a[N] the clock's remainder as a fraction of
// a step (r in README), and C the tick of the newest state. A Pipelined frame takes the newest
// pair (C-1, C), advances the clock by the frame time, demands D[N], and shows the instant
// D[N-1] - 1 + a[N-1]. While physics keeps up, that is bit for bit what the single-threaded
// loop of "Fix Your Timestep!" (Glenn Fiedler) shows one frame earlier. Physics does the steps
// for the next frame while this one is drawn, and the render thread never waits.
//
// A Lockstep frame advances the clock, demands D[N], waits for C = D[N], and shows D[N] - 1 +
// a[N]. That is bit for bit what the single-threaded loop shows in the same frame.
//
// A RunAhead frame shows D[N] - 1 + a[N] plus a lead: one step, and the time until the frame is
// on the display. Physics has computed the steps up to that instant, although they are not
// demanded yet.
//
// The shown instant never goes back, and never beyond the newest state. If a step takes longer
// than a frame, the instant is a little later behind the clock, so that motion stays even. If a
// step takes longer than the time that it simulates, the clock slows down.
package renderloop
