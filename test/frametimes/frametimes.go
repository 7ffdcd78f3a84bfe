// Package frametimes has sequences of frame times for tests.
package frametimes

import (
	"bufio"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Nanoseconds.
const (
	Second = int64(1_000_000_000) // ns
	Tick60 = Second / 60          // the length of a tick if a Second has 60 steps, ns
)

// All are the sequences with which every property is tested: regular ones, random ones,
// adversarial ones and, if HALFSTEP_DATA names a folder with such files, some that were
// recorded in games.
func All(t *testing.T) map[string][]int64 {
	r := rand.New(rand.NewPCG(11, 13))
	times := map[string][]int64{}
	for _, fps := range []int64{24, 30, 59, 60, 61, 75, 120, 144, 1000} {
		s := []int64{0}
		for range 400 {
			s = append(s, Second/fps)
		}
		times[strconv.FormatInt(fps, 10)+" fps"] = s
	}
	random := func(name string, n int, f func() int64) {
		s := []int64{0}
		for range n {
			s = append(s, f())
		}
		times[name] = s
	}
	random("jitter around 60 fps", 1000, func() int64 { return Tick60 + r.Int64N(4_000_000) - 2_000_000 })
	random("anything up to 40 ms", 1000, func() int64 { return r.Int64N(40_000_000) })
	random("stalls", 1000, func() int64 {
		if r.IntN(30) == 0 {
			return r.Int64N(3 * Second)
		}
		return 7_000_000
	})
	edges := []int64{0, 1, -1, -Second, Tick60 - 1, Tick60, Tick60 + 1, 2 * Tick60, 5*Tick60 + 1, 6 * Tick60, Second / 4, Second/4 + 1, 3600 * Second, 1 << 62}
	random("adversarial", 1000, func() int64 { return edges[r.IntN(len(edges))] })

	dir := os.Getenv("HALFSTEP_DATA")
	if dir == "" {
		t.Log("HALFSTEP_DATA is not set: recorded frame times are left out")
		return times
	}
	files, _ := filepath.Glob(filepath.Join(dir, "frametimes", "*", "*.csv"))
	for _, f := range files {
		if s := recorded(t, f); len(s) > 100 {
			times[filepath.Base(f)] = s
		}
	}
	return times
}

func recorded(t *testing.T, path string) []int64 {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	column, s := -1, []int64{0}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		cells := strings.Split(lines.Text(), ",")
		if column < 0 {
			for i, c := range cells {
				if c == "MsBetweenPresents" {
					column = i
				}
			}
			continue
		}
		if column < len(cells) {
			if ms, err := strconv.ParseFloat(cells[column], 64); err == nil {
				s = append(s, int64(ms*1e6))
			}
		}
	}
	return s
}
