package soft

func warmStart(batches []batch, states []state) { warmStartPlain(batches, states) }

func solve(batches []batch, states []state, invH float32, bias bool) {
	solvePlain(batches, states, invH, bias)
}
