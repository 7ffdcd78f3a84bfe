package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"halfstep/cmd/viewer/internal/files"
	"halfstep/engine"
)

// process is a running viewer.
type process struct {
	*exec.Cmd
	t    *testing.T
	url  string   // where it serves profiles
	err  string   // err is a file that has the standard error of the process.
	pipe *os.File // its standard output
}

// said returns the standard error of the process so far.
func (p *process) said() string {
	data, _ := os.ReadFile(p.err)
	return string(data)
}

// start starts a viewer, and waits until it serves profiles. From that moment
// on the viewer handles signals.
func start(t *testing.T, args ...string) *process { return startWith(t, nil, args...) }

// startWith does the same as start. The viewer also inherits the given files as
// descriptors from 3 on.
func startWith(t *testing.T, extra []*os.File, args ...string) *process {
	t.Helper()
	needDisplay(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: viewerCommand(t, append([]string{"-hidden", "-size", "64x64", "-pprof", "localhost:0"}, args...)...), t: t, pipe: r}
	complaints, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer complaints.Close()
	p.err = complaints.Name()
	p.Stdout, p.Stderr, p.ExtraFiles = w, complaints, extra
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	timer := time.AfterFunc(2*time.Minute, func() { p.Process.Kill() })
	t.Cleanup(func() { timer.Stop(); p.Process.Kill(); r.Close() })
	line := make([]byte, 200)
	n, err := r.Read(line)
	if err != nil {
		t.Fatalf("it does not start: %v, %s", err, p.said())
	}
	first, _, _ := strings.Cut(string(line[:n]), "\n")
	p.url = strings.TrimSuffix(strings.TrimPrefix(first, "profiles at "), "/debug/pprof/")
	return p
}

// end waits for the end, and returns the exit status. After a signal it
// returns -1.
func (p *process) end() int {
	p.Wait()
	return p.ProcessState.ExitCode()
}

// stuck waits until physics is in an injected delay.
func (p *process) stuck() {
	p.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		var stacks []byte
		r, err := http.Get(p.url + "/debug/pprof/goroutine?debug=1")
		if err == nil {
			stacks, err = io.ReadAll(r.Body)
			r.Body.Close()
		}
		if strings.Contains(string(stacks), "injectedWork") {
			return
		}
		if time.Now().After(end) {
			p.t.Fatalf("no step is stuck: %v; %s", err, p.said())
		}
	}
}

func TestEachSignalEndsTheRunInOrder(t *testing.T) {
	t.Parallel()
	needSignals(t)
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(s) {
			t.Logf("%v is ignored here, and so by every program started from here", s)
			continue
		}
		stats := filepath.Join(t.TempDir(), "s.json")
		p := start(t, "-scene", "drift", "-fps", "100", "-stats", stats)
		p.Process.Signal(s)
		if status := p.end(); status != exitOK || p.said() != "" {
			t.Errorf("%v: status %d, %s", s, status, p.said())
		}
		if i, err := os.Stat(stats); err != nil || i.Size() == 0 {
			t.Errorf("%v: %v, %v", s, i, err)
		}
	}
}

func TestASignalEndsARunWhoseStepIsStuck(t *testing.T) {
	t.Parallel()
	needSignals(t)
	for _, mode := range []string{"pipelined", "lockstep"} {
		dir := t.TempDir()
		at := func(name string) string { return filepath.Join(dir, name) }
		p := start(t, "-scene", "drift", "-fps", "100", "-sync", mode, "-inject", "step:55s@30",
			"-record", at("rec"), "-log", at("log"), "-stats", at("stats"), "-cpuprofile", at("cpu"))
		p.stuck()
		p.Process.Signal(os.Interrupt)
		// The watchdog may already have reported the step.
		if status := p.end(); status != exitOK || strings.Count(p.said(), "\n") > 2 || !strings.Contains(p.said(), "tick 30") && !strings.Contains(p.said(), "after tick 29") {
			t.Errorf("%s: status %d, %q", mode, status, p.said())
		}
		if r, err := engine.OpenRecording(at("rec")); err != nil || r.Ticks != 29 {
			t.Errorf("%s: recording %+v, %v", mode, r, err)
		}
		var s files.Stats
		data, _ := os.ReadFile(at("stats"))
		if err := json.Unmarshal(data, &s); err != nil || s.Ticks != 29 || s.Frames == 0 || !strings.Contains(s.Failure, "physics ") {
			t.Errorf("%s: %+v, %v", mode, s, err)
		}
		log, _ := os.ReadFile(at("log"))
		if n := strings.Count(string(log), "\n"); n < 10 || !strings.HasSuffix(string(log), "\n") {
			t.Errorf("%s: %d rows in the log", mode, n)
		}
		cpu, _ := os.ReadFile(at("cpu"))
		if _, err := readProfile(cpu); err != nil {
			t.Errorf("%s: CPU profile: %v", mode, err)
		}
	}
}

func TestASignalEndsARunWhoseSceneIsBeingSetUp(t *testing.T) {
	t.Parallel()
	needSignals(t)
	stats := filepath.Join(t.TempDir(), "stats")
	rec := filepath.Join(t.TempDir(), "rec")
	p := start(t, "-scene", slowScene, "-stats", stats, "-record", rec)
	p.Process.Signal(syscall.SIGTERM)
	if status := p.end(); status != exitOK || strings.Count(p.said(), "\n") != 1 || !strings.Contains(p.said(), "being set up") {
		t.Errorf("status %d, %q", status, p.said())
	}
	if data, err := os.ReadFile(stats); !strings.Contains(string(data), "being set up") {
		t.Errorf("%q, %v", data, err)
	}
}

func TestASecondSignalEndsTheProcessAtOnce(t *testing.T) {
	t.Parallel()
	needSignals(t)
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	p := start(t, "-scene", "drift", "-fps", "100", "-inject", "step:55s@30")
	p.stuck()
	p.Process.Signal(os.Interrupt)
	time.Sleep(100 * time.Millisecond) // signals that are sent at once may arrive in any order
	p.Process.Signal(syscall.SIGTERM)
	if status := p.end(); status != exitSignal+int(syscall.SIGTERM) {
		t.Errorf("status %d, %q", status, p.said())
	}
}

func TestABrokenStandardOutputDoesNotCutARecording(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rec := filepath.Join(dir, "rec")
	p := start(t, "-scene", "drift", "-fps", "100", "-ticks", "200", "-record", rec,
		"-hitch", "10ms", "-hitch-dir", dir, "-inject", "step:200ms@90")
	p.pipe.Close()
	if status := p.end(); status != exitFailed || strings.Count(p.said(), "\n") != 1 {
		t.Errorf("status %d, %q", status, p.said())
	}
	if r, err := engine.OpenRecording(rec); err != nil || r.Cut || r.Ticks != 200 {
		t.Errorf("%+v, %v", r, err)
	}
	if list, _ := filepath.Glob(filepath.Join(dir, "hitch-*.json")); len(list) == 0 {
		t.Error("there was no hitch to tell of")
	}
}

func TestARecordingThatFailsIsToldWhileTheRunGoesOn(t *testing.T) {
	needSignals(t)
	if _, err := os.Stat("/dev/fd/0"); err != nil {
		t.Skip(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p := startWith(t, []*os.File{w}, "-scene", "drift", "-fps", "100", "-record", "/dev/fd/3")
	w.Close()
	const magic = "halfstep recording 3\n"
	head := make([]byte, len(magic)+9) // the magic word, and the head of the header
	io.ReadFull(r, head)
	io.CopyN(io.Discard, r, int64(binary.LittleEndian.Uint32(head[len(magic)+1:]))+4)
	r.Close() // nothing more fits
	for end := time.Now().Add(time.Minute); !strings.Contains(p.said(), "the recording ends here"); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not told: %q", p.said())
		}
	}
	p.Process.Signal(os.Interrupt)
	if status := p.end(); status != exitFailed || strings.Count(p.said(), "\n") != 2 || strings.Count(p.said(), "broken pipe") != 2 {
		t.Errorf("status %d, %q", status, p.said())
	}
}

func TestARecordingThatFailsIsToldInThePicture(t *testing.T) {
	b := newBench(t, "-scene drift -record "+filepath.Join(t.TempDir(), "rec"))
	var said bytes.Buffer
	b.Stage.Stderr = &said
	b.run(5)
	b.Recorder.RecordFailed(fmt.Errorf("no space\x1b[2J left"))
	if got := said.String(); !strings.Contains(got, "the recording ends here") || !strings.Contains(got, `\x1b`) || strings.Count(got, "\n") != 1 {
		t.Errorf("console: %q", got)
	}
	b.run(1)
	if !strings.Contains(b.picture.Notice.Text, "no space") || strings.Contains(b.picture.Notice.Text, "\x1b") || !b.picture.Notice.Shown(time.Now()) {
		t.Errorf("picture: %q", b.picture.Notice.Text)
	}
}
