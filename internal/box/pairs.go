package box

import "math/bits"

// pairs finds the contact of two proxies. It is a hash table with open addressing and linear
// probing. The zero value is empty.
type pairs struct {
	keys  []uint64 // the length is a power of two; at most two thirds of the places are in use; 0 is a free place
	slots []int32  // by key: the number of the contact
	count int
	shift uint
}

// Proxy is the number of a child shape in the tree. In the library's tree it is the ProxyId. If
// World.Soft it is the number in Shapes.All.
type Proxy int32

// Key combines two different proxies into one number, with the lower proxy in the upper half. The
// library creates contacts in the order of these numbers.
func Key(a, b Proxy) uint64 {
	return uint64(min(a, b))<<32 | uint64(max(a, b))
}

// home is the place in the table where the search for a key starts.
func (p *pairs) home(key uint64) int {
	return int(key * 0x9e3779b97f4a7c15 >> (p.shift & 63)) // the golden ratio moves neighbouring keys far apart
}

// place returns the place of a key, or -1.
func (p *pairs) place(key uint64) int {
	if p.count == 0 {
		return -1
	}
	mask := len(p.keys) - 1
	for i := p.home(key); ; i++ {
		switch p.keys[i&mask] {
		case key:
			return i & mask
		case 0:
			return -1
		}
	}
}

// has reports whether a key is in the table.
func (p *pairs) has(key uint64) bool { return p.place(key) >= 0 }

// without returns those of the given keys that are not in the table. It reads several places of the
// table together, because most places are not in the processor's cache.
func (p *pairs) without(keys []uint64) []uint64 {
	if p.count == 0 {
		return keys
	}
	rest, mask := keys[:0], len(p.keys)-1
	var found [16]uint64
	for len(keys) > 0 {
		some := keys[:min(len(keys), len(found))]
		keys = keys[len(some):]
		for i, key := range some {
			found[i] = p.keys[p.home(key)&mask]
		}
		for i, key := range some {
			if found[i] != key && (found[i] == 0 || !p.has(key)) {
				rest = append(rest, key)
			}
		}
	}
	return rest
}

// find returns the number of the contact of a key, or -1.
func (p *pairs) find(key uint64) int32 {
	if i := p.place(key); i >= 0 {
		return p.slots[i]
	}
	return -1
}

// add adds a key that is not in the table.
func (p *pairs) add(key uint64, slot int32) {
	p.grow(1)
	mask := len(p.keys) - 1
	i := p.home(key)
	for p.keys[i&mask] != 0 {
		i++
	}
	p.keys[i&mask], p.slots[i&mask] = key, slot
	p.count++
}

// remove removes a key. It also closes the gap in the table, so that no later search ends too early.
func (p *pairs) remove(key uint64) {
	hole := p.place(key)
	if hole < 0 {
		return
	}
	mask := len(p.keys) - 1
	for i := (hole + 1) & mask; p.keys[i] != 0; i = (i + 1) & mask {
		// A key may move back as far as its home.
		if (i-p.home(p.keys[i]))&mask >= (i-hole)&mask {
			p.keys[hole], p.slots[hole] = p.keys[i], p.slots[i]
			hole = i
		}
	}
	p.keys[hole] = 0
	p.count--
}

// grow allocates memory for n more keys.
func (p *pairs) grow(n int) {
	size := max(64, len(p.keys))
	for 3*(p.count+n) > 2*size {
		size *= 2
	}
	if n <= 0 || size == len(p.keys) {
		return
	}
	old := *p
	*p = pairs{keys: make([]uint64, size), slots: make([]int32, size), shift: uint(64 - bits.TrailingZeros(uint(size)))}
	for i, key := range old.keys {
		if key != 0 {
			p.add(key, old.slots[i])
		}
	}
}
