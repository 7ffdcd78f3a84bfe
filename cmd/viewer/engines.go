package main

import (
	"errors"
	"sync/atomic"
	"time"

	"halfstep/engine"
)

// open closes the open scene and starts the one at that index.
func (v *viewer) open(index int) error {
	v.close()
	if v.closeErr != nil { // the old scene did not end in time; go on without it
		v.say(v.closeErr.Error())
		v.closeErr = nil
	}
	sc := &v.scenes[index]
	config := sc.config()
	collector := newCollector()
	done := new(atomic.Uint64)
	v.done = done // an engine that was left behind keeps its own
	config.OnStep = func(tick uint64, cost time.Duration) {
		collector.step(tick, cost)
		done.Store(tick)
	}
	v.given = config
	v.given.World = filledIn(config.World)
	if r := config.Replay; r != nil {
		done.Store(r.First)
	}
	v.blackBox(sc, &config)
	if err := v.record(sc, &config); err != nil {
		return err
	}
	old := v.player
	v.player = nil // while the next one is set up
	v.owner.beginWait()
	e, err := v.settings.engine(sc, config)
	v.owner.endWait()
	if err != nil {
		v.player = old
		if v.recording != nil {
			v.recording.file.Close()
		}
		return err
	}
	v.player, v.collector, v.current = e, collector, index
	v.stats, v.ledgerTaken = Stats{}, false
	v.drag, v.press0 = drag{}, press{}
	v.inspect.choose(0)
	v.saved = nil
	v.happened = v.happened[:0]
	v.travel = travel{}
	v.world = v.settings.world.applied(v.given)
	v.figures.reset()
	v.watch(e)
	if err := v.openRight(sc); err != nil {
		return err
	}
	v.engines(func(e *player) { e.SetDebugLayers(v.payload()) })
	v.sendParams(sc)
	v.watchFile()
	return nil
}

// engines calls f with the engine, and with that of the right half if there is
// one.
func (v *viewer) engines(f func(*player)) {
	f(v.player)
	if v.right != nil {
		f(v.right.player)
	}
}

// close closes all engines, and ends what goes on beside them.
func (v *viewer) close() {
	v.unwatchFile()
	v.toPresent()
	v.closeRight()
	if v.player != nil {
		v.closeEngine()
	}
}

// closeEngine closes the engine and its recording.
func (v *viewer) closeEngine() {
	v.unwatch(v.player)
	err := v.stopEngine(v.player)
	v.recording.close(err)
}

// stopEngine closes an engine. A run with an end finishes the steps that were
// demanded, however long they take. If the user quits or opens another scene,
// they have closeTime.
func (v *viewer) stopEngine(e *player) error {
	defer v.watchdog.forget(e)
	v.owner.beginWait()
	defer v.owner.endWait()
	if !v.quitting && v.o.limited() {
		return e.Close()
	}
	limit := closeTime
	if v.closeErr != nil {
		limit = 0 // another engine has used the time up
	}
	err := e.CloseWithin(limit)
	if errors.Is(err, engine.ErrStuck) {
		v.closeErr = err
	}
	return err
}

// watch makes a player known to the watchdog, and an engine to -hitch, -pprof and
// -perfetto.
func (v *viewer) watch(p *player) {
	v.watchdog.watch(p)
	e := p.engine
	if e == nil {
		return
	}
	if v.hitches != nil {
		v.hitches.Watch(e)
	}
	if v.profiles != nil {
		v.profiles.Add(e)
	}
	v.spans.Watch(e)
}

// unwatch ends what watch began. The watchdog goes on until the engine is
// closed.
func (v *viewer) unwatch(p *player) {
	e := p.engine
	if e == nil {
		return
	}
	if v.hitches != nil {
		v.hitches.Forget(e)
	}
	if v.profiles != nil {
		v.profiles.Remove(e)
	}
	v.spans.Forget(e)
}
