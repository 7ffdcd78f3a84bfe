package box

// table is a hash table with open addressing and linear probing. The zero value is empty.
type table struct {
	keys  []uint64 // their number is a power of two, at most two thirds are used; 0 is free
	slots []int32  // by key: what it leads to
	count int
	shift uint
}

// home is where the search for a key starts.
func (p *table) home(key uint64) int {
	return int(key * 0x9e3779b97f4a7c15 >> p.shift) // the golden ratio spreads neighbours
}

// find returns the place of a key, or -1.
func (p *table) find(key uint64) int {
	if len(p.keys) == 0 {
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

// add puts in a key that is not there.
func (p *table) add(key uint64, slot int32) {
	if 3*(p.count+1) > 2*len(p.keys) {
		p.resize(max(64, 2*len(p.keys)))
	}
	mask := len(p.keys) - 1
	i := p.home(key)
	for p.keys[i&mask] != 0 {
		i++
	}
	p.keys[i&mask], p.slots[i&mask] = key, slot
	p.count++
}

// remove takes a key out and closes the hole, so that no search ends early.
func (p *table) remove(key uint64) {
	hole := p.find(key)
	if hole < 0 {
		return
	}
	mask := len(p.keys) - 1
	for i := (hole + 1) & mask; p.keys[i] != 0; i = (i + 1) & mask {
		// A key may move back as far as its home, not beyond.
		if (i-p.home(p.keys[i]))&mask >= (i-hole)&mask {
			p.keys[hole], p.slots[hole] = p.keys[i], p.slots[i]
			hole = i
		}
	}
	p.keys[hole] = 0
	p.count--
}

func (p *table) resize(n int) {
	keys, slots := p.keys, p.slots
	p.keys, p.slots, p.count, p.shift = make([]uint64, n), make([]int32, n), 0, 64
	for ; n > 1; n /= 2 {
		p.shift--
	}
	for i, key := range keys {
		if key != 0 {
			p.add(key, slots[i])
		}
	}
}
