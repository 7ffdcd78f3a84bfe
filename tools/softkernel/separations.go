package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// normals is where the normals of a polygon are, behind its vertices.
const normals = 2 * lane

// separations puts polygon g where its body is, as b, and computes how far each side of
// a and of b is from the other polygon. None of them has more than four vertices, which lie
// in one register: x, y, x, y and so on.
func separations() {
	TEXT("separationsAVX2", NOSPLIT, "func(a, from, b *float32, qs, qc, x, y float32, to *float32)")
	a, g := Load(Param("a"), GP64()), Load(Param("from"), GP64())
	b, to := Load(Param("b"), GP64()), Load(Param("to"), GP64())
	sin, cos := param("qs"), param("qc")
	x, y, at := param("x"), param("y"), YMM()
	VUNPCKLPS(y, x, at)
	turned := func(offset int) VecVirtual {
		v, across, to := load(Mem{Base: g, Disp: offset}), YMM(), YMM()
		VPERMILPS(Imm(0xb1), v, across) // y, x
		VADDSUBPS(mul(across, sin), mul(v, cos), to)
		return to
	}
	bv, bn := add(turned(0), at), turned(normals)
	VMOVUPS(bv, Mem{Base: b})
	VMOVUPS(bn, Mem{Base: b, Disp: normals})
	av, an := load(Mem{Base: a}), load(Mem{Base: a, Disp: normals})
	apart(an, av, bv, Mem{Base: to})
	apart(bn, bv, av, Mem{Base: to, Disp: lane / 2})
	VZEROUPPER()
	RET()
}

// apart computes how far the vertices others are along the normals n, from v.
func apart(n, v, others VecVirtual, to Mem) {
	var dots [4]VecVirtual // of a normal and all others, x and y apart
	for i := range dots {
		r := YMM()
		VPERMPD(Imm(uint64(0x55*i)), n, r)
		dots[i] = mul(r, others)
	}
	pair := func(a, b VecVirtual) VecVirtual { r := YMM(); VHADDPS(b, a, r); return r }
	low, high := pair(dots[0], dots[1]), pair(dots[2], dots[3])
	even, odd, least, none := YMM(), YMM(), YMM(), YMM()
	VSHUFPS(Imm(0x88), high, low, even)
	VSHUFPS(Imm(0xdd), high, low, odd)
	VMINPS(odd, even, least)
	VCMPPS(Imm(3), odd, even, none) // one of them is no number
	half := func(r VecVirtual) VecVirtual { h := XMM(); VEXTRACTF128(Imm(1), r, h); return h }
	own := mul(n, v)
	sums, d := pair(own, own), XMM()
	VMINPS(half(least), least.AsX(), d)
	from := XMM()
	VUNPCKLPD(half(sums), sums.AsX(), from)
	VSUBPS(from, d, d)
	VORPS(none.AsX(), d, d)
	VORPS(half(none), d, d)
	VMOVUPS(d, to)
}
