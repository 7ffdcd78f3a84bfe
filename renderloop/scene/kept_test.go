package scene

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/geometry"
	"halfstep/internal/query"
	"halfstep/test/norace"
)

// play is a world whose bodies move, rest, wake, and are created and destroyed. Its
// states pass through an exchange, as between physics and a render loop.
type play struct {
	*rand.Rand
	x       *buffer.Exchange[body2d.State]
	v       *View[body2d.State]
	states  []body2d.State
	moves   []bool
	changed []int32
	log     []body2d.Structure // log has the serial in the field Tick.
	serial  uint64
	tick    uint64
	ids     uint32
}

func newPlay(seed uint64, bodies int) *play {
	p := &play{
		Rand: rand.New(rand.NewPCG(seed, 3)), x: buffer.NewExchange[body2d.State](),
		v: &View[body2d.State]{Scene: New(), Dt: 1. / 60},
	}
	for slot := range int32(bodies) {
		p.states, p.moves = append(p.states, body2d.State{}), append(p.moves, false)
		p.spawn(slot)
	}
	p.publish(p.x.Restart)
	return p
}

func (p *play) record(r body2d.Structure) {
	r.Tick = p.serial + 1
	p.log = append(p.log, r)
}

func (p *play) spawn(slot int32) {
	s := &p.states[slot]
	*s = *state(p.Float32()*12, p.Float32()*12, p.NormFloat64(), body2d.Jump, s.Generation()+1)
	p.moves[slot] = p.IntN(4) == 0
	p.ids++
	p.record(body2d.Structure{Kind: body2d.BodyAdded, Slot: slot, Handle: uint64(p.ids), BodyType: uint8(p.IntN(3)), LocalX: p.Float32()})
	for range 1 + p.IntN(3) {
		p.shape(slot)
	}
	p.changed = append(p.changed, slot)
}

func (p *play) shape(slot int32) {
	p.ids++
	g := body2d.Geometry{Kind: body2d.Disc, N: 1, Radius: .2 + p.Float32()}
	g.Points[0] = [2]float32{p.Float32(), p.Float32()}
	p.record(body2d.Structure{Kind: body2d.ShapeAdded, Slot: slot, ID: p.ids, Handle: uint64(p.ids), Shape: g})
}

func (p *play) remove(slot int32) {
	p.states[slot] = body2d.State{Bits: (p.states[slot].Generation() + 1) << 8}
	p.moves[slot] = false
	p.record(body2d.Structure{Kind: body2d.BodyRemoved, Slot: slot})
	p.changed = append(p.changed, slot)
}

// step moves the moving bodies, and causes a few events.
func (p *play) step() {
	for slot := range p.states {
		s := &p.states[slot]
		if s.Flags()&body2d.Jump != 0 {
			s.Bits &^= uint32(body2d.Jump)
			p.changed = append(p.changed, int32(slot))
		}
		if p.moves[slot] {
			s.VX, s.VY, s.Omega = p.Float32()*9, p.Float32()*9, p.Float32()
			s.X, s.Y = s.X+s.VX/60, s.Y+s.VY/60
			p.changed = append(p.changed, int32(slot))
		}
	}
	p.happen()
	p.tick++
	p.publish(p.x.Publish)
}

func (p *play) happen() {
	for range p.IntN(4) {
		slot := int32(p.IntN(len(p.states)))
		s, alive := &p.states[slot], p.states[slot].Flags()&body2d.Alive != 0
		switch k := p.IntN(9); {
		case !alive:
			p.spawn(slot)
			continue
		case k == 0:
			p.remove(slot)
		case k == 1:
			s.X += 5
			if p.IntN(2) == 0 {
				s.Bits |= uint32(body2d.Jump)
			}
		case k == 2:
			p.shape(slot)
		case k == 3:
			s.Bits ^= uint32(body2d.Disabled)
		case k == 4:
			p.states, p.moves = append(p.states, body2d.State{}), append(p.moves, false)
			p.spawn(int32(len(p.states) - 1))
		case k == 5: // the body does not move, although its velocity is not 0
			p.moves[slot] = false
			s.VX, s.Omega = 50, 3
		default:
			p.moves[slot] = !p.moves[slot]
			s.VX, s.VY, s.Omega = 0, 0, 0
		}
		p.changed = append(p.changed, slot)
	}
}

func (p *play) publish(how func()) {
	s := p.x.Next()
	s.Update(len(p.states), p.changed, func(i int, to *body2d.State) { *to = p.states[i] })
	p.serial++
	s.Meta = buffer.Meta{Tick: p.tick, Structure: p.serial}
	how()
	p.changed = p.changed[:0]
}

// look takes a pair of states, which may be the pair before the newest.
func (p *play) look() {
	p.x.AcquireUpTo(p.tick - min(p.tick, p.Uint64N(2)))
	v, prev, cur := p.v, p.x.Previous(), p.x.Current()
	for len(p.log) > 0 && p.log[0].Tick <= cur.Structure {
		v.Scene.Apply(&p.log[0])
		p.log = p.log[1:]
	}
	v.Prev, v.Cur = prev.States, cur.States
	v.PrevSerial, v.CurSerial = prev.Serial, cur.Serial
	v.PrevChanges, v.CurChanges = &prev.Changes, &cur.Changes
	v.Alpha, v.Smoothing = p.Float32(), modes[p.IntN(len(modes))]
}

// The kept index answers like an index that is built for the picture. Bodies move,
// come to rest, wake, and are created and destroyed, and some pictures have no query.
func TestAKeptIndexAnswersAsAFreshOne(t *testing.T) {
	found, rested := 0, 0
	for seed := range uint64(30) {
		p := newPlay(seed, 1+int(seed)*4)
		for range 150 {
			if p.IntN(10) == 0 {
				p.happen()
				p.publish(p.x.Republish)
			}
			p.step()
			if p.IntN(1+int(seed)%4) > 0 {
				continue
			}
			if p.look(); p.IntN(8) == 0 {
				p.v.PrevChanges, p.v.CurChanges = nil, nil // this is how a loop without Changes leaves the view
			}
			x := p.Float64()*14 - 1
			y := p.Float64()*14 - 1
			got := at(p.v, x, y, query.Filter{})
			slot, ok := Pick(p.v, x, y)
			rested += len(p.v.Scene.Bodies) - len(p.v.Scene.index.loose)
			checkKept(t, &p.v.Scene.index.resting)

			was := p.v.Scene.index
			p.v.Scene.index = index{}
			want := at(p.v, x, y, query.Filter{})
			wantSlot, wantOK := Pick(p.v, x, y)
			p.v.Scene.index = was
			if !slices.Equal(got, want) || slot != wantSlot || ok != wantOK {
				t.Fatalf("seed %d, tick %d: shapes %v and slot %d at (%v, %v), want %v and %d", seed, p.tick, got, slot, x, y, want, wantSlot)
			}
			found += len(want)
		}
	}
	if found < 1000 || rested < 10_000 {
		t.Errorf("%d shapes found, %d bodies at rest", found, rested)
	}
}

// checkKept checks that boxes contain their children, and that the tree is no higher
// than an AVL tree with as many leaves.
func checkKept(t *testing.T, k *kept) {
	t.Helper()
	if k.root == none {
		return
	}
	leaves := 0
	var look func(i, parent int32) int32
	look = func(i, parent int32) int32 {
		n := &k.nodes[i]
		if n.parent != parent {
			t.Fatalf("the parent of node %d is %d, not %d", i, n.parent, parent)
		}
		if n.height == 0 {
			leaves++
			return 0
		}
		a, b := look(n.child[0], i), look(n.child[1], i)
		if around := k.nodes[n.child[0]].box.Around(&k.nodes[n.child[1]].box); around != n.box || n.height != 1+max(a, b) {
			t.Fatalf("node %d has the box %v and the height %d", i, n.box, n.height)
		}
		return n.height
	}
	if h := look(k.root, none); float64(h) > 2*math.Log2(float64(leaves))+2 {
		t.Fatalf("%d leaves in a tree of height %d", leaves, h)
	}
}

// Bodies that come to rest in the order of their positions, as in a row of dominoes,
// do not make a deep tree.
func TestAKeptTreeStaysFlat(t *testing.T) {
	k := kept{root: none, free: none}
	var leaves []int32
	for i := range int32(5000) {
		at := geometry.Vec{X: float64(i)}
		leaf := k.leaf(i, geometry.Box{Min: at, Max: geometry.Vec{X: at.X + .9, Y: 1}})
		k.insert(leaf)
		leaves = append(leaves, leaf)
	}
	checkKept(t, &k)
	for i := 0; i < len(leaves); i += 2 {
		k.remove(leaves[i])
	}
	checkKept(t, &k)
}

// Whatever the positions of the first boxes are, their tree has the least height.
func TestATreeThatIsBuiltIsBalanced(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, n := range []int{1, 2, 3, 100, 1000} {
		for lie, at := range []func(i int) geometry.Vec{
			func(int) geometry.Vec { return geometry.Vec{X: r.Float64(), Y: r.Float64()} },
			func(int) geometry.Vec { return geometry.Vec{} },
			func(i int) geometry.Vec { return geometry.Vec{Y: -math.Exp2(float64(i % 60))} },
			func(i int) geometry.Vec { return geometry.Vec{X: float64(i % 3)} },
		} {
			k := kept{root: none, free: none}
			leaves := []int32{none}
			for i := range n {
				p := at(i)
				leaves = append(leaves, k.leaf(int32(i), geometry.Box{Min: p, Max: p}))
			}
			k.build(leaves)
			checkKept(t, &k)
			if h := int(k.nodes[k.root].height); 1<<h >= 2*n {
				t.Errorf("lie %d: %d leaves in a tree of height %d", lie, n, h)
			}
			if len(k.nodes) != 2*n-1 {
				t.Errorf("lie %d: %d nodes for %d leaves", lie, len(k.nodes), n)
			}
		}
	}
}

// The first query puts all bodies at rest into a tree, with little memory.
func TestTheFirstQuestionTakesLittleMemory(t *testing.T) {
	norace.Only(t)
	const bodies = 5000
	p := newPlay(2, bodies)
	p.look()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	Pick(p.v, 1, 1)
	runtime.ReadMemStats(&after)
	if n := (after.TotalAlloc - before.TotalAlloc) / bodies; n > 1500 { // a body has 1 to 3 shapes
		t.Errorf("%d bytes a body", n)
	}
}

// After a step, the cost of a query depends on the bodies that move, and not on the
// bodies at rest.
func TestAnIndexLooksAtWhatMovesAlone(t *testing.T) {
	looked := func(resting int) (loose int) {
		p := newPlay(1, resting)
		for slot := range p.moves {
			p.moves[slot] = slot < 10
		}
		for range 5 {
			p.tick++
			p.changed = append(p.changed[:0], 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
			for slot := range p.states {
				s := &p.states[slot]
				if p.moves[slot] {
					s.X++
					s.VX = 60
				} else if s.Flags()&body2d.Jump != 0 {
					s.Bits &^= uint32(body2d.Jump)
					p.changed = append(p.changed, int32(slot))
				}
			}
			p.publish(p.x.Publish)
			p.look()
			indexOf(p.v)
		}
		return len(p.v.Scene.index.loose)
	}
	if few, many := looked(20), looked(3000); few != 10 || many != 10 {
		t.Errorf("%d bodies are looked at among 20, %d among 3000; 10 move", few, many)
	}
}

func TestAQuestionAboutAPictureAllocatesNothing(t *testing.T) {
	p := newPlay(2, 300)
	ask := func() {
		p.tick++
		for slot := range int32(5) {
			p.states[slot].X += .1
			p.changed = append(p.changed, slot)
		}
		p.publish(p.x.Publish)
		p.look()
		Pick(p.v, 3, 3)
	}
	for range 20 {
		ask()
	}
	if n := testing.AllocsPerRun(100, ask); n != 0 {
		t.Errorf("%v allocations a question", n)
	}
}
