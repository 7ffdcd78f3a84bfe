package netplay

// kept is the number of ticks of which inputs are stored. A guest's snapshot must not be older
// than that when it arrives.
const kept = 4096

// track has the inputs of one player, by tick. An input is a byte, 1 for a player or 0 for
// an empty place, and Options.InputSize bytes.
type track struct {
	size  int    // size of an input in bytes, including its first byte
	first uint64 // the first tick that the track has ever had
	known uint64 // the inputs of all ticks before this one are known
	data  []byte // by tick modulo kept
}

// newTracks returns tracks for a number of players. Their inputs begin at the tick first.
func newTracks(players, size int, first uint64) []track {
	tracks := make([]track, players)
	for i := range tracks {
		tracks[i] = track{size: 1 + size, first: first, known: first, data: make([]byte, kept*(1+size))}
	}
	return tracks
}

func (t *track) at(tick uint64) []byte {
	i := int(tick%kept) * t.size
	return t.data[i : i+t.size]
}

func (t *track) add(input []byte) {
	copy(t.at(t.known), input)
	t.known++
}

// addAbsent adds inputs of an empty place, up to the tick before before.
func (t *track) addAbsent(before uint64) {
	for ; t.known < before; t.known++ {
		clear(t.at(t.known))
	}
}
