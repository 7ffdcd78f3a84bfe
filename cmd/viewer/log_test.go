package main

import (
	"encoding/csv"
	"halfstep/cmd/viewer/internal/play"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"halfstep/cmd/viewer/internal/files"
)

// logged runs the bench for some frames, and reads the log of the bench.
func logged(t *testing.T, args string, frames int) (*bench, [][]string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "o.csv")
	b := newBench(t, args)
	var err error
	if b.log, err = files.NewFrameLog(path, false); err != nil {
		t.Fatal(err)
	}
	b.run(frames)
	if err := b.log.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return b, rows
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestTheLogHasARowPerFrameFromFrame0(t *testing.T) {
	_, rows := logged(t, "-scene drift -clock fixed:144", 50)
	if len(rows) != 51 || strings.Join(rows[0], ",")+"\n" != files.LogHeader {
		t.Fatalf("%d rows, header %v", len(rows), rows[0])
	}
	steps := 0.0
	for i, r := range rows[1:] {
		if r[0] != strconv.Itoa(i) || r[6] != "drift" {
			t.Fatalf("row %d: %v", i, r)
		}
		if want := float64(i) / 144; math.Abs(number(t, r[1])-want) > 1e-8 {
			t.Errorf("frame %d at %s s", i, r[1])
		}
		steps += number(t, r[4])
	}
	if steps != 20 {
		t.Errorf("%v steps in 49/144 s", steps)
	}
}

// In the scene drift the displayed x is the displayed instant. The log must
// contain the displayed pose, and not a state.
func TestTheLogHasTheDisplayedPose(t *testing.T) {
	for _, sync := range []string{"lockstep", "pipelined"} {
		_, rows := logged(t, "-scene drift -clock fixed:144 -sync "+sync, 200)
		for i, r := range rows[1:] {
			base := number(t, r[1])
			if sync == "pipelined" {
				base = number(t, rows[max(i, 1)][1])
			}
			want := max(0, base-1.0/60)
			instant := number(t, r[2]) - 1 + number(t, r[3])
			if math.Abs(number(t, r[7])-want) > 1e-6 {
				t.Fatalf("%s frame %d: x %s, want %v", sync, i, r[7], want)
			}
			if i > 5 && math.Abs(instant/60-want) > 1e-6 {
				t.Fatalf("%s frame %d: tick %s and alpha %s, want %v s", sync, i, r[2], r[3], want)
			}
		}
	}
}

func TestTrackChoosesBodiesByNameOrSlot(t *testing.T) {
	_, rows := logged(t, "-scene cradle -track #1,#2", 3)
	if len(rows) != 7 || rows[1][6] != "#1" || rows[2][6] != "#2" {
		t.Errorf("%v", rows)
	}
}

func TestTheFirstDynamicBodyIsTrackedByDefault(t *testing.T) {
	b, _ := logged(t, "-scene pyramid", 1)
	if len(b.Sampler.Tracked) != 1 || b.Sampler.Tracked[0].Label != "#1" { // #0 is the ground
		t.Errorf("%v", b.Sampler.Tracked)
	}
}

func TestTheTimeOfTheLogStandsStillInThePast(t *testing.T) {
	file := filepath.Join(t.TempDir(), "l.csv")
	b := newPanelBench(t, "-scene drift")
	log, err := files.NewFrameLog(file, false)
	if err != nil {
		t.Fatal(err)
	}
	b.log = log
	b.run(200)
	b.Travel.Skip(-1)
	b.run(30)
	if b.Stage.Shown.What != play.ShowsPast {
		t.Fatal(b.picture.Notice.Text)
	}
	b.Travel.ToPresent()
	b.run(30)
	if err := b.finish(); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) < 100 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	column := -1
	for i, name := range rows[0] {
		if name == "time_s" {
			column = i
		}
	}
	last := 0.0
	for _, row := range rows[1:] {
		x, _ := strconv.ParseFloat(row[column], 64)
		if x < last {
			t.Fatalf("the time goes from %v back to %v", last, x)
		}
		last = x
	}
}
