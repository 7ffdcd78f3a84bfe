package frametrace

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"halfstep/renderloop/clock"
	"halfstep/test/attack"
)

// tracesToSpoil returns a list, a capture, and the beginnings of real captures if
// these are available.
func tracesToSpoil(t *testing.T) (all [][]byte) {
	t.Helper()
	all = [][]byte{[]byte("# ms\n16.7\n8\n0\n16.6667\n33.3\n"), []byte(recording)}
	if folder := os.Getenv("HALFSTEP_DATA"); folder != "" {
		files, _ := filepath.Glob(filepath.Join(folder, "frametimes", "*", "*.csv"))
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, data[:min(len(data), 20_000)])
		}
	}
	return all
}

// cells changes fields, columns and rows of a table.
func cells(r *rand.Rand, data []byte) []byte {
	var rows [][]string
	for _, line := range strings.Split(string(data), "\n") {
		rows = append(rows, strings.Split(line, ","))
	}
	for range 1 + r.IntN(5) {
		i, j := r.IntN(len(rows)), r.IntN(len(rows))
		k := r.IntN(len(rows[i]))
		switch r.IntN(6) {
		case 0:
			rows[i][k] = fmt.Sprint(attack.Number(r))
		case 1:
			rows[i], rows[j] = rows[j], rows[i]
		case 2:
			rows[i][k] = []string{"", `"`, "\xff\xfe", "Ⱥ", "MSBETWEENPRESENTS", "1e999", "0x1p-2", " 5 "}[r.IntN(8)]
		case 3:
			rows[i] = append(rows[i], rows[j]...)
		case 4:
			for n := range rows { // a column less
				if k < len(rows[n]) {
					rows[n] = append(rows[n][:k:k], rows[n][k+1:]...)
				}
			}
		case 5:
			rows = append(rows[:i:i], rows[min(len(rows), i+1+r.IntN(3)):]...)
		}
		if len(rows) == 0 {
			break
		}
		for n := range rows {
			if len(rows[n]) == 0 {
				rows[n] = []string{""}
			}
		}
	}
	var b bytes.Buffer
	for _, row := range rows {
		b.WriteString(strings.Join(row, ",") + []string{"\n", "\r\n", "\r"}[r.IntN(3)])
	}
	return b.Bytes()
}

// Every recording is read as it was written, in every form. A spoilt recording is
// either read, and then drives a clock whose ledger balances, or is refused with an
// error of one line.
func TestAttackTraces(t *testing.T) {
	a := attack.Start(t)
	all := tracesToSpoil(t)
	for r := range a.Rounds() {
		data := all[r.IntN(len(all))]
		if r.IntN(2) == 0 {
			w := writeTrace(r)
			a.Try(w.name, func() {
				trace, err := ReadTrace(bytes.NewReader(w.data), "")
				if err == nil {
					err = w.check(trace)
				}
				if err != nil {
					t.Fatalf("%s: %v\n%.2000q", w.name, err, w.data)
				}
			})
			data = w.data
		}
		if r.IntN(2) == 0 {
			data = attack.Bytes(r, data, all[r.IntN(len(all))])
		} else {
			data = cells(r, data)
		}
		a.Try("a trace", func() {
			trace, err := ReadTrace(bytes.NewReader(data), "")
			if err != nil {
				a.Count("refused", 1)
				if strings.Contains(err.Error(), "\n") || len(err.Error()) > 300 {
					t.Fatalf("%q", err)
				}
				return
			}
			trace.Starts()
			trace.Visible()
			c, err := clock.New(clock.Hz(60))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range trace.Frames {
				if f.Duration < 0 || f.Duration > clock.MaxFrameTime {
					t.Fatalf("a frame of %d ns", f.Duration)
				}
				c.Advance(f.Duration, 0)
			}
			if ns, frac := c.Ledger().Imbalance(); ns != 0 || frac != 0 {
				t.Fatalf("the ledger is out by %d ns and %d/60", ns, frac)
			}
			a.Count("read", 1)
			a.Count("frames", uint64(len(trace.Frames)))
		})
		if t.Failed() {
			t.Logf("the trace: %.2000q", data)
		}
	}
}
