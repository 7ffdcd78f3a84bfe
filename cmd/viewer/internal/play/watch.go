package play

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"halfstep/engine"
)

// Watch is the source of a recording in progress: a running program, or a file. The user sees the newest
// states, and cannot change anything.
type Watch struct {
	URL  string // URL is the address of the program. It is "" for a file.
	from io.ReadCloser
	why  func() error // why returns the program's reason for the end of the recording, or nil.
	past error        // past, for a program that runs again, is its reason for the end of the recording before this one, if it gave a reason.
	over bool         // over says that the source is closed.
}

// address returns the address of the watched program, or "".
func (sc *SceneEntry) address() string {
	if sc.watch == nil {
		return ""
	}
	return sc.watch.URL
}

// joinTime is how long a program may send nothing. The viewer then gives up. It is a variable because
// tests shorten it.
var joinTime = 10 * time.Second

// ParseAddress parses the address of a program in the form in which the program prints it.
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
// commands of that world. Otherwise it gets the states of the bodies. If the address contains
// ?states, it asks for states at once.
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
		err = u.Err // without the address, which is added later
	}
	return sc, fmt.Errorf("-watch %s: %w", address, err)
}

// These are values of the parameter states of joinProgram.
const commandsOnly, withStates = false, true

// joinProgram asks a program for its recording. The recording is of the program's commands, or of the
// states of its bodies.
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
		return none, cmp.Or(trailer(response), err) // the program may know why the recording has ended
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

// enginesOf lists the engines of the program at an address if there are several.
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

// patient reads from a program. It closes the connection if no data have come for some time. A program
// that runs but draws no frames sends something once a second.
type patient struct {
	io.ReadCloser
	most   time.Duration // most is the longest time without data.
	late   *time.Timer   // late closes the connection after the time most.
	gaveUp atomic.Bool   // gaveUp says that the reader has closed the connection.
}

// newPatient returns a reader that gives up when no data have come for the time most.
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

// trailer returns the program's reason for the end of its recording, from the HTTP trailer, or nil.
func trailer(r *http.Response) error {
	if why := r.Trailer.Get("Halfstep-Ended"); why != "" {
		return errors.New(why)
	}
	return nil
}

// growingFile reads a file. At the end of the file it waits for more data until it is closed.
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
	r, err := engine.ReadOptions{Memory: -1}.Follow(growingFile{f}) // -1 means no limit, because the user wants the whole file
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

// followAgain opens the file of a growing recording again if it was closed when the scene was left. For
// a program it keeps the data that were sent until then.
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
