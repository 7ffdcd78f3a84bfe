package engine_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/internal/owner"
	"halfstep/world"
)

// Physics sleeps during this time, so that there is no data race.
func TestAKeptWorldUsedElsewherePanicsInRaceBuilds(t *testing.T) {
	if !owner.Checked {
		t.Skip("not a race build")
	}
	var kept *world.World
	e := start(t, engine.Config{Setup: func(w *world.World) error {
		kept = w
		_, err := w.CreateBody(ball(0, 0))
		return err
	}})
	frames(e, 10)
	e.Do(func(w *world.World) { _ = w.Gravity() })
	frames(e, 10)
	time.Sleep(time.Millisecond)
	uses(reflect.ValueOf(kept), func(name string, use func()) {
		defer func() {
			if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), "used on another goroutine") {
				t.Errorf("%s: panic %v", name, err)
			}
		}()
		use()
	})
}

// uses calls call with every method of v, and with every method of the query that one of
// them returns. The methods get zero arguments.
func uses(v reflect.Value, call func(name string, use func())) {
	for i := range v.NumMethod() {
		m, name := v.Method(i), v.Type().Method(i).Name
		var args []reflect.Value
		for k := range m.Type().NumIn() {
			if !m.Type().IsVariadic() || k < m.Type().NumIn()-1 {
				args = append(args, reflect.Zero(m.Type().In(k)))
			}
		}
		if name == "Query" { // this method only builds a query
			uses(m.Call(args)[0], call)
			continue
		}
		call(name, func() {
			for _, out := range m.Call(args) {
				if t := out.Type(); t.Kind() == reflect.Func && t.NumIn() == 1 && t.In(0).Kind() == reflect.Func { // an iterator
					out.Call([]reflect.Value{reflect.MakeFunc(t.In(0), func([]reflect.Value) []reflect.Value {
						return []reflect.Value{reflect.ValueOf(false)}
					})})
				}
			}
		})
	}
}

func TestAWorldMayBeUsedBeforePhysicsStartsAndAfterItEnds(t *testing.T) {
	var kept *world.World
	var file bytes.Buffer
	setup := func(w *world.World) error {
		kept = w
		built := make(chan error)
		go func() { // several goroutines may build a scene, one after the other
			_, err := w.CreateBody(ball(0, 0))
			built <- err
		}()
		if err := <-built; err != nil {
			return err
		}
		_, err := w.CreateBody(ball(3, 0))
		return err
	}
	e := start(t, engine.Config{Setup: setup, History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file}}})
	over := make(chan struct{})
	go func() { frames(e, 10); close(over) }() // this is not the goroutine that called New
	<-over
	if err := e.Close(); err != nil || e.Failure() != nil {
		t.Errorf("%v, %v", err, e.Failure())
	}
	if _, err := kept.Body(kept.HandleOf(nil)); err == nil || kept.Tick() == 0 {
		t.Errorf("%v", err)
	}
	r, err := engine.ReadRecording(&file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Verify(setup); err != nil {
		t.Error(err)
	}
}
