//go:build !amd64 || purego

package soft

// wide tells that the kernel is used, which there is for amd64 only.
var wide = false

func warmStart(batches []batch, states []state) { warmStartPlain(batches, states) }

// solve is one pass over batches.
func solve(batches []batch, states []state, invH float32, bias bool) {
	solvePlain(batches, states, invH, bias)
}

func warmStartPins(batches []pinBatch, states []state) { warmStartPinsPlain(batches, states) }

// solvePins is one pass over batches.
func solvePins(batches []pinBatch, states []state, soft softness, bias bool) {
	solvePinsPlain(batches, states, soft, bias)
}

func prepare(batches []batch, contacts []contact, masses []mass, with *preparation) {
	preparePlain(batches, contacts, masses, with)
}

func store(batches []batch, contacts []contact) { storePlain(batches, contacts) }

func integrateVelocities(states []state, bodies []int32, motions []motion) {
	integrateVelocitiesPlain(states, bodies, motions)
}

func integratePositions(states []state, h, maxSpeed, maxSpin float32) {
	integratePositionsPlain(states, h, maxSpeed, maxSpin)
}
