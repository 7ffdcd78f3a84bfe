package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// In bytes. A contact has its bodies and shapes in pairs.
const (
	contactSize   = 176
	poseSize      = 32
	contactBodies = 24
	contactShapes = 128
	geometrySize  = 176
	bodySize      = 64 // it begins with where the library's body is
)

// fetchBodies brings n of the library's bodies into the cache: the lines that a step writes.
func fetchBodies() {
	TEXT("fetchBodies", NOSPLIT, "func(bodies **float32, list *int32, n int)")
	bodies, list := Load(Param("bodies"), GP64()), Load(Param("list"), GP64())
	repeat(Load(Param("n"), GP64()), func() {
		b := offset(Mem{Base: list}, bodySize)
		MOVQ(Mem{Base: bodies, Index: b, Scale: 1}, b)
		for _, line := range [...]int{0, 64, 128, 256} {
			PREFETCHT0(Mem{Base: b, Disp: line})
		}
		ADDQ(Imm(4), list)
	})
	RET()
}

// fetchContacts brings n contacts into the cache.
func fetchContacts() {
	TEXT("fetchContacts", NOSPLIT, "func(contacts *float32, slots *int32, n int)")
	contacts, slots := Load(Param("contacts"), GP64()), Load(Param("slots"), GP64())
	repeat(Load(Param("n"), GP64()), func() {
		c := offset(Mem{Base: slots}, contactSize)
		for _, line := range [...]int{0, 64, 128, contactSize - 1} {
			PREFETCHT0(Mem{Base: contacts, Index: c, Scale: 1, Disp: line})
		}
		ADDQ(Imm(4), slots)
	})
	RET()
}

// fetchSides brings into the cache what the narrow phase reads of the bodies and shapes of n
// contacts, which are there.
func fetchSides() {
	TEXT("fetchSides", NOSPLIT, "func(contacts *float32, slots *int32, n int, poses, geometries *float32)")
	contacts, slots := Load(Param("contacts"), GP64()), Load(Param("slots"), GP64())
	n := Load(Param("n"), GP64())
	poses, geometries := Load(Param("poses"), GP64()), Load(Param("geometries"), GP64())
	repeat(n, func() {
		c := offset(Mem{Base: slots}, contactSize)
		ADDQ(contacts, c)
		for _, i := range [...]int{0, 4} {
			PREFETCHT0(Mem{Base: poses, Index: offset(Mem{Base: c, Disp: contactBodies + i}, poseSize), Scale: 1})
			g := offset(Mem{Base: c, Disp: contactShapes + i}, geometrySize)
			PREFETCHT0(Mem{Base: geometries, Index: g, Scale: 1})
			PREFETCHT0(Mem{Base: geometries, Index: g, Scale: 1, Disp: 64})
		}
		ADDQ(Imm(4), slots)
	})
	RET()
}

// fetchLater brings into the cache what the contacts of the batch after the next one have at
// some offsets; those of this one if there are no two more.
func (k *kernel) fetchLater(lines ...int) {
	later := GP64()
	LEAQ(k.of(2*k.size), later)
	CMPQ(k.n, Imm(2))
	CMOVQLE(k.batch, later)
	for l := range 8 {
		c := GP64()
		MOVL(Mem{Base: later, Disp: contactIndex + 4*l}, c.As32())
		for _, line := range lines {
			PREFETCHT0(Mem{Base: k.states, Index: c, Scale: 1, Disp: line})
		}
	}
}

// offset is where the thing is in a table whose number is at m.
func offset(m Mem, size int) GPVirtual {
	r := GP64()
	MOVLQSX(m, r)
	IMUL3Q(U32(size), r, r)
	return r
}
