package engine_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/physicsloop"
	"halfstep/renderloop"
	"halfstep/test/norace"
	"halfstep/world"
)

func TestAFrameTakesABoundedNumberOfRemoteCommandsInOrder(t *testing.T) {
	e := start(t, engine.Config{})
	r := e.Remote()
	const given, all = 10_000, 65_536
	var got []int // physics', until Close
	for i := range given {
		r.Do(func(*world.World) { got = append(got, i) })
	}
	for before := all - given; before < all; {
		frames(e, 1)
		now := r.Room()
		if n := now - before; n <= 0 || n > 4096 {
			t.Fatalf("a frame took %d commands", n)
		}
		before = now
	}
	frames(e, 3)
	e.Close()
	if len(got) != given || !slices.IsSorted(got) {
		t.Errorf("%d commands of %d, sorted: %v", len(got), given, slices.IsSorted(got))
	}
	if e.Metrics().DroppedCommands != 0 {
		t.Errorf("%d commands were dropped", e.Metrics().DroppedCommands)
	}
}

func TestRemotesFlatOutAreBoundedAndWhatIsDroppedIsCounted(t *testing.T) {
	e := start(t, engine.Config{World: world.Config{NoGravity: true}})
	const senders, each = 50, 1500
	var wg sync.WaitGroup
	applied := 0 // physics', until Close
	run := func() {
		for range senders {
			wg.Go(func() {
				c := e.Remote()
				for range each {
					c.Do(func(*world.World) { applied++ })
				}
			})
		}
	}
	run()
	wg.Wait() // no goroutine waits for a frame
	if n := e.Metrics().DroppedCommands; n != senders*each-65_536 || e.Remote().Room() != 0 {
		t.Errorf("%d commands dropped of %d, room for %d", n, senders*each, e.Remote().Room())
	}
	run()
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	for sent := false; !sent || e.Remote().Room() != 65_536; {
		select {
		case <-done:
			sent = true
		default:
		}
		e.Advance(time.Millisecond)
	}
	frames(e, 3)
	e.Close()
	if total := applied + int(e.Metrics().DroppedCommands); total != 2*senders*each {
		t.Errorf("%d applied and %d dropped of %d", applied, e.Metrics().DroppedCommands, 2*senders*each)
	}
}

func TestPhysicsThatIsBehindHoldsRemotesBack(t *testing.T) {
	goOn := make(chan struct{})
	e, err := engine.New(engine.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.Do(func(*world.World) { <-goOn })
	e.Advance(0)
	r := e.Remote()
	given := 0
	for range 40 {
		for r.Room() > 0 && given < 60_000 {
			r.Do(func(*world.World) {})
			given++
		}
		e.Advance(time.Millisecond)
	}
	taken := given - (65_536 - r.Room())
	if taken == 0 || taken > 5*4096 {
		t.Errorf("physics was given %d commands while it stood still", taken)
	}
	close(goOn)
	for r.Room() != 65_536 {
		e.Advance(time.Millisecond)
		time.Sleep(50 * time.Microsecond)
	}
}

func TestTakingRemoteCommandsAllocatesNothing(t *testing.T) {
	norace.Only(t)
	e := start(t, engine.Config{World: world.Config{NoGravity: true}, Testing: engine.Testing{NoPhases: true}})
	r := e.Remote()
	frame := func() {
		for range 300 {
			r.SetGravity(world.Vec{})
		}
		e.Advance(time.Second / 60)
	}
	for range 100 {
		frame()
	}
	if n := testing.AllocsPerRun(200, frame); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func TestABatchOfAnySizeIsAppliedOnceAndInOrder(t *testing.T) {
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead} {
		e := start(t, engine.Config{Time: engine.Time{Sync: sync}})
		next, wrong := 0, 0 // physics', until Close
		given := norace.Rounds(40_000, 8_000)
		for i := range given {
			at := e.Commands
			if i%2 == 1 {
				at = e.At(2)
			}
			at.Do(func(*world.World) {
				if i != next {
					wrong++
				}
				if next += 2; next == given {
					next = 1
				}
			})
		}
		frames(e, 5)
		e.Close()
		if next != given+1 || wrong != 0 {
			t.Errorf("%v: %d commands out of order, the next would be %d", sync, wrong, next)
		}
	}
}

func TestCommandsThatWaitForTheirTickAreBoundedAndWhatIsDroppedIsCounted(t *testing.T) {
	norace.Only(t)
	e := start(t, engine.Config{})
	const beyond = 1000
	for range physicsloop.MaxScheduled + beyond {
		e.At(1 << 40).SetGravity(world.Vec{Y: -1})
	}
	b := e.CreateBody(ball(0, 0)) // goes on as always
	frames(e, 5)
	if n := e.Metrics().DroppedCommands; n != beyond {
		t.Errorf("%d dropped, want %d", n, beyond)
	}
	if _, ok := e.Pose(b); !ok {
		t.Error("a command of now was not carried out")
	}
}
