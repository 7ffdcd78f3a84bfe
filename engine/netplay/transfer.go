package netplay

import "time"

// Data that are larger than a datagram are sent in chunks. The sender repeats each chunk until the
// receiver reports that the chunk has arrived.
const (
	chunkSize    = 1100 // bytes
	chunksAhead  = 64   // the number of chunks after the first missing chunk that may be sent; each has a bit in arrived
	chunksAtOnce = 8    // the greatest number of chunks that one call of due sends
	// chunksPerSecond is the greatest number of chunks a second for all peers together, about half
	// a megabyte.
	chunksPerSecond = 500
)

// the kinds of data that are sent in chunks, in the order in which a peer gets them
const (
	theSnapshot = iota
	theBodies
)

// outgoing has data that this program is sending to a peer in chunks.
type outgoing struct {
	content uint64 // theSnapshot or theBodies
	data    []byte
	base    int                            // all chunks before this chunk have arrived
	arrived uint64                         // bit i is set if chunk base + 1 + i has arrived
	sent    [chunksAhead + 1]time.Duration // the times at which chunks were sent, by the number of the chunk modulo the length; 0 if not sent yet
}

func (o *outgoing) chunks() int { return (len(o.data) + chunkSize - 1) / chunkSize }

// done updates base and arrived from a report of the receiver.
func (o *outgoing) done(what, base, come uint64) {
	if what > o.content { // the receiver has all chunks, and waits for the next kind of data
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
		*o = outgoing{content: o.content} // this releases the data
	}
}

// over reports whether there is nothing to send: all chunks have arrived, or there are no data.
func (o *outgoing) over() bool { return o.base == o.chunks() }

// due calls send for each chunk that is due, until send returns false because the limit of chunks
// is reached. A chunk that has not arrived is due again after the time given as again.
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

// incoming has data that this program is receiving in chunks. The fields content, base and arrived
// have the meaning that they have in outgoing.
type incoming struct {
	content uint64
	total   int // the size of the data, in bytes; 0 until the first chunk arrives
	data    []byte
	base    int
	arrived uint64
}

// take stores a chunk, and reports whether the chunk is valid.
func (in *incoming) take(what, total, index uint64, chunk []byte) bool {
	switch {
	case what != in.content:
		return what < in.content // a chunk of earlier data that have arrived already
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

// assembled returns the data once all chunks have arrived, and nil as long as chunks are missing.
func (in *incoming) assembled() []byte {
	if in.total == 0 || in.base*chunkSize < in.total {
		return nil
	}
	return in.data
}
