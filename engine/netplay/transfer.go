package netplay

import "time"

// Data that are larger than a datagram are sent in chunks. Each chunk is sent again and again
// until the receiver reports its arrival.
const (
	chunkSize    = 1100 // bytes
	chunksAhead  = 64   // how many chunks may be sent beyond the first one that has not arrived: each has a bit in arrived
	chunksAtOnce = 8    // in one call of due
	// chunksPerSecond is the number for all peers together: half a megabyte a second.
	chunksPerSecond = 500
)

// the kinds of data that are sent in chunks, in the order in which a peer gets them
const (
	theSnapshot = iota
	theBodies
)

// outgoing has data that are being sent to a peer.
type outgoing struct {
	content uint64 // theSnapshot or theBodies
	data    []byte
	base    int                            // all chunks before this one have arrived
	arrived uint64                         // bit i: chunk base + 1 + i has arrived
	sent    [chunksAhead + 1]time.Duration // when each chunk was sent, by its number modulo the length; 0 means not yet
}

func (o *outgoing) chunks() int { return (len(o.data) + chunkSize - 1) / chunkSize }

// done handles a report about the chunks that have arrived.
func (o *outgoing) done(what, base, come uint64) {
	if what > o.content { // the receiver has all of these data, and waits for the next
		*o = outgoing{content: o.content}
	}
	if what != o.content || base > uint64(o.chunks()) || int(base) < o.base {
		return
	}
	for ; o.base < int(base); o.base++ {
		o.sent[o.base%len(o.sent)] = 0
	}
	o.arrived = come
	if o.over() {
		*o = outgoing{content: o.content} // the bytes are not needed any more
	}
}

// over reports whether all chunks have arrived, or whether there are no data.
func (o *outgoing) over() bool { return o.base == o.chunks() }

// due calls send for the chunks that are due, until send returns false because no more can be
// sent now. A chunk that has not arrived is due again after the time again.
func (o *outgoing) due(now, again time.Duration, send func(index int, chunk []byte) bool) {
	for i, n := o.base, 0; i < min(o.base+chunksAhead, o.chunks()) && n < chunksAtOnce; i++ {
		at := &o.sent[i%len(o.sent)]
		if i > o.base && o.arrived>>(i-o.base-1)&1 != 0 || *at != 0 && now-*at < again {
			continue
		}
		if !send(i, o.data[i*chunkSize:min((i+1)*chunkSize, len(o.data))]) {
			return
		}
		*at = max(now, 1)
		n++
	}
}

// incoming has data that are being received. content, base and arrived mean the same as in
// outgoing. Its memory grows with the chunks that arrive.
type incoming struct {
	content uint64
	total   int // size in bytes; 0 until the first chunk arrives
	data    []byte
	base    int
	arrived uint64
}

// take stores a chunk. It reports whether the chunk is valid.
func (in *incoming) take(what, total, index uint64, chunk []byte) bool {
	switch {
	case what != in.content:
		return what < in.content // the chunk is late, because all of these data have arrived already
	case total == 0 || total > mostSnapshot || what == theBodies && total > uint64(mostListed) || in.total != 0 && in.total != int(total):
		return false
	case index > total/chunkSize || len(chunk) != min(chunkSize, int(total)-int(index)*chunkSize) || len(chunk) == 0:
		return false
	}
	in.total = int(total)
	i := int(index)
	if i < in.base || i > in.base+chunksAhead {
		return true
	}
	if end := i*chunkSize + len(chunk); end > len(in.data) {
		in.data = append(in.data, make([]byte, end-len(in.data))...)
	}
	copy(in.data[i*chunkSize:], chunk)
	if i > in.base {
		in.arrived |= 1 << (i - in.base - 1)
		return true
	}
	// until the last shift, bit 0 of arrived stands for chunk base itself
	for in.base++; in.arrived&1 != 0; in.base++ {
		in.arrived >>= 1
	}
	in.arrived >>= 1
	return true
}

// assembled returns the data once all chunks have arrived, and nil before that.
func (in *incoming) assembled() []byte {
	if in.total == 0 || in.base*chunkSize < in.total {
		return nil
	}
	return in.data
}
