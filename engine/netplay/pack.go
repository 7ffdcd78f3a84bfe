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

// mostUnpacked limits the memory for a snapshot that is being read, in bytes. Tests make it
// smaller.
var mostUnpacked int64 = 256 << 20

// unpackLimit is the greatest size, in bytes, to which a compressed snapshot of a given size may
// expand. A few bytes from a hostile host must not become gigabytes. Even a world of equal
// bodies keeps a sixteenth of its size when it is compressed.
func unpackLimit(packed int) int64 { return min(mostUnpacked, 1<<20+32*int64(packed)) }

var errTooLarge = errors.New("the world is too large to be sent to guests")

// checkSendable returns an error if the world is so large that guests could not join.
func checkSendable(w *world.World) error {
	t := &guestSnapshot{state: history.Saved{Snapshot: new(world.Snapshot)}}
	if t.err = private.Snapshot(w, t.state.Snapshot); t.err != nil {
		return nil // the state cannot be sent as bytes: the match runs, but no guest can join later
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

// compress sets packed to the compressed snapshot. If the snapshot cannot be sent, it sets
// err.
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
	w, _ := flate.NewWriter(&b, flate.BestSpeed) // the level is valid
	_, _ = w.Write(data)                         // writing to a Buffer never fails
	_ = w.Close()
	if t.packed = b.Bytes(); len(t.packed) > mostSnapshot || int64(len(data)) > unpackLimit(len(t.packed)) {
		t.err = fmt.Errorf("%w: its snapshot has %d MB when it is packed, and at most %d are sent", errTooLarge, len(t.packed)>>20, mostSnapshot>>20)
		t.packed = nil
	}
}

// unpack expands a compressed snapshot. More than unpackLimit bytes are an error.
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
