package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Sizes and offsets in package soft's tables, in bytes. A contact has its two bodies side by side,
// and its two shapes.
const (
	contactSize   = 176
	poseSize      = 32
	contactBodies = 24
	contactShapes = 128
	geometrySize  = 176
)

// fetchRows writes the code that loads rows of a table into the cache. A list has the numbers of
// the n rows, and stride is the distance in bytes from one number to the next.
func fetchRows() {
	TEXT("fetchRows", NOSPLIT, "func(table uintptr, size int, list *int32, stride, n int)")
	fetchListed("table", "size", func(_ Register) {})
}

// fetchPointed writes similar code for length bytes behind a pointer in each row.
func fetchPointed() {
	TEXT("fetchPointed", NOSPLIT, "func(pointers uintptr, size int, list *int32, stride, n, length int)")
	fetchListed("pointers", "length", func(row Register) { MOVQ(Mem{Base: row}, row) })
}

// fetchListed writes the code that fetchRows and fetchPointed share. first and bytes are the names
// of the parameters with the table and with the number of bytes to load. follow turns the address
// of a row into the address of these bytes.
func fetchListed(first, bytes string, follow func(row Register)) {
	table, size := Load(Param(first), GP64()), Load(Param("size"), GP64())
	list, stride := Load(Param("list"), GP64()), Load(Param("stride"), GP64())
	length := Load(Param(bytes), GP64())
	repeat(Load(Param("n"), GP64()), func() {
		row, end := GP64(), GP64()
		MOVLQSX(Mem{Base: list}, row)
		IMULQ(size, row)
		ADDQ(table, row)
		follow(row)
		LEAQ(Mem{Base: row, Index: length, Scale: 1, Disp: -1}, end)
		Label("line")
		PREFETCHT0(Mem{Base: row})
		ADDQ(Imm(64), row)
		CMPQ(row, end)
		JLT(LabelRef("line"))
		PREFETCHT0(Mem{Base: end})
		ADDQ(stride, list)
	})
	RET()
}

// fetchSides writes the code that loads the data of the bodies and shapes of n contacts into the
// cache, for the narrow phase. The contacts themselves are in the cache.
func fetchSides() {
	TEXT("fetchSides", NOSPLIT, "func(contacts *float32, slots *int32, n int, poses *float32, forms *int32, geometries *float32)")
	contacts, slots := Load(Param("contacts"), GP64()), Load(Param("slots"), GP64())
	n := Load(Param("n"), GP64())
	poses, forms := Load(Param("poses"), GP64()), Load(Param("forms"), GP64())
	geometries := Load(Param("geometries"), GP64())
	repeat(n, func() {
		c := offset(Mem{Base: slots}, contactSize)
		ADDQ(contacts, c)
		for _, i := range [...]int{0, 4} {
			PREFETCHT0(Mem{Base: poses, Index: offset(Mem{Base: c, Disp: contactBodies + i}, poseSize), Scale: 1})
			shape := GP64()
			MOVLQSX(Mem{Base: c, Disp: contactShapes + i}, shape)
			g := offset(Mem{Base: forms, Index: shape, Scale: 4}, geometrySize)
			PREFETCHT0(Mem{Base: geometries, Index: g, Scale: 1})
			PREFETCHT0(Mem{Base: geometries, Index: g, Scale: 1, Disp: 64})
		}
		ADDQ(Imm(4), slots)
	})
	RET()
}

// fetchLater loads some lines of contacts into the cache, which are at the given offsets. They are
// the contacts of the batch after the next one, or of the present batch near the end.
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

// offset is the offset of an entry in a table. m has the number of the entry, and size is the size
// of an entry.
func offset(m Mem, size int) GPVirtual {
	r := GP64()
	MOVLQSX(m, r)
	IMUL3Q(U32(size), r, r)
	return r
}
