// Package halving cuts what is placed in the plane in two, as trees of boxes need it.
package halving

// Placed is a thing with where it is.
type Placed struct {
	At [2]float32
	Of int32
}

// Part moves the n lowest of some things to the front: lowest along the longer side of
// the box around all of them. Where a place is not a number, the order is any.
func Part(all []Placed, n int) {
	left, low := all[0].At[0], all[0].At[1]
	right, high := left, low
	for i := range all {
		x, y := all[i].At[0], all[i].At[1]
		if x < left {
			left = x
		} else if x > right {
			right = x
		}
		if y < low {
			low = y
		} else if y > high {
			high = y
		}
	}
	side := 0
	if high-low > right-left {
		side = 1
	}
	part(all, n, side)
}

// part is Part along one side (Hoare's selection). It returns how many things it has
// looked at. Pivots are taken at random: things are often made in rows, and with pivots
// from fixed places some rows take a time that grows with the square of their length.
func part(all []Placed, n, side int) (looked int) {
	random := uint32(len(all))
	for len(all) > 1 && n > 0 && n < len(all) {
		var p [3]float32
		for k := range p {
			random = random*1664525 + 1013904223
			p[k] = all[uint64(random)*uint64(len(all))>>32].At[side]
		}
		pivot := max(min(p[0], p[1]), min(max(p[0], p[1]), p[2]))
		looked += len(all)
		i, k := 0, len(all)-1
		for i <= k {
			for all[i].At[side] < pivot {
				i++
			}
			for all[k].At[side] > pivot {
				k--
			}
			if i <= k {
				all[i], all[k] = all[k], all[i]
				i++
				k--
			}
		}
		switch {
		case n <= k:
			all = all[:k+1]
		case n >= i:
			all, n = all[i:], n-i
		default:
			return looked
		}
	}
	return looked
}
