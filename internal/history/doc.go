// Package history records the calls that the physics loop makes to a world, and can carry them out
// again.
//
// Each call is an [Entry]: a frame begins, a command is applied, a step is done, or a frame ends. A
// [Log] carries entries out and passes them to its sinks. A [RollbackLog] around a Log can go back
// to an earlier tick. A [Predictor] around a Log or a RollbackLog turns the loop's calls into
// entries, and runs ahead. A [Player] carries out the entries of a recording. A snapshot and the
// entries after it lead from one tick to another. The following parts consist of them:
//
//   - a recording: entries that a [Writer] writes, and a [File] that was read back
//   - a replay: the entries of a File instead of the loop's entries
//   - seeking: keyframes, and a replay from the keyframe before the tick
//   - a black box: a [Box] with the last seconds
//   - a rollback: the last ticks, carried out again with other commands
//   - running ahead: predicted steps, which become due or are done again
//
// Rollback and running ahead share one list of ticks. The list says at which tick the world is. Each state
// in the list has the snapshots that commands had kept under numbers at that tick ([Kept]).
//
// The package does not handle clocks or rendering. Package engine has the functions that a program
// calls.
package history
