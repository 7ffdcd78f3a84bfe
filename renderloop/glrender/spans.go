package glrender

import "halfstep/buffer"

// maxSpans is how many parts of the states a frame uploads at most. It bounds the GL
// calls of a frame.
const maxSpans = 3

// span is a part of the states: from a slot up to another.
type span struct{ from, to int }

// spans finds the parts of n states that have changed since a serial: at most
// maxSpans, with as little between them as can be. There is none where all of them
// are more than half of the states. One upload of everything is then the cheaper one.
func spans(s *buffer.Stamps, serial uint64, n int) (found [maxSpans]span, count int, all bool) {
	// The widest gaps between changed slots, in order of their places.
	var gaps [maxSpans - 1]span
	wide, total, first, last := 0, 0, -1, -1
	for i := range s.Since(serial) {
		if first < 0 {
			first, last = i, i
			continue
		}
		if i > last+1 {
			gap := span{last + 1, i}
			if wide == len(gaps) {
				least := 0
				for k := range gaps {
					if gaps[k].to-gaps[k].from < gaps[least].to-gaps[least].from {
						least = k
					}
				}
				if gap.to-gap.from > gaps[least].to-gaps[least].from {
					copy(gaps[least:], gaps[least+1:])
					gaps[wide-1] = gap
				}
			} else {
				gaps[wide] = gap
				wide++
			}
		}
		last = i
	}
	if first < 0 {
		return found, 0, false
	}
	from := first
	for _, g := range gaps[:wide] {
		found[count] = span{from, g.from}
		total += g.from - from
		from = g.to
		count++
	}
	found[count] = span{from, last + 1}
	total += last + 1 - from
	return found, count + 1, 2*total > n
}
