package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// meeting writes the code that finds which of the eight children of some nodes of a packed tree
// meet a box. edges has the edges of all children, and facing is edges.facing of the box. The
// result has eight bits for each node; those of the last node are the highest.
func meeting() {
	open("meetingAVX2", "meetingPlain", "func(edges *uint64, nodes *int32, n int, facing *uint64) uint64")
	edges, nodes := Load(Param("edges"), GP64()), Load(Param("nodes"), GP64())
	facing, word := YMM(), GP64()
	VBROADCASTI128(Mem{Base: Load(Param("facing"), GP64())}, facing)
	XORL(word.As32(), word.As32())
	repeat(Load(Param("n"), GP64()), func() {
		node := GP64()
		MOVLQSX(Mem{Base: nodes}, node)
		SHLQ(Imm(7), node)
		SHRQ(Imm(8), word)
		for half := range 2 {
			first, second, x, y, bits := YMM(), YMM(), YMM(), YMM(), GP64()
			VPSUBQ(Mem{Base: edges, Index: node, Scale: 1, Disp: 64 * half}, facing, first)
			VPSUBQ(Mem{Base: edges, Index: node, Scale: 1, Disp: 64*half + lane}, facing, second)
			VPUNPCKLQDQ(second, first, x)
			VPUNPCKHQDQ(second, first, y)
			VPAND(x, y, x)
			VPSLLQ(Imm(32), x, y)
			VPAND(x, y, x)
			VPERMQ(Imm(0xd8), x, x) // undoes the alternation of the first and the second operand
			VMOVMSKPD(x, bits.As32())
			SHLQ(Imm(uint64(56+4*half)), bits)
			ORQ(bits, word)
		}
		ADDQ(Imm(4), nodes)
	})
	VZEROUPPER()
	Store(word, ReturnIndex(0))
	RET()
}
