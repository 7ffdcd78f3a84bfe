package frametrace

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// read reads a recording. It returns the number of frames, their mean in ms, and the note.
func read(t *testing.T, text, stream string) (frames int, mean float64, note string) {
	t.Helper()
	trace, err := ReadTrace(strings.NewReader(text), stream)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range trace.Frames {
		mean += 1e3 * f.Between / float64(len(trace.Frames))
	}
	return len(trace.Frames), mean, trace.Note
}

// PresentMon's own test recordings begin with dwm.exe, and CXWorld/CapFrameX names its
// captures after the game.
func TestTheCompositorIsNotTheGame(t *testing.T) {
	text := "Application,ProcessID,SwapChainAddress,MsBetweenPresents\n" +
		strings.Repeat("dwm.exe,11,0x1,16\ndwm.exe,11,0x1,16\ngame.exe,22,0x2,10\n", 20)
	frames, mean, note := read(t, text, "")
	if frames != 20 || mean > 10.1 || !strings.Contains(note, "frames of game.exe, process 22") || !strings.Contains(note, "dwm.exe, process 11, swap chain 0x1 (40 frames)") {
		t.Errorf("%d frames of %v ms; %s", frames, mean, note)
	}
	for _, stream := range []string{"dwm.exe", "11", "0x1", "DWM.EXE 11", "11 0x1"} {
		if frames, mean, _ := read(t, text, stream); frames != 40 || mean < 15.9 || mean > 16.1 {
			t.Errorf("%s: %d frames of %v ms", stream, frames, mean)
		}
	}
	if _, err := ReadTrace(strings.NewReader(text), "other.exe"); err == nil || !strings.Contains(err.Error(), `there is no "other.exe" in it; there is dwm.exe`) {
		t.Error(err)
	}
}

// Programs without DXGI all have the swap chain 0x0 (GameTechDev/PresentMon).
func TestProcessesOfOneNameAreToldApart(t *testing.T) {
	text := "Application,ProcessID,SwapChainAddress,MsBetweenPresents\n" +
		strings.Repeat("game.exe,1,0x0,10\ngame.exe,2,0x0,30\ngame.exe,2,0x0,30\n", 20)
	if frames, mean, _ := read(t, text, ""); frames != 40 || mean < 29.9 {
		t.Errorf("%d frames of %v ms", frames, mean)
	}
}

// FrameView sometimes writes two rows into one line.
func TestARowOfAnotherLengthIsSkippedAndCounted(t *testing.T) {
	text := "Application,ProcessID,MsBetweenPresents,MsUntilDisplayed\n" + strings.Repeat("game.exe,22,20,30\n", 20) + "game.exe,22,20,30game.exe,22,20,30\n" +
		strings.Repeat("game.exe,22,20,30\n", 20) + "game.exe,22,2"
	frames, mean, note := read(t, text, "")
	if frames != 40 || mean < 19.9 || mean > 20.1 || !strings.Contains(note, "2 rows with more or fewer fields than the header (the first in line 22) skipped") {
		t.Errorf("%d frames of %v ms; %s", frames, mean, note)
	}
}

func TestTimesThatAreNoMillisecondsGetAQuestionMark(t *testing.T) {
	list := func(f func(int) string) (text string) {
		for i := range 100 {
			text += f(i) + "\n"
		}
		return text
	}
	for want, text := range map[string]string{
		"in µs or ns, and not in ms?":      list(func(i int) string { return fmt.Sprint(16667 + i%7) }),
		"in seconds, and not in ms?":       list(func(int) string { return "0.0167" }),
		"the times at which frames began?": list(func(i int) string { return fmt.Sprintf("%.3f", 16.667*float64(i)) }),
		"samples (log_interval) and not":   "fps,frametime,elapsed\n" + list(func(i int) string { return fmt.Sprintf("60,16.667,%d", i*100_000_000) }),
		"2 runs are read one after":        `{"Runs":[{"CaptureData":{"MsBetweenPresents":[1,2]}},{"CaptureData":{"MsBetweenPresents":[3]}}]}`,
	} {
		if _, _, note := read(t, text, ""); !strings.Contains(note, want) {
			t.Errorf("%q does not say %q", note, want)
		}
	}
	if _, _, note := read(t, list(func(i int) string { return fmt.Sprint(16 + i%2) }), ""); note != "" {
		t.Error(note)
	}
}

func TestARefusalSaysWhatTheFileIsAndWhatCanBeRead(t *testing.T) {
	for want, text := range map[string]string{
		"it is a table (Frame, Time (ms)) without": "Frame, Time (ms)\n1, 16\n",
		"it is a spreadsheet":                      "PK\x03\x04...",
		"packed with gzip":                         "\x1f\x8b...",
		"the viewer's -replay opens it":            "halfstep recording 3\nH",
		"it is a page of HTML":                     "<html>",
		"it is a log of MSI Afterburner":           "00, 19-09-2026 14:00:00, Hardware monitoring log v1.6\r\n02, 19-09-2026 14:00:00, Frametime\r\n80, 19-09-2026 14:00:01, 16.667\r\n",
		"it is JSON, but no capture of CapFrameX":  "[1, 2]",
		"it is JSON without Runs[]":                `{"a": 1}`,
		"it is not text":                           "a\x00\x01\x02b",
		`it begins with "1 16.7", which is not a`:  "1 16.7\n2 16.6\n",
		"it is a table (1, 16.7) without a column": "1, 16.7\n2, 16.6\n",
	} {
		_, err := ReadTrace(strings.NewReader(text), "")
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "can be read is one frame time in ms per line, or a recording by PresentMon") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := ReadTrace(strings.NewReader(`{"Runs":[{"Capture`), ""); err == nil || !strings.Contains(err.Error(), "damaged or cut off at byte 18") {
		t.Error(err)
	}
}

// Spreadsheets in many European countries write decimal commas, and marks between
// thousands.
func TestNumbersAreThoseOfTheCountryThatWroteThem(t *testing.T) {
	for text, want := range map[string][]float64{
		"10,5 1.234,5 9,25":     {10.5, 1234.5, 9.25},
		"10.5 1,234.5 9.25":     {10.5, 1234.5, 9.25},
		"10.5 1,234":            {10.5, 1234},
		"10,5 1.234":            {10.5, 1234},
		"16,667 16,661":         {16.667, 16.661},
		"1'234.5 1\u202f234,5":  {1234.5, 1234.5},
		"1.234.567 1,234,567.5": {1234567, 1234567.5},
	} {
		var m numbers
		for i, f := range strings.Split(text, " ") {
			if x := m.number(f); !(math.Abs(x-want[i]) < 1e-9) {
				t.Errorf("%s in %s is %v", f, text, x)
			}
		}
	}
	for _, text := range []string{"", "NA", "-", "1, 16.7", "1 16.7", "12:00:00", "2024-3-5", "5%", "16.7ms", "1,2,3", "1.2.3", "0x", "16.7e", ","} {
		if x := new(numbers).number(text); !math.IsNaN(x) {
			t.Errorf("%q is %v", text, x)
		}
	}
}

func TestFramesThatADriverGeneratedAreNotTheProgramsFrames(t *testing.T) {
	const header = "Application,FrameType,TimeInMs,MsBetweenPresents,MsUntilDisplayed\n"
	rows := ""
	for i := range 10 { // each has one present: a frame that XeSS inserts, and the program's frame
		rows += fmt.Sprintf("a.exe,Intel XeSS-FG,%d,20.0,25.0\na.exe,Application,%d,20.0,35.0\n", 1000+20*i, 1000+20*i)
	}
	trace, err := ReadTrace(strings.NewReader(header+rows), "")
	if err != nil {
		t.Fatal(err)
	}
	if trace.Note != "10 rows of generated frames skipped" || len(trace.Frames) != 10 {
		t.Errorf("%d frames, and the note is %q", len(trace.Frames), trace.Note)
	}
	if starts := trace.Starts(); math.Abs(starts[9]-.18) > 1e-9 {
		t.Errorf("the tenth frame starts after %v s", starts[9])
	}
}
