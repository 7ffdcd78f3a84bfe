package main

import (
	"math"
	"sync"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"halfstep/internal/monotime"
	"halfstep/renderloop/glrender"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// inputKind says which fields of an inputEvent are used.
type inputKind uint8

const (
	keyInput     inputKind = iota // key, action, mods
	buttonInput                   // button, action
	cursorInput                   // x, y
	scrollInput                   // y
	surfaceInput                  // surface
	messageInput                  // text
	charInput                     // char
	sceneInput                    // scene, text: a scene file was read, or text says why not
	leaveInput                    // the cursor has left the window
	quitInput
)

type inputEvent struct {
	kind    inputKind
	key     glfw.Key
	button  glfw.MouseButton
	action  glfw.Action
	mods    glfw.ModifierKey
	x, y    float64 // cursor: framebuffer pixels from the top left; wheel: clicks
	surface surface
	text    string
	char    rune
	scene   *sceneEntry
	at      time.Time // when it came
}

type surface struct {
	w, h  int     // framebuffer pixels; 0 while the window is minimised
	scale float64 // content scale: pixels per unit of text and lines

	refresh time.Duration // between two refreshes of the display, 0 if it is unknown
}

func (s surface) empty() bool { return s.w <= 0 || s.h <= 0 }

// queue carries input from the main thread to the render thread.
type queue struct {
	mu     sync.Mutex
	events []inputEvent

	// wake has an element while there are events for a render thread that sleeps
	// because the window is minimised.
	wake chan struct{}

	quitting chan struct{} // closed when the run is asked to end
	once     sync.Once
}

func newQueue() *queue {
	return &queue{wake: make(chan struct{}, 1), quitting: make(chan struct{})}
}

// quit asks the run to end. Any goroutine.
func (q *queue) quit() { q.once.Do(func() { close(q.quitting) }) }

// asked reports whether the run was asked to end.
func (q *queue) asked() bool {
	select {
	case <-q.quitting:
		return true
	default:
		return false
	}
}

// put may be called on any goroutine.
func (q *queue) put(e inputEvent) {
	if e.kind == quitInput {
		q.quit()
	}
	e.at = monotime.Now()
	q.mu.Lock()
	q.events = append(q.events, e)
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// swap takes all events, and gives the queue an empty list to fill. It never
// waits: if an event is being added at this moment, all come a frame later.
func (q *queue) swap(empty []inputEvent) []inputEvent {
	if !q.mu.TryLock() {
		return empty[:0]
	}
	events := q.events
	q.events = empty[:0]
	q.mu.Unlock()
	return events
}

func (v *viewer) takeInput() error {
	events := v.queue.swap(v.spareEvents)
	v.answered(events)
	for i := range events {
		if err := v.handle(&events[i]); err != nil {
			return err
		}
	}
	v.spareEvents = events
	if err := v.runPanel(); err != nil {
		return err
	}
	v.fitHome()
	v.pull()
	return nil
}

// handle gives an event to the first that takes it. Of what is typed and clicked that is the
// panel.
func (v *viewer) handle(e *inputEvent) error {
	taken := v.feed(e)
	if e.kind == keyInput {
		return v.key(e, taken)
	}
	if taken {
		return nil
	}
	switch e.kind {
	case buttonInput:
		v.button(e.button, e.action == glfw.Press, e.at)
	case cursorInput:
		v.cursor(e.x, e.y)
	case scrollInput:
		v.camera.zoom(math.Pow(zoomStep, max(-20, min(e.y, 20))), v.half())
	case surfaceInput:
		v.surface = e.surface
	case quitInput:
		v.quit()
	case messageInput:
		v.warn(e.text)
	case sceneInput:
		return v.openFile(e.scene, e.text)
	}
	return nil
}

// key gives a key that no field has taken to a scene that is driven, and otherwise to its
// action. A scene hears of every key that is let go, because it may have had it when it was
// pressed.
func (v *viewer) key(e *inputEvent, taken bool) error {
	down := e.action != glfw.Release
	if taken && down || v.drive(e.key, down) || !down {
		return nil
	}
	return v.press(e.key, e.action == glfw.Repeat)
}

// quit ends the run after this frame.
func (s *session) quit() {
	s.quitting = true
	s.queue.quit()
}

// cursor moves the cursor to a point of the window. With -compare, the same
// point of either half shows the same point of the world.
func (v *viewer) cursor(x, y float64) {
	half := v.half()
	if o := v.right; o != nil {
		if v.drag.body == 0 && o.drag.body == 0 && !v.camera.panning {
			o.underCursor = x >= float64(half.w)
		}
		if o.underCursor {
			x -= float64(half.w)
		}
	}
	v.camera.cursor(x, y, half)
}

// button is called when a button is pressed or released. The left one drags a
// body, or pans where there is none; the others pan.
func (v *viewer) button(b glfw.MouseButton, down bool, at time.Time) {
	if b != glfw.MouseButtonLeft {
		v.camera.panning = down
		if b == glfw.MouseButtonRight {
			v.rightButton(down, at)
		}
		return
	}
	v.menu.open = false
	if !down {
		v.camera.panning = false
		v.letGo()
		v.released(at)
		return
	}
	if unit := float32(glrender.Unit(v.surface.scale)); v.hud.now.Has(float32(v.camera.x)/unit, float32(v.camera.y)/unit) {
		v.count("now")
		v.toNow()
		return
	}
	v.pressed(at)
	v.hud.hint = time.Time{} // they have found it
	if !v.grab() {
		v.camera.panning = true
	}
}

// rightButton pans while it is held; a click opens the menu.
func (v *viewer) rightButton(down bool, at time.Time) {
	if down {
		v.menu.open = false
		v.press0 = press{x: v.camera.x, y: v.camera.y, at: at}
		return
	}
	p := &v.press0
	way := clickWay * max(1, v.surface.scale)
	if dx, dy := v.camera.x-p.x, v.camera.y-p.y; dx*dx+dy*dy <= way*way && at.Sub(p.at) <= clickTime {
		v.openMenu()
	}
}

// grab takes hold of the body under the cursor, in both halves. The body is
// picked in the half under the cursor. Its handle is the same in the other
// world.
func (v *viewer) grab() bool {
	at := v.camera.world(v.half())
	o := v.right
	if o == nil {
		return v.drag.grab(v.player, at)
	}
	under, player, other, otherPlayer := &v.drag, v.player, &o.drag, o.player
	if o.underCursor {
		under, player, other, otherPlayer = other, otherPlayer, under, player
	}
	if !under.grab(player, at) {
		return false
	}
	other.hold(otherPlayer, under.body, at)
	return true
}

// pull pulls the held bodies towards the cursor. It is called in every frame,
// because the camera can move while the mouse does not.
func (v *viewer) pull() {
	if !v.dragging(monotime.Now()) {
		return
	}
	if v.playedRecording() != nil && v.drag.body == 0 || v.isPast() {
		v.letGo()
		return
	}
	at := v.camera.world(v.half())
	v.handled = v.handled || v.drag.body != 0
	v.drag.move(v.player, at, v.elapsed)
	if v.right != nil {
		v.right.drag.move(v.right.player, at, v.elapsed)
	}
}

func (s *session) letGo() {
	s.drag.release(s.player)
	if s.right != nil {
		s.right.drag.release(s.right.player)
	}
}

// drag is a body that the mouse holds with a mouse joint.
type drag struct {
	body   world.Body  // 0: none
	joint  world.Joint // 0: it does not pull yet
	grip   world.Vec   // in the body's frame, m
	force  float64     // of the joint, at most, N
	target world.Vec   // as last sent, m
	trail  trail
}

// The joint is a spring of 5 Hz that hardly oscillates. Its force has a limit
// per square metre of the body: about 200 times its weight at 1 kg/m².
const (
	dragFrequency = 5
	dragDamping   = 0.7
	dragForce     = 2000 // N/m²
)

func (d *drag) grab(e *player, at world.Vec) bool {
	b, ok := e.pick(at)
	return ok && d.hold(e, b, at)
}

// hold takes hold of a body at a point, if the body is dynamic. It does not pull
// before move is called: a click changes nothing in the world.
func (d *drag) hold(e *player, b world.Body, at world.Vec) bool {
	all := e.View().Scene
	slot, ok := all.Slot(uint64(b))
	if !ok || world.BodyKind(all.Bodies[slot].Type) != world.Dynamic {
		return false
	}
	p, ok := e.pose(b)
	if !ok {
		return false
	}
	sin, cos := math.Sincos(p.Angle)
	x, y := at.X-p.X, at.Y-p.Y
	*d = drag{
		body: b, grip: world.Vec{X: cos*x + sin*y, Y: cos*y - sin*x},
		force: dragForce * math.Max(area(all, slot), 1e-3),
	}
	return true
}

// held is where the point is shown that was taken hold of.
func (d *drag) held(e *player) (at world.Vec, ok bool) {
	p, ok := e.pose(d.body)
	sin, cos := math.Sincos(p.Angle)
	return world.Vec{X: p.X + cos*d.grip.X - sin*d.grip.Y, Y: p.Y + sin*d.grip.X + cos*d.grip.Y}, ok
}

// move pulls the body towards a point, from where it was taken hold of.
func (d *drag) move(e *player, to world.Vec, now time.Duration) {
	if d.body == 0 {
		return
	}
	at, ok := d.held(e)
	if ok {
		d.trail.note(now, to, at)
	}
	if ok && d.joint == 0 {
		d.target = at
		d.joint = e.CreateJoint(world.JointDef{
			Kind: world.MouseJoint, B: d.body, AnchorB: d.grip, Target: d.target,
			MaxForce: d.force, Frequency: dragFrequency, Damping: dragDamping,
		})
	}
	if to != d.target {
		d.target = to
		e.SetTarget(d.joint, to)
	}
}

func (d *drag) release(e *player) {
	if d.body != 0 {
		if d.joint != 0 {
			e.DestroyJoint(d.joint)
		}
		*d = drag{}
	}
}

// removed forgets a body that was removed. Its joint went with it.
func (d *drag) removed(b world.Body) {
	if d.body == b {
		*d = drag{}
	}
}

func area(s *scene.Scene, slot int) float64 {
	sum := 0.0
	for g := range s.ShapesOf(slot) {
		r := float64(g.Radius)
		sum += math.Pi * r * r // a disc, or the corners of a rounded polygon
		n := int(g.N)
		for i := range n {
			a, b := g.Points[i], g.Points[(i+1)%n]
			sum += float64(a[0]*b[1]-b[0]*a[1]) / 2
		}
	}
	return sum
}
