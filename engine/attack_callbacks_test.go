package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/test/attack"
	"halfstep/world"
)

// asVictim is the environment variable that names the callback and the misdeed
// for a process that this test starts. Separate processes are needed because
// some misdeeds would end the test.
const asVictim = "HALFSTEP_ATTACK_VICTIM"

var misdeeds = map[string]func(e *engine.Engine){
	"panics":        func(*engine.Engine) { panic(errors.New("on purpose")) },
	"exits":         func(*engine.Engine) { runtime.Goexit() },
	"closes":        func(e *engine.Engine) { e.Close() },
	"adds commands": func(e *engine.Engine) { e.Remote().SetGravity(world.Vec{}) },
}

// victim runs an engine whose callback misbehaves. It prints the calls that
// returned, and the Failure.
func victim(callback, misdeed string) {
	var e *engine.Engine
	fired := make(chan struct{}, 1)
	f := func() {
		select {
		case fired <- struct{}{}:
		default:
			return
		}
		if e == nil && misdeed != "panics" && misdeed != "exits" {
			return // there is no engine yet
		}
		misdeeds[misdeed](e)
	}
	config := engine.Config{Setup: stack}
	userCallbacks[callback].configure(&config, f)
	config.Time.Simulated = config.Testing.StepCost != nil
	// the function step runs a part of the program on a goroutine of its own,
	// because the part may end its goroutine; a panic of the part itself is not
	// the engine's fault
	step := func(what string, part func()) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer func() {
				if v := recover(); v != nil {
					fmt.Printf("%s panicked: %v\n", what, v)
				}
			}()
			part()
		}()
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			fmt.Printf("HANGS in %s\n", what)
			os.Exit(0)
		}
	}
	step("New", func() {
		made, err := engine.New(config)
		if err != nil {
			fmt.Println("New:", err)
		}
		e = made
	})
	if e == nil {
		return
	}
	userCallbacks[callback].start(e, f)
	rest := 2 * time.Millisecond
	if config.History.Record != nil { // the recording is written twice a second
		rest = 12 * time.Millisecond
	}
	for range 60 {
		step("Advance", func() {
			e.Advance(time.Second / 60)
			for range e.Events() {
			}
		})
		time.Sleep(rest)
	}
	if err := e.Failure(); err != nil {
		fmt.Println("Failure:", strings.ReplaceAll(err.Error(), "\n", " "))
	}
	step("Close", func() { e.Close() })
	select {
	case <-fired: // Close does not wait for OnEnd
		time.Sleep(rest)
	case <-time.After(10 * time.Second):
		fmt.Println("NOT CALLED")
	}
	fmt.Println("over")
}

// Every callback panics, ends its goroutine, or makes forbidden calls of the
// engine. The process must survive, no call may hang, and if physics ends,
// Failure must say so.
func TestAttackCallbacks(t *testing.T) {
	if v := os.Getenv(asVictim); v != "" {
		callback, misdeed, _ := strings.Cut(v, "/")
		victim(callback, misdeed)
		return
	}
	a := attack.Start(t)
	var names []string
	for name := range userCallbacks {
		for misdeed := range misdeeds {
			names = append(names, name+"/"+misdeed)
		}
	}
	slices.Sort(names)
	outputs, places := make([]string, len(names)), make(chan struct{}, 4)
	var wg sync.WaitGroup
	for i, name := range names {
		places <- struct{}{}
		wg.Go(func() {
			defer func() { <-places }()
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestAttackCallbacks$", "-test.count=1")
			// Otherwise a race build sleeps for a second before it ends.
			cmd.Env = append([]string{"GORACE=atexit_sleep_ms=50"}, os.Environ()...)
			cmd.Env = append(cmd.Env, asVictim+"="+name)
			out, err := cmd.CombinedOutput()
			if outputs[i] = string(out); err != nil {
				outputs[i] = "DIED: " + firstPanic(outputs[i])
			}
		})
	}
	wg.Wait()
	for i, name := range names {
		callback, misdeed, _ := strings.Cut(name, "/")
		out := outputs[i]
		ends := userCallbacks[callback].physics && (misdeed == "panics" || misdeed == "exits")
		switch {
		case strings.Contains(out, "DIED"), strings.Contains(out, "HANGS"), strings.Contains(out, "NOT CALLED"):
			t.Errorf("%s %s: %.300s", callback, misdeed, out)
		case ends && !strings.Contains(out, "Failure:"):
			t.Errorf("%s %s: physics has ended, and Failure is nil", callback, misdeed)
		}
		a.Count("misdeeds", 1)
	}
}

// firstPanic returns the line with the reason why a process died.
func firstPanic(text string) string {
	for _, line := range strings.Split(text, "\n") {
		if strings.Contains(line, "panic") || strings.Contains(line, "fatal") {
			return line
		}
	}
	return text
}
