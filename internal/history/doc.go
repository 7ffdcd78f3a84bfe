// Package history knows what the loop did to a world, and does it again.
//
// All that the loop does is an [Entry]: a frame begins, a command is applied, a step is
// done, a frame ends. A [Log] carries entries out and hands them to whoever keeps them. A
// [Rewinder] around it goes back to an earlier tick, a [Predictor] around either makes
// entries of the loop's calls and runs ahead, and a [Player] carries out those of a
// recording. A snapshot and the entries since are all it takes to get from one tick to
// another, and these things are made of that:
//
//   - a recording: entries on their way to a [Writer], and a [File] that was read back
//   - a replay: the entries of a File, in place of the loop's
//   - seeking: keyframes, and a replay from the one before the tick
//   - a black box: a [Box] with the last seconds
//   - a rollback: the last ticks, carried out again with other commands
//   - running ahead: predicted steps, which become due or are done again
//
// Nothing here knows of time or pictures. Package engine has the functions that a
// program calls.
package history
