package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/pprof"

	"halfstep/engine"
	"halfstep/engine/fault"
	"halfstep/engine/hitch"
)

// defaultHitchDir is where -hitch writes to without -hitch-dir.
const defaultHitchDir = "hitches"

// startHitch starts the recorder that -hitch asks for, or none.
func startHitch(o *Options, stdout, stderr io.Writer) (*hitch.Recorder, error) {
	if o.Hitch == 0 {
		return nil, nil
	}
	dir := o.HitchDir
	if dir == "" {
		dir = defaultHitchDir
	}
	return hitch.Start(hitch.Options{
		Dir: dir, Threshold: o.Hitch,
		OnDump: func(path string, err error) {
			if err != nil {
				complain(stderr, err)
				return
			}
			fmt.Fprintf(stdout, "hitch %s\n", printable(path))
		},
	})
}

// checkHitch reports flags that mean nothing together.
func (o *Options) checkHitch() error {
	if o.HitchDir != "" && o.Hitch == 0 {
		return errors.New("-hitch-dir needs -hitch")
	}
	return nil
}

// injectValue adds a fault.
func injectValue(to *[]fault.Fault) func(string) error {
	return func(s string) error {
		i, err := fault.Parse(s)
		if err == nil && len(*to) == mostListed {
			err = fmt.Errorf("more than %d faults", mostListed)
		}
		if err == nil {
			*to = append(*to, i)
		}
		return err
	}
}

// watch tells those who look at engines from outside about one.
func (v *viewer) watch(e *engine.Engine) {
	v.dog.watch(e)
	if v.hitches != nil {
		v.hitches.Watch(e)
	}
	if v.served != nil {
		v.served.Add(e)
	}
}

func (v *viewer) unwatch(e *engine.Engine) {
	if v.hitches != nil {
		v.hitches.Forget(e)
	}
	if v.served != nil {
		v.served.Remove(e)
	}
}

// labelThread labels the calling goroutine in profiles, and those it starts;
// engines label theirs more finely.
func labelThread(name string) {
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels("loop", name)))
}
