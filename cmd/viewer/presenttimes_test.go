package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"halfstep/cmd/viewer/internal/files"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/renderloop/present"
	"halfstep/renderloop/presenttimes"
)

// told is a window system whose reports a test chooses.
type told struct {
	times []presenttimes.Time
	asked []uint64
}

func (s *told) Swapping(frame uint64) { s.asked = append(s.asked, frame) }
func (s *told) State() string         { return "a test" }
func (s *told) Close()                {}

func (s *told) Next(t *presenttimes.Time) bool {
	if len(s.times) == 0 {
		return false
	}
	*t, s.times = s.times[0], s.times[1:]
	return true
}

// seenAfter is the time between the start of a frame of 1/60 s and the moment
// when the frame is seen.
const seenAfter = 30 * time.Millisecond

// runTold runs frames that start every 1/60 s, and are seen seenAfter later.
// Every seventh frame has no report, and every fifth is never seen.
func runTold(b *bench, s *told, frames int) {
	began := time.Unix(1000, 0)
	for i := range frames {
		b.present.next = began.Add(time.Duration(i) * time.Second / 60)
		b.takePresentTimes()
		b.run(1)
		b.swapping()
		at := presenttimes.Time{Frame: s.asked[i], Quality: present.HardwareClock, Seen: b.present.next.Add(seenAfter)}
		switch {
		case i%7 == 3:
			continue
		case i%5 == 2:
			at.Seen = time.Time{}
		}
		s.times = append(s.times, at)
	}
	b.takePresentTimes()
}

func TestTheLogSaysWhenEachFrameWasSeen(t *testing.T) {
	b, s := newBench(t, "-scene drift"), &told{}
	b.present.source = s
	path := filepath.Join(t.TempDir(), "o.csv")
	var err error
	if b.log, err = files.NewFrameLog(path, true); err != nil {
		t.Fatal(err)
	}
	runTold(b, s, 100)
	if err := b.log.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != 101 || rows[0][len(rows[0])-1] != "seen_s" {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, row := range rows[1:] {
		want := fmt.Sprintf("%.6f", (time.Duration(i)*time.Second/60 + seenAfter).Seconds())
		switch {
		case i%7 == 3:
			want = "nan"
		case i%5 == 2:
			want = "inf"
		}
		if got := row[len(row)-1]; row[0] != fmt.Sprint(i) || got != want {
			t.Fatalf("row %d is of frame %s, seen at %s, want %s", i, row[0], got, want)
		}
	}
}

func TestTheEnginesAreToldWhenTheirFramesWereSeen(t *testing.T) {
	b, s := newBench(t, "-scene drift"), &told{}
	b.present.source = s
	runTold(b, s, 300) // the figures leave out the start, when the picture stands still
	if m := b.Stage.Player.Engine.Display().Motion(); !m.Measured || m.Frames < 150 || m.RMS > .01 {
		t.Errorf("%+v", m)
	}
	// the next engine counts its frames from 1
	if err := b.Session.ChangeScene(b.Stage.Current); err != nil {
		t.Fatal(err)
	}
	s.asked = s.asked[:0]
	runTold(b, s, 280)
	if m := b.Stage.Player.Engine.Display().Motion(); !m.Measured || m.Frames < 150 || m.Frames > 240 || m.RMS > .01 {
		t.Errorf("after a restart: %+v", m)
	}
}

func TestTheLatencyOfInputEndsWhenItsEffectIsSeen(t *testing.T) {
	b, s := newBench(t, "-scene drift"), &told{}
	b.present.source = s
	runTold(b, s, 5)
	b.cursor(0, 0)
	b.mouse(input.MouseButtonLeft, input.Press)
	b.cursor(2, 1) // a body is pulled when the mouse moves
	began := b.present.start
	for _, e := range b.queue.Swap(nil) {
		e.At = began.Add(10 * time.Millisecond)
		b.queue.Put(e)
	}
	s.asked = s.asked[:0]
	for i := range 12 {
		b.present.next = began.Add(time.Duration(i+1) * time.Second / 60)
		b.run(1)
		b.swapping()
		s.times = append(s.times, presenttimes.Time{Frame: s.asked[i], Quality: present.HardwareClock, Seen: b.present.next.Add(seenAfter)})
		b.takePresentTimes()
	}
	if m := b.Stage.Player.Engine.Display().Motion(); !m.Measured || m.Input < 40 || m.Input > 120 {
		t.Errorf("%+v", m)
	}
}

func TestWhatIsSaidOfOtherSwapsIsIgnored(t *testing.T) {
	b, s := newBench(t, "-scene drift"), &told{}
	b.present.source = s
	runTold(b, s, 18) // the last frame has no report
	for _, frame := range []uint64{0, 1 << 40, s.asked[17] + 1024, s.asked[17] - 1} {
		s.times = append(s.times, presenttimes.Time{Frame: frame, Quality: present.HardwareClock, Seen: b.present.start.Add(seenAfter)})
	}
	before := b.Stage.Player.Engine.Display().Motion()
	b.takePresentTimes()
	if after := b.Stage.Player.Engine.Display().Motion(); after != before {
		t.Errorf("%+v became %+v", before, after)
	}
}
