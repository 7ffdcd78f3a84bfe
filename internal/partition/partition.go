// Package partition divides points of the plane into two groups, for building trees of boxes.
package partition

// Item is an object and its position.
type Item[F float32 | float64] struct {
	At [2]F  // x and y
	Of int32 // Of is the caller's number of the object.
}

// Part moves the n lowest objects to the front of the list. Objects are compared along the
// longer side of the box around all objects. If a position is NaN, the order is arbitrary.
func Part(all []Item[float32], n int) {
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
	Lowest(all, n, side, uint32(len(all)))
}

// Lowest moves the n lowest objects to the front of the list (Hoare's selection), and returns how
// many objects it has compared. Objects are compared along side: 0 is x, 1 is y. The pivot is the
// median of three objects. If random is 0, these are the first, the middle and the last object. If
// it is not 0, their indices are random. The pivot decides the order of objects at equal positions.
// With random 0 some sequences take quadratic time, and programs often create objects in rows.
func Lowest[F float32 | float64](all []Item[F], n, side int, random uint32) (looked int) {
	fixed := random == 0
	for len(all) > 1 && n > 0 && n < len(all) {
		at := [3]int{0, len(all) / 2, len(all) - 1}
		if !fixed {
			for k := range at {
				random = random*1664525 + 1013904223
				at[k] = int(uint64(random) * uint64(len(all)) >> 32)
			}
		}
		a, b, c := all[at[0]].At[side], all[at[1]].At[side], all[at[2]].At[side]
		pivot := max(min(a, b), min(max(a, b), c))
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
