// Package history records the calls that the physics loop makes to a world, and makes them again.
//
// Each of these calls is an [Entry]: a frame begins, a command is applied, a step is done, a frame
// ends. A [Log] carries entries out and hands them to its keepers. A [Rewinder] around a Log goes
// back to an earlier tick, a [Predictor] around either turns the loop's calls into entries and runs
// ahead, and a [Player] carries out the entries of a recording. A snapshot and the entries since
// then are all it takes to get from one tick to another, and these things are made of that:
//
//   - a recording: entries on their way to a [Writer], and a [File] that was read back
//   - a replay: the entries of a File, in place of the loop's
//   - seeking: keyframes, and a replay from the one before the tick
//   - a black box: a [Box] with the last seconds
//   - a rollback: the last ticks, carried out again with other commands
//   - running ahead: predicted steps, which become due or are done again
//
// The ticks of the last two are one list, which says where the world is. What a run keeps under
// numbers, for commands, goes with each of all these states ([Kept]).
//
// The package does not deal with clocks or rendering. Package engine has the functions that a
// program calls.
package history
