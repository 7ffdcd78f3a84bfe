package netplay

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"

	"halfstep/internal/history"
	"halfstep/world"
)

// mostUnpacked is the greatest size of an unpacked snapshot, in bytes. Tests set a smaller value.
var mostUnpacked int64 = 256 << 20

// unpackLimit is the greatest size, in bytes, to which a compressed snapshot of a given size may
// expand. The limit prevents that a few bytes from a hostile host become gigabytes. A snapshot
// expands at most 16 times, even if all bodies of the world are equal.
func unpackLimit(packed int) int64 { return min(mostUnpacked, 1<<20+32*int64(packed)) }

var errTooLarge = errors.New("the world is too large to be sent to guests")

// checkSendable returns an error if the world's snapshot is larger than a guest accepts.
func checkSendable(w *world.World) error {
	t := &guestSnapshot{state: history.Saved{Snapshot: new(world.Snapshot)}}
	if t.err = private.Snapshot(w, t.state.Snapshot); t.err != nil {
		return nil // this world has no snapshot as bytes, so the match runs but no guest can join later
	}
	if t.compress(); errors.Is(t.err, errTooLarge) {
		return fmt.Errorf("netplay: %w", t.err)
	}
	return nil
}

// pack compresses the snapshot and sends it to the session.
func (t *guestSnapshot) pack(to chan<- *guestSnapshot) {
	t.compress()
	to <- t
}

// compress sets packed to the compressed snapshot, or sets err if the snapshot cannot be sent.
func (t *guestSnapshot) compress() {
	var data []byte
	if t.err == nil {
		data, t.err = t.state.AppendBinary(nil)
	}
	if t.err == nil && int64(len(data)) > mostUnpacked {
		t.err = fmt.Errorf("%w: its snapshot has %d MB, and at most %d are sent", errTooLarge, len(data)>>20, mostUnpacked>>20)
	}
	if t.err != nil {
		return
	}
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestSpeed) // no error, because the level is valid
	_, _ = w.Write(data)                         // writing to a Buffer never fails
	_ = w.Close()
	if t.packed = b.Bytes(); len(t.packed) > mostSnapshot || int64(len(data)) > unpackLimit(len(t.packed)) {
		t.err = fmt.Errorf("%w: its snapshot has %d MB when it is packed, and at most %d are sent", errTooLarge, len(t.packed)>>20, mostSnapshot>>20)
		t.packed = nil
	}
}

// unpack expands a compressed snapshot. It returns an error if that has more than unpackLimit
// bytes.
func unpack(packed []byte) ([]byte, error) {
	most := unpackLimit(len(packed))
	data, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), most+1))
	switch {
	case err != nil:
		return nil, errors.New("the snapshot is damaged")
	case int64(len(data)) > most:
		return nil, fmt.Errorf("the snapshot of %d bytes unpacks to more than %d", len(packed), most)
	}
	return data, nil
}
