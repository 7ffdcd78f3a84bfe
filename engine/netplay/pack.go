package netplay

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
)

// mostUnpacked limits the memory that a snapshot takes while it is read, in bytes.
const mostUnpacked = 256 << 20

// pack makes of the snapshot what is sent.
func (t *taken) pack() {
	var data []byte
	if t.err == nil {
		data, t.err = t.snapshot.MarshalBinary()
	}
	if t.err != nil {
		return
	}
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestSpeed) // the level is one
	_, _ = w.Write(data)                         // a Buffer takes all
	_ = w.Close()
	if t.packed = b.Bytes(); len(t.packed) > mostSnapshot {
		t.packed, t.err = nil, errors.New("the snapshot is too large to be sent")
	}
}

func unpack(data []byte) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), mostUnpacked))
	if err != nil {
		return nil, errors.New("the snapshot is damaged")
	}
	return data, nil
}
