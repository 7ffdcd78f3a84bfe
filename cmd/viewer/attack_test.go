package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/test/attack"
)

const (
	viewerEnds  = 30 * time.Second // with any arguments
	viewerBytes = 1500 << 20       // viewerBytes is the greatest memory of a viewer with the race detector, in bytes.
)

// attacked is a running viewer.
type attacked struct {
	*exec.Cmd
	out, complaints bytes.Buffer
	done            chan error
	cancel          func()
	bytes           int // limit of its memory
}

// launch starts the viewer. If setting is not nil, it may change the command.
func launch(t *testing.T, setting func(*exec.Cmd), args ...string) *attacked {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), viewerEnds)
	p := &attacked{Cmd: exec.CommandContext(ctx, self, append([]string{"-hidden", "-size", "64x64"}, args...)...), done: make(chan error, 1), cancel: cancel, bytes: viewerBytes}
	p.Env = append(os.Environ(), asViewer+"=1", "HALFSTEP_ATTACK=")
	p.Stdout, p.Stderr = &p.out, &p.complaints
	p.WaitDelay = time.Second
	if setting != nil {
		setting(p.Cmd)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.done <- p.Wait() }()
	return p
}

// end waits for the process. The result wrong is one line about an end that should not
// happen, or "".
func (p *attacked) end() (status int, wrong string) {
	defer p.cancel()
	began := time.Now()
	for {
		select {
		case <-p.done:
			status = p.ProcessState.ExitCode()
			text := p.complaints.String()
			switch {
			case time.Since(began) >= viewerEnds:
				wrong = "does not end"
			case strings.Contains(text, "panic:"), strings.Contains(text, "goroutine "), strings.Contains(text, "DATA RACE"), strings.Contains(text, "fatal error"):
				wrong = "panics: " + text
			}
			return status, wrong
		case <-time.After(20 * time.Millisecond):
			if resident(p.Process.Pid) > p.bytes {
				p.Process.Kill()
				<-p.done
				return -1, fmt.Sprintf("takes more than %d MB", p.bytes>>20)
			}
		}
	}
}

// resident returns the resident memory of a process in bytes. It returns 0 if the
// memory is unknown.
func resident(pid int) int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.Atoi(fields[1])
	return pages * os.Getpagesize()
}

// replays returns an error if a recording cannot be replayed to its last complete
// tick.
func replays(path string) error {
	sc, err := play.ReplayScene(path, false)
	if err != nil {
		return err
	}
	if _, err = sc.Replay.Verify(sc.Config().Setup); err != nil {
		return err
	}
	return nil
}

// outputs are the flags that name a file to be written.
var outputs = []string{"-record", "-stats", "-log", "-gif", "-screenshot", "-cpuprofile", "-memprofile", "-trace"}

// onProcess attacks one process. The result name describes the attack.
func onProcess(t *testing.T, r *rand.Rand) (name, wrong string) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	scene := []string{"drift", "rain", "car", "missiles"}[r.IntN(4)]
	flag := outputs[r.IntN(len(outputs))]
	complains := func(p *attacked) string {
		status, wrong := p.end()
		if said := strings.TrimSpace(p.complaints.String()); wrong == "" && (status != exitFailed && status != exitUsage || strings.Count(said, "\n") != 0 || said == "") {
			wrong = fmt.Sprintf("status %d, %q", status, said)
		}
		return wrong
	}
	switch r.IntN(11) {
	case 9:
		return "files of others in -hitch-dir", strangers(t, scene, at("hitches"))
	case 10:
		return "a request without proof to -pprof 0.0.0.0", unproven(t, scene)
	case 0:
		return flag + " on a full disk", complains(launch(t, nil, "-scene", scene, "-clock", "fixed:60", "-ticks", "40", flag, "/dev/full"))
	case 1:
		return flag + " over a folder", complains(launch(t, nil, "-scene", scene, "-clock", "fixed:60", "-ticks", "40", flag, dir))
	case 2: // over its own input
		file := at("scene.json")
		data, err := os.ReadFile("../../engine/rube/testdata/everything.json")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		wrong := complains(launch(t, nil, "-clock", "fixed:60", "-ticks", "10", flag, file, file))
		if now, _ := os.ReadFile(file); !bytes.Equal(now, data) {
			wrong = "the scene is overwritten; " + wrong
		}
		return flag + " over the scene", wrong
	case 3:
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skip(err)
		}
		defer full.Close()
		what := [][]string{{"-list"}, {"-h"}, {"-scene", scene, "-clock", "fixed:60", "-ticks", "5"}}[r.IntN(3)]
		return what[0] + " to a full standard output", complains(launch(t, func(c *exec.Cmd) { c.Stdout = full }, what...))
	case 4: // a reader that exits
		p := launch(t, func(c *exec.Cmd) {
			rd, wr, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			rd.Close()
			c.Stdout = wr
			t.Cleanup(func() { wr.Close() })
		}, "-scene", "rain", "-clock", "fixed:60", "-ticks", "60", "-hitch", "1ns", "-hitch-dir", at("hitch"), "-record", at("rec"))
		_, wrong := p.end()
		if err := replays(at("rec")); wrong == "" && err != nil {
			wrong = err.Error()
		}
		return "a standard output that nobody reads", wrong
	case 5: // signals that ask the viewer to end
		sent := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}[r.IntN(3)]
		if signal.Ignored(sent) {
			sent = syscall.SIGTERM // as under nohup
		}
		p := launch(t, nil, "-scene", scene, "-fps", "200", "-record", at("rec"), "-stats", at("stats"))
		started(at("rec"))
		time.Sleep(time.Duration(r.IntN(1_000_000_000)))
		p.Process.Signal(sent)
		status, wrong := p.end()
		if wrong == "" && status != exitOK {
			wrong = fmt.Sprintf("status %d, %s", status, p.complaints.String())
		}
		if err := replays(at("rec")); wrong == "" && err != nil {
			wrong = err.Error()
		}
		return sent.String(), wrong
	case 6: // a signal that does not ask the viewer to end
		args := []string{"-scene", scene, "-fps", "200", "-record", at("rec")}
		from := r.IntN(2) == 0
		if from {
			args = append(args, "-record-from", fmt.Sprint(1+r.IntN(30)))
		}
		p := launch(t, nil, args...)
		started(at("rec"))
		time.Sleep(time.Duration(r.IntN(1_500_000_000)))
		p.Process.Kill()
		p.end()
		var wrong string
		if err := replays(at("rec")); from && err != nil && strings.Contains(err.Error(), "within its snapshot") {
			return "SIGKILL while a recording begins", ""
		} else if err != nil {
			wrong = err.Error()
		} else if _, wrong = launch(t, nil, "-replay", at("rec")).end(); wrong != "" {
			wrong = "its replay " + wrong
		}
		return "SIGKILL while recording", wrong
	case 7:
		return "a display that is killed", killDisplay(t, r, at("rec"))
	default: // inputs without an end
		args := [][]string{{"-replay", "/dev/zero"}, {"-clock", "trace:/dev/zero", "-scene", "drift"}, {"/dev/zero"}}[r.IntN(3)]
		return strings.Join(args, " "), complains(launch(t, nil, args...))
	}
}

// strangers runs the viewer with a folder for reports that also contains files of
// other programs.
func strangers(t *testing.T, scene, dir string) (wrong string) {
	var theirs []string
	for i, name := range []string{"hitch-notes.txt", "hitch-1/mine", "hitch-2020-01-01T00-00-00.000/mine.txt", "hitch-.trace", "hitch-mine.trace", "notes"} {
		name = filepath.Join(dir, name)
		theirs = append(theirs, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, make([]byte, 1<<20), 0o600)); err != nil {
			t.Fatal(i, err)
		}
	}
	old := time.Now().Add(-time.Hour)
	for _, name := range theirs {
		os.Chtimes(name, old, old)
	}
	if _, wrong = launch(t, nil, "-scene", scene, "-duration", "3s", "-inject", "step:60ms@20", "-inject", "step:60ms@60", "-hitch", "1ms", "-hitch-dir", dir).end(); wrong != "" {
		return wrong
	}
	for _, name := range theirs {
		if _, err := os.Stat(name); err != nil {
			wrong += err.Error() + "; "
		}
	}
	return wrong
}

// unproven sends requests to a viewer that serves profiles to other machines. The
// requests have no header that names their origin. A page of another origin can send
// such requests.
func unproven(t *testing.T, scene string) (wrong string) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	p := launch(t, nil, "-scene", scene, "-fps", "60", "-pprof", fmt.Sprintf("0.0.0.0:%d", port))
	defer func() {
		p.Process.Signal(syscall.SIGTERM)
		if _, w := p.end(); w != "" {
			wrong += w
		}
	}()
	client := http.Client{Timeout: 5 * time.Second}
	for began := time.Now(); time.Since(began) < 20*time.Second; time.Sleep(20 * time.Millisecond) {
		answer, err := client.Get(fmt.Sprintf("http://127.0.0.1:%d/debug/pprof/trace?seconds=1", port))
		if err != nil {
			continue
		}
		answer.Body.Close()
		if answer.StatusCode == http.StatusOK {
			return "a trace is taken"
		}
		return ""
	}
	return "nobody answers"
}

// started waits until a file exists.
func started(path string) {
	for began := time.Now(); time.Since(began) < 20*time.Second; time.Sleep(2 * time.Millisecond) {
		if i, err := os.Stat(path); err == nil && i.Size() > 0 {
			return
		}
	}
}

// killDisplay kills the display of a running viewer.
func killDisplay(t *testing.T, r *rand.Rand, rec string) (wrong string) {
	x, err := exec.LookPath("Xvfb")
	if err != nil {
		return ""
	}
	number, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer number.Close()
	server := exec.Command(x, "-displayfd", "3", "-screen", "0", "640x480x24", "-nolisten", "tcp")
	server.ExtraFiles = []*os.File{out}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	out.Close()
	line := make([]byte, 16)
	n, _ := number.Read(line)
	p := launch(t, func(c *exec.Cmd) { c.Env = append(c.Env, "DISPLAY=:"+strings.TrimSpace(string(line[:n]))) },
		"-scene", "rain", "-fps", "200", "-record", rec)
	started(rec)
	time.Sleep(time.Duration(r.IntN(1_500_000_000)))
	server.Process.Kill()
	server.Wait()
	status, wrong := p.end()
	if wrong == "" && status == exitOK {
		wrong = "status 0"
	}
	if err := replays(rec); wrong == "" && err != nil {
		wrong = err.Error()
	}
	return wrong
}

// Disks are full, signals come at any time, the display dies, and inputs never end.
// The viewer must end with one line and the right status, and its recording can be
// replayed to the last complete tick.
func TestAttackProcesses(t *testing.T) {
	a := attack.Start(t)
	needDisplay(t)
	found := map[string]string{}
	for r := range a.Rounds() {
		name, wrong := "", ""
		t.Run(fmt.Sprint(r.Uint32()), func(t *testing.T) { name, wrong = onProcess(t, r) })
		a.Count("processes attacked", 1)
		if wrong != "" && found[name] == "" { // the other attacks still run
			found[name] = wrong
			t.Logf("%s: %s", name, strings.TrimSpace(wrong))
		}
	}
	if len(found) > 0 {
		t.Errorf("%d findings", len(found))
	}
}

// Any command line is either accepted, or refused with one line.
func FuzzParseFlags(f *testing.F) {
	for _, s := range []string{
		"-hz 59.94 -scale .5 -max-steps 3", "-clock fixed:1e9 -fps 144", "-clock trace:x.csv -ticks 5", "-inject step:50ms@60 -inject gc@2",
		"-size 1x1 -duration 5h scene.json", "-pprof :6060 -hitch 20ms -hitch-dir d", "-compare none -loop naive -record f", "-track a,b -scene nosuch",
	} {
		f.Add(strings.ReplaceAll(s, " ", "\n"))
	}
	f.Fuzz(func(t *testing.T, line string) {
		o, err := ParseFlags(strings.Split(line, "\n"))
		if err == nil {
			if !(o.Scale > 0) || o.Width <= 0 || o.Height <= 0 || o.FPS < -1 {
				t.Errorf("%+v", o)
			}
			for _, i := range o.Inject {
				if i.Validate() != nil {
					t.Errorf("%+v", i)
				}
			}
			return
		}
		var b bytes.Buffer
		if words.Complain(&b, err); strings.Count(b.String(), "\n") != 1 {
			t.Errorf("%q", b.String())
		}
	})
}
