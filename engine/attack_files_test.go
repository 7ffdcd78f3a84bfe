package engine_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/internal/binenc"
	"halfstep/internal/history"
	"halfstep/test/attack"
	"halfstep/world"
)

func encoded(v any) []byte { return binenc.AppendFields(nil, reflect.ValueOf(v)) }

func decode(payload []byte, into any) error {
	r := binenc.Reader{Rest: payload, Memory: 1 << 30}
	binenc.ReadFields(&r, reflect.ValueOf(into).Elem())
	return r.Err
}

// costly makes a small recording that takes much memory or time to read.
func costly(t testing.TB, r *rand.Rand, pieces []piece) (what string, data []byte) {
	t.Helper()
	p := append([]piece{}, pieces...)
	first := 0 // chunk of calls
	for p[first].kind != 'O' {
		first++
	}
	var calls []call
	if err := decode(p[first].payload, &calls); err != nil {
		t.Fatal(err)
	}
	n := 1 << (8 + r.IntN(11)) // up to 262,144
	switch r.IntN(5) {
	case 0:
		what, calls = "empty calls", append(calls, make([]call, 2*n)...)
	case 1:
		what = "empty commands"
		for range n {
			calls = append(calls, call{Kind: 1, Command: &world.Command{}})
		}
	case 2:
		what = "one call over and over"
		c := calls[r.IntN(len(calls))]
		for range n / 16 {
			calls = append(calls, c)
		}
	case 3: // the recording sets its own limit, or sets none
		what = "bodies in one place"
		var h history.Header
		if err := decode(p[0].payload, &h); err != nil {
			t.Fatal(err)
		}
		h.World.MaxContacts = []int{0, 1 << 20, 50_000_000}[r.IntN(3)]
		h.World.VelocityIterations = []int{h.World.VelocityIterations, 1000}[r.IntN(2)]
		p[0].payload = encoded(h)
		n = min(n, 4096)
		var made []call
		for i := range n {
			d := world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{{Kind: world.CircleShape, Points: []world.Vec{{}}, Radius: .5}}}
			made = append(made, call{Kind: 1, Command: &world.Command{Op: 1, Body: world.Body(1000 + i), BodyDef: &d}})
		}
		calls = append(append(calls[:1:1], made...), calls[1:]...)
	case 4:
		what = "arguments"
		for range n / 256 {
			calls = append(calls, call{Kind: 1, Command: &world.Command{Op: 1, Name: "nobody", Args: make([]float64, 256)}})
		}
	}
	p[first].payload = encoded(calls)
	return what, putTogether(p)
}

// Small files that demand much take memory and time in proportion to their bytes.
func TestAttackCostlyRecordings(t *testing.T) {
	a := attack.Start(t)
	data, _ := session(t, a.Seed, 90)
	pieces := takeApart(t, data)
	for r := range a.Rounds() {
		what, data := costly(t, r, pieces)
		var rec *engine.Recording
		a.Spend(attack.Budget{Heap: 64 << 20, HeapPerByte: 64, CPU: 2 * time.Second, CPUPerByte: 10 * time.Microsecond}, "reading a recording of "+what, len(data), func() {
			var err error
			if rec, err = engine.ReadRecording(bytes.NewReader(data)); err != nil {
				rec = nil
				a.Count("refused", 1)
				if strings.Contains(err.Error(), "\n") || len(err.Error()) > 500 {
					t.Errorf("%q", err)
				}
			}
		})
		if rec == nil {
			continue
		}
		// A world may have as many contacts as the default allows, whatever the file says.
		a.Spend(attack.Budget{Heap: 1 << 30, HeapPerByte: 64, CPU: 20 * time.Second, CPUPerByte: 40 * time.Microsecond}, "replaying a recording of "+what, len(data), func() {
			_, _ = rec.Verify(stack)
			a.Count("replayed", 1)
		})
	}
}
