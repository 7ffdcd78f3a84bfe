package netplay

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/netip"
	"slices"
	"time"

	"halfstep/engine"
	"halfstep/internal/history"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// Session is one program's part in a match. [Host] and [Join] make a Session. Only the goroutine
// that draws may call the methods of a Session, except Metrics.
type Session struct {
	o      Options
	config engine.Config
	line   Line
	match  *match
	engine *engine.Engine // nil in a guest until the host has answered
	facts  *witness       // hashes, snapshots and lists of bodies from the physics goroutine

	rate        float64  // steps per second
	used        []track  // for each player, the inputs that the engine got, including guesses
	inputs      [][]byte // scratch: the argument of Options.Apply
	checked     uint64   // all ticks before this tick ran with the real inputs
	commandedTo uint64   // the engine has the commands for all ticks before this tick
	asked       uint64   // facts was asked for the hashes of all ticks before this tick
	scale       float64  // the engine's time scale

	saving  bool          // true while a requested snapshot has not come
	savedAt time.Duration // the time of the last request of a snapshot

	log     *slog.Logger
	now     time.Duration // the time of the match: the clock's time without long gaps between calls of Update
	read    time.Duration // the clock's time at the last Update
	figures figures
	packet  [MaxPacket]byte
	scratch [1 + maxInput]byte
}

var errClosed = errors.New("netplay: the session is closed")

// source is the source of a session's commands (world.Commands.From). With the smallest source they
// come before all other commands of a tick.
const source = math.MinInt

// Host begins a match, in which the host is player 0, and makes the engine from the config. The
// session adds a controller of its own before the controllers of Setup, increases Rollback.Ticks if
// necessary, and sets the engine's last tick and time scale.
func Host(l Line, c engine.Config, o Options) (*Session, error) {
	s, err := newSession(l, c, o, true)
	if err != nil {
		return nil, err
	}
	return s, s.start(history.Saved{}, 0) // at tick 0, with the world that Setup builds
}

// Join joins the match of a host, at the beginning of the match or while the match runs. Engine
// returns nil until the host has answered.
func Join(l Line, host netip.AddrPort, c engine.Config, o Options) (*Session, error) {
	s, err := newSession(l, c, o, false)
	if err != nil {
		return nil, err
	}
	s.match.peers = []*peer{{addr: plain(host), waits: -1}}
	return s, nil
}

func newSession(l Line, c engine.Config, o Options, host bool) (*Session, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	switch {
	case c.History.Snapshot != nil || c.History.Replay != nil:
		return nil, errors.New("netplay: a match begins with the world that Setup builds")
	case c.Time.Sync == renderloop.RunAhead:
		return nil, errors.New("netplay: RunAhead is not possible in a match: use another Sync")
	case c.History.Rollback.Every > 1:
		return nil, errors.New("netplay: Rollback.Every must be 1: handles of what callbacks make would differ more often")
	}
	s := &Session{o: o, line: l, facts: newWitness(), scale: 1, inputs: make([][]byte, o.Players)}
	s.log = cmp.Or(c.Logger, slog.Default())
	for i := range s.figures.Players {
		s.figures.Players[i].WaitsFor = -1
	}
	s.config = s.o.config(c, s.facts, host)
	rate := cmp.Or(c.Time.Rate, clock.Rate{Num: 60, Den: 1})
	s.rate = float64(rate.Num) / float64(rate.Den)
	s.match = newMatch(&s.o, o.digest(rate), host)
	s.match.hashes = func(tick uint64) uint64 { return s.facts.finalHashes[tick%kept] }
	s.match.send = l.Send
	s.match.onDrop = s.o.OnDrop
	if s.match.onDrop == nil {
		s.match.onDrop = func(d *Drop) { s.log.Warn(d.Error()) }
	}
	return s, nil
}

// start makes the engine. If the parameter from has a snapshot, the engine begins with it, and
// otherwise with the world that Setup builds. The parameter first is the first tick for which the
// engine needs inputs.
func (s *Session) start(from history.Saved, first uint64) (err error) {
	c := s.config
	c.History.Snapshot = from.Snapshot
	beginWith(&c.History, from.Kept)
	if s.engine, err = engine.New(c); err != nil {
		return err
	}
	s.checked, s.commandedTo, s.asked = first, first, first
	s.facts.final.Store(first)
	s.used = newTracks(s.o.Players, s.o.InputSize, first)
	s.engine.SetLastTick(s.engine.Demanded())
	return nil
}

// Engine returns the engine of this program, or nil in a guest until the host has answered. Close
// closes the engine.
func (s *Session) Engine() *engine.Engine { return s.engine }

// Player returns the number of this program's player, from 0, or -1 in a guest until the host has
// answered.
func (s *Session) Player() int { return s.match.me }

// Call Update once in each frame, before Engine.Frame. The parameter input is the present input of
// the player and has Options.InputSize bytes. Update receives datagrams, corrects wrong guesses,
// gives the commands of later ticks, and sets the tick up to which the engine may run.
//
// If the size of the input is wrong, Update returns an error and changes nothing. Any other error
// says why the match has ended for this program: for example a *[Desync], an error that wraps
// [ErrEnded], or the engine's Failure. Later calls then return the same error, and the world stands
// still.
func (s *Session) Update(input []byte) error {
	if len(input) != s.o.InputSize {
		return fmt.Errorf("netplay: an input of %d bytes: must be %d", len(input), s.o.InputSize)
	}
	m, last := s.match, s.now
	read := s.o.Now()
	s.now += min(read-s.read, s.o.Timeout/4) // after a long gap between calls of Update, the other players do not count as silent
	s.read = read
	s.receive()
	if m.ended == nil {
		m.end(s.advance(input))
	}
	if m.ended == nil {
		m.sending(s.now)
	} else if s.engine != nil {
		s.engine.SetLastTick(s.engine.Demanded())
	}
	s.count(s.now - last)
	return m.ended
}

// advance does the work of Update for a match that has not ended.
func (s *Session) advance(input []byte) error {
	m := s.match
	if !m.host && s.now-m.peers[0].lastHeard > s.o.Timeout {
		return fmt.Errorf("netplay: %w: the host sends no reports", ErrEnded)
	}
	if s.engine == nil {
		if err := s.arrive(); s.engine == nil {
			return err
		}
	}
	if err := s.engine.Failure(); err != nil {
		return err
	}
	return s.play(input)
}

// receive handles the datagrams that have arrived, but at most as many as a line can store.
func (s *Session) receive() {
	for range waiting {
		n, from, ok := s.line.Receive(s.packet[:])
		if !ok {
			return
		}
		s.match.receive(s.now, from, s.packet[:n])
	}
}

// arrive makes a guest's engine once the host has said at which tick the guest begins and the
// snapshot has arrived.
func (s *Session) arrive() error {
	m := s.match
	if m.tracks == nil {
		return nil
	}
	p := m.peers[0]
	if p.size == 0 { // the guest begins at tick 0
		return s.start(history.Saved{}, 0)
	}
	data := p.in.assembled()
	if data == nil || uint64(len(data)) != p.size {
		return nil
	}
	var from history.Saved
	data, err := unpack(data)
	if err == nil {
		from, err = history.LoadSaved(data)
	}
	if err != nil {
		return fmt.Errorf("netplay: %w", err)
	}
	if tick := private.Tick(from.Snapshot); tick+1 != p.first {
		return fmt.Errorf("netplay: the host's snapshot is of tick %d, not %d", tick, p.first-1)
	}
	p.in = incoming{content: theBodies} // the next data that the host may send in chunks are bodies
	return s.start(from, p.first)
}

// play does the work of Update for a running match.
func (s *Session) play(input []byte) error {
	m, e := s.match, s.engine
	m.final = s.facts.final.Load()
	if !m.host && m.peers[0].differ != nil { // this guest's world differs from the host's, so it stands still
		e.SetLastTick(e.Demanded())
		m.compare(m.peers[0])
		return s.differ(m.peers[0])
	}
	if err := s.catchUp(); err != nil {
		return err
	}
	m.present = e.Demanded()
	m.advance(s.now, input, s.rate)
	if !m.host && m.peers[0].differ != nil { // m.advance has found that this guest's world differs
		return nil
	}
	if err := s.correct(); err != nil {
		return err
	}
	for _, p := range slices.Clone(m.leaving) {
		_ = s.differ(p) // only the guest's match ends, and the host continues
	}
	limit := s.limit()
	s.give(min(m.present+uint64(s.o.Delay)+1, limit))
	e.SetLastTick(min(limit, s.commandedTo))
	s.settle()
	s.save()
	return s.pace()
}

// limit returns the last tick that the engine may demand: before the match begins, the present
// tick.
func (s *Session) limit() uint64 {
	m := s.match
	if confirmed := m.confirmed(); confirmed > m.tracks[0].first || m.begun {
		return confirmed + uint64(s.o.Window)
	}
	return s.engine.Demanded()
}

// catchUp moves a guest that has joined a running match towards the present tick.
func (s *Session) catchUp() error {
	const atOnce = 30 // steps in a frame
	m, e := s.match, s.engine
	if m.host || m.ready {
		return nil
	}
	m.present = e.Demanded()
	confirmed := m.confirmed()
	if confirmed <= m.present+2 {
		m.ready = m.peers[0].tick <= m.present+uint64(s.o.Window) // true if at most a window of ticks is missing
		return nil
	}
	to := min(confirmed, m.present+atOnce)
	s.give(to)
	e.SetLastTick(to)
	e.Step(int(to - m.present))
	return e.Failure()
}

// value writes a player's input for a tick to the slice given as into, with its first byte (see
// track). If the input is not known, value guesses the input.
func (s *Session) value(player int, tick uint64, into []byte) {
	t := &s.match.tracks[player]
	if tick < t.known {
		copy(into, t.at(tick))
		return
	}
	if clear(into); t.known > t.first {
		copy(into, t.at(t.known-1))
	}
	if into[0] == 1 && s.o.Guess != nil {
		s.o.Guess(player, int(tick-t.known)+1, into[1:])
	}
}

// apply gives the commands of a tick.
func (s *Session) apply(c world.Commands, tick uint64) {
	for i := range s.inputs {
		value := s.used[i].at(tick)
		s.value(i, tick, value)
		if s.inputs[i] = nil; value[0] == 1 {
			s.inputs[i] = value[1:]
		}
	}
	c = c.From(source).At(tick)
	c.Nothing() // the source then has a command in each tick, even if Apply gives no commands
	s.o.Apply(c, tick, s.inputs)
}

// give gives the commands of all ticks up to the tick before - 1 that have not got commands yet.
func (s *Session) give(before uint64) {
	for ; s.commandedTo < before; s.commandedTo++ {
		s.apply(s.engine.Commands, s.commandedTo)
	}
}

// correct goes back to the first tick that ran with a wrong guess.
func (s *Session) correct() error {
	m := s.match
	wrong := s.checked
	for ; wrong < m.present; wrong++ {
		known := true
		for i := range m.tracks {
			if t := &m.tracks[i]; wrong >= t.known {
				known = false
			} else if string(t.at(wrong)) != string(s.used[i].at(wrong)) {
				return s.rollBack(wrong)
			}
		}
		if known && wrong == s.checked {
			s.checked++
		}
	}
	return nil
}

// rollBack runs the ticks from the tick wrong to the present tick again, with the inputs that are
// now known.
func (s *Session) rollBack(wrong uint64) error {
	m, e, scratch := s.match, s.engine, s.scratch[:1+s.o.InputSize]
	e.Inspect(s.facts.before)
	err := e.History().Rollback(wrong, func(c world.Commands) {
		for tick := wrong; tick < m.present; tick++ {
			same := true
			for i := range m.tracks {
				s.value(i, tick, scratch)
				same = same && string(scratch) == string(s.used[i].at(tick))
			}
			if !same {
				s.apply(c, tick)
			}
		}
	})
	e.Inspect(s.facts.after)
	if err != nil {
		return fmt.Errorf("netplay: %w", err)
	}
	s.figures.rolledBack(int(m.present - wrong))
	s.checked = max(s.checked, min(m.present, m.confirmed()))
	return nil
}

// settle asks the witness for the hashes of the ticks that have become final.
func (s *Session) settle() {
	to := min(s.checked, s.match.settled())
	if to > s.asked && to-s.match.final < kept/2 && s.facts.ask(to, s.engine) {
		s.asked = to
	}
}

// save requests a snapshot of a later tick for the guests that wait for a snapshot.
func (s *Session) save() {
	m := s.match
	select {
	case t := <-s.facts.packed:
		s.saving = false
		if t.err != nil {
			s.log.Error("netplay: a guest can not join", "err", t.err)
		}
		m.offer(s.now, t.tick, t.packed)
	default:
	}
	if m.wants && !s.saving && (s.savedAt == 0 || s.now-s.savedAt >= time.Second) {
		s.saving, s.savedAt = true, s.now
		s.facts.snapshot(s.commandedTo, s.engine)
	}
}

// pace slows this program down while it is ahead of another program.
func (s *Session) pace() error {
	const most, perTick, slack = .5, .02, .5 // the time scale falls by perTick for each tick ahead beyond slack, and by at most most
	ahead, behind := 0., (*peer)(nil)
	for _, p := range s.match.peers {
		if p.entry > 0 && p.lead > max(ahead, slack) {
			ahead, behind = p.lead, p
		}
	}
	scale := 1 - min(most, perTick*max(0, ahead-slack))
	scale = math.Round(scale*500) / 500
	if s.match.blame(behind, 1-scale); scale == s.scale {
		return nil
	}
	s.scale = scale
	return s.engine.SetScale(scale)
}

// differ does one step of the search for the first difference between the worlds of this program
// and of a peer: first the first tick that differs, and then the first body. The guest stands still
// during the search, but the host continues. So at the beginning the host makes the lists of bodies
// of all ticks that may be the first, because later it could not go back so far.
func (s *Session) differ(p *peer) error {
	m, d := s.match, p.differ
	const patience = time.Second
	if d.since == 0 {
		d.since = max(s.now, 1)
	}
	took := s.now - d.since
	if d.at == 0 && took > patience {
		d.at = d.seen + 1
	}
	if d.found == nil && (m.host || d.at > 0) {
		from, to := p.agreed, d.seen
		if !m.host {
			from, to = d.at-1, d.at-1
		}
		d.found = s.facts.bodiesOf(from, to, s.engine)
	}
	if d.lists == nil && d.found != nil {
		select {
		case d.lists = <-d.found:
		default:
		}
	}
	if d.lists != nil && d.at > 0 && !d.listed {
		d.listed = true
		p.out = outgoing{content: theBodies, data: packBodies(d.lists[d.at-1])}
	}
	whole := d.listed && p.in.assembled() != nil && (p.out.over() || d.over)
	if whole || d.over && m.host || took > 3*patience {
		return s.reportDesync(p)
	}
	return nil
}

// reportDesync reports the difference to the program. The match then ends for the guest, and the
// host continues without this guest.
func (s *Session) reportDesync(p *peer) error {
	m, at := s.match, p.differ.at
	d := &Desync{Tick: cmp.Or(at, p.differ.seen+1) - 1, Player: p.place}
	compareBodies(d, p.differ.lists[d.Tick], p.in.assembled())
	if path, err := s.engine.History().DumpBlackBox("desync"); err == nil {
		d.BlackBox = path
	}
	if s.o.OnDesync != nil {
		s.o.OnDesync(d)
	} else {
		s.log.Error(d.Error())
	}
	if !m.host {
		return d
	}
	m.drop(p, differs)
	return nil
}

// Close leaves the match and closes the engine. If a guest leaves, the other players continue. If
// the host leaves, the match ends. Close does not close the line.
func (s *Session) Close() error {
	s.match.end(errClosed)
	if l, ok := s.line.(*badLine); ok {
		l.last()
	}
	if s.engine == nil {
		return nil
	}
	return s.engine.Close()
}
