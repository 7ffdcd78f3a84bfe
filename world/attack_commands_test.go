package world

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"halfstep/test/attack"
)

// Worlds of all settings get commands of all kinds, many of them senseless.
func TestAttackCommands(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		frames := 20 + r.IntN(300)
		w := newRig(t, Config{
			Gravity: Vec{X: r.NormFloat64(), Y: -10}, NoSleep: r.IntN(4) == 0, NoContinuous: r.IntN(4) == 0,
			NoWarmStarting: r.IntN(8) == 0, SubStepping: r.IntN(8) == 0, Stepper: Stepper(r.IntN(2)), Workers: 1 + r.IntN(3),
		})
		c := &chaos{Rand: r}
		c.run(w, frames)
		a.Count("commands", c.names)
		a.Count("rejected", w.news.rejected)
		a.Count("ticks", w.when.tick)
		w.Close()
	}
}

// Worlds with different steppers get the same commands.
func TestAttackSteppers(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		a.Count("joints broken", uint64(sameWithEveryStepper(t, r, 20+r.IntN(200))))
	}
}

// script is a source of random numbers. A fuzzer writes them, eight bytes
// each. After the last one the numbers come from rest: a constant would make
// math/rand loop for ever.
type script struct {
	data []byte
	rest rand.PCG
}

func (s *script) Uint64() (n uint64) {
	if len(s.data) < 8 {
		return s.rest.Uint64()
	}
	n = binary.LittleEndian.Uint64(s.data)
	s.data = s.data[8:]
	return n
}

// The bytes of the fuzzer choose the commands and all their values.
func FuzzCommands(f *testing.F) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 11))
		var data []byte
		for range 600 {
			data = binary.LittleEndian.AppendUint64(data, r.Uint64())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		w := newRig(t, gravity())
		defer w.Close()
		(&chaos{Rand: rand.New(&script{data: data})}).run(w, min(len(data)/64, 100))
	})
}

// The answers to random questions about random worlds are those of brute
// force.
func TestAttackQuestions(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		q := interrogate(t, r, 1000)
		a.Count("questions", uint64(q.asked))
		for _, kind := range []string{"rays", "points", "overlaps", "casts", "nears", "pairs"} {
			a.Count(kind+" that found something", uint64(q.found[kind]))
		}
	}
}

// The bytes of the fuzzer choose the world and the questions.
func FuzzQuestions(f *testing.F) {
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 12))
		var data []byte
		for range 100 {
			data = binary.LittleEndian.AppendUint64(data, r.Uint64())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		interrogate(t, rand.New(&script{data: data}), 100)
	})
}
