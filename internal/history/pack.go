package history

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"sync"

	"halfstep/world"
)

// packedState returns a state as compressed bytes. The function unpackedState reads them.
func packedState(state *world.Snapshot) ([]byte, error) {
	data, err := state.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	return packed(data), nil
}

func unpackedState(code []byte) (*world.Snapshot, error) {
	data, err := unpacked(code)
	if err != nil {
		return nil, err
	}
	return world.LoadSnapshot(data)
}

func packed(data []byte) []byte {
	code := compress(data, flate.BestSpeed)
	if len(data) > unpackLimit(len(code)) {
		code = compress(data, flate.NoCompression)
	}
	return code
}

// packers are writers by level of compression, which are used again because each has tables of a megabyte.
var packers = map[int]*sync.Pool{flate.BestSpeed: new(sync.Pool), flate.NoCompression: new(sync.Pool)}

func compress(data []byte, level int) []byte {
	var code bytes.Buffer
	w, ok := packers[level].Get().(*flate.Writer)
	if !ok {
		w, _ = flate.NewWriter(&code, level) // the level is valid, so there is no error
	}
	w.Reset(&code)
	_, _ = w.Write(data) // a write to memory does not fail
	_ = w.Close()
	packers[level].Put(w)
	return bytes.Clone(code.Bytes()) // the copy has no unused capacity
}

func unpacked(code []byte) ([]byte, error) {
	most := unpackLimit(len(code))
	data, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(code)), int64(most)+1))
	if err == nil && len(data) > most {
		err = fmt.Errorf("a state of more than %d bytes", most)
	}
	return data, err
}
