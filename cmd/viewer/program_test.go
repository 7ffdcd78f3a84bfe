package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"image/png"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"halfstep/cmd/viewer/internal/files"
	"halfstep/cmd/viewer/internal/win"
	"halfstep/cmd/viewer/scenes"
	"halfstep/engine"
	"halfstep/world"
)

// slowScene is the name of a scene that only viewers started by tests have.
const slowScene = "slow"

// asViewer is the environment variable that makes this test binary run as the
// viewer.
const asViewer = "HALFSTEP_TEST_AS_VIEWER"

func TestMain(m *testing.M) {
	if os.Getenv(asViewer) != "" {
		scenes.Register(scenes.Scene{Name: slowScene, Description: "takes its time to be set up", Config: func() engine.Config {
			return engine.Config{Setup: func(*world.World) error { time.Sleep(55 * time.Second); return nil }}
		}})
		os.Exit(program(os.Args[1:], os.Stdout, os.Stderr))
	}
	if os.Getenv(asOverhead) != "" {
		os.Exit(measureOverhead())
	}
	os.Exit(m.Run())
}

// viewerCommand prepares the viewer as a separate process.
func viewerCommand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asViewer+"=1")
	return cmd
}

// viewerRun runs the viewer as a separate process.
func viewerRun(t *testing.T, env []string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	cmd := viewerCommand(t, args...)
	cmd.Env = append(cmd.Env, env...)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	timer := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
	defer timer.Stop()
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), complaints.String()
}

func needDisplay(t *testing.T) {
	t.Helper()
	if err := win.CheckDisplay(); err != nil {
		t.Skip(err)
	}
}

// needSignals skips a test that sends signals, or hands open files to a process.
func needSignals(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("not on Windows")
	}
}

func TestWithoutADisplayOneLineSaysHowToRun(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is always a display")
	}
	for _, env := range [][]string{
		{"DISPLAY=", "WAYLAND_DISPLAY="},
		{"DISPLAY=", "WAYLAND_DISPLAY=wayland-7"},
		{"DISPLAY=:7654", "WAYLAND_DISPLAY="}, // no server there
	} {
		status, stdout, stderr := viewerRun(t, env, "-hidden", "-frames", "2")
		if status != exitFailed || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "xvfb-run") || stdout != "" {
			t.Errorf("%v: status %d, %q, %q", env, status, stderr, stdout)
		}
	}
}

func TestTheViewerRunsAndWritesWhatItIsAskedFor(t *testing.T) {
	t.Parallel()
	needDisplay(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, thread := range []string{"own", "main"} {
		status, stdout, stderr := viewerRun(t, nil, "-hidden", "-scene", "cradle", "-clock", "fixed:144", "-ticks", "30",
			"-render-thread", thread, "-size", "320x240",
			"-screenshot", at("o.png"), "-stats", at("o.json"), "-log", at("o.csv"), "-gif", at("o.gif"),
			"-cpuprofile", at("cpu"), "-memprofile", at("mem"), "-trace", at("trace"))
		if status != exitOK || stderr != "" || !strings.Contains(stdout, "cradle: 30 ticks") {
			t.Fatalf("%s: status %d, %q, %q", thread, status, stdout, stderr)
		}
		var s files.Stats
		data, _ := os.ReadFile(at("o.json"))
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatal(err)
		}
		if s.Ticks != 30 || s.Frames < 72 || s.Calls == 0 || s.Calls > 20 || s.BytesTotal == 0 || len(s.StateHash) != 16 || s.BackwardFrames != 0 {
			t.Errorf("%+v", s)
		}
		f, err := os.Open(at("o.png"))
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		colours := map[any]bool{}
		for y := range picture.Bounds().Dy() {
			for x := range picture.Bounds().Dx() {
				colours[picture.At(x, y)] = true
			}
		}
		if picture.Bounds().Dx() != 320 || picture.Bounds().Dy() != 240 || len(colours) < 12 {
			t.Errorf("%v with %d colours", picture.Bounds(), len(colours))
		}
		log, _ := os.ReadFile(at("o.csv"))
		if rows := strings.Count(string(log), "\n") - 1; uint64(rows) != s.Frames {
			t.Errorf("%d rows for %d frames", rows, s.Frames)
		}
		for _, name := range []string{"o.gif", "cpu", "mem", "trace"} {
			if i, err := os.Stat(at(name)); err != nil || i.Size() == 0 {
				t.Errorf("%s: %v, %v", name, i, err)
			}
			os.Remove(at(name))
		}
	}
}

func TestTheWallClockRunsToo(t *testing.T) {
	needDisplay(t)
	stats := filepath.Join(t.TempDir(), "s.json")
	status, _, stderr := viewerRun(t, nil, "-hidden", "-scene", "drift", "-fps", "60", "-ticks", "20", "-size", "64x64", "-stats", stats)
	var s files.Stats
	data, _ := os.ReadFile(stats)
	if err := json.Unmarshal(data, &s); status != exitOK || stderr != "" || err != nil || s.Ticks != 20 || s.Pacing != "auto" {
		t.Errorf("status %d, %q, %v, %+v", status, stderr, err, s)
	}
}

func TestAVisibleWindowOpens(t *testing.T) {
	needDisplay(t)
	status, _, stderr := viewerRun(t, nil, "-scene", "drift", "-clock", "fixed:60", "-frames", "5", "-size", "64x64")
	if status != exitOK || stderr != "" {
		t.Errorf("status %d, %q", status, stderr)
	}
}

func TestAFailedRunIsOneLineAndStatus1(t *testing.T) {
	t.Parallel()
	needDisplay(t)
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.json")
	os.WriteFile(bad, []byte(`{"body":[{"type":2}],"joint":[{"type":"revolute","bodyA":0,"bodyB":17}]}`), 0o600)
	busy, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	// the system's messages for a missing file, for a file in a missing folder,
	// and for an address in use
	missing, nowhere, inUse := syscall.ENOENT.Error(), syscall.ENOENT.Error(), syscall.EADDRINUSE.Error()
	if runtime.GOOS == "windows" {
		nowhere, inUse = syscall.Errno(3).Error(), syscall.Errno(10048).Error()
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{missing, []string{"/nonexistent.json"}},
		{"bodyB 17 out of range", []string{bad}},
		{missing, []string{"-clock", "trace:/nonexistent.csv"}},
		{"no capture of CapFrameX", []string{"-clock", "trace:" + bad}},
		{`no body "nobody"`, []string{"-scene", "drift", "-track", "nobody"}},
		{nowhere, []string{"-log", filepath.Join(dir, "no", "o.csv")}},
		{nowhere, []string{"-screenshot", filepath.Join(dir, "no", "o.png")}},
		{nowhere, []string{"-stats", filepath.Join(dir, "no", "o.json")}},
		{nowhere, []string{"-gif", filepath.Join(dir, "no", "o.gif")}},
		{inUse, []string{"-pprof", busy.Addr().String()}},
	} {
		status, _, stderr := viewerRun(t, nil, append([]string{"-hidden", "-frames", "2", "-size", "64x64"}, c.args...)...)
		if status != exitFailed || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: status %d, %q", c.args, status, stderr)
		}
	}
}

func TestTheViewerStartsWhereAWindowManagerHasDied(t *testing.T) {
	x := startX(t, 320, 240)
	atom := func(name string) uint32 {
		b := make([]byte, 8+(len(name)+3)&^3)
		b[0] = 16 // InternAtom
		order.PutUint16(b[4:], uint16(len(name)))
		copy(b[8:], name)
		x.write(b)
		return order.Uint32(x.reply()[8:])
	}
	b := make([]byte, 28)
	b[0] = 18 // ChangeProperty
	order.PutUint32(b[4:], x.root)
	order.PutUint32(b[8:], atom("_NET_SUPPORTING_WM_CHECK"))
	order.PutUint32(b[12:], 33) // WINDOW
	b[16] = 32
	order.PutUint32(b[20:], 1)
	order.PutUint32(b[24:], 0x3abcde) // this window no longer exists
	x.write(b)
	x.sync()
	status, _, stderr := viewerRun(t, []string{"DISPLAY=" + x.display, "XAUTHORITY="}, "-hidden", "-scene", "drift", "-ticks", "3")
	if status != exitOK || stderr != "" {
		t.Errorf("status %d, %q", status, stderr)
	}
}
