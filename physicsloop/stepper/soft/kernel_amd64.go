//go:build !purego

package soft

import "golang.org/x/sys/cpu"

// The kernel works on eight contacts at once. Its code is written by
// tools/softkernel.
//
//go:generate sh -c "cd ../../../tools/softkernel && go run . -out ../../physicsloop/stepper/soft/kernel_amd64.s"

// wide tells that the kernel is used. A test turns it off.
var wide = cpu.X86.HasAVX2

//go:noescape
func warmStartAVX2(batches *float32, n int, states *float32)

//go:noescape
func solveAVX2(batches *float32, n int, states *float32, invH float32)

//go:noescape
func relaxAVX2(batches *float32, n int, states *float32, invH float32)

func warmStart(batches []batch, states []state) {
	if !wide {
		warmStartPlain(batches, states)
		return
	}
	warmStartAVX2(&batches[0].nx[0], len(batches), &states[0].v.x)
}

// solve is one pass over batches.
func solve(batches []batch, states []state, invH float32, bias bool) {
	switch {
	case !wide:
		solvePlain(batches, states, invH, bias)
	case bias:
		solveAVX2(&batches[0].nx[0], len(batches), &states[0].v.x, invH)
	default:
		relaxAVX2(&batches[0].nx[0], len(batches), &states[0].v.x, invH)
	}
}

//go:noescape
func warmStartPinsAVX2(batches *float32, n int, states *float32)

//go:noescape
func solvePinsAVX2(batches *float32, n int, states *float32, biasRate, massScale, impulseScale float32)

//go:noescape
func relaxPinsAVX2(batches *float32, n int, states *float32)

func warmStartPins(batches []pinBatch, states []state) {
	if !wide {
		warmStartPinsPlain(batches, states)
		return
	}
	warmStartPinsAVX2(&batches[0].mA[0], len(batches), &states[0].v.x)
}

// solvePins is one pass over batches.
func solvePins(batches []pinBatch, states []state, soft softness, bias bool) {
	switch {
	case !wide:
		solvePinsPlain(batches, states, soft, bias)
	case bias:
		solvePinsAVX2(&batches[0].mA[0], len(batches), &states[0].v.x, soft.biasRate, soft.massScale, soft.impulseScale)
	default:
		relaxPinsAVX2(&batches[0].mA[0], len(batches), &states[0].v.x)
	}
}

//go:noescape
func prepareAVX2(batches *float32, n int, contacts, masses, with *float32)

//go:noescape
func storeAVX2(batches *float32, n int, contacts *float32)

//go:noescape
func integrateVelocitiesAVX2(states *float32, bodies *int32, n int, motions *float32)

//go:noescape
func integratePositionsAVX2(states *float32, n int, h, maxSpeed, maxSpin float32)

func prepare(batches []batch, contacts []contact, masses []mass, with *preparation) {
	if !wide {
		preparePlain(batches, contacts, masses, with)
		return
	}
	prepareAVX2(&batches[0].nx[0], len(batches), &contacts[0].normal.x, &masses[0].m, &with.warm)
}

func store(batches []batch, contacts []contact) {
	if !wide {
		storePlain(batches, contacts)
		return
	}
	storeAVX2(&batches[0].nx[0], len(batches), &contacts[0].normal.x)
}

func integrateVelocities(states []state, bodies []int32, motions []motion) {
	if !wide {
		integrateVelocitiesPlain(states, bodies, motions)
		return
	}
	integrateVelocitiesAVX2(&states[0].v.x, &bodies[0], len(bodies), &motions[0].v.x)
}

func integratePositions(states []state, h, maxSpeed, maxSpin float32) {
	if n := len(states) / lanes; wide && n > 0 {
		integratePositionsAVX2(&states[0].v.x, n, h, maxSpeed, maxSpin)
		states = states[n*lanes:]
	}
	integratePositionsPlain(states, h, maxSpeed, maxSpin)
}
