package history

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"reflect"
	"strings"

	"halfstep/internal/binenc"
)

// MaxFile is the greatest length of a recording, in bytes.
var MaxFile int64 = 16 << 30

// chunkReader reads one chunk after the other, and counts the bytes that it has read.
type chunkReader struct {
	from   *bufio.Reader
	at     int64 // bytes read so far
	memory int64 // the number of further bytes that decoded values may take
}

func newChunkReader(from io.Reader) *chunkReader {
	return &chunkReader{from: bufio.NewReaderSize(from, 1<<16), memory: 1 << 16}
}

// errCut says that the file ends in the middle of a chunk, or has no end chunk.
var errCut = errors.New("the recording was cut off")

// read returns the next n bytes. If there are fewer, it returns these bytes and errCut. It allocates no more memory
// than the file has bytes.
func (r *chunkReader) read(n int64) ([]byte, error) {
	if r.at+n > MaxFile {
		return nil, fmt.Errorf("the recording is too large: more than %d bytes", MaxFile)
	}
	var b bytes.Buffer
	got, err := io.CopyN(&b, r.from, n)
	r.at += got
	if err == io.EOF {
		err = errCut
	}
	return b.Bytes(), err
}

// magic reads the magic word.
func (r *chunkReader) magic() error {
	word, err := r.read(int64(len(Magic)))
	switch {
	case errors.Is(err, errCut) && bytes.HasPrefix([]byte(Magic), word):
		return fmt.Errorf("%w: it ends after %d bytes, before its header", errCut, len(word))
	case err != nil && !errors.Is(err, errCut):
		return err
	case string(word) != Magic && bytes.HasPrefix(word, []byte(strings.TrimSpace(magic))):
		return errors.New("the recording has another format than this build reads")
	case string(word) != Magic:
		return errors.New("not a halfstep recording (it begins with other bytes)")
	}
	return nil
}

// next reads a chunk and checks its checksums.
func (r *chunkReader) next() (kind byte, payload []byte, err error) {
	start := r.at
	head, err := r.read(headSize)
	if err != nil {
		return 0, nil, err
	}
	if crc32.Checksum(head[:5], castagnoli) != binary.LittleEndian.Uint32(head[5:]) {
		return 0, nil, r.torn(head, fmt.Errorf("%w: the chunk header at byte %d does not match its checksum", ErrCorrupt, start))
	}
	n := int64(binary.LittleEndian.Uint32(head[1:]))
	if n > maxChunk {
		return 0, nil, fmt.Errorf("%w: a chunk of %d bytes at byte %d; there are none above %d", ErrCorrupt, n, start, maxChunk)
	}
	body, err := r.read(n + 4)
	if err != nil {
		return 0, nil, err
	}
	payload = body[:n]
	if crc32.Checksum(payload, castagnoli) != binary.LittleEndian.Uint32(body[n:]) {
		return 0, nil, r.torn(body, fmt.Errorf("%w: bytes %d to %d do not match their checksum", ErrCorrupt, start+headSize, start+headSize+n))
	}
	return head[0], payload, nil
}

// maxTorn is the greatest number of zeros at the end of a file that count as bytes lost in a power
// failure.
const maxTorn = 64 << 20

// torn distinguishes a changed chunk from a chunk whose bytes never reached the disk. After a power failure, some
// file systems have zeros in place of the lost bytes, up to the end of the file.
func (r *chunkReader) torn(b []byte, changed error) error {
	zeros := len(b) - len(bytes.TrimRight(b, "\x00"))
	if zeros == 0 {
		return changed
	}
	for ; zeros <= maxTorn; zeros++ {
		switch c, err := r.from.ReadByte(); {
		case err == io.EOF && zeros >= 4: // a checksum has four bytes
			return errCut
		case err != nil || c != 0:
			return changed
		}
	}
	return changed
}

// decode reads a payload into v. The file may be hostile, so the memory of all decoded values is
// limited to a multiple of the bytes that were read.
func (r *chunkReader) decode(payload []byte, v any) error {
	r.memory += binenc.MemoryPerByte * int64(len(payload))
	p := binenc.Reader{Rest: payload, Memory: r.memory}
	binenc.ReadFields(&p, reflect.ValueOf(v).Elem())
	r.memory = p.Memory
	if p.Expect(len(p.Rest) == 0); p.Err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, p.Err)
	}
	return nil
}

// errOtherChunk is wrapped by an error of decodeNext if the chunk is of another kind than the given one. It adds
// nothing to the message.
var errOtherChunk = errors.New("")

// decodeNext reads a chunk of the given kind into v. The parameter name is for error messages.
func (r *chunkReader) decodeNext(kind byte, name string, v any) error {
	got, payload, err := r.next()
	switch {
	case errors.Is(err, errCut):
		return fmt.Errorf("%w: it ends after %d bytes, within its %s", errCut, r.at, name)
	case err != nil:
		return err
	case got != kind:
		return fmt.Errorf("%w: a chunk of kind %q where its %s should be%w", ErrCorrupt, got, name, errOtherChunk)
	}
	return r.decode(payload, v)
}

// finish returns an error if there are bytes after the last chunk.
func (r *chunkReader) finish() error {
	if _, err := r.from.ReadByte(); err != io.EOF {
		return fmt.Errorf("%w: more follows its end at byte %d", ErrCorrupt, r.at)
	}
	return nil
}
