package netplay

import "time"

// More than a datagram holds goes in chunks, which are sent until they are known to have
// come.
const (
	chunkSize    = 1100 // bytes
	chunksAhead  = 64   // beyond the first that has not come
	chunksAtOnce = 8
	// chunksPerSecond is for all guests together: half a megabyte.
	chunksPerSecond = 500
)

// What is sent in chunks.
const (
	theSnapshot = iota
	theBodies
)

// outgoing is what is being sent.
type outgoing struct {
	what uint64
	data []byte
	base int                            // chunks before it have come
	come uint64                         // chunks after base that have come, a bit each
	sent [chunksAhead + 1]time.Duration // by chunk modulo; 0 is not at all
}

func (o *outgoing) chunks() int { return (len(o.data) + chunkSize - 1) / chunkSize }

// done takes what a report says: of what, the chunks before base have arrived, and those that
// have a bit in come.
func (o *outgoing) done(what, base, come uint64) {
	if what > o.what { // the receiver waits for the next already
		*o = outgoing{what: o.what}
	}
	if what != o.what || base > uint64(o.chunks()) || int(base) < o.base {
		return
	}
	for ; o.base < int(base); o.base++ {
		o.sent[o.base%len(o.sent)] = 0
	}
	o.come = come
	if o.over() {
		*o = outgoing{what: o.what} // the bytes are not kept
	}
}

func (o *outgoing) over() bool { return o.base == o.chunks() }

// due calls send for chunks that are due, until it reports that no more can be sent now. One
// that was sent is due again after the time again.
func (o *outgoing) due(now, again time.Duration, send func(index int, chunk []byte) bool) {
	for i, n := o.base, 0; i < min(o.base+chunksAhead, o.chunks()) && n < chunksAtOnce; i++ {
		at := &o.sent[i%len(o.sent)]
		if i > o.base && o.come>>(i-o.base-1)&1 != 0 || *at != 0 && now-*at < again {
			continue
		}
		if !send(i, o.data[i*chunkSize:min((i+1)*chunkSize, len(o.data))]) {
			return
		}
		*at = max(now, 1)
		n++
	}
}

// incoming is what is being received. Its memory grows with what has come.
type incoming struct {
	what  uint64
	total int // bytes
	data  []byte
	base  int
	come  uint64
}

// take takes a chunk. It reports whether it makes sense.
func (in *incoming) take(what, total, index uint64, chunk []byte) bool {
	switch {
	case what != in.what:
		return what < in.what // the part has come late
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
		in.come |= 1 << (i - in.base - 1)
		return true
	}
	for in.base++; in.come&1 != 0; in.base++ {
		in.come >>= 1
	}
	in.come >>= 1
	return true
}

// whole is what has come, once all has.
func (in *incoming) whole() []byte {
	if in.total == 0 || in.base*chunkSize < in.total {
		return nil
	}
	return in.data
}
