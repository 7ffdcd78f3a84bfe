//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"halfstep/cmd/viewer/scenes"
	"halfstep/test/attack"
)

// The test plays with any keys, clicks, drags and turns of the wheel, in any scene, with a drawn
// picture. The viewer must continue, must not lose or shorten a file, and must end when it is asked
// to.
func TestAttackKeys(t *testing.T) {
	a := attack.Start(t)
	needDisplay(t)
	all, most := scenes.All(), 0
	for r := range a.Rounds() {
		scene := all[r.IntN(len(all))].Name
		if scene == "leak" {
			continue // this scene takes more and more memory
		}
		t.Run(scene, func(t *testing.T) {
			used, wrong := keysAtRandom(t, r, scene, min(12*time.Second, a.Left()))
			if most = max(most, used); wrong != "" {
				t.Error(wrong)
			}
		})
		a.Count("scenes", 1)
	}
	a.Count("MB of memory at most", uint64(most>>20))
}

// keysAtRandom plays with a scene for a while. It returns the greatest memory of the viewer, in
// bytes.
func keysAtRandom(t *testing.T, r *rand.Rand, scene string, long time.Duration) (most int, wrong string) {
	const w, h = 900, 600
	dir := t.TempDir()
	x := startX(t, w, h)
	p := launch(t, func(c *exec.Cmd) { c.Dir, c.Env = dir, append(c.Env, "DISPLAY="+x.display) },
		"-hidden=false", "-size", fmt.Sprintf("%dx%d", w, h), "-scene", scene, "-panel", "-fps", "60")
	defer p.Process.Kill()
	p.bytes = 4 << 30 // two worlds of 50,000 bodies, and the past of one world
	shortcut := func(mod, key byte) {
		x.fake(2, mod, 0, 0)
		x.fake(2, key, 0, 0)
		x.fake(3, key, 0, 0)
		x.fake(3, mod, 0, 0)
		x.sync()
	}
	var codes []byte
	for sym, code := range x.keys {
		if sym >= ' ' && sym < 127 && sym != 'q' && sym != 'Q' || sym >= symEscape && sym <= symF12 && sym < 0xffe1 {
			codes = append(codes, code)
		}
	}
	sizes := map[string]int64{}
	for until := time.Now().Add(long); time.Now().Before(until); time.Sleep(time.Duration(r.IntN(30)) * time.Millisecond) {
		if p.ProcessState != nil || len(p.done) > 0 {
			break // a click has ended the viewer
		}
		px, py := r.IntN(w), r.IntN(h)
		switch r.IntN(8) {
		case 0, 1, 2:
			code := codes[r.IntN(len(codes))]
			x.fake(2, code, 0, 0)
			x.fake(3, code, 0, 0)
			x.sync()
		case 3:
			mod := []uint32{0xffe1, 0xffe3}[r.IntN(2)] // Shift, Control
			shortcut(x.keys[mod], codes[r.IntN(len(codes))])
		case 4, 5:
			button := []byte{1, 1, 1, 3}[r.IntN(4)]
			x.move(px, py)
			x.button(button, true)
			for range r.IntN(2) * r.IntN(8) { // a click or a drag
				px, py = max(0, min(px+r.IntN(81)-40, w-1)), max(0, min(py+r.IntN(81)-40, h-1))
				x.move(px, py)
				time.Sleep(10 * time.Millisecond)
			}
			x.button(button, false)
		case 6:
			x.move(px, py)
			wheel := []byte{4, 5}[r.IntN(2)]
			x.button(wheel, true)
			x.button(wheel, false)
		case 7:
			most = max(most, resident(p.Process.Pid))
			for path, size := range filesIn(dir) {
				sizes[path] = max(size, sizes[path])
			}
		}
	}
	p.Process.Signal(syscall.SIGTERM)
	status, wrong := p.end()
	if wrong == "" && status != exitOK {
		wrong = fmt.Sprintf("status %d", status)
	}
	if said := strings.TrimSpace(p.complaints.String()); wrong != "" {
		return most, wrong + ": " + said
	}
	now := filesIn(dir)
	for path, size := range sizes {
		if got, there := now[path]; (!there || got < size) && size > 0 {
			return most, fmt.Sprintf("%s had %d bytes and has %d", path, size, got)
		}
		if strings.HasSuffix(path, ".rec") && size > 0 {
			if err := replays(path); err != nil {
				return most, fmt.Sprintf("%s: %v", path, err)
			}
		}
	}
	return most, ""
}

// filesIn returns the sizes of the files that were saved to a folder.
func filesIn(dir string) map[string]int64 {
	sizes := map[string]int64{}
	all, _ := filepath.Glob(filepath.Join(dir, "halfstep-*"))
	for _, path := range all {
		if info, err := os.Stat(path); err == nil && !strings.HasSuffix(path, ".part") { // such a file is still being written
			sizes[path] = info.Size()
		}
	}
	return sizes
}
