package world

import (
	"fmt"
	"strings"
	"testing"
)

func TestAFunctionOfOneWorldIsUnknownToOthers(t *testing.T) {
	calls := map[*World]int{}
	worlds := [2]*driven{newDriven(Config{NoGravity: true}), newDriven(Config{NoGravity: true})}
	for i, w := range worlds {
		w.Register("one world's", func(w *World, args []float64) { calls[w] += i + int(args[0]) })
	}
	for _, w := range append(worlds[:], newDriven(Config{NoGravity: true})) {
		w.BeginFrame()
		w.Apply(0, &Command{Op: opDo, Name: "one world's", Args: []float64{5}}, false)
	}
	if calls[worlds[0].World] != 5 || calls[worlds[1].World] != 6 || len(calls) != 2 {
		t.Errorf("calls %v", calls)
	}
}

func TestAWorldsOwnFunctionComesBeforeOneOfAllWorlds(t *testing.T) {
	var ran string
	Register("shadowed", func(*World, []float64) { ran += "all " })
	w := newDriven(Config{NoGravity: true})
	call := func() { w.Apply(0, &Command{Op: opDo, Name: "shadowed"}, false) }
	call()
	w.Register("shadowed", func(*World, []float64) { ran += "own" })
	call()
	if ran != "all own" || w.news.rejected != 0 {
		t.Errorf("ran %q, %d rejected", ran, w.news.rejected)
	}
}

func TestANameOfAWorldIsGivenOnce(t *testing.T) {
	w := newDriven(Config{NoGravity: true})
	f := func(*World, []float64) {}
	w.Register("once", f)
	for what, again := range map[string]func(){
		"taken": func() { w.Register("once", f) },
		"empty": func() { w.Register("", f) },
		"nil":   func() { w.Register("nil", nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: accepted", what)
				}
			}()
			again()
		}()
	}
}

func TestNilInPlaceOfCodeIsRefusedInALineThatNamesTheCall(t *testing.T) {
	w := newDriven(Config{})
	for want, call := range map[string]func(){
		"AddController":                   func() { w.AddController(nil) },
		"AddController was given nil":     func() { w.AddController(ControllerFunc(nil)) },
		"AddContactHook":                  func() { w.AddContactHook(nil) },
		`the name is "", the function gi`: func() { w.Register("", func(*World, []float64) {}) },
		`"something", the function nil`:   func() { Register("something", nil) },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, want) || strings.Contains(got, "\n") {
					t.Errorf("%q, without %q", got, want)
				}
			}()
			call()
		}()
	}
}
