package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// table declares constants for some registers, eight numbers each.
func table(name string, of ...[8]uint32) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i, lanes := range of {
		for k, x := range lanes {
			DATA(lane*i+4*k, U32(x))
		}
	}
	return m
}

// nearest writes the code that finds, for two polygons of two to four corners (x, y, x, y and
// so on), the corner of one and the side of the other that are nearest to each other. The
// result is 4*corner + side, plus 16 for a corner of a. Of pairs with the same distance the
// first counts. If all distances are NaN, the result is -1. The eight lanes are two corners
// with the four sides of the other polygon.
func nearest() {
	// by the number of corners, from two on: the index at which each side ends, and a mask of
	// missing sides
	const no = 1<<32 - 1
	nexts := table("nexts", [8]uint32{2, 0, 0, 0, 2}, [8]uint32{2, 4, 0, 0, 2, 4}, [8]uint32{2, 4, 6, 0, 2, 4, 6})
	missing := table("missing", [8]uint32{0, no, no, no, 0, no, no, no}, [8]uint32{3: no, 7: no}, [8]uint32{})
	starts := table("starts", [8]uint32{0, 2, 4, 6, 0, 2, 4, 6})
	corners := table("corners", [8]uint32{4: 2, 5: 2, 6: 2, 7: 2}, [8]uint32{4, 4, 4, 4, 6, 6, 6, 6})

	TEXT("nearestAVX2", NOSPLIT, "func(a, b *float32, countA, countB int) int")
	type polygon struct {
		v     Mem
		count Register
	}
	of := func(v, count string) polygon {
		n := Load(Param(count), GP64())
		SHLQ(Imm(5), n)
		return polygon{Mem{Base: Load(Param(v), GP64())}, n}
	}
	a, b := of("a", "countA"), of("b", "countB")
	k := kernel{locals: 8, spill: AllocLocal(8 * lane)}
	least := broadcast(greatest)
	var distances []Mem
	for _, of := range [...][2]polygon{{a, b}, {b, a}} {
		sides, other := of[0], of[1]
		byCount := func(m Mem) VecVirtual {
			address := GP64()
			LEAQ(m, address)
			return load(Mem{Base: address, Index: sides.count, Scale: 1, Disp: -2 * lane})
		}
		pick := func(of polygon, places VecVirtual) (x, y VecVirtual) {
			x, y = YMM(), YMM()
			VPERMPS(of.v, places, x)
			VPADDD(broadcast(oneInt), places, y)
			VPERMPS(of.v, y, y)
			return x, y
		}
		dot := func(ax, ay, bx, by VecVirtual) VecVirtual { return add(mul(ax, bx), mul(ay, by)) }
		x, y := pick(sides, load(starts))
		toX, toY := pick(sides, byCount(nexts))
		sideX, sideY := sub(toX, x), sub(toY, y)
		all := dot(sideX, sideY, sideX, sideY)
		ends := [2]Mem{k.put(toX), k.put(toY)}
		for i := range 2 {
			px, py := pick(other, load(corners.Offset(i*lane)))
			along := dot(sub(px, x), sub(py, y), sideX, sideY)
			part, inside, beyond := YMM(), YMM(), YMM()
			VDIVPS(all, along, part)
			VCMPPS(Imm(0x1e), zero(), along, inside)
			VCMPPS(Imm(0x1d), all, along, beyond)
			at := func(from, side VecVirtual, to Mem) VecVirtual {
				q := add(mul(part, side), from)
				VBLENDVPS(inside, q, from, q)
				VBLENDVPS(beyond, to, q, q)
				return q
			}
			offX, offY := sub(px, at(x, sideX, ends[0])), sub(py, at(y, sideY, ends[1]))
			d := dot(offX, offY, offX, offY)
			VORPS(byCount(missing), d, d)
			VMINPS(least, d, least) // NaN is not less
			distances = append(distances, k.put(d))
		}
	}
	for _, swap := range [...]func(to VecVirtual){
		func(to VecVirtual) { VPERM2F128(Imm(1), least, least, to) },
		func(to VecVirtual) { VPERMILPS(Imm(0x4e), least, to) },
		func(to VecVirtual) { VPERMILPS(Imm(0xb1), least, to) },
	} {
		r := YMM()
		swap(r)
		VMINPS(r, least, least)
	}
	is, found, set := YMM(), GP32(), GP32()
	VCMPPS(Imm(0x11), broadcast(greatest), least, is)
	VANDPS(is, least, least)
	XORL(found, found)
	for i, d := range distances {
		same := YMM()
		VCMPPS(Imm(0), d, least, same)
		VANDPS(is, same, same)
		VMOVMSKPS(same, set)
		SHLL(Imm(uint64(8*i)), set)
		ORL(set, found)
	}
	first, nowhere := GP64(), GP64()
	MOVQ(I64(-1), nowhere)
	BSFQ(found.As64(), first)
	CMOVQEQ(nowhere, first)
	VZEROUPPER()
	Store(first, ReturnIndex(0))
	RET()
}
