package rube

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"halfstep/test/attack"
)

// scenesToSpoil returns this package's own scene, and other scenes if they are available.
func scenesToSpoil(t testing.TB) (files [][]byte) {
	t.Helper()
	paths := []string{"testdata/everything.json"}
	if folder := os.Getenv("HALFSTEP_DATA"); folder != "" {
		more, _ := filepath.Glob(filepath.Join(folder, "rube", "*", "*.json"))
		paths = append(paths, more...)
	}
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) < 256<<10 { // larger files are slow even without changes
			files = append(files, data)
		}
	}
	return files
}

// spoiler changes decoded JSON.
type spoiler struct {
	*rand.Rand
	nodes []any // nodes are the maps and lists of the scene.
}

func (s *spoiler) collect(v any) {
	switch v := v.(type) {
	case map[string]any:
		s.nodes = append(s.nodes, v)
		for _, k := range sortedKeys(v) {
			s.collect(v[k])
		}
	case []any:
		s.nodes = append(s.nodes, v)
		for _, x := range v {
			s.collect(x)
		}
	}
}

func sortedKeys(m map[string]any) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// value returns any value of JSON.
func (s *spoiler) value() any {
	switch s.IntN(8) {
	case 0:
		return nil
	case 1:
		return s.IntN(2) == 0
	case 2:
		return "7F800000"[:s.IntN(9)]
	case 3:
		return strconv.FormatUint(uint64(math.Float32bits(float32(attack.Number(s.Rand)))), 16)
	case 4: // a copy of another part
		if copied, err := json.Marshal(s.nodes[s.IntN(len(s.nodes))]); err == nil && len(copied) < 20_000 {
			return json.RawMessage(copied)
		}
	case 5:
		return s.IntN(20) - 2
	}
	x := attack.Number(s.Rand)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

func (s *spoiler) spoil() {
	switch n := s.nodes[s.IntN(len(s.nodes))].(type) {
	case map[string]any:
		keys := sortedKeys(n)
		if len(keys) == 0 {
			return
		}
		k, l := keys[s.IntN(len(keys))], keys[s.IntN(len(keys))]
		list, _ := n[k].([]any)
		switch s.IntN(6) {
		case 0:
			delete(n, k)
		case 1:
			n[k], n[l] = n[l], n[k]
		case 2: // more of the same
			if len(list) > 0 {
				for range 1 + s.IntN(30) {
					list = append(list, list[s.IntN(len(list))])
				}
				n[k] = list
			}
		case 3: // the elements in another order, or only some of them
			s.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			if len(list) > 0 {
				n[k] = list[:s.IntN(len(list)+1)]
			}
		default:
			n[k] = s.value()
		}
	case []any:
		if len(n) > 0 {
			n[s.IntN(len(n))] = s.value()
		}
	}
}

// Every scene is either read, built and stepped, or refused with an error of one line.
func TestAttackScenes(t *testing.T) {
	a := attack.Start(t)
	files := scenesToSpoil(t)
	for r := range a.Rounds() {
		data := files[r.IntN(len(files))]
		if r.IntN(3) == 0 {
			data = attack.Bytes(r, data, files[r.IntN(len(files))])
			a.Count("of spoilt bytes", 1)
		} else {
			var v any
			if err := json.Unmarshal(data, &v); err != nil {
				continue
			}
			s := &spoiler{Rand: r}
			s.collect(v)
			for range 1 + r.IntN(4) {
				s.spoil()
			}
			spoilt, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			data = spoilt
		}
		a.Try("a scene", func() {
			s, err := Parse("x.json", data)
			if err == nil {
				w := newDriven(s)
				defer w.Close()
				if err = s.Build(w.World); err == nil {
					step(w, 5)
					finite(t, w)
					a.Count("built and stepped", 1)
				}
			}
			if err != nil {
				a.Count("refused", 1)
				if !strings.HasPrefix(err.Error(), "x.json: ") || strings.ContainsAny(err.Error(), "\r\n") || len(err.Error()) > 500 {
					t.Errorf("%q", err)
				}
			}
		})
		if t.Failed() {
			keep(t, data)
		}
	}
}

// keep stores a file on which the test fails, so that a person can look at it.
func keep(t *testing.T, data []byte) {
	t.Helper()
	f, err := os.CreateTemp("", "finding-*.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		t.Fatal(err)
	}
	t.Logf("the scene is in %s", f.Name())
}
