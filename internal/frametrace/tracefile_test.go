package frametrace

import (
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"halfstep/renderloop/clock"
	"halfstep/test/norace"
)

func durations(t *testing.T, text string) []int64 {
	t.Helper()
	trace, err := ReadTrace(strings.NewReader(text), "")
	if err != nil {
		t.Fatal(err)
	}
	var d []int64
	for _, f := range trace.Frames {
		d = append(d, f.Duration)
	}
	return d
}

func TestAListHasOneFrameTimePerLine(t *testing.T) {
	want := []int64{16_666_700, 0, 8_000_001}
	for name, text := range map[string]string{
		"plain":    "16.6667\n0\n8.0000013\n",
		"comments": "# ms\n16.6667\n\n 0\t\n# more\n8.000001",
		"windows":  "\ufeff16.6667\r\n0\r\n8.000001\r\n",
	} {
		if got := durations(t, text); !slices.Equal(got, want) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

const recording = `// recorded somewhere
Application,SwapChainAddress,Dropped,TimeInSeconds,MsBetweenPresents,MsUntilDisplayed,Processor
"a, b.exe",0x1,0,2.010,10.0,14.0,"one, two"
"a, b.exe",0x2,0,2.011,1.0,14.0
other.exe,0x1,0,2.012,1.0,14.0
"a, b.exe",0x1,1,2.030,20.0,0
"a, b.exe",0x1,0,2.035,5.0
"a, b.exe",0x1,0,2.035,oops,3.0
"a, b.exe",0x1,0,2.0355,5.5,0.0
"a, b.exe",0x1,0,2.0405,5.0,3.0
`

func TestARecordingIsReadForItsFirstSwapChain(t *testing.T) {
	want := []int64{10e6, 20e6, 5.5e6, 5e6}
	if got := durations(t, recording); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestStartsAndVisibleFollowTheDefinition(t *testing.T) {
	trace, err := ReadTrace(strings.NewReader(recording), "")
	if err != nil {
		t.Fatal(err)
	}
	starts, visible := trace.Starts(), trace.Visible()
	if !near(starts, []float64{0, .010, .030, .0355}) {
		t.Errorf("starts %v", starts)
	}
	// the second frame was dropped, and the third was never displayed
	if !near(visible, []float64{.024, math.NaN(), math.NaN(), .0435}) {
		t.Errorf("visible %v", visible)
	}
}

func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) < 1e-9
	})
}

func TestARecordingMayLackAllButTheFrameTimes(t *testing.T) {
	trace, err := ReadTrace(strings.NewReader("Runtime,msBetweenPresents\nDXGI,4\nDXGI,6\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	if trace.Presented || trace.Visible() != nil {
		t.Error("it can not know when frames were seen")
	}
	if s := trace.Starts(); !near(s, []float64{0, .004}) {
		t.Errorf("starts %v", s)
	}
}

// Neither bytes that are not UTF-8 nor letters whose lower case is longer or shorter
// may shift columns.
func TestWhatATraceDoesNotUseMayHoldAnyBytes(t *testing.T) {
	every := make([]byte, 0, 256)
	for b := range 256 {
		if c := byte(b); c != '\n' && c != '\r' && c != '"' && c != ',' {
			every = append(every, c)
		}
	}
	want := []int64{10e6, 20e6}
	for name, text := range map[string]string{
		"Latin-1":            "// Gr\xf6\xdfe, K\xe4\xe4\xe4\xe4\xe4\xe4fer\nApplication,MsBetweenPresents\na,10\na,20\n",
		"long small letters": "// " + strings.Repeat("Ⱥ", 50) + strings.Repeat("İ", 50) + "\nmsBETWEENpresents,Comment\n10,\xff\n20,Ⱥ\n",
		"every byte":         "// " + string(every) + "\n" + string(every) + ",MsBetweenPresents\nx" + string(every) + ",10\n" + "x" + string(every) + ",20\n",
		"a list's comment":   "# " + string(every) + "\n10\n#\xe4\n20\n",
	} {
		if got := durations(t, text); !slices.Equal(got, want) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestABadTraceIsRefusedInOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "no frame times",
		"\n# nothing\n":                   "no frame times",
		"16\nNaN\n":                       `line 2: "NaN" is not`,
		"16\n-1\n":                        "line 2: a frame time of -1 ms",
		"16\n+Inf\n":                      "line 2: a frame time of +Inf ms",
		"16\n1e12\n":                      "line 2: a frame time of 1e+12 ms",
		"16\nfast\n":                      `line 2: "fast" is not`,
		"Application,Time\na,1\n":         "it is a table (Application,Time) without a column of frame times",
		"MsBetweenPresents\n":             "no frame times",
		"A,MsBetweenPresents2\na,1\n":     "it is a table (A,MsBetweenPresents2) without",
		"A,MsBetweenPresents\na,x\n":      "no frame times",
		"A,MsBetweenPresents\na,-1\na,-2": "2 rows without a frame time",
		"x\nA,MsBetweenPresents\na,NaN\n": "no frame times in it: 1 row without a frame time",
		"\x00\x01\x02":                    "it is not text",
		strings.Repeat("\xa4", 10) + "000MsBetweenPresents0\n": "it begins with",
	} {
		_, err := ReadTrace(strings.NewReader(text), "")
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// zeros is a file that never ends, like /dev/zero.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

func TestATraceWithoutAnEndIsRefused(t *testing.T) {
	if _, err := ReadTrace(zeros{}, ""); err == nil || !strings.Contains(err.Error(), "a line of more than 256 KiB") {
		t.Errorf("%v", err)
	}
	l := &limitedReader{r: zeros{}, left: 1000}
	if _, err := io.ReadAll(l); err == nil || err.Error() != "larger than 1024 MiB" {
		t.Errorf("%v", err)
	}
}

func TestATraceFileIsNamedInItsError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	if _, err := ReadTraceFile(path, ""); err == nil || strings.Count(err.Error(), path) != 1 {
		t.Errorf("missing: %v", err)
	}
	if _, err := ReadTraceFile(filepath.Dir(path), ""); err == nil || strings.Count(err.Error(), filepath.Dir(path)) != 1 {
		t.Errorf("a folder: %v", err)
	}
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadTraceFile(path, ""); err == nil || !strings.HasPrefix(err.Error(), path+`: it begins with "x"`) {
		t.Errorf("%v", err)
	}
}

func TestRecordedTracesRead(t *testing.T) {
	data := os.Getenv("HALFSTEP_DATA")
	if data == "" {
		t.Skip("HALFSTEP_DATA is not set")
	}
	files, _ := filepath.Glob(filepath.Join(data, "frametimes", "*", "*.csv"))
	if len(files) == 0 {
		t.Skip("no frametimes below " + data)
	}
	for _, f := range files {
		trace, err := ReadTraceFile(f, "")
		if err != nil {
			t.Error(err)
			continue
		}
		starts := trace.Starts()
		sum := 0.0
		for i, d := range trace.Frames {
			// TimeInSeconds is rounded to a microsecond
			if math.Abs(starts[i]-sum) > 1e-3 {
				t.Errorf("%s: frame %d starts at %v, after %v s of frames", filepath.Base(f), i, starts[i], sum)
				break
			}
			sum += float64(d.Duration) / 1e9
		}
		if !trace.Presented || starts[0] != 0 {
			t.Errorf("%s: presented %v, first start %v", filepath.Base(f), trace.Presented, starts[0])
		}
	}
}

func FuzzReadTrace(f *testing.F) {
	f.Add(recording)
	f.Add("16.7\n8\n")
	for seed := range uint64(40) {
		f.Add(string(writeTrace(rand.New(rand.NewPCG(seed, 2))).data))
	}
	f.Fuzz(func(t *testing.T, text string) {
		trace, err := ReadTrace(strings.NewReader(text), "")
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than a line: %q", err)
			}
			return
		}
		for _, fr := range trace.Frames {
			if fr.Duration < 0 || fr.Duration > clock.MaxFrameTime {
				t.Errorf("a frame of %d ns", fr.Duration)
			}
		}
	})
}

func TestReadingATraceTakesAtMostAMultipleOfItsSize(t *testing.T) {
	norace.Only(t)
	const size = 1 << 20
	fill := func(head, row string) string { return head + strings.Repeat(row, (size-len(head))/len(row)) }
	for name, text := range map[string]string{
		"the shortest list":      fill("", "1\n"),
		"carriage returns":       fill("", "\r"),
		"comments":               fill("", "#\n"),
		"rows":                   fill("MsBetweenPresents\n", "1\n"),
		"commas":                 fill("MsBetweenPresents\n", ","),
		"commas in the header":   fill("MsBetweenPresents", ","),
		"quotes":                 fill("MsBetweenPresents\n", "\""),
		"fields over many lines": fill("MsBetweenPresents\n", "\"\n\","),
		"letters":                fill("", "m"),
		"an unfinished number":   fill("1", "0"),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		ReadTrace(strings.NewReader(text), "")
		runtime.ReadMemStats(&after)
		lines := strings.Count(text, "\n") + strings.Count(text, "\r")
		if got := int(after.TotalAlloc - before.TotalAlloc); got > 8*size+100*lines { // some of it garbage
			t.Errorf("%s: %d bytes are allocated for %d", name, got, size)
		}
	}
}

func TestATraceHasALimitOfFramesAndColumns(t *testing.T) {
	norace.Only(t)
	for text, want := range map[string]string{
		strings.Repeat("1\n", 2_000_001):                          "more than 2000000 frames",
		"Runtime\nMsBetweenPresents" + strings.Repeat(",x", 1000): "line 2: more than 1000 columns",
	} {
		if _, err := ReadTrace(strings.NewReader(text), ""); err == nil || err.Error() != want {
			t.Errorf("%v, not %s", err, want)
		}
	}
	if trace, err := ReadTrace(strings.NewReader(strings.Repeat("1\n", 2_000_000)), ""); err != nil || len(trace.Frames) != 2_000_000 {
		t.Error(err)
	}
}

func TestFieldsOfARowMayBeQuoted(t *testing.T) {
	split := newSplitter()
	for line, want := range map[string][]string{
		"a,b":               {"a", "b"},
		",":                 {"", ""},
		`"a, b",c`:          {"a, b", "c"},
		`"a ""b"", c","d"`:  {`a "b", c`, "d"},
		`"",""`:             {"", ""},
		`"open, to the end`: {"open, to the end"},
		`a"b,c`:             {`a"b`, "c"},
		`"`:                 {""},
		`"""`:               {`"`},
		`"a",`:              {"a", ""},
	} {
		if got := split.split([]byte(line), ','); !slices.Equal(got, want) {
			t.Errorf("%s: %q", line, got)
		}
	}
}
