//go:build linux && wayland

package main

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

// weston starts a compositor without a screen. It returns the environment for the
// compositor's clients.
func weston(t *testing.T) (env []string) {
	t.Helper()
	path, err := exec.LookPath("weston")
	if err != nil {
		t.Skip("weston is not installed")
	}
	dir := t.TempDir()
	cmd := exec.Command(path, "--backend=headless-backend.so", "--use-gl", "--socket=test", "--idle-time=0", "--log="+filepath.Join(dir, "log"))
	cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	for range 300 {
		if _, err := os.Stat(filepath.Join(dir, "test")); err == nil {
			return []string{"XDG_RUNTIME_DIR=" + dir, "WAYLAND_DISPLAY=test"}
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("weston does not start")
	return nil
}

// seenRow is a row of the log: the shown instant, and when it was seen, both in
// s.
type seenRow struct{ x, seen float64 }

func seenRows(t *testing.T, path string) (rows []seenRow) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	number := func(row []string, column string) float64 {
		v, err := strconv.ParseFloat(row[slices.Index(all[0], column)], 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, row := range all[1:] {
		rows = append(rows, seenRow{(max(number(row, "tick"), 1) - 1 + number(row, "alpha")) / 60, number(row, "seen_s")})
	}
	return rows
}

func TestUnderWestonNearlyEveryFrameIsSeenOrNeverSeen(t *testing.T) {
	env := weston(t)
	for _, fps := range []string{"0", "300"} {
		dir := t.TempDir()
		log, stats := filepath.Join(dir, "o.csv"), filepath.Join(dir, "o.json")
		status, out, errs := viewerRun(t, env, "-scene", "drift", "-size", "160x120", "-frames", "1000", "-fps", fps,
			"-log", log, "-log-seen", "-stats", stats)
		if status != 0 || errs != "" {
			t.Fatalf("status %d, %s%s", status, out, errs)
		}
		rows := seenRows(t, log)
		known, never := 0, 0
		var errors []float64 // ms
		last := -1
		for i, r := range rows {
			switch {
			case math.IsNaN(r.seen):
				continue
			case math.IsInf(r.seen, 1):
				never++
			default:
				if last >= 0 {
					errors = append(errors, 1e3*math.Abs(r.x-rows[last].x-(r.seen-rows[last].seen)))
				}
				last = i
			}
			known++
		}
		if len(rows) != 1000 || known < 990 {
			t.Errorf("-fps %s: %d of %d frames are known", fps, known, len(rows))
		}

		var s Stats
		data, err := os.ReadFile(stats)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatal(err)
		}
		m := s.Motion
		if !m.Measured || m.Frames < 2 || m.Frames > len(errors) {
			t.Fatalf("-fps %s: %+v of %d frames that were seen; %s", fps, m, len(errors), s.PresentTimes)
		}
		errors = errors[len(errors)-m.Frames:]
		sum := 0.
		for _, e := range errors {
			sum += e * e
		}
		slices.Sort(errors)
		rms, p99 := math.Sqrt(sum/float64(len(errors))), errors[len(errors)*99/100]
		t.Logf("-fps %s: %d of %d known, %d never seen, %s; live %.3f %.3f ms, from the log %.3f %.3f ms",
			fps, known, len(rows), never, s.PresentTimes, m.RMS, m.P99, rms, p99)
		if math.Abs(rms-m.RMS) > .05 || math.Abs(p99-m.P99) > .05 {
			t.Errorf("-fps %s: live %.3f ms rms, %.3f ms p99; from the log %.3f and %.3f", fps, m.RMS, m.P99, rms, p99)
		}
	}
}
