package netplay

// kept is the number of ticks for which inputs are stored. A guest's snapshot must be newer than
// the oldest of these ticks when it arrives.
const kept = 4096

// track has the inputs of one player, by tick. Each input has a first byte, which is 1 for a player
// and 0 for an empty place, and then Options.InputSize bytes.
type track struct {
	size  int    // the size of an input with its first byte, in bytes
	first uint64 // the tick at which the track has begun
	known uint64 // the inputs of all ticks before this tick are known
	data  []byte // the inputs, by tick modulo kept
}

// newTracks returns a track for each player. The tracks begin at the tick first.
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

// addAbsent adds inputs of an empty place, up to the tick before - 1.
func (t *track) addAbsent(before uint64) {
	for ; t.known < before; t.known++ {
		clear(t.at(t.known))
	}
}
