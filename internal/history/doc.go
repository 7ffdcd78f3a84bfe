// Package history records the calls of the physics loop to a world, and carries them out again.
//
// Each of these calls is an [Entry]: a frame begins, a command is applied, a step is done, a frame
// ends. A [Log] carries entries out and passes them to its sinks. A [RollbackLog] around a Log goes
// back to an earlier tick. A [Predictor] around either turns the loop's calls into entries and runs
// ahead. A [Player] carries out the entries of a recording. A snapshot and the entries after it
// lead from one tick to another, and the following parts are made of them:
//
//   - a recording: entries on their way to a [Writer], and a [File] that was read back
//   - a replay: the entries of a File, in place of the loop's
//   - seeking: keyframes, and a replay from the one before the tick
//   - a black box: a [Box] with the last seconds
//   - a rollback: the last ticks, carried out again with other commands
//   - running ahead: predicted steps, which become due or are done again
//
// Rollback and running ahead share one list of ticks, which says where the world is. The snapshots
// that commands keep under numbers ([Kept]) belong to each of these states.
//
// The package does not deal with clocks or rendering. Package engine has the functions that a
// program calls.
package history
