package netplay

// kept is how many ticks of inputs are kept. Who joins a match must be within them of
// the present when the snapshot has arrived.
const kept = 4096

// track has the inputs of one player, by tick. An input is a byte that is 1 where
// somebody plays, and the bytes of the player.
type track struct {
	size  int    // bytes of an input
	first uint64 // tick, the oldest that was ever known
	known uint64 // ticks before it are known
	data  []byte // by tick modulo kept
}

// newTracks are those of so many players, whose inputs begin at a tick.
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

// oldest is the first tick that is still here.
func (t *track) oldest() uint64 { return max(t.first, t.known-min(t.known, kept)) }

func (t *track) add(input []byte) {
	copy(t.at(t.known), input)
	t.known++
}

// addAbsent says that nobody plays in the ticks before one.
func (t *track) addAbsent(before uint64) {
	for ; t.known < before; t.known++ {
		clear(t.at(t.known))
	}
}
