package delta

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

func noise(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// edited returns data in which some bytes are changed, removed and inserted.
func edited(r *rand.Rand, data []byte, edits int) []byte {
	data = bytes.Clone(data)
	for range edits {
		at := r.IntN(len(data) + 1)
		switch r.IntN(3) {
		case 0:
			data = slices.Insert(data, at, noise(r, r.IntN(200))...)
		case 1:
			data = slices.Delete(data, at, min(at+r.IntN(200), len(data)))
		default:
			copy(data[at:], noise(r, 9))
		}
	}
	return data
}

func TestWhatIsCodedIsReadAndTakesWhatDiffers(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		base := noise(r, r.IntN(60_000))
		if seed%4 == 0 {
			clear(base)
		}
		c, data, last := NewCoder(base), base, []byte(nil)
		for range 12 {
			edits := r.IntN(6)
			data = edited(r, data, edits)
			code := c.Append(nil, data)
			if most := 60 + 300*edits; len(code) > most && last != nil {
				t.Errorf("seed %d: %d edits of %d bytes take %d", seed, edits, len(data), len(code))
			}
			got, err := Read(nil, base, last, code, len(data))
			if err != nil || !bytes.Equal(got, data) {
				t.Fatalf("seed %d: %d bytes are read as %d: %v", seed, len(data), len(got), err)
			}
			last = data
		}
	}
}

func FuzzReadOfAnyCodeGivesThatManyBytesOrAnError(f *testing.F) {
	f.Add([]byte("0123456789abcdef0123"), []byte("last"), NewCoder([]byte("0123456789abcdef0123")).Append(nil, []byte("..0123456789abcdef")), 18)
	f.Fuzz(func(t *testing.T, base, last, code []byte, length int) {
		length = max(0, min(length, 1<<16))
		if got, err := Read(nil, base, last, code, length); len(got) > length || err == nil && len(got) != length {
			t.Errorf("%d bytes of %d: %v", len(got), length, err)
		}
	})
}
