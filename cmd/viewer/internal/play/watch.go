package play

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

// Watch is the source of a recording that is still being written: a running program, or a file.
type Watch struct {
	URL  string // the program's; "" for a file
	from io.ReadCloser
	why  func() error // returns why the program says that the recording has ended, or nil
	past error        // why the recording before this one has ended, if the program said it
	over bool         // from is closed
}

// address returns the address of the watched program, or "".
func (sc *SceneEntry) address() string {
	if sc.watch == nil {
		return ""
	}
	return sc.watch.URL
}

// Follower keeps up with a recording that is still being written, and waits for a program that has ended.
type Follower struct {
	stage   *Stage
	host    Host
	travel  *Travel
	outcome *Outcome
	arrive  func(*SceneEntry, error) error // opens what the program sends when it has come back

	following
}

// following is how the viewer keeps up with a recording that is still being written.
type following struct {
	On     bool          // the picture keeps up with the newest tick of a watched program
	behind float64       // how far the picture is behind that, in ticks, smoothed
	waits  chan struct{} // closed when nobody waits for the program to come back; or nil
}

const (
	// followBehind is how far the picture stays behind the newest tick that has arrived, in s.
	// It evens out that ticks arrive in batches.
	followBehind = .2
	followSmooth = .08 // the time over which following.behind is smoothed, s
	leapBehind   = 2.  // if the picture is further behind than this, it leaps, s
	MostHurry    = 2.  // the greatest time scale with which it catches up
	rejoinEvery  = time.Second
)

// joinTime is how long a program may send nothing. It is a variable because tests shorten it.
var joinTime = 10 * time.Second

// ParseAddress parses the address of a program, as the program prints it.
func ParseAddress(s string) (string, error) {
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

// WatchScene joins a running program. If the viewer can compute the program's world, it gets the
// world's commands; otherwise it gets the states of the bodies. ?states in the address asks for states
// at once.
func WatchScene(address string) (SceneEntry, error) {
	sc, err := joinProgram(address, commandsOnly)
	if err == nil {
		if sc.Replay.States {
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
func joinProgram(address string, states bool) (none SceneEntry, err error) {
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
	sc.watch = &Watch{URL: address, from: body, why: func() error { return trailer(response) }}
	sc.Note = enginesOf(u, response.Header)
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
func followFile(path string) (SceneEntry, error) {
	f, err := os.Open(path)
	if err != nil {
		return SceneEntry{}, err
	}
	r, err := engine.ReadOptions{Memory: -1}.Follow(growingFile{f}) // no limit: all of the file was to be opened
	if err == nil {
		var sc SceneEntry
		if sc, err = recordedScene(r, path); err == nil {
			sc.watch = &Watch{from: f}
			return sc, nil
		}
	}
	f.Close()
	return SceneEntry{}, err
}

// followAgain opens the file of a growing recording anew, if it was closed with the scene.
func (sc *SceneEntry) followAgain() error {
	if w := sc.watch; w == nil || w.URL != "" || !w.over {
		return nil
	}
	again, err := followFile(sc.Path)
	if err == nil {
		*sc = again
	}
	return err
}

// startFollowing begins to keep up with the recording that was opened; w is nil if it does not grow.
func (f *Follower) startFollowing(w *Watch) {
	f.following = following{On: w != nil && w.URL != ""}
	if w != nil {
		f.stage.Shown.What, f.stage.Shown.Source = showsWatched, w
	}
	switch {
	case !f.following.On:
	case w.past != nil:
		f.host.Warn(w.past.Error() + "; from here on the program sends states")
	case f.stage.Shown.Replay().States:
		f.host.Warn("what is seen are the states that the program sends")
	default:
		f.host.Warn("the world is computed here, and compared with the program's in every tick")
	}
}

// stopWatching closes the source of the open recording, and no longer waits for a program.
func (f *Follower) stopWatching() {
	if w := f.stage.Shown.Source; w != nil {
		w.from.Close()
		w.over = true
		f.stage.Shown.What, f.stage.Shown.Source = showsReplay, nil
	}
	if f.following.waits != nil {
		close(f.following.waits)
	}
	f.following = following{}
}

// keepUp is called before each frame of d. It makes the clock a little faster or slower, so that the
// picture stays followBehind the newest tick. If it is too far behind, it leaps there.
func (f *Follower) keepUp(d time.Duration) {
	w, r := f.stage.Shown.Source, f.stage.Shown.Replay()
	if w == nil {
		return
	}
	if unknown := f.outcome.UnknownFunction(); f.waits == nil && unknown != nil {
		f.rejoin(w, unknown)
	} else if !r.Live && w.URL != "" && f.waits == nil {
		f.rejoin(w, w.why())
	}
	if !f.On || f.travel.Seeking.On || f.stage.Player.Failure() != nil {
		return
	}
	rate := f.stage.Player.Rate().Float()
	behind := float64(r.Ticks - min(r.Ticks, f.stage.Player.Demanded()))
	if behind > leapBehind*rate {
		f.travel.Seeking.To = r.Ticks - uint64(followBehind*rate)
		f.travel.beginSeek()
		f.travel.sendPart()
		f.behind = followBehind * rate
		return
	}
	scale := 1.
	if r.Live {
		f.behind += (behind - f.behind) * min(1, d.Seconds()/followSmooth)
		scale = min(math.Round(64*f.behind/(followBehind*rate))/64, MostHurry)
	}
	if scale != f.stage.Player.Scale() {
		_ = f.stage.Player.SetScale(scale) // in the range that is allowed: no error
	}
}

// Scale returns the time scale that the user has chosen. While keepUp chooses it, that counts as 1.
func (f *Follower) Scale() float64 {
	if f.following.On {
		return 1
	}
	return f.stage.Player.Scale()
}

// stopKeepingUp ends keeping up with a watched program, because the user has paused it, or gone to
// another tick, or chosen a time scale.
func (f *Follower) stopKeepingUp() {
	if f.following.On {
		f.following.On = false
		_ = f.stage.Player.SetScale(f.stage.Settings.Scale)
	}
}

// ToNow returns to the newest tick of a watched program, or to the present of the session.
func (f *Follower) ToNow() {
	if !f.stage.Shown.Watched() {
		f.travel.ToPresent()
		return
	}
	f.travel.Seeking.On, f.travel.Playback = false, Playback{}
	f.stage.Player.SetPaused(false)
	f.following.On = true
}

// rejoin waits for a program to come back, on another goroutine. why is the reason that its recording
// has ended, if the program or the viewer knows one.
func (f *Follower) rejoin(w *Watch, why error) {
	quit := make(chan struct{})
	f.following.waits = quit
	join := WatchScene
	if why != nil {
		f.host.Warn(why.Error())
		// The same is likely to happen again, so from now on the viewer asks for states.
		join = func(address string) (SceneEntry, error) { return joinProgram(address, withStates) }
	}
	go func() {
		for {
			sc, err := join(w.URL)
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
				f.host.Later(func() error { return f.arrive(&sc, nil) })
				return
			}
		}
	}()
}

// WatchText says how far a tick is behind the newest one, or that the program has ended.
func (f *Follower) WatchText(tick uint64) string {
	r := f.stage.Shown.Replay()
	behind := secondsBefore(r, tick)
	switch w := f.stage.Shown.Source; {
	case !r.Live && w.URL != "":
		return fmt.Sprintf("%s has ended; waiting for it to come back (%.1f s before its end)", words.Printable(w.URL), behind)
	case f.following.On:
		if r.States {
			return fmt.Sprintf("states (%.1f s behind)", behind)
		}
		return fmt.Sprintf("now (%.1f s behind)", behind)
	}
	return fmt.Sprintf("%.1f s behind now", behind)
}
