// Package pairset is a set of pairs of proxies.
package pairset

// Set is a set of pairs of proxies: a hash table with open addressing and
// linear probing. The zero value is empty.
type Set struct {
	slots []uint64 // their number is a power of two, at most half are used; 0 is free
	count int
	shift uint
}

// Key makes one number of two different proxies, with the lower one in the
// upper half. The library creates contacts in the order of these numbers.
func Key(a, b int32) uint64 {
	return uint64(min(a, b))<<32 | uint64(max(a, b))
}

// home is the slot where the search for a key starts.
func (s *Set) home(key uint64) int {
	return int(key * 0x9e3779b97f4a7c15 >> s.shift) // the golden ratio spreads neighbours
}

// Has reports whether key is in the set.
func (s *Set) Has(key uint64) bool {
	if len(s.slots) == 0 {
		return false
	}
	mask := len(s.slots) - 1
	for i := s.home(key); ; i = (i + 1) & mask {
		switch s.slots[i&mask] {
		case key:
			return true
		case 0:
			return false
		}
	}
}

// Add puts key into the set.
func (s *Set) Add(key uint64) {
	if 2*(s.count+1) > len(s.slots) {
		s.resize(max(64, 2*len(s.slots)))
	}
	mask := len(s.slots) - 1
	i := s.home(key)
	for s.slots[i] != 0 {
		if s.slots[i] == key {
			return
		}
		i = (i + 1) & mask
	}
	s.slots[i] = key
	s.count++
}

// Remove takes a key out and closes the hole, so that no search ends early.
func (s *Set) Remove(key uint64) {
	if !s.Has(key) {
		return
	}
	mask := len(s.slots) - 1
	hole := s.home(key)
	for s.slots[hole] != key {
		hole = (hole + 1) & mask
	}
	for i := (hole + 1) & mask; s.slots[i] != 0; i = (i + 1) & mask {
		// A key may move back as far as its home, not beyond.
		if (i-s.home(s.slots[i]))&mask >= (i-hole)&mask {
			s.slots[hole] = s.slots[i]
			hole = i
		}
	}
	s.slots[hole] = 0
	s.count--
}

// Clear empties the set.
func (s *Set) Clear() {
	clear(s.slots)
	s.count = 0
}

func (s *Set) resize(slots int) {
	old := s.slots
	s.slots, s.count, s.shift = make([]uint64, slots), 0, 64
	for n := slots; n > 1; n /= 2 {
		s.shift--
	}
	for _, key := range old {
		if key != 0 {
			s.Add(key)
		}
	}
}
