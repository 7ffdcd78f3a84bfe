package scenes

import (
	"testing"

	"halfstep/engine/rube"
	"halfstep/test/norace"
	"halfstep/test/saved"
	"halfstep/world"
)

func TestEverySceneIsSavedAndReadBackToTheBit(t *testing.T) {
	defer func() { stepper = world.FastStep }()
	for i, s := range All() {
		stepper = []world.Stepper{world.FastStep, world.SoftStep}[i%2]
		w := open(t, s)
		if w.Counts().Bodies < 500 {
			saved.Check(t, s.Name, rube.Of(w.World), w.Hash())
			for range 40 {
				w.Step(w.Tick()+1, 1./60)
			}
			saved.Check(t, s.Name+" later", rube.Of(w.World), w.Hash())
		}
		w.Close()
	}
}

func TestScenesAsGoCodeMakeTheSameWorlds(t *testing.T) {
	norace.Only(t)
	var all []*rube.Scene
	for _, name := range []string{"joints", "machines", "capsules", "oneway"} {
		w := open(t, lookup(t, name))
		for range 20 {
			w.Step(w.Tick()+1, 1./60)
		}
		all = append(all, rube.Of(w.World))
		w.Close()
	}
	saved.CheckGo(t, all...)
}
