package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// normals is the distance in bytes from the vertices of a polygon to its normals.
const normals = 2 * lane

// separations writes the code that sets b to the transformed polygon g, and computes the distance
// of each side of a and of b from the other polygon. The code returns the index of the farthest
// side of a, plus 8 times the index of the farthest side of b. A register has up to four vertices
// of a polygon: x, y, x, y and so on.
func separations(name string, registers int) {
	TEXT(name, NOSPLIT, "func(a, from, b *float32, qs, qc, x, y float32, to *float32, countA, countB int) int")
	a, g := Load(Param("a"), GP64()), Load(Param("from"), GP64())
	b, to := Load(Param("b"), GP64()), Load(Param("to"), GP64())
	sin, cos := param("qs"), param("qc")
	x, y, at := param("x"), param("y"), YMM()
	VUNPCKLPS(y, x, at)
	for i := range registers {
		for _, offset := range [...]int{0, normals} {
			v, across, to := load(Mem{Base: g, Disp: offset + i*lane}), YMM(), YMM()
			VPERMILPS(Imm(0xb1), v, across) // y, x
			VADDSUBPS(mul(across, sin), mul(v, cos), to)
			if offset == 0 {
				VADDPS(at, to, to)
			}
			VMOVUPS(to, Mem{Base: b, Disp: offset + i*lane})
		}
	}
	var far [2]Register
	for s, sides := range [...][2]Register{{a, b}, {b, a}} {
		all := YMM()
		for i := range registers {
			d := apart(sides[0], i*lane, sides[1], registers, Mem{Base: to, Disp: s*lane + i*lane/2})
			if i == 0 {
				VMOVAPS(d.AsY(), all)
			} else {
				VINSERTF128(Imm(1), d, all, all)
			}
		}
		far[s] = farthest(all, [...]string{"countA", "countB"}[s], registers)
	}
	SHLQ(Imm(3), far[1])
	ORQ(far[1], far[0])
	VZEROUPPER()
	Store(far[0], ReturnIndex(0))
	RET()
}

// farthest is the index of the greatest of the first count numbers. Of equal numbers the first
// counts. It ignores NaN.
func farthest(d VecVirtual, count string, registers int) Register {
	m, err := Param(count).Resolve()
	if err != nil {
		panic(err)
	}
	n, none, most := YMM(), YMM(), YMM()
	VPBROADCASTD(m.Addr, n)
	VPCMPGTD(lanes, n, n)
	VXORPS(broadcast(signBit), broadcast(greatest), none)
	VMAXPS(none, d, d)
	VBLENDVPS(n, d, none, d)
	VPERMILPS(Imm(0x4e), d, most)
	VMAXPS(d, most, most)
	swap := YMM()
	VPERMILPS(Imm(0xb1), most, swap)
	VMAXPS(swap, most, most)
	if registers > 1 {
		VPERM2F128(Imm(1), most, most, swap)
		VMAXPS(swap, most, most)
	}
	set, first := GP32(), GP64()
	VCMPPS(Imm(0), d, most, most)
	VMOVMSKPS(most, set)
	BSFL(set, first.As32())
	return first
}

// apart computes the distances of the vertices of another polygon from four sides of a polygon,
// along the normals of the sides.
func apart(of Register, offset int, other Register, registers int, to Mem) VecVirtual {
	n := load(Mem{Base: of, Disp: normals + offset})
	var normal [4]VecVirtual
	for i := range normal {
		normal[i] = YMM()
		VPERMPD(Imm(uint64(0x55*i)), n, normal[i])
	}
	pair := func(a, b VecVirtual) VecVirtual { r := YMM(); VHADDPS(b, a, r); return r }
	var least, none VecVirtual
	for i := range registers {
		var dots [4]VecVirtual // products of a normal and four vertices, x and y apart
		for k := range dots {
			dots[k] = mul(Mem{Base: other, Disp: i * lane}, normal[k])
		}
		low, high := pair(dots[0], dots[1]), pair(dots[2], dots[3])
		even, odd, lower, missing := YMM(), YMM(), YMM(), YMM()
		VSHUFPS(Imm(0x88), high, low, even)
		VSHUFPS(Imm(0xdd), high, low, odd)
		VMINPS(odd, even, lower)
		VCMPPS(Imm(3), odd, even, missing) // one of the two numbers is a NaN
		if i > 0 {
			VMINPS(least, lower, lower)
			VORPS(none, missing, missing)
		}
		least, none = lower, missing
	}
	half := func(r VecVirtual) VecVirtual { h := XMM(); VEXTRACTF128(Imm(1), r, h); return h }
	own := mul(Mem{Base: of, Disp: offset}, n)
	sums, d := pair(own, own), XMM()
	VMINPS(half(least), least.AsX(), d)
	from := XMM()
	VUNPCKLPD(half(sums), sums.AsX(), from)
	VSUBPS(from, d, d)
	VORPS(none.AsX(), d, d)
	VORPS(half(none), d, d)
	VMOVUPS(d, to)
	return d
}
