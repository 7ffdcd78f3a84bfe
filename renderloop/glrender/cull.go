package glrender

import (
	"math"
	"slices"
	"unsafe"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"

	"github.com/go-gl/gl/v4.1-core/gl"
)

const (
	cullBlock = 32   // instances that are drawn or left out together
	cullFrom  = 2048 // with fewer instances, it saves nothing to leave some out
)

// culling leaves out of a picture the instances (instance.go) that the camera does not see. It stores the
// bounds of blocks of instances, in drawing order. A block in which a body moves is always drawn, so its
// bounds are computed only once its bodies have come to rest. Each frame chooses the blocks to draw. If they
// are not the blocks of the frame before, it copies their instances.
type culling struct {
	quads

	version uint64  // the structure's version
	serial  uint64  // the serial of the newest states for which follow was called
	prev    uint64  // the serial of the previous states
	first   []int32 // by slot: the index in of at which the blocks of the slot begin
	of      []int32 // the numbers of the blocks of each slot, slot by slot
	bounds  []scene.Bounds
	moving  []bool  // by block: a body in the block moves, so the bounds are unknown
	list    []int32 // blocks that are moving

	drawn, next []int32    // the blocks whose instances are in the buffer, and scratch
	seen        []instance // scratch memory
	nShapes     int        // the number of instances in the buffer that are shapes; joints come after them
	n           int        // instances in the buffer
}

// reset starts again with other instances: no bounds are known.
func (u *culling) reset(s *structure) {
	u.version = s.version
	blocks := (len(s.instances) + cullBlock - 1) / cullBlock
	slots := 0
	for i := range s.instances {
		slots = max(slots, int(s.instances[i].slotA)+1, int(s.instances[i].slotB)+1)
	}
	// Count the entries of each slot, then fill them in.
	u.first = append(u.first[:0], make([]int32, slots+1)...)
	each := func(f func(slot, block int32)) {
		for i := range s.instances {
			in := &s.instances[i]
			if in.slotA >= 0 {
				f(in.slotA, int32(i/cullBlock))
			}
			if in.slotB >= 0 && in.slotB != in.slotA {
				f(in.slotB, int32(i/cullBlock))
			}
		}
	}
	each(func(slot, _ int32) { u.first[slot]++ })
	total := int32(0)
	for slot := range u.first {
		n := u.first[slot]
		u.first[slot] = total
		total += n
	}
	u.of = slices.Grow(u.of[:0], int(total))[:total]
	each(func(slot, block int32) {
		u.of[u.first[slot]] = block
		u.first[slot]++
	})
	copy(u.first[1:], u.first)
	u.first[0] = 0

	u.bounds = slices.Grow(u.bounds[:0], blocks)[:blocks]
	u.moving = append(u.moving[:0], make([]bool, blocks)...)
	u.list = u.list[:0]
	for b := range int32(blocks) {
		u.moves(b)
	}
	u.drawn = u.drawn[:0]
}

// moves marks a block in which a body moves, so that it is always drawn.
func (u *culling) moves(block int32) {
	if !u.moving[block] {
		u.moving[block] = true
		u.list = append(u.list, block)
	}
}

// follow updates the bounds. It returns false if the changes are unknown, or if there is little to
// leave out.
func (u *culling) follow(s *structure, v *scene.View[body2d.State]) bool {
	if v.CurChanges == nil || len(s.instances) < cullFrom {
		return false
	}
	if u.version == s.version && u.serial == v.CurSerial && u.prev == v.PrevSerial {
		return true
	}
	if u.version != s.version || v.CurSerial < u.serial || v.PrevSerial < u.serial && v.PrevSerial != u.prev {
		u.reset(s)
	} else {
		for slot := range v.CurChanges.Since(u.serial) {
			if slot >= len(u.first)-1 {
				break
			}
			for _, b := range u.of[u.first[slot]:u.first[slot+1]] {
				u.moves(b)
			}
		}
	}
	u.serial, u.prev = v.CurSerial, v.PrevSerial
	still := u.list[:0]
	for _, b := range u.list {
		if u.bounds[b], u.moving[b] = boundsOf(blockOf(s.instances, b), v); u.moving[b] {
			still = append(still, b)
		}
	}
	u.list = still
	return true
}

func blockOf(all []instance, b int32) []instance {
	return all[b*cullBlock : min(int(b+1)*cullBlock, len(all))]
}

// boundsOf is the rectangle around some instances. It returns false if one of their bodies moves.
func boundsOf(some []instance, v *scene.View[body2d.State]) (b scene.Bounds, moves bool) {
	for i := range some {
		for _, slot := range [...]int32{some[i].slotA, some[i].slotB} {
			if slot >= 0 && !scene.Rests(v, int(slot)) {
				return b, true
			}
		}
	}
	b = scene.Bounds{MinX: math.Inf(1), MinY: math.Inf(1), MaxX: math.Inf(-1), MaxY: math.Inf(-1)}
	for i := range some {
		in := &some[i]
		n := body2d.MaxPoints
		switch in.what & (1<<pointsShift - 1) {
		case discInstance:
			n = 1
		case segmentInstance, jointInstance:
			n = 2
		}
		for k, p := range in.points[:n] {
			slot := in.slotA
			if k == 1 && in.what&(1<<pointsShift-1) == jointInstance {
				slot = in.slotB
			}
			x, y := float64(p[0]), float64(p[1])
			if slot >= 0 {
				pose, ok := scene.PoseOf(v, int(slot))
				if !ok {
					continue
				}
				sin, cos := math.Sincos(float64(pose.Angle))
				x, y = float64(pose.X)+cos*x-sin*y, float64(pose.Y)+sin*x+cos*y
			}
			r := float64(in.radius)
			b = scene.Bounds{MinX: min(b.MinX, x-r), MinY: min(b.MinY, y-r), MaxX: max(b.MaxX, x+r), MaxY: max(b.MaxY, y+r)}
		}
	}
	return b, false
}

// look chooses the blocks to draw for a camera. It returns true if these are at most half of all
// blocks. Then the buffer has their instances.
func (u *culling) look(c *calls, s *structure, cam scene.Camera, fb Viewport) bool {
	// Lines and the marks of joints are wider than their bounds, by some pixels.
	const widest = 8
	scale := cam.Scale(fb.H)
	w, h := float64(fb.W)/2/scale, float64(fb.H)/2/scale
	pad := widest * fb.scale() / scale
	// The picture is computed in single precision, so the view gets a margin.
	pad += 1e-6 * (math.Abs(cam.X) + math.Abs(cam.Y) + w + h)
	low := [2]float64{cam.X - w - pad, cam.Y - h - pad}
	high := [2]float64{cam.X + w + pad, cam.Y + h + pad}
	u.next = u.next[:0]
	for i := range u.bounds {
		b := &u.bounds[i]
		if u.moving[i] || b.MinX <= high[0] && b.MaxX >= low[0] && b.MinY <= high[1] && b.MaxY >= low[1] {
			u.next = append(u.next, int32(i))
		}
	}
	if 2*len(u.next) > len(u.bounds) {
		return false
	}
	if len(u.drawn) > 0 && slices.Equal(u.next, u.drawn) {
		return true
	}
	u.drawn, u.next = u.next, u.drawn
	u.seen, u.nShapes = u.seen[:0], 0
	for _, b := range u.drawn {
		u.seen = append(u.seen, blockOf(s.instances, b)...)
		u.nShapes += max(0, min(int(b+1)*cullBlock, s.nShapes)-int(b)*cullBlock)
	}
	if u.n = len(u.seen); u.n > 0 {
		c.bindBuffer(gl.ARRAY_BUFFER, u.buffer)
		c.bufferData(gl.ARRAY_BUFFER, u.n*instanceBytes, unsafe.Pointer(&u.seen[0]))
	}
	return true
}
