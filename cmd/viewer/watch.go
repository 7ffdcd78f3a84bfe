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

	"halfstep/cmd/viewer/internal/words"
	"halfstep/engine"
)

// watch is the source of a recording that is still being written: a running program, or a file.
type watch struct {
	url  string // the program's; "" for a file
	from io.ReadCloser
	why  func() error // returns why the program says that the recording has ended, or nil
	past error        // why the recording before this one has ended, if the program said it
	over bool         // from is closed
}

// address returns the address of the watched program, or "".
func (sc *sceneEntry) address() string {
	if sc.watch == nil {
		return ""
	}
	return sc.watch.url
}

// follower keeps up with a recording that is still being written, and waits for a program that has ended.
type follower struct {
	stage   *stage
	host    host
	travel  *travel
	outcome *outcome
	arrive  func(*sceneEntry, error) error // opens what the program sends when it has come back

	following
}

// following is how the viewer keeps up with a recording that is still being written.
type following struct {
	on     bool          // the picture keeps up with the newest tick of a watched program
	behind float64       // how far the picture is behind that, in ticks, smoothed
	waits  chan struct{} // closed when nobody waits for the program to come back; or nil
}

const (
	// followBehind is how far the picture stays behind the newest tick that has arrived, in s.
	// It evens out that ticks arrive in batches.
	followBehind = .2
	followSmooth = .08 // the time over which following.behind is smoothed, s
	leapBehind   = 2.  // if the picture is further behind than this, it leaps, s
	mostHurry    = 2.  // the greatest time scale with which it catches up
	rejoinEvery  = time.Second
)

// joinTime is how long a program may send nothing. It is a variable because tests shorten it.
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

// watchScene joins a running program. If the viewer can compute the program's world, it gets the
// world's commands; otherwise it gets the states of the bodies. ?states in the address asks for states
// at once.
func watchScene(address string) (sceneEntry, error) {
	sc, err := joinProgram(address, commandsOnly)
	if err == nil {
		if sc.replay.States {
			return sc, nil
		}
		if err = sc.tryPlaying(); err == nil {
			return sc, nil
		}
		sc.watch.from.Close()
		if sc, err = joinProgram(address, withStates); err == nil {
			return sc, nil
		}
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // without the address, which is added below
	}
	return sc, fmt.Errorf("-watch %s: %w", address, err)
}

// Values of joinProgram's parameter states.
const commandsOnly, withStates = false, true

// joinProgram asks a program for its recording: of its commands, or of the states of its bodies.
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

// patient reads from a program, and closes the connection if nothing has come for some time. A program
// that is alive but makes no frames sends something once a second.
type patient struct {
	io.ReadCloser
	most   time.Duration
	late   *time.Timer // closes the connection after most
	gaveUp atomic.Bool // it has
}

// newPatient returns a reader that gives up when nothing has come for the time most.
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

// trailer returns why a program says that its recording has ended, from the HTTP trailer, or nil.
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

// followFile opens a recording file that is still being written.
func followFile(path string) (sceneEntry, error) {
	f, err := os.Open(path)
	if err != nil {
		return sceneEntry{}, err
	}
	r, err := engine.ReadOptions{Memory: -1}.Follow(growingFile{f}) // no limit: all of the file was to be opened
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

// followAgain opens the file of a growing recording anew, if it was closed with the scene.
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

// startFollowing begins to keep up with the recording that was opened; w is nil if it does not grow.
func (f *follower) startFollowing(w *watch) {
	f.following = following{on: w != nil && w.url != ""}
	if w != nil {
		f.stage.shown.what, f.stage.shown.from = showsWatched, w
	}
	switch {
	case !f.following.on:
	case w.past != nil:
		f.host.warn(w.past.Error() + "; from here on the program sends states")
	case f.stage.shown.replay().States:
		f.host.warn("what is seen are the states that the program sends")
	default:
		f.host.warn("the world is computed here, and compared with the program's in every tick")
	}
}

// stopWatching closes the source of the open recording, and no longer waits for a program.
func (f *follower) stopWatching() {
	if w := f.stage.shown.from; w != nil {
		w.from.Close()
		w.over = true
		f.stage.shown.what, f.stage.shown.from = showsReplay, nil
	}
	if f.following.waits != nil {
		close(f.following.waits)
	}
	f.following = following{}
}

// keepUp is called before each frame of d. It makes the clock a little faster or slower, so that the
// picture stays followBehind the newest tick. If it is too far behind, it leaps there.
func (f *follower) keepUp(d time.Duration) {
	w, r := f.stage.shown.from, f.stage.shown.replay()
	if w == nil {
		return
	}
	if unknown := f.outcome.unknownFunction(); f.waits == nil && unknown != nil {
		f.rejoin(w, unknown)
	} else if !r.Live && w.url != "" && f.waits == nil {
		f.rejoin(w, w.why())
	}
	if !f.on || f.travel.seeking.on || f.stage.player.Failure() != nil {
		return
	}
	rate := f.stage.player.Rate().Float()
	behind := float64(r.Ticks - min(r.Ticks, f.stage.player.Demanded()))
	if behind > leapBehind*rate {
		f.travel.seeking.to = r.Ticks - uint64(followBehind*rate)
		f.travel.beginSeek()
		f.travel.sendPart()
		f.behind = followBehind * rate
		return
	}
	scale := 1.
	if r.Live {
		f.behind += (behind - f.behind) * min(1, d.Seconds()/followSmooth)
		scale = min(math.Round(64*f.behind/(followBehind*rate))/64, mostHurry)
	}
	if scale != f.stage.player.Scale() {
		_ = f.stage.player.SetScale(scale) // in the range that is allowed: no error
	}
}

// scale returns the time scale that the user has chosen. While keepUp chooses it, that counts as 1.
func (f *follower) scale() float64 {
	if f.following.on {
		return 1
	}
	return f.stage.player.Scale()
}

// leaveNow ends keeping up with a watched program, because the user has paused it, or gone to
// another tick, or chosen a time scale.
func (f *follower) leaveNow() {
	if f.following.on {
		f.following.on = false
		_ = f.stage.player.SetScale(f.stage.settings.scale)
	}
}

// toNow returns to the newest tick of a watched program, or to the present of the session.
func (f *follower) toNow() {
	if f.stage.shown.from == nil {
		f.travel.toPresent()
		return
	}
	f.travel.seeking.on, f.travel.playback = false, playback{}
	f.stage.player.SetPaused(false)
	f.following.on = true
}

// rejoin waits for a program to come back, on another goroutine. why is the reason that its recording
// has ended, if the program or the viewer knows one.
func (f *follower) rejoin(w *watch, why error) {
	quit := make(chan struct{})
	f.following.waits = quit
	join := watchScene
	if why != nil {
		f.host.warn(why.Error())
		// The same is likely to happen again, so from now on the viewer asks for states.
		join = func(address string) (sceneEntry, error) { return joinProgram(address, withStates) }
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
				f.host.later(func() error { return f.arrive(&sc, nil) })
				return
			}
		}
	}()
}

// watchText says how far a tick is behind the newest one, or that the program has ended.
func (f *follower) watchText(tick uint64) string {
	r := f.stage.shown.replay()
	behind := secondsBefore(r, tick)
	switch w := f.stage.shown.from; {
	case !r.Live && w.url != "":
		return fmt.Sprintf("%s has ended; waiting for it to come back (%.1f s before its end)", words.Printable(w.url), behind)
	case f.following.on:
		if r.States {
			return fmt.Sprintf("states (%.1f s behind)", behind)
		}
		return fmt.Sprintf("now (%.1f s behind)", behind)
	}
	return fmt.Sprintf("%.1f s behind now", behind)
}
