package engine

import "sync"

// remote collects commands from goroutines other than the render thread.
type remote struct {
	mu     sync.Mutex
	orders []order
	spare  []order
}

func (r *remote) add(o order) {
	r.mu.Lock()
	r.orders = append(r.orders, o)
	r.mu.Unlock()
}

// drain moves what has been collected into this frame. The render thread only
// tries the lock: if somebody is adding right now, all of it comes a frame
// later, in order.
func (r *remote) drain(to *Engine) {
	if !r.mu.TryLock() {
		return
	}
	r.orders, r.spare = r.spare[:0], r.orders
	r.mu.Unlock()
	for i := range r.spare {
		to.loop.Order(r.spare[i])
		r.spare[i] = order{}
	}
}

// Remote returns commands that any goroutine may give. They take a lock for the
// time of one append and join the next frame.
func (e *Engine) Remote() Commands { return Commands{engine: e, remote: true} }
