package box

// pairs finds the contact of two proxies. The zero value is empty.
//
// Who looks for the pairs of a proxy looks for all of them. So a key is in the line of the
// greater proxy, which is a cache line, or in a table of what has found its line full: those
// of a proxy with very many contacts, and some others.
type pairs struct {
	lines [][lineKeys]uint64 // their number is a power of two; 0 is free
	slots [][lineKeys]int32  // by key: the number of the contact
	more  table
	count int
	shift uint
}

const (
	lineKeys = 8
	mostKeys = 5 // for each line
)

// Key makes one number of two different proxies, with the lower one in the
// upper half. The library creates contacts in the order of these numbers.
func Key(a, b int32) uint64 {
	return uint64(min(a, b))<<32 | uint64(max(a, b))
}

// line is that of the greater proxy of a key.
func (p *pairs) line(key uint64) int {
	return int(uint64(uint32(key)) * 0x9e3779b97f4a7c15 >> (p.shift & 63)) // the golden ratio spreads neighbours
}

// has reports whether a key is there. Where in its line is hard to foresee, so there is no
// branch.
func (p *pairs) has(key uint64) bool {
	if len(p.lines) == 0 {
		return false
	}
	line, hits := &p.lines[p.line(key)], 0
	for i := 0; i < lineKeys; i += 4 {
		hits |= one(line[i] == key) | one(line[i+1] == key) | one(line[i+2] == key) | one(line[i+3] == key)
	}
	return hits != 0 || p.more.find(key) >= 0
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// find returns the contact of a key, or -1.
func (p *pairs) find(key uint64) int32 {
	if len(p.lines) == 0 {
		return -1
	}
	l := p.line(key)
	for i, k := range &p.lines[l] {
		if k == key {
			return p.slots[l][i]
		}
	}
	if i := p.more.find(key); i >= 0 {
		return p.more.slots[i]
	}
	return -1
}

// add puts in a key that is not there.
func (p *pairs) add(key uint64, slot int32) {
	p.grow(1)
	p.count++
	p.put(key, slot)
}

func (p *pairs) put(key uint64, slot int32) {
	l := p.line(key)
	for i, k := range &p.lines[l] {
		if k == 0 {
			p.lines[l][i], p.slots[l][i] = key, slot
			return
		}
	}
	p.more.add(key, slot)
}

func (p *pairs) remove(key uint64) {
	if len(p.lines) == 0 {
		return
	}
	l := p.line(key)
	for i, k := range &p.lines[l] {
		if k == key {
			p.lines[l][i] = 0
			p.count--
			return
		}
	}
	was := p.more.count
	p.more.remove(key)
	p.count -= was - p.more.count
}

// grow makes room for that many more keys.
func (p *pairs) grow(n int) {
	size := max(8, len(p.lines))
	for p.count+n > mostKeys*size {
		size *= 2
	}
	if n <= 0 || size == len(p.lines) {
		return
	}
	old := *p
	*p = pairs{lines: make([][lineKeys]uint64, size), slots: make([][lineKeys]int32, size), count: old.count, shift: 64}
	for ; size > 1; size /= 2 {
		p.shift--
	}
	for l := range old.lines {
		for i, key := range old.lines[l] {
			if key != 0 {
				p.put(key, old.slots[l][i])
			}
		}
	}
	for i, key := range old.more.keys {
		if key != 0 {
			p.put(key, old.more.slots[i])
		}
	}
}
