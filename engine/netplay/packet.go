package netplay

import (
	"crypto/hmac"
	"encoding/binary"
	"math"
	"slices"
)

// A datagram is a token, its kind, and what follows. The token of a hello is the digest
// of the options that must be the same; that of an answer is what the hello asked for.
type token [16]byte

// is compares in a time that tells a stranger nothing. No token is the zero one.
func (t token) is(other token) bool { return t != token{} && hmac.Equal(t[:], other[:]) }

const (
	kindHello   = 1 + iota // the nonce that the answer begins with, and padding up to the answer's size
	kindAnswer             // the token of all that follows, and its epoch
	kindReport             // a report, then tracks
	kindChunk              // the kind of content, its size, the number of the chunk, its bytes
	kindHashes             // how many, the first tick, the hashes: they differ
	kindGoodbye            // why
)

const head = len(token{}) + 1

// The reasons of a goodbye.
const (
	left = 1 + iota
	full
	behind
	unsent
	differs
	removed
	barred
	later
)

// goodbyes are they in words, to a guest.
var goodbyes = [...]string{
	"the host has left", "the host has left", "no place is free", "this program was too late: the others do not wait for it any longer",
	"the host's world can not be sent", "this program's world differs from the host's", "the host has removed this player",
	"this player was dropped from the match for good", "the others have waited too long for players who came and went: it takes nobody for some seconds",
}

// report is where a program is.
type report struct {
	seq   uint64             // number of the datagram, from 1
	echo  uint64             // the newest that has come from the other side, or 0
	held  uint64             // since then, µs
	tick  uint64             // the present one
	saw   uint64             // the newest one known of the other side
	ready uint64             // 1 in a guest whose engine is at the present
	waits uint64             // the player whose input its world waits for, from 1; or 0
	place uint64             // which player the guest is; 0 from a guest
	first uint64             // tick of which the guest needs inputs
	size  uint64             // bytes of the snapshot before that tick; 0 if it begins with what Setup has built
	entry uint64             // the first tick that the guest gives an input for, and 1; or 0
	what  uint64             // what it now receives in chunks: theSnapshot or theBodies
	base  uint64             // how many of the first chunks have come
	come  uint64             // and which of those after the next, a bit each
	final uint64             // the newest final tick with a hash, and 1; or 0
	known [maxPlayers]uint64 // by player: it has the inputs of the ticks before this one
	hash  uint64             // of the world at the tick that final says
}

// number is a field of a report, with the largest value that it can have.
type number struct {
	is   *uint64
	most uint64
}

// numbers are those of a report in their order on the way, with the largest that they can be.
func (r *report) numbers(players int) [15]number {
	return [...]number{
		{&r.seq, farthest}, {&r.echo, farthest}, {&r.held, 1 << 32}, {&r.tick, farthest}, {&r.saw, farthest}, {&r.ready, 1},
		{&r.waits, uint64(players)}, {&r.place, uint64(players) - 1}, {&r.first, farthest}, {&r.size, mostSnapshot}, {&r.entry, farthest},
		{&r.what, theBodies}, {&r.base, mostSnapshot}, {&r.come, math.MaxUint64}, {&r.final, farthest},
	}
}

func appendReport(b []byte, r *report, players int) []byte {
	for _, n := range r.numbers(players) {
		b = binary.AppendUvarint(b, *n.is)
	}
	if r.final > 0 {
		b = binary.LittleEndian.AppendUint64(b, r.hash)
	}
	least := slices.Min(r.known[:players])
	b = binary.AppendUvarint(b, least)
	for _, n := range r.known[:players] {
		b = binary.AppendUvarint(b, n-least)
	}
	return b
}

// reader reads what others have sent. After something that cannot be, bad is set and all
// else is 0.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) fail() { r.b, r.bad = nil, true }

func (r *reader) uint() uint64 {
	n, size := binary.Uvarint(r.b)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.b = r.b[size:]
	return n
}

// limited is uint for numbers up to a limit.
func (r *reader) limited(most uint64) uint64 {
	n := r.uint()
	if n > most {
		r.fail()
		return 0
	}
	return n
}

func (r *reader) bytes(n int) []byte {
	if n > len(r.b) {
		r.fail()
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) word() uint64 {
	if b := r.bytes(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// farthest is a tick that no match reaches.
const farthest = 1 << 48

func (r *reader) report(players int) (p report) {
	for _, n := range p.numbers(players) {
		*n.is = r.limited(n.most)
	}
	if p.final > 0 {
		p.hash = r.word()
	}
	least := r.limited(farthest)
	for i := range players {
		p.known[i] = least + r.limited(farthest)
	}
	return p
}

// appendTrack appends the inputs of a player from a tick on, as far as there is room, and
// returns the first tick that there was none for. Equal inputs that follow each other
// take the room of one.
func appendTrack(b []byte, player int, t *track, from, to uint64, room int) ([]byte, uint64) {
	if room < 12+t.size+10 {
		return b, from
	}
	end := len(b) + room
	b = binary.AppendUvarint(append(b, byte(player)), from)
	for from < to && len(b)+5+t.size < end {
		first, n := t.at(from), uint64(1)
		for from+n < to && string(t.at(from+n)) == string(first) {
			n++
		}
		b = binary.AppendUvarint(b, n<<1|uint64(first[0]))
		if first[0] == 1 {
			b = append(b, first[1:]...)
		}
		from += n
	}
	return append(b, 0), from
}

// track reads what appendTrack has appended. What follows what the track knows is added to
// it, up to room. A tick beyond limit fails. input is scratch.
func (r *reader) track(tracks []track, input []byte, takes func(player int) bool, room, limit uint64) {
	player := int(r.limited(uint64(len(tracks)) - 1))
	tick := r.limited(farthest)
	if r.bad {
		return
	}
	t := &tracks[player]
	add := takes(player) && tick <= t.known
	for first, run := tick, r.uint(); run != 0; run = r.uint() {
		clear(input)
		if input[0] = byte(run & 1); input[0] == 1 {
			copy(input[1:], r.bytes(t.size-1))
		}
		n := run >> 1
		if r.bad || n == 0 || n > kept || tick+n > min(limit, first+kept) {
			r.fail()
			return
		}
		for tick += n; add && t.known < min(tick, room); {
			t.add(input)
		}
	}
}
