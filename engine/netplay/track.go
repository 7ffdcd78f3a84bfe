package netplay

// kept is the number of ticks whose inputs are kept. A guest's snapshot must not be older than
// that when it arrives.
const kept = 4096

// track has the inputs of one player, by tick. An input is a byte, 1 for a player or 0 for
// an empty place, and Options.InputSize bytes.
type track struct {
	size  int    // bytes of an input, with the first
	first uint64 // the first tick that the track ever had
	known uint64 // the inputs of the ticks before it are known
	data  []byte // by tick modulo kept
}

// newTracks returns tracks for a number of players; their inputs begin at the tick first.
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

// addAbsent adds inputs of an empty place up to before a tick.
func (t *track) addAbsent(before uint64) {
	for ; t.known < before; t.known++ {
		clear(t.at(t.known))
	}
}
