package netplay

import (
	"crypto/hmac"
	"encoding/binary"
	"math"
	"slices"
)

// A datagram has a token, a kind, and contents. A hello has as its token the digest of the options
// that all programs share, and an answer the nonce of the hello. All datagrams after these two have
// the token that the answer contains.
type token [16]byte

// is reports whether two tokens are equal, in constant time. The zero token is equal to no
// token.
func (t token) is(other token) bool { return t != token{} && hmac.Equal(t[:], other[:]) }

const (
	kindHello   = 1 + iota // a nonce, and padding up to the size of the answer; without padding an attacker could use the host to amplify traffic
	kindAnswer             // the token for all later datagrams, and its epoch
	kindReport             // a report, then tracks
	kindChunk              // theSnapshot or theBodies, the size of all chunks together, the number of the chunk, the bytes of the chunk
	kindHashes             // the number of hashes, the first tick, the hashes; only after a difference between worlds
	kindGoodbye            // the reason
)

const headLen = len(token{}) + 1 // the number of bytes before the contents

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

// goodbyes has the text of each reason, for a guest that receives a goodbye.
var goodbyes = [...]string{
	"the host has left", "the host has left", "no place is free", "this program was too late: the others do not wait for it any longer",
	"the host's world can not be sent", "this program's world differs from the host's", "the host has removed this player",
	"this player was dropped from the match for good", "the others have waited too long for players who came and went: it takes nobody for some seconds",
}

// report describes the state of the program that sends the report.
type report struct {
	seq      uint64             // the number of this report; the first report has 1
	echo     uint64             // seq of the newest report that the sender has received; 0 if it has received none
	held     uint64             // the time from the arrival of the report echo until this report is sent, in µs
	tick     uint64             // the sender's present tick
	seenTick uint64             // the receiver's tick in the newest report that the sender has received
	ready    uint64             // 1 if the sender is a guest that has caught up
	waits    uint64             // 1 + the player for whose input the sender's world waits; 0 if it does not wait
	place    uint64             // the guest's player; 0 in a report of a guest, and until the host knows at which tick the guest begins
	first    uint64             // the first tick for which the guest needs inputs
	size     uint64             // the size of the compressed snapshot with which the guest begins, in bytes; 0 if it begins with the world of Setup
	entry    uint64             // 1 + the first tick for which the guest gives an input; 0 if that tick is not known
	content  uint64             // the data that the sender receives in chunks: theSnapshot or theBodies
	base     uint64             // the number of chunks that have arrived without a gap
	arrived  uint64             // bit i is set if chunk base + 1 + i has arrived
	final    uint64             // 1 + the newest final tick; 0 if there is none
	known    [maxPlayers]uint64 // for each player, the sender has the inputs of all ticks before this tick
	hash     uint64             // the hash of the world at tick final - 1
}

// number is a field of a report, with the greatest value that the field may have.
type number struct {
	is   *uint64
	most uint64
}

// numbers returns the fields of a report except hash and known, in the order in which a datagram
// contains the fields.
func (r *report) numbers(players int) [15]number {
	return [...]number{
		{&r.seq, farthest}, {&r.echo, farthest}, {&r.held, 1 << 32}, {&r.tick, farthest}, {&r.seenTick, farthest}, {&r.ready, 1},
		{&r.waits, uint64(players)}, {&r.place, uint64(players) - 1}, {&r.first, farthest}, {&r.size, mostSnapshot}, {&r.entry, farthest},
		{&r.content, theBodies}, {&r.base, mostSnapshot}, {&r.arrived, math.MaxUint64}, {&r.final, farthest},
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

// reader reads the contents of a datagram. After an error, bad is set and the reader returns
// only zeros.
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

// limited reads a number. It sets bad if the number is greater than most.
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

// farthest is the limit for ticks and for numbers of reports. No match reaches it.
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

// appendTrack appends a player's inputs to b, for the ticks from the parameter from to the tick to
// - 1, up to room bytes. It returns b and the first tick whose input did not fit. Equal inputs of
// successive ticks need the space of one input.
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

// track reads the inputs that appendTrack has appended. While takes returns true for the player,
// track adds the inputs that are not known yet to the player's track, up to the tick room - 1. A
// tick beyond limit is an error. The parameter input is scratch memory with the size of an input.
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
