package frametime

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// form is a set of columns that programs write. Captions are compared by letters and
// digits alone, and what stands in brackets after one is its unit.
type form struct {
	frame []string // how long a frame took
	clock []string // when it was presented, or when it started, in any unit
	shown string   // from there to the display
	start bool     // clock and shown count from the frame's start
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

// table is a header: where its columns are, or -1.
type table struct {
	comma                                               byte
	width                                               int
	frame, clock, shown, dropped, app, pid, chain, rate int
	start                                               bool
	elapsed                                             bool    // clock is MangoHud's, in ns
	unit                                                float64 // ms in the unit of the frame times
}

// tableHeader is the table that a line is the header of, or nil.
func tableHeader(line []byte) *table {
	if !namesFrameTimes(line) || comment(line) {
		return nil
	}
	var found *table
	for _, comma := range []byte("\t;,") {
		names := splitRow(nil, line, comma, maxTraceColumns+1)
		if found == nil || len(names) > found.width {
			found = cmp.Or(columns(names, comma), found)
		}
	}
	return found
}

// namesFrameTimes reports whether a line may be a header. It is quick, because all lines of
// a file may have to be looked at.
func namesFrameTimes(line []byte) bool {
	for i, c := range line {
		if c|0x20 == 'b' && len(line)-i >= 7 && bytes.EqualFold(line[i:i+7], []byte("between")) ||
			c|0x20 == 'f' && len(line)-i >= 9 && bytes.EqualFold(line[i:i+5], []byte("frame")) {
			return true
		}
	}
	return false
}

func columns(names [][]byte, comma byte) *table {
	width := 0
	at, units := map[string]int{}, make([]float64, len(names))
	for i, b := range names {
		name, unit := caption(b)
		if _, twice := at[name]; name != "" && !twice {
			at[name], units[i] = i, unit
		}
		if name != "" {
			width = i + 1
		}
	}
	find := func(names ...string) int {
		for _, n := range names {
			if i, ok := at[n]; ok {
				return i
			}
		}
		return -1
	}
	t := &table{comma: comma, width: width, frame: -1, shown: -1}
	for _, f := range forms {
		frame, shown := find(f.frame...), find(f.shown)
		if frame >= 0 && (t.frame < 0 || t.shown < 0 && shown >= 0) {
			t.frame, t.shown, t.clock, t.start, t.unit = frame, shown, find(f.clock...), f.start, units[frame]
		}
	}
	if t.frame < 0 {
		return nil
	}
	t.dropped, t.rate = find("dropped"), find("fps")
	t.elapsed = t.clock >= 0 && t.clock == find("elapsed")
	t.app, t.pid, t.chain = find("application"), find("processid"), find("swapchainaddress")
	return t
}

// caption is a column's name in small letters and digits, and how many ms its unit has.
func caption(b []byte) (name string, unit float64) {
	s := strings.ToLower(strings.ToValidUTF8(string(bytes.TrimSpace(b)), "?"))
	unit = 1
	if i := strings.IndexAny(s, "(["); i > 0 {
		unit = cmp.Or(units[strings.TrimRight(s[i+1:], ")] ")], 1)
		s = s[:i]
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" _-", r) {
			return -1
		}
		return r
	}, s), unit
}

// units are in ms.
var units = map[string]float64{"s": 1e3, "ms": 1, "us": 1e-3, "µs": 1e-3, "μs": 1e-3, "ns": 1e-6}

// TraceStream says whose frames a trace has: those that a process presents in one swap
// chain. A field is "" if the recording does not say.
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

// has reports whether each of the words is one of the stream's.
func (s TraceStream) has(words []string) bool {
	own := strings.Fields(s.Application + " " + s.Process + " " + s.SwapChain)
	return !slices.ContainsFunc(words, func(w string) bool {
		return !slices.ContainsFunc(own, func(o string) bool { return strings.EqualFold(w, o) })
	})
}

// composes reports whether the stream is that of a program that shows the windows of others.
func (s TraceStream) composes() bool {
	name := strings.TrimSuffix(strings.ToLower(s.Application), ".exe")
	return slices.Contains([]string{"dwm", "gamescope", "gamescope-wl", "kwin_wayland", "kwin_x11", "gnome-shell", "mutter", "sway", "weston", "xorg", "xwayland"}, name)
}

// rank is higher for a stream that is wanted less.
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
	names   map[string]uint32 // the index of a stream
	key     []byte
	mark    numbers
	widths  [maxTraceColumns + 1]int // how many rows have how many fields
	votes   map[float64]int          // how many rows say, by their fps, that frame times are in this unit
	broken  int                      // rows with more or fewer fields than the header
	first   int                      // the line of the first of them
	without int                      // rows without a frame time
}

// readTable reads the rows below a header, which is line n.
func readTable(lines *bufio.Scanner, header *table, n int, stream string) (*Trace, error) {
	if header.width > maxTraceColumns {
		return nil, fmt.Errorf("line %d: more than %d columns", n, maxTraceColumns)
	}
	t := &tableReader{table: header, names: map[string]uint32{}, votes: map[float64]int{}}
	var fields [][]byte
	for lines.Scan() {
		n++
		line := lines.Bytes()
		if trimmed := bytes.TrimSpace(line); len(trimmed) == 0 || comment(trimmed) {
			continue
		}
		if again := tableHeader(line); again != nil { // files that were joined
			t.table = again
			continue
		}
		fields = splitRow(fields[:0], line, t.comma, maxTraceColumns)
		if err := t.row(fields, n); err != nil {
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

// row reads the row in line n.
func (t *tableReader) row(fields [][]byte, n int) error {
	for len(fields) > t.width && len(bytes.TrimSpace(fields[len(fields)-1])) == 0 {
		fields = fields[:len(fields)-1] // a spreadsheet may fill rows up
	}
	if len(fields) > t.width || t.frame >= len(fields) || max(t.app, t.pid, t.chain) >= len(fields) {
		t.skip(n)
		return nil
	}
	ms, ok := t.mark.ms(field(fields, t.frame))
	ms *= t.unit
	if !ok || !possible(ms) {
		t.without++
		return nil
	}
	if fps, ok := new(numbers).ms(field(fields, t.rate)); ok && t.rate >= 0 && ms > 0 {
		for _, unit := range units {
			if x := ms * unit * fps / 1e3; x > .8 && x < 1.25 {
				t.votes[unit]++
			}
		}
	}
	at, ok := new(numbers).ms(field(fields, t.clock))
	if !ok {
		at = math.NaN()
	}
	shown, ok := new(numbers).ms(field(fields, t.shown))
	stream, err := t.stream(fields)
	if err != nil {
		return err
	}
	return t.add(ms, at, shown, ok && !isTrue(field(fields, t.dropped)), row{stream: stream, fields: uint16(len(fields))})
}

// add adds the frame of a row: how long it took and how long until it was shown, in ms, and
// when it was presented.
func (t *tableReader) add(ms, at, shown float64, isShown bool, r row) error {
	r.TraceFrame = lasting(ms)
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

// stream is the index of the row's stream.
func (t *tableReader) stream(fields [][]byte) (uint32, error) {
	app, pid, chain := field(fields, t.app), field(fields, t.pid), field(fields, t.chain)
	t.key = append(append(append(append(append(t.key[:0], app...), 0), pid...), 0), chain...)
	at, ok := t.names[string(t.key)]
	if !ok {
		if len(t.streams) == maxTraceStreams {
			return 0, fmt.Errorf("more than %d programs and swap chains", maxTraceStreams)
		}
		at = uint32(len(t.streams))
		t.names[string(t.key)] = at
		t.streams = append(t.streams, TraceStream{Application: clip(app), Process: clip(pid), SwapChain: clip(chain)})
	}
	return at, nil
}

// trace is the stream that was asked for.
func (t *tableReader) trace(stream string) (*Trace, error) {
	// The rows of OCAT are shorter than its header, which begins with columns for the frames
	// and ends with some for the machine.
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
				t.skip(0)
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
	if len(to.Frames) == 0 && t.broken+t.without > 0 {
		return nil, fmt.Errorf("no frame times in it: %s", t.skipped())
	}
	t.convert(to)
	if len(to.Streams) > 1 {
		to.note("the frames of " + to.Streams[0].String() + " are read, and those of " + listed(to.Streams[1:]) + " left out")
	}
	if t.broken+t.without > 0 {
		to.note(t.skipped())
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

// convert has the frame times in ms, if the column fps says that they are in another unit.
func (t *tableReader) convert(to *Trace) {
	for name, unit := range units {
		if t.votes[unit] <= t.kept.n/2 || unit == 1 || name == "us" {
			continue
		}
		for i := range to.Frames {
			f := &to.Frames[i]
			f.Between *= unit
			f.Duration = int64(math.Round(f.Between * 1e9))
		}
		to.note("the frame times are in " + name + ", as the column fps says")
		return
	}
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

// listed names a few streams.
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

func field(fields [][]byte, i int) []byte {
	if i < 0 || i >= len(fields) {
		return nil
	}
	return bytes.TrimSpace(fields[i])
}

func isTrue(b []byte) bool {
	x, ok := new(numbers).ms(b)
	return ok && x != 0 || bytes.EqualFold(b, []byte("true")) || bytes.EqualFold(b, []byte("yes"))
}

// splitRow appends the fields of a line to row, until there are most. Quotes around a
// field are left out; two quotes within one stay two. A quote that is not closed ends with
// its line, so that it costs a row and not the rest of the file.
func splitRow(row [][]byte, line []byte, comma byte, most int) [][]byte {
	for len(row) < most {
		from, end := 0, bytes.IndexByte(line, comma)
		if len(line) > 0 && line[0] == '"' {
			from = 1
			for end = 1; end < len(line) && !(line[end] == '"' && (end+1 == len(line) || line[end+1] == comma)); end++ {
				if line[end] == '"' && line[end+1] == '"' {
					end++
				}
			}
		}
		if end < 0 || end >= len(line) {
			return append(row, line[from:])
		}
		row = append(row, line[from:end])
		if line = line[end+from:]; len(line) == 0 { // the quote was the last
			return row
		}
		line = line[1:]
	}
	return row
}

// numbers reads the numbers of a column, which may have decimal commas and marks between
// thousands. It remembers which mark has stood before decimals, because 1,234 alone can be
// either.
type numbers struct{ point byte }

// ms reads a number. A unit after it is taken into account.
func (m *numbers) ms(b []byte) (x float64, ok bool) {
	if len(b) == 0 || len(b) > 40 || b[0] >= 'A' { // NA
		return 0, false
	}
	last := bytes.LastIndexAny(b, ".,")
	alone := last >= 0 && bytes.IndexByte(b, b[last]) == last && bytes.IndexAny(b, ".,") == last
	if !alone || b[last] == '.' && m.point != ',' {
		if x, err := strconv.ParseFloat(string(b), 64); err == nil {
			if alone {
				m.point = '.'
			}
			return x, !math.IsNaN(x)
		}
	}
	s, unit := strings.TrimSpace(string(b)), 1.
	if i := strings.LastIndexFunc(s, func(r rune) bool { return r >= '0' && r <= '9' || r == '.' || r == ',' }) + 1; i > 0 && i < len(s) {
		if unit, ok = units[strings.ToLower(strings.TrimSpace(s[i:]))]; !ok {
			return 0, false
		}
		s = strings.TrimSpace(s[:i])
	}
	s, ok = m.plain(s)
	if !ok {
		return 0, false
	}
	x, err := strconv.ParseFloat(s, 64)
	return x * unit, err == nil && !math.IsNaN(x)
}

// plain is a number with a decimal point and without marks between thousands.
func (m *numbers) plain(s string) (string, bool) {
	whole, decimals, point := s, "", byte(0)
	if i := strings.LastIndexAny(s, ".,"); i >= 0 && strings.Count(s, s[i:i+1]) == 1 {
		alone := strings.IndexAny(s, ".,") == i
		if !alone || m.point == 0 || m.point == s[i] || len(s)-i-1 != 3 {
			whole, decimals, point = s[:i], s[i+1:], s[i]
		}
	}
	if i := strings.IndexAny(whole, ".,' \u00a0\u202f"); i >= 0 {
		mark, _ := utf8.DecodeRuneInString(whole[i:])
		groups := strings.Split(whole, string(mark))
		for n, g := range groups {
			if n > 0 && len(g) != 3 || len(g) > 3 {
				return "", false
			}
		}
		whole = strings.Join(groups, "")
	}
	if point != 0 {
		m.point = point
	}
	return whole + "." + decimals, true
}
