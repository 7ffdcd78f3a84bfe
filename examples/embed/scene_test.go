package main

import (
	"testing"
	"time"

	"halfstep/engine"
)

var simulated = engine.Config{Time: engine.Time{Simulated: true}}

func TestWhatFallsOffIsForgotten(t *testing.T) {
	s, err := newScene(simulated)
	if err != nil {
		t.Fatal(err)
	}
	defer s.engine.Close()
	before := len(s.looks)
	for range 10 {
		s.drop(40, 0) // beside the ground
	}
	p := &painter{}
	for range 300 {
		s.engine.Advance(time.Second / 60)
		s.events()
		p.list = p.list[:0]
		s.draw(p)
	}
	if n := len(s.looks); n != before {
		t.Errorf("%d looks, %d before", n, before)
	}
	if n := len(p.list); n != before {
		t.Errorf("%d of %d bodies drawn", n, before)
	}
}

func TestClicksDropAndRemove(t *testing.T) {
	s, err := newScene(simulated)
	if err != nil {
		t.Fatal(err)
	}
	defer s.engine.Close()
	frame := func() { s.engine.Advance(time.Second / 60); s.events() }
	for range 10 {
		frame()
	}
	before := len(s.looks)
	s.drop(0, 10.5)
	for range 4 {
		frame()
	}
	if len(s.looks) != before+1 {
		t.Fatalf("%d looks, %d before", len(s.looks), before)
	}
	s.remove(0, 10.4)
	s.remove(0, 10.4) // a second time, before the body is gone
	for range 4 {
		frame()
	}
	if len(s.looks) != before {
		t.Errorf("%d looks, %d before", len(s.looks), before)
	}
}

func TestTheSceneKeepsAllItsVariables(t *testing.T) {
	c := simulated
	c.Testing.SyncTest = 5
	s, err := newScene(c)
	if err != nil {
		t.Fatal(err)
	}
	defer s.engine.Close()
	for range 200 {
		s.engine.Advance(time.Second / 60)
		s.events()
		if err := s.engine.Failure(); err != nil {
			t.Fatal(err)
		}
	}
}
