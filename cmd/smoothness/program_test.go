package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"halfstep/test/norace"
)

// write makes a file and returns the path of the file.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// plain returns a trace of n frames, with one line for each frame, in
// milliseconds.
func plain(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintln(&b, 10+i%3)
	}
	return b.String()
}

const header = "Application,SwapChainAddress,Dropped,TimeInSeconds,MsBetweenPresents,MsUntilDisplayed\n"

// table returns a recording of n frames of 10 ms. The function edit may change
// the fields of a row: dropped, time, between, until.
func table(n int, edit func(i int, f []string)) string {
	b := strings.Builder{}
	b.WriteString(header)
	for i := range n {
		f := []string{"0", fmt.Sprint(.01 * float64(i+1)), "10", "15"}
		if edit != nil {
			edit(i, f)
		}
		fmt.Fprintf(&b, "game.exe,0x1,%s\n", strings.Join(f, ","))
	}
	return b.String()
}

func call(t *testing.T, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	status = program(args, &o, &e)
	return status, o.String(), e.String()
}

func oneLine(t *testing.T, errs, want string) {
	t.Helper()
	if strings.Count(errs, "\n") != 1 || !strings.HasSuffix(errs, "\n") || !strings.Contains(errs, want) {
		t.Errorf("stderr is %q, want one line with %q", errs, want)
	}
}

func TestReportHasEveryLoopAndPacing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	status, out, errs := call(t, "-o", dir, write(t, "one.csv", table(300, nil)), write(t, "two.txt", plain(200)))
	if status != 0 || errs != "" {
		t.Fatalf("status %d, %s", status, errs)
	}
	data, err := os.ReadFile(filepath.Join(dir, "smoothness.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rep struct {
		Traces []struct {
			File   string
			Frames int
			Runs   []map[string]any
		}
	}
	if err := json.Unmarshal(data, &rep); err != nil {
		t.Fatal(err)
	}
	if len(rep.Traces) != 2 || filepath.Base(rep.Traces[0].File) != "one.csv" || rep.Traces[0].Frames != 300 || rep.Traces[1].Frames != 200 {
		t.Fatalf("%+v", rep.Traces)
	}
	var names []string
	for _, r := range rep.Traces[0].Runs {
		names = append(names, fmt.Sprint(r["loop"], " ", r["pacing"]))
		for _, k := range []string{"rms_ms", "p99_ms", "backward", "still", "latency_ms", "dropped_s", "lag_ms", "held"} {
			if _, ok := r[k].(float64); !ok {
				t.Errorf("%v has no %s", names[len(names)-1], k)
			}
		}
	}
	if got, want := strings.Join(names, ", "), "none off, single off, naive off, pipelined off, pipelined auto, pipelined told, lockstep off, lockstep auto, lockstep told, run-ahead off, run-ahead auto"; got != want {
		t.Errorf("runs are %s, want %s", got, want)
	}
	if !strings.Contains(out, "one.csv: 300 frames\n") || !strings.Contains(out, "two.txt: 200 frames, no display times") {
		t.Errorf("table:\n%s", out)
	}
}

func TestPageRefersToNothingOutside(t *testing.T) {
	dir := t.TempDir()
	name := "<i>.csv"
	if runtime.GOOS == "windows" { // Windows has no such names
		name = "&i;.csv"
	}
	if status, _, errs := call(t, "-o", dir, write(t, name, table(150, nil))); status != 0 {
		t.Fatal(errs)
	}
	page, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	if m := regexp.MustCompile(`(?i)<(script|link|img|iframe)|\b(src|href)=|url\(|@import`).Find(page); m != nil {
		t.Errorf("the page has %s", m)
	}
	if n := bytes.Count(page, []byte("<svg")); n != 6 {
		t.Errorf("%d plots, want 6", n)
	}
	if bytes.Contains(page, []byte(name)) || bytes.Contains(page, []byte("NaN")) {
		t.Error("the page has an unescaped name or a NaN")
	}
}

func TestRunsAreTheSameEveryTime(t *testing.T) {
	var before []byte
	trace := write(t, "t.txt", plain(400))
	for range 3 {
		dir := t.TempDir()
		if status, _, errs := call(t, "-o", dir, trace); status != 0 {
			t.Fatal(errs)
		}
		data, _ := os.ReadFile(filepath.Join(dir, "smoothness.json"))
		if before != nil && !bytes.Equal(before, data) {
			t.Fatal("two runs differ")
		}
		before = data
	}
}

func TestBadTracesAreRefusedWithOneLine(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"short":              {plain(99), "only 99 frames"},
		"short table":        {table(99, nil), "only 99 frames"},
		"columns come late":  {strings.ReplaceAll(table(200, nil), "15\n", "15,1\n"), "no frame times in it: 200 rows"},
		"most rows are wide": {table(50, nil) + strings.ReplaceAll(strings.TrimPrefix(table(200, nil), header), "15\n", "15,1\n"), "only 50 frames: at least 100 are needed (200 rows with more or fewer"},
		"empty":              {"", "no frame times"},
		"no column":          {"a,b,c\n1,2,3\n", "MsBetweenPresents"},
		"words":              {"hello\n", "not a frame time"},
		"NaN":                {plain(200) + "NaN\n", "NaN"},
		"infinite":           {plain(200) + "inf\n", "inf"},
		"negative":           {plain(200) + "-4\n", "-4"},
		"two days":           {plain(200) + "172800000\n", "line 201"},
		"two days in all":    {strings.Repeat("1000000\n", 200), "a recording may last"},
		"never displayed":    {table(200, func(_ int, f []string) { f[0] = "1" }), "were ever displayed"},
		"display time NaN":   {table(200, func(_ int, f []string) { f[3] = "NaN" }), "were ever displayed"},
		"display time inf":   {table(200, func(_ int, f []string) { f[3] = "1e999" }), ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "out")
			status, _, errs := call(t, "-o", dir, write(t, "good.txt", plain(200)), write(t, "bad.csv", c.text))
			if status != 1 {
				t.Errorf("status %d, want 1", status)
			}
			oneLine(t, errs, "bad.csv: ")
			oneLine(t, errs, c.want)
			if _, err := os.Stat(dir); err == nil {
				t.Error("something was written all the same")
			}
		})
	}
	status, _, errs := call(t, "-o", t.TempDir(), filepath.Join(t.TempDir(), "missing.csv"))
	if status != 1 {
		t.Errorf("status %d for a file that is not there", status)
	}
	oneLine(t, errs, "missing.csv")
}

func TestOddTracesArePlayed(t *testing.T) {
	norace.Only(t)
	for name, text := range map[string]string{
		"all zero":           strings.Repeat("0\n", 200),
		"zeros between":      strings.Repeat("0\n16\n", 200),
		"hours long":         plain(200) + "7200000\n" + plain(200),
		"seconds long":       strings.Repeat("2500\n", 150),
		"no display columns": strings.ReplaceAll(table(200, nil), "MsUntilDisplayed", "Other"),
		"one app of two":     strings.ReplaceAll(table(200, nil), "", "") + "other.exe,0x2,0,9,9,9\n",
		"rows cut off":       table(200, nil) + "game.exe,0x1,0,2.01\n",
		"clock set back": table(200, func(i int, f []string) {
			if i >= 100 {
				f[1] = fmt.Sprint(.01*float64(i+1) - .5)
			}
		}),
		"far future": table(200, func(i int, f []string) {
			if i == 150 {
				f[1] = "1e300"
			}
		}),
		"half displayed": table(400, func(i int, f []string) { f[0] = fmt.Sprint(i % 2) }),
	} {
		t.Run(name, func(t *testing.T) {
			for _, flags := range [][]string{nil, {"-cost", "0s"}, {"-cost", "50ms"}, {"-hz", "7.5"}, {"-hz", "240", "-max-steps", "1"}} {
				dir := t.TempDir()
				status, _, errs := call(t, append(append(flags, "-o", dir), write(t, "odd.csv", text))...)
				if status != 0 || strings.Count(errs, "\n") > 1 {
					t.Fatalf("%v: status %d, %s", flags, status, errs)
				}
			}
		})
	}
}

func TestBadUsageExitsWithTwo(t *testing.T) {
	trace := write(t, "t.txt", plain(100))
	for _, args := range [][]string{
		{trace}, {"-o", "x"}, {}, {"-nothing", trace},
		{"-o", "x", "-cost", "-1ms", trace}, {"-o", "x", "-cost", "4", trace}, {"-o", "x", "-cost", "2h", trace},
		{"-o", "x", "-hz", "0", trace}, {"-o", "x", "-hz", "NaN", trace}, {"-o", "x", "-hz", "1e9", trace},
		{"-o", "x", "-max-steps", "-1", trace}, {"-o", "x", "-svg", trace, "elsewhere/t.csv"},
		{"-o", "x", "-display", "sharp", trace}, {"-o", "x", "-display", "5", trace}, {"-o", "x", "-display", "60,feedback=kind", trace},
		{"-o", "x", "-display", "60,deadline=-1ms", trace}, {"-o", "x", "-display", "60,loud", trace}, {"-o", "x", "-display", "NaN", trace},
		{"-o", "x", "-start", "5", trace}, {"-o", "x", "-start", "60", "-work", "-1ms", trace}, {"-o", "x", "-work", "2ms", trace}, {"-o", "x", trace, "-cost", "9ms"},
	} {
		status, out, errs := call(t, args...)
		if status != 2 || out != "" {
			t.Errorf("%v: status %d and %q", args, status, out)
		}
		oneLine(t, errs, "smoothness: ")
	}
	if status, out, errs := call(t, "-h"); status != 0 || !strings.Contains(out, "-cost") || errs != "" {
		t.Errorf("-h: status %d, %q, %q", status, out, errs)
	}
}

func TestResultsThatCanNotBeWrittenAreOneLineBeforeAnythingIsPlayed(t *testing.T) {
	file, taken := write(t, "file", ""), t.TempDir()
	if err := os.Mkdir(filepath.Join(taken, pageFile), 0o777); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{filepath.Join(file, "dir"): "file", taken: pageFile} {
		status, out, errs := call(t, "-o", dir, write(t, "t.txt", plain(100)))
		if status != 1 || out != "" {
			t.Errorf("%s: status %d and %q", dir, status, out)
		}
		oneLine(t, errs, want)
	}
}
