package netplay

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/test/norace"
	"halfstep/world"
)

// yard is a game. Players push boxes about and throw balls, and bodies that are hit hard
// break. The body of an absent player is put to sleep.
type yard struct {
	players [maxPlayers]world.Body
	wish    [maxPlayers]struct {
		X, Y, Here int8
	}
	thrown int
	broken int
	fault  uint64 // fault is the tick at which an unregistered variable moves the first player.
	panics uint64 // panics is the tick at which the program fails.
}

func (y *yard) setup(w *world.World) (err error) {
	add := func(def world.BodyDef) world.Body {
		b, e := w.CreateBody(def)
		err = errors.Join(err, e)
		return b
	}
	for _, wall := range [...][4]float64{{0, -6, 12, .5}, {-12, 0, .5, 6}, {12, 0, .5, 6}, {0, 6, 12, .5}} {
		add(world.BodyDef{Name: "wall", Position: world.Vec{X: wall[0], Y: wall[1]}, Shapes: []world.ShapeDef{world.Box(wall[2], wall[3])}})
	}
	for i := range y.players {
		y.players[i] = add(world.BodyDef{
			Name: fmt.Sprint("player ", i+1), Kind: world.Dynamic, Position: world.Vec{X: float64(i)*2 - 7}, Shapes: []world.ShapeDef{world.Circle(.4)},
		})
	}
	for i := range 8 {
		shape := world.Box(.4, .4)
		if i%2 == 1 {
			shape = world.Capsule(world.Vec{X: -.3}, world.Vec{X: .3}, .3)
		}
		add(world.BodyDef{
			Name: "crate", Kind: world.Dynamic, Position: world.Vec{X: float64(i)*2 - 8, Y: 3}, Shapes: []world.ShapeDef{shape},
		})
	}
	w.Register("wish", func(_ *world.World, args []float64) {
		at := &y.wish[int(args[0])]
		at.X, at.Y, at.Here = int8(args[1]), int8(args[2]), int8(args[3])
	})
	w.Register("throw", func(w *world.World, args []float64) {
		y.thrown++
		from, err := w.Body(y.players[int(args[0])])
		if err != nil {
			return
		}
		_, _ = w.CreateBody(world.BodyDef{
			Name: fmt.Sprint("ball ", y.thrown), Kind: world.Dynamic, Position: world.Vec{X: from.Position.X, Y: from.Position.Y + 1},
			Velocity: world.Vec{X: 3, Y: 4}, Shapes: []world.ShapeDef{world.Circle(.2)},
		})
	})
	w.Keep(&y.wish, &y.thrown, &y.broken)
	w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
		for i, b := range y.players {
			wish := &y.wish[i]
			if wish.Here != 0 && (wish.X != 0 || wish.Y != 0) {
				_ = w.Force(b, world.Vec{X: float64(wish.X) * 20, Y: float64(wish.Y) * 20})
			}
		}
		if y.panics > 0 && w.Tick() == y.panics {
			panic("out of order")
		}
		if y.fault > 0 && w.Tick() == y.fault {
			_ = w.SetVelocity(y.players[0], world.Vec{X: 1})
		}
	}))
	w.AddContactHook(func(w *world.World, events []world.Event) {
		for _, ev := range events {
			if ev.Kind != world.ContactBegin || ev.Impulse < .3 {
				continue
			}
			for _, b := range []world.Body{ev.A, ev.B} {
				if info, err := w.Body(b); err == nil && len(info.Name) > 4 && info.Name[:4] == "ball" {
					y.broken++
					_ = w.DestroyBody(b)
				}
			}
		}
	})
	return err
}

// An input is a direction from 0 to 8, or 9 for a throw.
func apply(c world.Commands, _ uint64, inputs [][]byte) {
	for i, in := range inputs {
		if in == nil {
			c.DoNamed("wish", float64(i), 0, 0, 0)
			continue
		}
		c.DoNamed("wish", float64(i), float64(in[0]%3)-1, float64(in[0]/3%3)-1, 1)
		if in[0] == 9 {
			c.DoNamed("throw", float64(i))
		}
	}
}

// program is one of the programs of a match.
type program struct {
	*Session
	game   *yard
	at     netip.AddrPort
	random *rand.Rand
	input  byte
	fps    int
	next   time.Duration // frame
	hashes map[uint64]uint64
	from   uint64 // from is the first tick with a hash.
	events map[string]int
	err    error // of Update, the first
	frames int
	hurry  float64 // hurry is the speed of the program's clock. The value 0 means normal speed.
	still  bool    // it calls no Frame
	lies   bool    // its results are ignored
}

// rig is a match in one process.
type rig struct {
	t        testing.TB
	seed     uint64
	random   *rand.Rand
	now      time.Duration
	network  Memory
	line     Conditions
	options  Options
	config   engine.Config
	programs []*program
	gone     []*program
	quiet    bool           // quiet says that no player gives a new input.
	broken   world.Stateful // broken is a part of all worlds, or nil.
	analog   bool           // analog says that all bytes of an input except the first change in every frame.
	next     uint16
}

func newRig(t testing.TB, seed uint64) *rig {
	r := &rig{t: t, seed: seed, random: rand.New(rand.NewPCG(seed, 7))}
	r.options = Options{Match: "yard", Players: 2, InputSize: 1, Apply: apply, Timeout: 2 * time.Second, Now: func() time.Duration { return r.now }}
	r.config = engine.Config{
		World: world.Config{Workers: 1}, Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true, EventsAtOnce: true},
		Testing: engine.Testing{NoPhases: true},
	}
	t.Cleanup(r.close)
	return r
}

func (r *rig) close() {
	for _, p := range append(r.programs, r.gone...) {
		if err := p.Close(); err != nil {
			r.t.Errorf("seed %d: %v", r.seed, err)
		}
	}
	r.programs, r.gone = nil, nil
}

func (r *rig) add(fps int) *program {
	r.t.Helper()
	return r.addAt(fps, netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), r.next+1))
}

func (r *rig) addAt(fps int, at netip.AddrPort) *program {
	r.t.Helper()
	r.next++
	p := &program{
		game: new(yard), at: at, fps: fps,
		random: rand.New(rand.NewPCG(r.seed, uint64(r.next))), hashes: map[uint64]uint64{}, events: map[string]int{}, next: r.now,
	}
	c, line := r.config, r.line
	c.Setup = func(w *world.World) error {
		w.AddState(r.broken)
		return p.game.setup(w)
	}
	line.Now, line.Seed = r.options.Now, r.seed+uint64(r.next)
	l := line.Worsen(r.network.Line(p.at))
	var err error
	if len(r.programs) == 0 {
		p.Session, err = Host(r.network.Line(p.at), c, r.options)
	} else {
		p.Session, err = Join(l, r.programs[0].at, c, r.options)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	r.programs = append(r.programs, p)
	return p
}

// frame runs a frame of one program.
func (r *rig) frame(p *program) {
	if p.random.IntN(10) == 0 {
		p.input = byte(p.random.IntN(10))
	} else if p.input == 9 {
		p.input = 4
	}
	if r.quiet {
		p.input = 4
	}
	input := make([]byte, p.o.InputSize)
	if input[0] = p.input; r.analog {
		for i := range input[1:] {
			input[1+i] = byte(p.random.Uint32())
		}
	}
	if err := p.Update(input); err != nil && p.err == nil {
		p.err = err
	}
	p.frames++
	e := p.Engine()
	if e == nil || p.still {
		return
	}
	d := time.Second / time.Duration(p.fps)
	if p.hurry > 0 {
		d = time.Duration(float64(d) * p.hurry)
	}
	e.Advance(d)
	for ev := range e.Events() {
		by, kind := 1, ev.Kind
		if kind == world.EventRetracted {
			by, kind = -1, ev.Was
		}
		p.events[fmt.Sprint(ev.Tick, " ", kind)] += by
	}
	if len(p.hashes) == 0 && p.from == 0 {
		if p.from = p.match.tracks[0].first; p.from > 0 {
			p.from-- // the snapshot's
		}
	}
	for tick := p.from + uint64(len(p.hashes)); tick < p.facts.final.Load(); tick++ {
		if p.from > 0 && tick == p.from {
			p.hashes[tick] = 0 // not told
			continue
		}
		p.hashes[tick] = p.facts.finalHashes[tick%kept]
	}
}

// run lets time pass.
func (r *rig) run(d time.Duration) {
	for end := r.now + d; r.now < end; r.now += time.Millisecond {
		for _, p := range r.gone { // its goodbyes may still be on their way
			p.line.Receive(p.packet[:])
		}
		for _, p := range r.programs {
			if p.next <= r.now {
				p.next += time.Second / time.Duration(p.fps)
				r.frame(p)
				runtime.Gosched() // compressing a snapshot takes time that is not simulated
			}
		}
	}
}

func (r *rig) leave(p *program) {
	for i, o := range r.programs {
		if o == p {
			r.programs = append(r.programs[:i:i], r.programs[i+1:]...)
		}
	}
	r.gone = append(r.gone, p)
	if err := p.Close(); err != nil {
		r.t.Errorf("seed %d: %v", r.seed, err)
	}
}

// check compares all programs, and returns the number of hashes that were compared.
func (r *rig) check() (compared int) {
	r.t.Helper()
	host := r.programs[0]
	for _, p := range append(append([]*program{}, r.programs...), r.gone...) {
		if p.lies {
			continue
		}
		if p.err != nil && !strings.Contains(p.err.Error(), "no place is free") { // a program that has left may still have its place
			r.t.Errorf("seed %d: player %d: %v", r.seed, p.Player(), p.err)
		}
		for tick, hash := range p.hashes {
			if want, ok := host.hashes[tick]; ok && hash != 0 && hash != want {
				r.t.Errorf("seed %d: player %d, tick %d: another hash than the host's", r.seed, p.Player(), tick)
				break
			}
			compared++
		}
	}
	return compared
}

func TestTwoPlayersSeeOneWorldOverABadLine(t *testing.T) {
	r := newRig(t, 1)
	r.line = Conditions{Delay: 50 * time.Millisecond, Jitter: 25 * time.Millisecond, Loss: .2, Twice: .1}
	r.add(60)
	r.add(60)
	seconds := norace.Rounds(20, 6)
	r.run(time.Duration(seconds) * time.Second)
	n := r.check()
	f := r.programs[0].Metrics()
	t.Logf("%d hashes compared, %+v", n, f)
	if f.Checked < uint64(50*seconds) || f.Rollbacks == 0 {
		t.Errorf("ticks are the same before tick %d, after %d rollbacks", f.Checked, f.Rollbacks)
	}
}

// randomMatch plays a match of 2 to 8 players over lines of any kind. Some of the
// players join and leave while the match runs.
func randomMatch(t testing.TB, seed uint64, length time.Duration) (compared int, f Metrics) {
	t.Helper()
	r := newRig(t, seed)
	defer r.close()
	n := 2 + r.random.IntN(maxPlayers-1)
	r.options.Players, r.options.WaitFor = n, 1+r.random.IntN(n)
	r.options.Timeout = 30 * time.Second // no player loses his place because a window is too small for the line
	r.options.Delay, r.options.Window = 1+r.random.IntN(4), 6+r.random.IntN(20)
	if r.random.IntN(2) == 0 {
		r.options.Guess = func(_, ticks int, input []byte) {
			if input[0] == 9 || ticks > 10 {
				input[0] = 4
			}
		}
	}
	r.config.World.Stepper = []world.Stepper{world.FastStep, world.SoftStep}[r.random.IntN(2)]
	r.config.Testing.SyncTest = max(0, r.random.IntN(12)-8)
	r.config.Time.EventsAtOnce = r.random.IntN(2) == 0
	r.config.Time.Sync = []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep}[r.random.IntN(2)]
	r.line = Conditions{
		Delay: time.Duration(r.random.IntN(150)) * time.Millisecond, Jitter: time.Duration(r.random.IntN(50)) * time.Millisecond,
		Loss: r.random.Float64() * .2, Twice: r.random.Float64() * .1,
	}
	rates := []int{30, 50, 60, 60, 75, 144}
	fps := func() int { return rates[r.random.IntN(len(rates))] }
	for range r.options.WaitFor {
		r.add(fps())
	}
	for end := r.now + length; r.now < end; {
		r.run(time.Duration(r.random.IntN(1000)) * time.Millisecond)
		switch r.random.IntN(6) {
		case 0:
			if len(r.programs) < n {
				r.add(fps())
			}
		case 1:
			if len(r.programs) > 1 {
				r.leave(r.programs[1+r.random.IntN(len(r.programs)-1)])
			}
		}
	}
	r.quiet = true
	r.run(3 * time.Second)
	compared = r.check()
	// programs that were there from the beginning have received the same events
	host := r.programs[0]
	final := host.facts.final.Load()
	for _, p := range r.programs {
		final = min(final, p.facts.final.Load())
	}
	for _, p := range r.programs[1:] {
		if p.Engine() == nil || p.from > 0 {
			continue
		}
		for _, pair := range [...][2]*program{{host, p}, {p, host}} {
			for key, n := range pair[0].events {
				var tick uint64
				if _, err := fmt.Sscan(key, &tick); err == nil && tick+20 < final && (pair[1].events[key] != n || n < 0) {
					t.Errorf("seed %d: players %d and %d: %d and %d events %q", seed, pair[0].Player(), pair[1].Player(), n, pair[1].events[key], key)
					break
				}
			}
		}
	}
	if host.Metrics().Checked+60 < host.Metrics().Tick && host.err == nil {
		t.Errorf("seed %d: ticks are compared up to %d of %d", seed, host.Metrics().Checked, host.Metrics().Tick)
	}
	return compared, host.Metrics()
}

var (
	matches    = flag.Int("matches", norace.Rounds(6, 2), "how many random matches to play")
	firstMatch = flag.Int("first-match", 0, "and the seed of the first of them")
)

func TestRandomMatchesNeverDiffer(t *testing.T) {
	compared := 0
	for i := range *matches {
		seed := uint64(*firstMatch + i)
		n, f := randomMatch(t, seed, 5*time.Second)
		compared += n
		if testing.Verbose() {
			t.Logf("seed %d: %d hashes, %+v", seed, n, f)
		}
	}
	t.Logf("%d hashes compared", compared)
}
