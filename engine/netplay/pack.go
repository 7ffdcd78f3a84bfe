package netplay

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
)

// mostUnpacked limits the memory that a snapshot takes while it is read, in bytes.
const mostUnpacked = 256 << 20

func pack(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if b.Len() > mostSnapshot {
		return nil, errors.New("the snapshot is too large to be sent")
	}
	return b.Bytes(), nil
}

func unpack(data []byte) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), mostUnpacked))
	if err != nil {
		return nil, errors.New("the snapshot is damaged")
	}
	return data, nil
}
