package soft

import (
	"math"
	"unsafe"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
)

// These functions call the AVX2 kernel if the processor supports it (variable wide). Otherwise
// they call the Go code. Slices for the kernel must not be empty. The Go functions, such as
// solvePlain, document the arguments.

func warmStart(batches []batch, states []state) {
	if !wide {
		warmStartPlain(batches, states)
		return
	}
	warmStartAVX2(&batches[0].nx[0], len(batches), &states[0].v.x)
}

// solve makes one pass over batches.
func solve(batches []batch, states []state, with *common, invH float32, bias bool) {
	switch {
	case !wide:
		solvePlain(batches, states, with, invH, bias)
	case bias:
		solveAVX2(&batches[0].nx[0], len(batches), &states[0].v.x, &with.warm, invH)
	default:
		relaxAVX2(&batches[0].nx[0], len(batches), &states[0].v.x, invH)
	}
}

func prepare(batches []batch, contacts []contact, masses []mass, with *common) {
	if !wide {
		preparePlain(batches, contacts, masses, with)
		return
	}
	prepareAVX2(&batches[0].nx[0], len(batches), &contacts[0].normal.x, &masses[0].m, &with.warm)
}

func storeBatches(batches []batch, contacts []contact) {
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

// separateWide calls the kernel to do the work of separate: polygon.load, and separationOf for
// both polygons.
func separateWide(a, g, b *polygon, q rot, at vec) (edgeA int, sepA float32, edgeB int, sepB float32) {
	b.count, b.radius = g.count, g.radius
	var d [2][box2d.B2_maxPolygonVertices]float32
	var far int
	if a.count > 4 || g.count > 4 {
		far = separations8AVX2(&a.v[0].x, &g.v[0].x, &b.v[0].x, q.s, q.c, at.x, at.y, &d[0][0], a.count, g.count)
	} else {
		far = separationsAVX2(&a.v[0].x, &g.v[0].x, &b.v[0].x, q.s, q.c, at.x, at.y, &d[0][0], a.count, g.count)
	}
	edgeA, edgeB = far&7, far>>3&7
	if sepA = d[0][edgeA]; !(sepA > -math.MaxFloat32) { // all numbers are NaN
		edgeA, sepA = 0, math.MaxFloat32
	}
	if sepB = d[1][edgeB]; !(sepB > -math.MaxFloat32) {
		edgeB, sepB = 0, math.MaxFloat32
	}
	return edgeA, sepA, edgeB, sepB
}

// Fetched is the number of rows of a table that are loaded into the cache together. At every
// Fetched-th number of a list, a loop over the list loads the rows that belong to the Fetched
// numbers after the next Fetched numbers.
const Fetched = 16

// fetchedOf returns the number of rows to load for the rest of a list. The result is 0 for tables
// with few rows, which mostly stay in the cache.
func fetchedOf(list, rows int) int {
	if !wide || rows <= 2048 {
		return 0
	}
	return min(list-Fetched, Fetched)
}

// fetchNext loads rows of a table into the cache. They are the rows whose numbers come after the
// first Fetched numbers of a list. Rows in order of age are scattered in memory. If they are
// loaded together, they arrive while the loop works on other rows. An element of the list begins
// with the number of its row, an int32.
func fetchNext[T, E any](table []T, list []E) {
	if n := fetchedOf(len(list), len(table)); n > 0 {
		fetchRows(uintptr(unsafe.Pointer(&table[0])), int(unsafe.Sizeof(table[0])), (*int32)(unsafe.Pointer(&list[Fetched])), int(unsafe.Sizeof(list[0])), n)
	}
}

// fetch loads into the cache the rows of a table whose numbers are in a list.
func fetch[T any](table []T, list []int32) {
	if wide && len(list) > 0 {
		fetchRows(uintptr(unsafe.Pointer(&table[0])), int(unsafe.Sizeof(table[0])), &list[0], 4, len(list))
	}
}

// FetchBodies does the work of fetchNext for the library's bodies.
func (s *Stepper) FetchBodies(list []int32) { fetchBodies(s.set, list) }

// fetchBodies does the work of fetchNext for those fields of the library's bodies that a step
// uses.
func fetchBodies(set *box.World, list []int32) {
	if n := fetchedOf(len(list), len(set.Bodies.All)); n > 0 {
		const written = unsafe.Offsetof(box2d.B2Body{}.M_userData)
		fetchPointed(uintptr(unsafe.Pointer(&set.Bodies.All[0].B)), int(unsafe.Sizeof(set.Bodies.All[0])), &list[Fetched], 4, n, int(written))
	}
}

// fetchPairs loads into the cache the data that the contacts of some pairs need: the fixtures of
// the pairs, and the rows of the first contacts.
func (s *pairs) fetchPairs(keys []uint64) {
	free := s.set.Contacts.Free(Fetched)
	fetch(s.contacts.all, free)
	fetch(s.set.Contacts.Own, free)
	fetch(s.set.Contacts.All, free)
	if n := fetchedOf(len(keys), len(s.shapes.all)); n > 0 {
		const read = unsafe.Sizeof(box2d.B2Fixture{})
		of, size := uintptr(unsafe.Pointer(&s.shapes.all[0].f)), int(unsafe.Sizeof(s.shapes.all[0]))
		first := (*[2]int32)(unsafe.Pointer(&keys[Fetched])) // a key has the numbers of both shapes
		fetchPointed(of, size, &first[0], 8, n, int(read))
		fetchPointed(of, size, &first[1], 8, n, int(read))
	}
}

// fetchChanged does the work of fetchNext for the data of contacts that finishContact reads. It
// also loads the fixtures of the first contacts in the list.
func (s *narrowPhase) fetchChanged(slots []int32) {
	fetchNext(s.contacts.all, slots)
	fetchNext(s.set.Contacts.Own, slots)
	fetchNext(s.set.Contacts.All, slots)
	if n := min(len(slots), Fetched); wide && n > 0 {
		own := &s.set.Contacts.Own[0]
		size, read := int(unsafe.Sizeof(*own)), int(unsafe.Sizeof(box2d.B2Fixture{}))
		fetchPointed(uintptr(unsafe.Pointer(&own.A)), size, &slots[0], 4, n, read)
		fetchPointed(uintptr(unsafe.Pointer(&own.B)), size, &slots[0], 4, n, read)
	}
}

// fetchJoints does the work of fetchNext for the stepper's joints and the library's joints.
func fetchJoints[E any](s *joints, list []E) {
	fetchNext(s.all, list)
	if n := fetchedOf(len(list), len(s.set.Joints.All)); n > 0 {
		const read = unsafe.Offsetof(box2d.B2RevoluteJoint{}.M_indexA)
		of := unsafe.Add(unsafe.Pointer(&s.set.Joints.All[0].J), unsafe.Sizeof(uintptr(0))) // the pointer in the interface J
		fetchPointed(uintptr(of), int(unsafe.Sizeof(s.set.Joints.All[0])), (*int32)(unsafe.Pointer(&list[Fetched])), int(unsafe.Sizeof(list[0])), n, int(read))
	}
}

// fetchExtras does the work of fetchNext for the extras of joints.
func fetchExtras[E any](s *joints, list []E) {
	if n := fetchedOf(len(list), len(s.set.Joints.All)); n > 0 {
		fetchPointed(uintptr(unsafe.Pointer(&s.set.Joints.All[0].Extra)), int(unsafe.Sizeof(s.set.Joints.All[0])), (*int32)(unsafe.Pointer(&list[Fetched])), int(unsafe.Sizeof(list[0])), n, int(unsafe.Sizeof(box.JointExtra{})))
	}
}
