package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"halfstep/cmd/viewer/internal/play"
	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/test/cputime"
	"halfstep/world"
)

// lookBackScenes are the scenes whose past is measured.
var lookBackScenes = []string{"pyramid", "fall1000", "tumbler", "rain"}

// the tick of a session at which the user looks back, and how far back he looks
const (
	lookBackFrom = 1680 // 28 s
	lookBackBy   = 600
)

// The test only measures. The script scripts/measure/looking-back prints its output.
func TestHowLongLookingBackTakes(t *testing.T) {
	only := os.Getenv("HALFSTEP_LOOKING_BACK")
	if only == "" {
		t.Skip("HALFSTEP_LOOKING_BACK does not name scenes, or all")
	}
	fmt.Println("scene      first picture, ms   right picture, ms   keeping, % of a step")
	for _, name := range lookBackScenes {
		if only != "all" && !strings.Contains(only, name) {
			continue
		}
		h := newHand(t, 1280, 720, 1, "-scene "+name, "-seek", fmt.Sprint(lookBackFrom))
		for h.tick() < lookBackFrom+20 {
			time.Sleep(20 * time.Millisecond)
		}
		bar := h.control("scrub")
		for range 3 {
			at := 1 - float32(lookBackBy)/float32(h.tick())
			h.move(int(bar.X+5+(bar.W-10)*at), int(bar.Y+bar.H-9))
			time.Sleep(100 * time.Millisecond)
			h.button(1, true)
			h.button(1, false)
			time.Sleep(2 * time.Second)
			h.key(symEnd)
			time.Sleep(100 * time.Millisecond)
		}
		s := h.end()
		first, right := "", ""
		for _, b := range s.LooksBack {
			first += fmt.Sprintf(" %3.0f", b.FirstMS)
			right += fmt.Sprintf(" %3.0f", b.MS)
		}
		fmt.Printf("%-10s %16s    %16s    %17.1f\n", name, first, right, 100*costOfKeeping(t, name))
	}
}

// costOfKeeping returns by how much steps are longer while the viewer keeps the past, as a fraction
// of a step without keeping it. Two engines make the steps of a scene in turns. The function counts
// processor time, because other programs hardly change it.
func costOfKeeping(t *testing.T, name string) float64 {
	const (
		warmUp, ticks = 28 * 60, 1000   // warmUp is as long as the scene runs before a look back
		enough        = 2 * time.Second // enough is the time of steps to measure; in a shorter time a garbage collection would be a large part
	)
	var took [2]time.Duration
	var engines [2]*engine.Engine
	for i := range engines {
		b := newBench(t, "-scene "+name)
		c := b.Stage.Scenes[b.Stage.Current].Config()
		c.Time.Sync = renderloop.Lockstep
		c.World.Stepper = world.FastStep
		if i > 0 {
			c.History.BlackBox = &engine.BlackBoxOptions{Scene: name, InMemory: true, Memory: play.PastMemory}
		}
		e, err := engine.New(c)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		engines[i] = e
	}
	for tick := 0; tick < warmUp+ticks || tick < 20*ticks && took[0] < enough; tick++ {
		for k := range engines {
			i := (k + tick) % 2
			began := cputime.Used()
			engines[i].Step(1)
			if tick >= warmUp {
				took[i] += cputime.Used() - began
			}
		}
	}
	return took[1].Seconds()/took[0].Seconds() - 1
}
