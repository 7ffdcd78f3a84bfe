package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"halfstep/engine"
)

// watch is where a recording comes from that is still being written: a program that is
// running, or a file.
type watch struct {
	url  string // the program's; "" for a file
	from io.ReadCloser
	why  func() error // the recording has ended, in the words of the program; or nil
	past error        // why the one before ended, if the program said it
	over bool         // from is closed
}

// address is that of the program that is watched, or "".
func (sc *sceneEntry) address() string {
	if sc.watch == nil {
		return ""
	}
	return sc.watch.url
}

// following is how the viewer keeps up with what it watches.
type following struct {
	of     *watch        // or nil, if the open recording is whole
	on     bool          // the watched program is shown now, or soon
	behind float64       // ticks, smoothed
	rejoin chan struct{} // closed when nobody waits for the program to come back; or nil
}

const (
	// followBehind is how far behind the newest tick that has come the picture is, in s.
	// It hides that ticks come in parts.
	followBehind = .2
	followSmooth = .08 // s, of the distance
	leapBehind   = 2.  // s, from which on the ticks between are not shown
	mostHurry    = 2.  // times the speed
	rejoinEvery  = time.Second
)

// joinTime is for how long nothing may come. It is a variable for the tests' sake.
var joinTime = 10 * time.Second

// parseAddress parses the address of a program, as the program prints it.
func parseAddress(s string) (string, error) {
	full := s
	if !strings.Contains(s, "://") {
		full = "http://" + s
	}
	u, err := url.Parse(full)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Port() == "" && u.Hostname() == "" {
		return "", errors.New("must be an address such as http://localhost:6060")
	}
	if u.Hostname() == "" {
		u.Host = "localhost" + u.Host
	}
	return u.String(), nil
}

// watchScene joins a program: with what happens in it, if the viewer can compute the world
// from that, or with the states that it shows. An address with ?states asks for these.
func watchScene(address string) (sceneEntry, error) {
	sc, err := joinProgram(address, false)
	if err == nil {
		if sc.replay.States {
			return sc, nil
		}
		if err = sc.tryPlaying(); err == nil {
			return sc, nil
		}
		sc.watch.from.Close()
		if sc, err = joinProgram(address, true); err == nil {
			return sc, nil
		}
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // the address is said once
	}
	return sc, fmt.Errorf("-watch %s: %w", address, err)
}

// joinProgram asks a program for its recording: of what happens, or with states of what it shows.
func joinProgram(address string, states bool) (none sceneEntry, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return none, err
	}
	u = u.JoinPath("debug/halfstep/recording")
	if q := u.Query(); states {
		q.Set("states", "")
		u.RawQuery = q.Encode()
	}
	client := http.Client{Transport: &http.Transport{
		DialContext: (&net.Dialer{Timeout: joinTime}).DialContext, ResponseHeaderTimeout: joinTime, DisableCompression: true,
	}}
	response, err := client.Get(u.String())
	if err != nil {
		return none, err
	}
	body := response.Body
	if response.StatusCode != http.StatusOK {
		line, _ := io.ReadAll(io.LimitReader(body, 400))
		body.Close()
		first, _, _ := strings.Cut(string(line), "\n")
		return none, errors.New(cmp.Or(first, response.Status))
	}
	p := newPatient(body, joinTime)
	body = p
	r, err := engine.FollowRecording(body)
	if err != nil {
		if body.Close(); p.gaveUp.Load() {
			err = fmt.Errorf("the program has not sent its world within %v: it is stopped, or in a very long step", joinTime)
		}
		return none, cmp.Or(trailer(response), err)
	}
	sc, err := recordedScene(r, address)
	if err != nil {
		body.Close()
		return none, err
	}
	sc.watch = &watch{url: address, from: body, why: func() error { return trailer(response) }}
	sc.note = enginesOf(u, response.Header)
	return sc, nil
}

// enginesOf says which engines the program at an address has, if there are several.
func enginesOf(u *url.URL, h http.Header) string {
	var names []string
	for _, escaped := range h.Values("Halfstep-Engine") {
		if name, err := url.QueryUnescape(escaped); err == nil {
			names = append(names, name)
		}
	}
	if len(names) < 2 {
		return ""
	}
	return fmt.Sprintf("the program has the engines %q, and %q is watched; ?engine=NAME at the end of the address chooses another", names, cmp.Or(u.Query().Get("engine"), names[0]))
}

// patient reads from a program until nothing has come for some time. A program that makes
// no frames says so once a second.
type patient struct {
	io.ReadCloser
	most   time.Duration
	late   *time.Timer // closes it
	gaveUp atomic.Bool
}

// newPatient reads from a program until nothing has come for a time.
func newPatient(from io.ReadCloser, most time.Duration) *patient {
	p := &patient{ReadCloser: from, most: most}
	p.late = time.AfterFunc(most, func() {
		p.gaveUp.Store(true)
		p.ReadCloser.Close()
	})
	return p
}

func (p *patient) Read(b []byte) (int, error) {
	n, err := p.ReadCloser.Read(b)
	if err == nil {
		p.late.Reset(p.most)
	}
	return n, err
}

func (p *patient) Close() error {
	p.late.Stop()
	return p.ReadCloser.Close()
}

// trailer is why a program says that its recording has ended, or nil.
func trailer(r *http.Response) error {
	if why := r.Trailer.Get("Halfstep-Ended"); why != "" {
		return errors.New(why)
	}
	return nil
}

// growingFile reads a file, and at its end waits for more until it is closed.
type growingFile struct{ *os.File }

func (f growingFile) Read(b []byte) (int, error) {
	for {
		n, err := f.File.Read(b)
		if n > 0 || err != io.EOF {
			return n, err
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// followFile opens a recording whose end is still to be written.
func followFile(path string) (sceneEntry, error) {
	f, err := os.Open(path)
	if err != nil {
		return sceneEntry{}, err
	}
	r, err := engine.ReadOptions{Memory: -1}.Follow(growingFile{f}) // the recording is as long as its file
	if err == nil {
		var sc sceneEntry
		if sc, err = recordedScene(r, path); err == nil {
			sc.watch = &watch{from: f}
			return sc, nil
		}
	}
	f.Close()
	return sceneEntry{}, err
}

// followAgain opens a recording that was being written once more.
func (sc *sceneEntry) followAgain() error {
	if w := sc.watch; w == nil || w.url != "" || !w.over {
		return nil
	}
	again, err := followFile(sc.path)
	if err == nil {
		*sc = again
	}
	return err
}

// watched is where the open recording comes from, or nil if it is whole.
func (s *session) watched() *watch { return s.following.of }

// startFollowing begins to keep up with what was opened.
func (s *session) startFollowing(w *watch) {
	s.following = following{of: w, on: w != nil && w.url != ""}
	switch {
	case !s.following.on:
	case w.past != nil:
		s.warn(w.past.Error() + "; from here on the program sends states")
	case s.replay.States:
		s.warn("what is seen are the states that the program sends")
	default:
		s.warn("the world is computed here, and compared with the program's in every tick")
	}
}

// stopWatching ends what goes on beside a watched scene.
func (s *session) stopWatching() {
	if w := s.watched(); w != nil {
		w.from.Close()
		w.over = true
	}
	if s.following.rejoin != nil {
		close(s.following.rejoin)
	}
	s.following = following{}
}

// keepUp is called before each frame. The clock runs a little faster or slower, so that
// the picture stays as far behind what comes as it should; what is too far away is gone
// to at once.
func (s *session) keepUp(d time.Duration) {
	w, f, r := s.watched(), &s.following, s.replay
	if w == nil {
		return
	}
	if unknown := s.unknownFunction(); f.rejoin == nil && unknown != nil {
		s.rejoin(w, unknown)
	} else if !r.Live && w.url != "" && f.rejoin == nil {
		s.rejoin(w, w.why())
	}
	if !f.on || s.seeking.on || s.player.Failure() != nil {
		return
	}
	rate := s.player.Rate().Float()
	behind := float64(r.Ticks - min(r.Ticks, s.player.Demanded()))
	if behind > leapBehind*rate {
		s.seeking.to = r.Ticks - uint64(followBehind*rate)
		s.beginSeek()
		s.sendPart()
		f.behind = followBehind * rate
		return
	}
	scale := 1.
	if r.Live {
		f.behind += (behind - f.behind) * min(1, d.Seconds()/followSmooth)
		scale = min(math.Round(64*f.behind/(followBehind*rate))/64, mostHurry)
	}
	if scale != s.player.Scale() {
		_ = s.player.SetScale(scale) // one of those that are allowed
	}
}

// scale is the time scale that the user chose. What keeps up with now is not chosen.
func (s *session) scale() float64 {
	if s.following.on {
		return 1
	}
	return s.player.Scale()
}

// leaveNow has the picture stay behind where the user wants it.
func (s *session) leaveNow() {
	if s.following.on {
		s.following.on = false
		_ = s.player.SetScale(s.settings.scale)
	}
}

// toNow shows what happens now: of a program that is watched, or of the session.
func (s *session) toNow() {
	if s.watched() == nil {
		s.toPresent()
		return
	}
	s.seeking.on, s.playback = false, playback{}
	s.player.SetPaused(false)
	s.following.on = true
}

// unknownFunction says that the watched program has called a function by its name that
// the viewer does not have, or is nil.
func (s *session) unknownFunction() error {
	failure := s.player.Failure()
	if failure == nil || s.watched() == nil || s.watched().url == "" { // errors.As allocates
		return nil
	}
	if m := (*engine.Mismatch)(nil); errors.As(failure, &m) && m.Unregistered != "" {
		return fmt.Errorf("the program has called its function %q, which the viewer does not have", m.Unregistered)
	}
	return nil
}

// rejoin waits for a program to come back, on a goroutine of its own. If it cannot be
// followed any more in the same way, why says so.
func (s *session) rejoin(w *watch, why error) {
	quit := make(chan struct{})
	s.following.rejoin = quit
	join := watchScene
	if why != nil {
		s.warn(why.Error())
		// What cannot be recorded is likely to come again.
		join = func(address string) (sceneEntry, error) { return joinProgram(address, true) }
	}
	go func() {
		for {
			sc, err := join(w.url)
			select {
			case <-quit:
				if err == nil {
					sc.watch.from.Close()
				}
				return
			case <-time.After(rejoinEvery):
			}
			if err == nil {
				sc.watch.past = why
				s.queue.put(inputEvent{kind: sceneInput, scene: &sc})
				return
			}
		}
	}()
}

// watchText says how far behind now the picture is, or that there is no now.
func (s *session) watchText(tick uint64) string {
	r := s.replay
	behind := secondsBefore(r, tick)
	switch w := s.watched(); {
	case !r.Live && w.url != "":
		return fmt.Sprintf("%s has ended; waiting for it to come back (%.1f s before its end)", printable(w.url), behind)
	case s.following.on:
		if r.States {
			return fmt.Sprintf("states (%.1f s behind)", behind)
		}
		return fmt.Sprintf("now (%.1f s behind)", behind)
	}
	return fmt.Sprintf("%.1f s behind now", behind)
}
