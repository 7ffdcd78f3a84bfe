package frametrace

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"halfstep/renderloop/clock"
)

// Limits of a trace.
const (
	maxTrace        = 1 << 30   // maxTrace is the greatest length of a file in bytes. An hour of FrameView at 144 Hz has 360 MB.
	maxTraceJSON    = 128 << 20 // bytes
	maxTraceFrames  = 2_000_000 // maxTraceFrames is the greatest number of frames: nine hours at 60 Hz.
	maxTraceLine    = 256 << 10 // bytes
	maxTraceColumns = 1000
	maxTraceStreams = 10_000
)

// traceForms ends each refusal.
const traceForms = "what can be read is one frame time in ms per line, or a recording by PresentMon, CapFrameX, OCAT, FrameView or MangoHud"

// ReadTraceFile reads a trace from a file, as ReadTrace does. An error is one line that
// begins with the path.
func ReadTraceFile(path, stream string) (*Trace, error) {
	var t *Trace
	f, err := os.Open(path)
	if err == nil {
		defer f.Close()
		t, err = ReadTrace(f, stream)
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err // pe.Err does not contain the path
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// ReadTrace reads recorded frame times in one of three forms:
//
//   - A list has one frame time in milliseconds per line.
//   - A table has a row per frame. Its header is the first line with a column
//     MsBetweenPresents (PresentMon, CapFrameX, OCAT, FrameView) or FrameTime
//     (PresentMon 2, MangoHud).
//   - A JSON file of CapFrameX has arrays in Runs[].CaptureData. Its runs are read
//     one after the other.
//
// The text may be UTF-8 or UTF-16. A table is separated by commas, semicolons or tabs, and
// its numbers may have decimal commas. Blank lines and lines that begin with # or // are
// skipped. A row with more or fewer fields than its header is skipped (OCAT's may all be
// shorter), and so is one without a frame time, or for a frame that a driver generated
// (FrameType); Trace.Note counts the skipped rows.
//
// A table may have the frames of several programs. ReadTrace reads one stream: the frames
// of one process in one swap chain. If stream is "", it is the stream with the most frames
// that is not a compositor's. Otherwise it is the stream with the most frames whose
// program, process number and swap chain include all words of stream, such as "game.exe",
// "4711" or "game.exe 0x1f0".
//
// ReadTrace fails on text of more than 1 GiB, JSON of more than 128 MiB, and more than
// 2,000,000 rows, 1,000 columns or 10,000 streams. It takes at most 100 bytes for each row
// plus a few MiB or, for JSON, twelve times the size of the file. An error is one line.
func ReadTrace(r io.Reader, stream string) (*Trace, error) {
	in := bufio.NewReaderSize(r, 4096)
	start, _ := in.Peek(512) // an error of Peek is ignored, because the next read returns it again
	if what := notText(start); what != "" {
		return nil, fmt.Errorf("it is %s; %s", what, traceForms)
	}
	limited := &limitedReader{r: in, left: maxTrace}
	text := bufio.NewReaderSize(transform.NewReader(limited, unicode.BOMOverride(guessed(start))), 64<<10)
	t, err := readText(text, stream)
	if err == nil && len(t.Frames) == 0 {
		err = errors.New("no frame times in it")
	}
	if err != nil {
		return nil, err
	}
	t.doubt()
	return t, nil
}

func readText(text *bufio.Reader, stream string) (*Trace, error) {
	head, err := text.Peek(1024)
	if len(head) == 0 && err != io.EOF {
		return nil, err
	}
	if c := bytes.TrimLeft(head, " \t\r\n"); len(c) > 0 && (c[0] == '{' || c[0] == '[') {
		return readCapFrameX(text, stream)
	}
	lines := bufio.NewScanner(text)
	lines.Buffer(make([]byte, 0, 64<<10), maxTraceLine)
	lines.Split(anyLine)
	t, err := readLines(lines, stream)
	if bad := lines.Err(); errors.Is(bad, bufio.ErrTooLong) {
		return nil, fmt.Errorf("it has a line of more than %d KiB; %s", maxTraceLine>>10, traceForms)
	} else if bad != nil {
		return nil, bad
	}
	return t, err
}

// limitedReader returns an error if a file is too large. An io.LimitReader would cut the
// file off without an error.
type limitedReader struct {
	r    io.Reader
	left int64
}

func (l *limitedReader) Read(b []byte) (int, error) {
	n, err := l.r.Read(b)
	if l.left -= int64(n); l.left < 0 {
		return 0, fmt.Errorf("larger than %d MiB", maxTrace>>20)
	}
	return n, err
}

// guessed returns a decoder for text without a byte order mark. The text is UTF-16 if
// every other byte is 0; otherwise it needs no decoder.
func guessed(start []byte) transform.Transformer {
	var zero [2]int
	for i, c := range start {
		if c == 0 {
			zero[i%2]++
		}
	}
	switch many := len(start) / 3; {
	case zero[1] > many && zero[0] == 0:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewDecoder()
	case zero[0] > many && zero[1] == 0:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewDecoder()
	}
	return transform.Nop
}

// notText names the kind of file that begins with these bytes. It returns "" if the file
// may be text with frame times.
func notText(start []byte) string {
	for magic, what := range map[string]string{
		"PK\x03\x04":         "a spreadsheet or an archive (save the sheet as CSV)",
		"\x1f\x8b":           "packed with gzip (unpack it)",
		"halfstep recording": "a recording of a world (the viewer's -replay opens it)",
		"\x89PNG":            "a picture",
		"%PDF":               "a PDF document",
		"<":                  "a page of HTML or XML",
	} {
		if bytes.HasPrefix(start, []byte(magic)) {
			return what
		}
	}
	if bytes.Contains(start, []byte("Hardware monitoring log")) {
		return "a log of MSI Afterburner, which has a frame time now and then and not all of them"
	}
	return ""
}

// anyLine splits text into lines. A line may end with a line feed, a carriage return, or both.
func anyLine(data []byte, atEOF bool) (advance int, line []byte, err error) {
	end := bytes.IndexAny(data, "\r\n")
	switch {
	case end < 0 && atEOF && len(data) > 0:
		return len(data), data, nil
	case end < 0 || data[end] == '\r' && end+1 == len(data) && !atEOF: // \n may follow
		return 0, nil, nil
	case bytes.HasPrefix(data[end:], []byte("\r\n")):
		return end + 2, data[:end], nil
	}
	return end + 1, data[:end], nil
}

// readLines reads a list or a table. The first line decides which of the two it is.
func readLines(lines *bufio.Scanner, stream string) (*Trace, error) {
	first, split := "", newSplitter()
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if header, err := split.tableHeader(lines.Bytes()); header != nil {
			return readTable(lines, split, header, n, stream)
		} else if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if len(line) == 0 || comment(line) || first != "" {
			continue
		}
		if !math.IsNaN(new(numbers).number(uncommented(line))) {
			if stream != "" {
				return nil, fmt.Errorf("there is no %q in it: it is a list of frame times", stream)
			}
			return readList(lines, n)
		}
		first = string(line)
	}
	switch {
	case first == "":
		return &Trace{}, nil
	case strings.Contains(first, "\x00"):
		return nil, fmt.Errorf("it is not text; %s", traceForms)
	case strings.ContainsAny(first, ",;\t"):
		return nil, fmt.Errorf("it is a table (%s) without a column of frame times, such as MsBetweenPresents or FrameTime; %s", clip(first), traceForms)
	}
	return nil, fmt.Errorf("it begins with %q, which is not a frame time; %s", clip(first), traceForms)
}

func comment(line []byte) bool {
	return bytes.HasPrefix(line, []byte("#")) || bytes.HasPrefix(line, []byte("//"))
}

func uncommented(line []byte) string {
	line, _, _ = bytes.Cut(line, []byte("#"))
	return string(bytes.TrimSpace(line))
}

// readList reads a list from the current line on. The number of the current line is n.
func readList(lines *bufio.Scanner, n int) (*Trace, error) {
	var kept rows
	var mark numbers
	for more := true; more; more = lines.Scan() {
		if line := uncommented(lines.Bytes()); line != "" && !comment([]byte(line)) {
			ms := mark.number(line)
			if math.IsNaN(ms) {
				return nil, fmt.Errorf("line %d: %q is not a frame time in ms", n, clip(line))
			}
			if !possible(ms) {
				return nil, fmt.Errorf("line %d: a frame time of %v ms", n, ms)
			}
			if err := kept.add(row{TraceFrame: lasting(ms)}); err != nil {
				return nil, err
			}
		}
		n++
	}
	return &Trace{Frames: kept.frames(kept.n, func(*row) bool { return true })}, nil
}

// possible reports whether a frame can take ms milliseconds.
func possible(ms float64) bool { return ms >= 0 && ms*1e6 <= clock.MaxFrameTime }

// lasting returns a frame that takes ms milliseconds.
func lasting(ms float64) TraceFrame {
	return TraceFrame{Duration: int64(math.Round(ms * 1e6)), Between: ms / 1e3}
}

// row is a frame of one of the streams.
type row struct {
	TraceFrame
	stream uint32
	fields uint16 // fields is the number of fields in a row of a table.
}

// rows stores the rows in blocks, so that rows are not copied when the list grows.
type rows struct {
	blocks [][]row
	n      int
}

const rowBlock = 2048

func (k *rows) add(r row) error {
	if k.n == maxTraceFrames {
		return fmt.Errorf("more than %d frames", maxTraceFrames)
	}
	if k.n%rowBlock == 0 {
		k.blocks = append(k.blocks, make([]row, 0, rowBlock))
	}
	last := &k.blocks[len(k.blocks)-1]
	*last = append(*last, r)
	k.n++
	return nil
}

// frames returns the frames of the wanted rows. The number n is an estimate of how many
// there are.
func (k *rows) frames(n int, wanted func(*row) bool) []TraceFrame {
	all := make([]TraceFrame, 0, n)
	for _, b := range k.blocks {
		for i := range b {
			if wanted(&b[i]) {
				all = append(all, b[i].TraceFrame)
			}
		}
	}
	return all
}

// clip returns the beginning of a line, with unprintable characters replaced.
func clip(s string) string {
	if len(s) > 60 {
		s = s[:60] + "…"
	}
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}
