package frametrace

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"halfstep/test/norace"
)

// written is an invented recording, together with its contents.
type written struct {
	name    string
	data    []byte
	between []float64 // ms
	seen    []float64 // seen are times in s, counted like those of Starts. The element is NaN for a frame that was not displayed. The list is nil if nothing was recorded.
	skipped int       // skipped is the number of rows that must be skipped.
}

// columnsOf are the columns of each form, in the order in which the program writes them.
var columnsOf = map[string][]string{
	"PresentMon 1":     {"Application", "ProcessID", "SwapChainAddress", "Runtime", "Dropped", "TimeInSeconds", "msBetweenPresents", "msUntilRenderComplete", "msUntilDisplayed"},
	"PresentMon 2":     {"Application", "ProcessID", "SwapChainAddress", "PresentMode", "TimeInMs", "MsBetweenSimulationStart", "MsBetweenPresents", "MsUntilDisplayed", "CPUStartTimeInMs", "MsBetweenAppStart"},
	"PresentMon 2, v2": {"Application", "ProcessID", "SwapChainAddress", "PresentMode", "CPUStartQPC", "FrameTime", "CPUBusy", "DisplayLatency", "DisplayedTime"},
	"OCAT":             {"Application", "ProcessID", "SwapChainAddress", "Dropped", "TimeInSeconds", "MsBetweenPresents", "MsUntilDisplayed", "Motherboard", "OS", "Comment"},
	"FrameView":        {"Application", "GPU", "Resolution", "ProcessID", "SwapChainAddress", "PresentMode", "Dropped", "TimeInSeconds", "MsBetweenPresents", "MsUntilDisplayed", "Render Queue Depth", "GPU0Util(%)"},
	"MangoHud":         {"fps", "frametime", "cpu_load", "gpu_load", "elapsed"},
	"CapFrameX":        nil,
	"list":             nil,
}

// writeTrace invents a recording in some form, with the usual damage.
func writeTrace(r *rand.Rand) written {
	names := []string{"PresentMon 1", "PresentMon 2", "PresentMon 2, v2", "OCAT", "FrameView", "MangoHud", "CapFrameX", "list"}
	w := written{name: names[r.IntN(len(names))]}
	n, at := 8+r.IntN(40), 0.
	var ends, latency []float64 // both in s; the latency is NaN for a frame that is not displayed
	for range n {
		ms := math.Round(1e3*(4+20*r.Float64())) / 1e3
		if r.IntN(20) == 0 {
			ms += 1200 // a hitch, whose number has a mark between thousands in some files
		}
		at += ms / 1e3
		shown := math.Round(1e3*(10+10*r.Float64())) / 1e6
		if r.IntN(4) == 0 {
			shown = math.NaN()
		}
		w.between, ends, latency = append(w.between, ms), append(ends, at), append(latency, shown)
		w.seen = append(w.seen, at+shown)
	}
	switch w.name {
	case "CapFrameX":
		w.data = writeCapFrameX(r, &w, ends, latency)
	case "list":
		w.seen = nil
		number := numberWriter(r, true)
		for i, ms := range w.between {
			w.data = append(w.data, number(ms)+[]string{"\n", "\r\n", "\n\n", "\n# a comment\n", " \n"}[r.IntN(5)]...)
			if i == 0 && r.IntN(2) == 0 {
				w.data = append([]byte("# frame times, ms\n"), w.data...)
			}
		}
	default:
		writeTable(r, &w, ends, latency)
	}
	w.data = encoded(r, w.data)
	return w
}

// numberWriter returns a function that writes numbers in the style of some country.
func numberWriter(r *rand.Rand, commas bool) func(float64) string {
	style := r.IntN(4)
	return func(x float64) string {
		s := strconv.FormatFloat(x, 'f', 3, 64)
		whole, decimals, _ := strings.Cut(s, ".")
		if n := len(whole) - 3; n > 0 && style >= 2 {
			whole = whole[:n] + map[int]string{2: ".", 3: "'"}[style] + whole[n:]
		}
		switch {
		case style == 0 || !commas:
			return s
		case style == 1:
			return whole + "," + decimals
		case style == 2 && decimals != "":
			return whole + "," + decimals + "0"
		}
		return whole + "." + decimals + "0"
	}
}

func writeCapFrameX(r *rand.Rand, w *written, ends, latency []float64) []byte {
	runs := 1 + r.IntN(3)
	type data map[string]any
	var all []data
	for i := range runs {
		from, to := i*len(ends)/runs, (i+1)*len(ends)/runs
		var until, dropped []any
		times := []float64{}
		for k := from; k < to; k++ {
			times = append(times, ends[k]-ends[from])
			switch miss := math.IsNaN(latency[k]); {
			case miss && r.IntN(2) == 0:
				until, dropped = append(until, 0), append(dropped, true)
			case miss:
				until, dropped = append(until, "NaN"), append(dropped, false)
			default:
				until, dropped = append(until, 1e3*latency[k]), append(dropped, false)
			}
		}
		all = append(all, data{"Hash": "x", "CaptureData": data{
			"MsBetweenPresents": w.between[from:to], "TimeInSeconds": times, "MsUntilDisplayed": until, "Dropped": dropped,
		}})
	}
	text, err := json.Marshal(data{"Info": data{"ProcessName": "game.exe"}, "Runs": all})
	if err != nil {
		panic(err)
	}
	return text
}

func writeTable(r *rand.Rand, w *written, ends, latency []float64) {
	names := columnsOf[w.name]
	order := r.Perm(len(names))
	if w.name == "OCAT" || r.IntN(2) == 0 {
		for i := range order {
			order[i] = i
		}
	}
	comma := []string{",", ";", "\t"}[r.IntN(3)]
	quotes := r.IntN(3) == 0
	number := numberWriter(r, comma != "," || quotes)
	kind, dates, line := w.name, r.IntN(4) == 0, 0
	var b strings.Builder
	put := func(fields ...string) {
		for i, f := range fields {
			if i > 0 {
				b.WriteString(comma)
			}
			if quotes || strings.Contains(f, comma) {
				f = `"` + f + `"`
			}
			b.WriteString(f)
		}
		b.WriteString("\r\n"[r.IntN(2):])
		line++
	}
	row := func(app, pid, chain string, i int, scale float64) []string {
		until, dropped := "NA", "1"
		if !math.IsNaN(latency[i]) {
			until, dropped = number(1e3*latency[i]), "0"
		} else if kind != "PresentMon 2" && kind != "PresentMon 2, v2" {
			until = "0"
		}
		ms, end := w.between[i]*scale, ends[i]*scale
		time := strconv.FormatFloat(end+100, 'f', 6, 64)
		if dates {
			time = "2024-3-5 12:00:00.010000000"
		}
		fromStart := "NA"
		if !math.IsNaN(latency[i]) {
			fromStart = number(ms + 1e3*latency[i])
		}
		values := map[string]string{
			"Application": app, "ProcessID": pid, "SwapChainAddress": chain, "Runtime": "DXGI", "PresentMode": "Hardware: Independent Flip",
			"GPU": "A GPU", "Resolution": "1920x1080", "Dropped": dropped, "TimeInSeconds": time, "TimeInMs": number(1e3 * end),
			"msBetweenPresents": number(ms), "MsBetweenPresents": number(ms), "FrameTime": number(ms), "frametime": number(ms), "MsBetweenAppStart": number(2 * ms),
			"msUntilDisplayed": until, "MsUntilDisplayed": until, "DisplayLatency": fromStart, "DisplayedTime": until,
			"CPUStartQPC": strconv.FormatFloat(1e7*(end-ms/1e3)+1e9, 'f', 0, 64), "fps": number(1e3 / ms), "elapsed": strconv.FormatFloat(1e9*end, 'f', 0, 64),
			"Motherboard": "A board, with a chip", "Comment": "a comment",
		}
		var fields []string
		for _, k := range order {
			name := names[k]
			if kind == "OCAT" && i > 0 && k >= 7 {
				break
			}
			v, ok := values[name]
			if !ok {
				v = "1"
			}
			fields = append(fields, v)
		}
		return fields
	}
	head := func() {
		var captions []string
		for _, k := range order {
			captions = append(captions, names[k])
		}
		put(captions...)
	}
	if w.name == "MangoHud" {
		w.seen = nil
		put("os", "cpu", "gpu")
		put("Linux", "A CPU", "A GPU")
	} else if r.IntN(3) == 0 {
		b.WriteString([]string{"//GameName=game.exe\n", "sep=" + comma + "\r\n", "\n\n"}[r.IntN(3)])
	}
	head()
	several := w.name != "MangoHud" && w.name != "OCAT" && r.IntN(2) == 0
	for i := range ends {
		put(row("game.exe", "22", "0x0", i, 1)...)
		if several {
			put(row("dwm.exe", "11", "0x1", i, .5)...)
			put(row("dwm.exe", "11", "0x1", i, .5)...)
			if i%2 == 0 {
				put(row("game.exe", "23", "0x0", i, 3)...)
			}
		}
		switch r.IntN(40) {
		case 0: // two rows in one line
			put(append(row("game.exe", "22", "0x0", i, 1), row("game.exe", "22", "0x0", i, 1)...)...)
			w.skipped++
		case 1:
			head()
		case 2:
			b.WriteString("\n")
		}
	}
	if cut := row("game.exe", "22", "0x0", 1, 1); r.IntN(3) == 0 {
		put(cut[:1+r.IntN(len(cut)-1)]...)
		w.skipped++
	}
	w.data = []byte(b.String())
}

// encoded returns text in the encoding of some program.
func encoded(r *rand.Rand, text []byte) []byte {
	if r.IntN(2) == 0 {
		text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte([]string{"\r\n", "\n", "\r"}[r.IntN(3)]))
	}
	var order binary.AppendByteOrder = binary.LittleEndian
	mark := r.IntN(2) == 0
	switch r.IntN(4) {
	case 0:
		return text
	case 1:
		return append([]byte("\xef\xbb\xbf"), text...)
	case 2:
		order = binary.BigEndian
	}
	var b []byte
	if mark {
		b = order.AppendUint16(b, 0xfeff)
	}
	for _, u := range utf16.Encode([]rune(string(text))) {
		b = order.AppendUint16(b, u)
	}
	return b
}

// check compares a trace with the recording that was written.
func (w *written) check(trace *Trace) error {
	if len(trace.Frames) != len(w.between) {
		return fmt.Errorf("%d frames, not %d; %s", len(trace.Frames), len(w.between), trace.Note)
	}
	for i, f := range trace.Frames {
		if math.Abs(1e3*f.Between-w.between[i]) > 1e-6 {
			return fmt.Errorf("frame %d takes %v ms, not %v", i, 1e3*f.Between, w.between[i])
		}
	}
	if trace.Presented != (w.seen != nil) {
		return fmt.Errorf("presented: %v", trace.Presented)
	}
	for i, at := range trace.Visible() {
		if math.IsNaN(at) != math.IsNaN(w.seen[i]) || math.Abs(at-w.seen[i]) > 1e-4 {
			return fmt.Errorf("frame %d is seen at %v s, not %v", i, at, w.seen[i])
		}
	}
	if said := strings.Contains(trace.Note, plural(w.skipped, "row")+" with more or fewer fields"); w.skipped > 0 && !said {
		return fmt.Errorf("%d rows are skipped, and it says %q", w.skipped, trace.Note)
	}
	return nil
}

func TestARecordingInAnyFormIsReadAsItWasWritten(t *testing.T) {
	norace.Only(t)
	for seed := range uint64(600) {
		w := writeTrace(rand.New(rand.NewPCG(seed, 1)))
		trace, err := ReadTrace(bytes.NewReader(w.data), "")
		if err == nil {
			err = w.check(trace)
		}
		if err != nil {
			t.Fatalf("seed %d, %s: %v\n%.1500q", seed, w.name, err, w.data)
		}
	}
}
