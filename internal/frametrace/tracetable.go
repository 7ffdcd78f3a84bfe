package frametrace

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// form has the names of the columns that a family of programs writes. Names are compared
// by letters and digits alone, without a part in brackets.
type form struct {
	frame []string // frame is the column for the length of the frame.
	clock []string // clock is the column for the time when the frame was presented or started, in any unit.
	shown string   // shown is the column for the time from clock to the display.
	start bool     // start says that clock is the start of the frame.
}

var forms = []form{
	{ // PresentMon, CapFrameX, OCAT, FrameView
		frame: []string{"msbetweenpresents", "frametimepresents"},
		clock: []string{"timeinseconds", "timeinms", "timeinqpc", "qpctime"},
		shown: "msuntildisplayed",
	},
	{ // PresentMon 2 with --v2_metrics, MangoHud
		frame: []string{"frametime", "frametimes", "frametimems", "frametimeapp", "msbetweenappstart"},
		clock: []string{"cpustarttime", "cpustarttimeinms", "cpustartqpctime", "cpustartqpctimeinms", "cpustartqpc", "timeinseconds", "elapsed"},
		shown: "displaylatency", start: true,
	},
}

// table has the columns of a header, by index. A missing column is -1.
type table struct {
	comma                                         rune
	width                                         int
	frame, clock, shown, dropped, app, pid, chain int
	kind                                          int  // kind is the column that tells who made the frame, in PresentMon 2.
	busy, gpu                                     int  // busy and gpu are the columns for the two costs of a frame, in PresentMon 2.
	presenting, rendered                          int  // presenting and rendered are columns of PresentMon 1 from which the costs are computed.
	start                                         bool // see form.start
	elapsed                                       bool // elapsed says that clock is a column of MangoHud, in ns.
}

// splitter splits lines into fields, one line at a time. An unclosed quote therefore ends
// with its line, and spoils one row but not the rest of the file.
type splitter struct {
	line []byte
	read *csv.Reader
}

func newSplitter() *splitter {
	s := new(splitter)
	s.read = csv.NewReader(s)
	s.read.LazyQuotes, s.read.ReuseRecord, s.read.FieldsPerRecord = true, true, -1
	return s
}

// Read reads the line.
func (s *splitter) Read(b []byte) (n int, err error) {
	if n = copy(b, s.line); n == 0 {
		err = io.EOF
	}
	s.line = s.line[n:]
	return n, err
}

// split returns the fields of a line, or nil if there are more fields than a table may
// have. The result is valid until the next call.
func (s *splitter) split(line []byte, comma rune) []string {
	if bytes.Count(line, []byte(string(comma))) >= maxTraceColumns {
		return nil
	}
	s.line, s.read.Comma = line, comma
	fields, _ := s.read.Read()
	return fields
}

// tableHeader returns the columns if the line is a header, and nil otherwise.
func (s *splitter) tableHeader(line []byte) (found *table, err error) {
	if !frameTimes.Match(line) || comment(line) {
		return nil, nil
	}
	for _, comma := range "\t;," {
		names := s.split(line, comma)
		if names == nil {
			err = fmt.Errorf("more than %d columns", maxTraceColumns)
		} else if found == nil || len(names) > found.width {
			found = cmp.Or(columns(names, comma), found)
		}
	}
	return found, err
}

// frameTimes is a quick first check whether a line may be a header. Each line of a file is
// checked.
var frameTimes = regexp.MustCompile("(?i)between|frame")

func columns(names []string, comma rune) *table {
	width, at := 0, map[string]int{}
	for i, name := range names {
		if name = caption(name); name == "" {
			continue
		}
		if width = i + 1; at[name] == 0 {
			at[name] = width
		}
	}
	find := func(names ...string) int {
		for _, n := range names {
			if i := at[n]; i > 0 {
				return i - 1
			}
		}
		return -1
	}
	t := &table{comma: comma, width: width, frame: -1, shown: -1}
	for _, f := range forms {
		frame, shown := find(f.frame...), find(f.shown)
		if frame >= 0 && (t.frame < 0 || t.shown < 0 && shown >= 0) {
			t.frame, t.shown, t.clock, t.start = frame, shown, find(f.clock...), f.start
		}
	}
	if t.frame < 0 {
		return nil
	}
	t.dropped, t.app, t.pid, t.chain = find("dropped"), find("application"), find("processid"), find("swapchainaddress")
	t.kind = find("frametype")
	t.busy, t.gpu = find("cpubusy", "mscpubusy"), find("gputime", "msgputime", "msgpubusy")
	t.presenting, t.rendered = find("msinpresentapi"), find("msuntilrendercomplete")
	t.elapsed = t.clock >= 0 && t.clock == find("elapsed")
	return t
}

// caption returns the letters and digits of a column's name, in lower case.
func caption(s string) string {
	s, _, _ = strings.Cut(strings.ToValidUTF8(s, "?"), "(")
	s, _, _ = strings.Cut(s, "[")
	return strings.NewReplacer(" ", "", "_", "", "-", "").Replace(strings.ToLower(strings.TrimSpace(s)))
}

// TraceStream names a stream of frames: the frames of one process in one swap chain. A
// field is "" if the recording does not say.
type TraceStream struct {
	Application, Process, SwapChain string
	Frames                          int
}

func (s TraceStream) String() string {
	text := cmp.Or(s.Application, "a program")
	if s.Process != "" {
		text += ", process " + s.Process
	}
	if s.SwapChain != "" {
		text += ", swap chain " + s.SwapChain
	}
	return text
}

// has reports whether each of the words is a word of the stream.
func (s TraceStream) has(words []string) bool {
	own := strings.Fields(s.Application + " " + s.Process + " " + s.SwapChain)
	return !slices.ContainsFunc(words, func(w string) bool {
		return !slices.ContainsFunc(own, func(o string) bool { return strings.EqualFold(w, o) })
	})
}

// composes reports whether the stream belongs to a program that composes the desktop.
func (s TraceStream) composes() bool {
	name := strings.TrimSuffix(strings.ToLower(s.Application), ".exe")
	return slices.Contains([]string{"dwm", "gamescope", "gamescope-wl", "kwin_wayland", "kwin_x11", "gnome-shell", "mutter", "sway", "weston", "xorg", "xwayland"}, name)
}

// rank is a number for sorting streams: the lowest rank is the most wanted stream.
func (s TraceStream) rank(words []string) int {
	switch {
	case !s.has(words):
		return 2
	case s.composes():
		return 1
	}
	return 0
}

// tableReader collects the rows of a table.
type tableReader struct {
	*table
	kept    rows
	streams []TraceStream
	names   map[[3]string]uint32 // names gives the index of each stream, by its application, process and swap chain.
	mark    numbers
	widths  [maxTraceColumns + 1]int // widths counts the rows with each number of fields.
	broken  int                      // broken is the number of rows that have more or fewer fields than the header.
	first   int                      // first is the line of the first row with a wrong number of fields.
	without int                      // without is the number of rows without a frame time.
	made    int                      // made is the number of rows for frames that a driver generated.
}

// readTable reads the rows below a header, which is in line n.
func readTable(lines *bufio.Scanner, s *splitter, header *table, n int, stream string) (*Trace, error) {
	t := &tableReader{table: header, names: map[[3]string]uint32{}}
	for lines.Scan() {
		n++
		line := lines.Bytes()
		if trimmed := bytes.TrimSpace(line); len(trimmed) == 0 || comment(trimmed) {
			continue
		}
		if again, _ := s.tableHeader(line); again != nil { // several files were joined
			t.table = again
			continue
		}
		if err := t.row(s.split(line, t.comma), n); err != nil {
			return nil, err
		}
	}
	return t.trace(stream)
}

func (t *tableReader) skip(n int) {
	if t.broken++; t.broken == 1 {
		t.first = n
	}
}

// row reads one row, which is in line n.
func (t *tableReader) row(fields []string, n int) error {
	for len(fields) > t.width && strings.TrimSpace(fields[len(fields)-1]) == "" {
		fields = fields[:len(fields)-1] // spreadsheets may add empty fields at the end of a row
	}
	if len(fields) > t.width || t.frame >= len(fields) || max(t.app, t.pid, t.chain) >= len(fields) {
		t.skip(n)
		return nil
	}
	if generated(field(fields, t.kind)) {
		t.made++
		return nil
	}
	ms := t.mark.number(field(fields, t.frame))
	if !possible(ms) {
		t.without++
		return nil
	}
	at, shown := new(numbers).number(field(fields, t.clock)), new(numbers).number(field(fields, t.shown))
	stream, err := t.stream(field(fields, t.app), field(fields, t.pid), field(fields, t.chain))
	if err != nil {
		return err
	}
	return t.add(ms, at, shown, !isTrue(field(fields, t.dropped)), row{stream: stream, fields: uint16(len(fields)), TraceFrame: t.costs(ms, fields)})
}

// costs returns the frame of a row, with the costs that the row gives. The frame took ms
// milliseconds.
func (t *tableReader) costs(ms float64, fields []string) (f TraceFrame) {
	number := func(i int) float32 {
		if v := new(numbers).number(field(fields, i)); possible(v) {
			return float32(v / 1e3)
		}
		return 0
	}
	if t.busy >= 0 {
		f.Processor, f.Graphics = number(t.busy), number(t.gpu)
	} else if t.presenting >= 0 && t.rendered >= 0 {
		presenting := number(t.presenting)
		f.Processor, f.Graphics = max(float32(ms/1e3)-presenting, 0), max(number(t.rendered)-presenting, 0)
	}
	return f
}

// add adds the frame of a row: its length and the time until it was shown, both in ms, and
// the time at which it was presented.
func (t *tableReader) add(ms, at, shown float64, isShown bool, r row) error {
	r.Duration, r.Between = lasting(ms).Duration, lasting(ms).Between
	r.Time = at
	if t.shown >= 0 {
		r.display(shown, isShown)
		if t.start && !r.Dropped {
			r.UntilDisplayed -= r.Between
		}
	}
	t.widths[r.fields]++
	return t.kept.add(r)
}

// stream returns the index of the row's stream.
func (t *tableReader) stream(app, pid, chain string) (uint32, error) {
	key := [3]string{app, pid, chain}
	at, ok := t.names[key]
	if !ok {
		if len(t.streams) == maxTraceStreams {
			return 0, fmt.Errorf("more than %d programs and swap chains", maxTraceStreams)
		}
		at = uint32(len(t.streams))
		t.names[key] = at
		t.streams = append(t.streams, TraceStream{Application: clip(app), Process: clip(pid), SwapChain: clip(chain)})
	}
	return at, nil
}

// trace returns the trace of the wanted stream.
func (t *tableReader) trace(stream string) (*Trace, error) {
	// The rows of OCAT are shorter than its header. The last columns of the header describe
	// the machine, and rows have no fields for them.
	usual := 0
	for n, rows := range t.widths {
		if rows > 0 && rows >= t.widths[usual] {
			usual = n
		}
	}
	whole := func(r *row) bool { return int(r.fields) >= t.width || int(r.fields) == usual }
	for _, b := range t.kept.blocks {
		for i := range b {
			if whole(&b[i]) {
				t.streams[b[i].stream].Frames++
			} else {
				t.skip(0) // the line of that row is no longer known
			}
		}
	}
	words := strings.Fields(stream)
	if len(t.streams) > 0 && !slices.ContainsFunc(t.streams, func(s TraceStream) bool { return s.has(words) }) {
		return nil, noStream(stream, t.streams)
	}
	index := make([]uint32, len(t.streams)) // the best first
	for i := range index {
		index[i] = uint32(i)
	}
	slices.SortStableFunc(index, func(i, j uint32) int {
		a, b := t.streams[i], t.streams[j]
		return cmp.Or(a.rank(words)-b.rank(words), b.Frames-a.Frames)
	})
	to := &Trace{Presented: t.shown >= 0}
	for _, i := range index {
		to.Streams = append(to.Streams, t.streams[i])
	}
	if len(index) > 0 {
		to.Frames = t.kept.frames(to.Streams[0].Frames, func(r *row) bool { return r.stream == index[0] && whole(r) })
	}
	skipped := t.skipped()
	if len(to.Frames) == 0 && skipped != "" {
		return nil, fmt.Errorf("no frame times in it: %s", skipped)
	}
	if len(to.Streams) > 1 {
		to.note("the frames of " + to.Streams[0].String() + " are read, and those of " + listed(to.Streams[1:]) + " left out")
	}
	if skipped != "" {
		to.note(skipped)
	}
	if n := len(to.Frames); t.elapsed && n > 1 {
		sum := 0.
		for _, f := range to.Frames {
			sum += f.Between
		}
		if apart := (to.Frames[n-1].Time - to.Frames[0].Time) / 1e9 / float64(n-1); apart*float64(n) > 1.5*sum {
			to.note(fmt.Sprintf("its rows are %.3g ms apart, and its frames take %.3g: does it have samples (log_interval) and not all frames?", 1e3*apart, 1e3*sum/float64(n)))
		}
	}
	to.settle(t.start)
	return to, nil
}

func (t *tableReader) skipped() string {
	var parts []string
	if t.broken > 0 {
		text := plural(t.broken, "row") + " with more or fewer fields than the header"
		if t.first > 0 {
			text += fmt.Sprintf(" (the first in line %d)", t.first)
		}
		parts = append(parts, text)
	}
	if t.without > 0 {
		parts = append(parts, plural(t.without, "row")+" without a frame time")
	}
	if t.made > 0 {
		parts = append(parts, plural(t.made, "row")+" of generated frames")
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, " and ") + " skipped"
}

func noStream(stream string, all []TraceStream) error {
	return fmt.Errorf("there is no %q in it; there is %s", stream, listed(all))
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// listed returns a text with the names of a few streams.
func listed(streams []TraceStream) string {
	var names []string
	for _, s := range streams[:min(3, len(streams))] {
		names = append(names, fmt.Sprintf("%v (%s)", s, plural(s.Frames, "frame")))
	}
	if more := len(streams) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, "; ")
}

func field(fields []string, i int) string {
	if i < 0 || i >= len(fields) {
		return ""
	}
	return strings.TrimSpace(fields[i])
}

// generated reports whether a driver made the frames of this kind, between two frames of
// the program. The row of such a frame repeats the time of the program's frame.
func generated(kind string) bool {
	return kind != "" && !slices.Contains([]string{"application", "notset", "unspecified", "unknown", "na"}, caption(kind))
}

func isTrue(s string) bool {
	x := new(numbers).number(s)
	return x < 0 || x > 0 || strings.EqualFold(s, "true") || strings.EqualFold(s, "yes")
}
