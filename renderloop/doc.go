// Package renderloop is the render side of the engine without the drawing: the
// clock, the pacing of frames, the frame protocol, and the poses between two
// states. It imports no OpenGL; package glrender below it draws.
//
// # One frame
//
// With D[N] the ticks demanded by frame N, a[N] the clock's remainder as a
// fraction of a step, and C the newest state's tick, a Pipelined frame looks for
// the newest pair (C-1, C), advances the clock by the frame time, demands D[N],
// and shows the instant D[N-1] - 1 + a[N-1]: what the single-threaded loop of
// "Fix Your Timestep!" (Glenn Fiedler) shows one frame earlier, to the bit,
// while physics keeps up. Physics works for the next frame while this one is
// drawn, and the render thread never waits.
//
// A Lockstep frame advances, demands, waits for C = D[N], and shows
// D[N] - 1 + a[N]: the same bits as that loop in the same frame.
//
// Whatever physics does, the shown instant never goes back and never beyond the
// newest state. Where steps cost more than a frame the instant lags a little
// more, so that motion stays even; where they cost more than their own time the
// clock slows down.
package renderloop
