package main

import (
	"bytes"
	"halfstep/cmd/viewer/internal/files"
	"halfstep/cmd/viewer/internal/input"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAnOutputThatIsAnotherFileIsRefusedBeforeAnythingIsWritten(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	const content = "precious"
	os.WriteFile(at("scene.json"), []byte(content), 0o644)
	os.Mkdir(at("sub"), 0o755)
	if err := os.Symlink(at("scene.json"), at("soft.gif")); err != nil {
		t.Skip(err)
	}
	os.Symlink("later", at("dangling.gif")) // this link leads to a file that does not exist
	os.Symlink(dir, at("dir"))
	if err := os.Link(at("scene.json"), at("hard.png")); err != nil {
		t.Skip(err)
	}
	scene := at("scene.json")
	for _, args := range [][]string{
		{"-record", scene, scene}, {"-stats", scene, scene}, {"-log", scene, scene}, {scene, "-gif", at("soft.gif")},
		{scene, "-screenshot", at("hard.png")}, {at("hard.png"), "-cpuprofile", at("soft.gif")},
		{scene, "-memprofile", at("sub/../scene.json")}, {scene, "-trace", at("dir/scene.json")},
		{"-replay", scene, "-stats", scene}, {"-replay", scene, "-record", scene}, {"-clock", "trace:" + scene, "-log", at("soft.gif")},
		{"-stats", at("x"), "-log", at("x")}, {"-stats", at("x"), "-log", at("dir/x")}, {"-stats", at("later"), "-gif", at("dangling.gif")},
	} {
		var stdout, stderr bytes.Buffer
		status := program(append([]string{"-hidden"}, args...), &stdout, &stderr)
		if status != exitUsage || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%v: status %d, %q", args, status, stderr.String())
		}
		if data, _ := os.ReadFile(scene); string(data) != content {
			t.Fatalf("%v: the scene is now %q", args, data)
		}
	}
	for _, name := range []string{"x", "later"} {
		if _, err := os.Stat(at(name)); err == nil {
			t.Errorf("%s was made", name)
		}
	}
	for _, args := range [][]string{
		{scene, "-stats", "/dev/stdout", "-log", "/dev/stdout"}, {scene, "-stats", os.DevNull, "-log", os.DevNull},
		{scene, "-stats", at("a"), "-log", at("b")}, {"-clock", "trace:" + scene, scene},
	} {
		if _, err := ParseFlags(args); err != nil {
			t.Errorf("%v: %v", args, err)
		}
	}
}

func TestARunThatFailsBeforeItBeginsKeepsOlderFiles(t *testing.T) {
	needDisplay(t)
	dir := t.TempDir()
	args := []string{"-hidden", "-frames", "2", "-size", "64x64", "-scene", "drift", "-track", "nobody"}
	var files []string
	for flag, name := range map[string]string{"-log": "l", "-stats": "s", "-screenshot": "s.png", "-gif": "g.gif", "-plot": "p.csv", "-save": "s.json",
		"-record": "r", "-cpuprofile": "c", "-memprofile": "m", "-trace": "t"} {
		path := filepath.Join(dir, name)
		os.WriteFile(path, []byte("older"), 0o644)
		args, files = append(args, flag, path), append(files, path)
	}
	if status, _, stderr := viewerRun(t, nil, args...); status != exitFailed || strings.Count(stderr, "\n") != 1 {
		t.Errorf("status %d, %q", status, stderr)
	}
	for _, path := range files {
		if data, _ := os.ReadFile(path); string(data) != "older" {
			t.Errorf("%s: now %.20q", filepath.Base(path), data)
		}
	}
}

func TestOutputThatIsLostIsStatus1(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	for _, flag := range []string{"-list", "-h"} {
		var stderr bytes.Buffer
		if status := program([]string{flag}, full, &stderr); status != exitFailed || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%s: status %d, %q", flag, status, stderr.String())
		}
	}
	needDisplay(t)
	for _, out := range []string{"-cpuprofile", "-memprofile", "-trace", "-stats", "-log", "-gif", "-screenshot", "-save", "-record"} {
		status, stdout, stderr := viewerRun(t, nil, "-hidden", "-size", "64x64", "-scene", "drift", "-clock", "fixed:60", "-ticks", "30", out, "/dev/full")
		if strings.Contains(stdout, "/dev/full") {
			t.Errorf("%s: it tells of a file that is lost: %q", out, stdout)
		}
		if status != exitFailed || strings.Count(stderr, "\n") < 1 || strings.Count(stderr, "\n") > 2 || !strings.Contains(stderr, "no space") {
			t.Errorf("%s: status %d, %q", out, status, stderr)
		}
	}
	stats := filepath.Join(t.TempDir(), "s.json")
	viewerRun(t, nil, "-hidden", "-size", "64x64", "-scene", "drift", "-clock", "fixed:60", "-ticks", "30", "-screenshot", "/dev/full", "-stats", stats)
	if _, err := os.Stat(stats); err != nil {
		t.Errorf("a screenshot that is lost: the statistics are, too: %v", err)
	}
	var stderr bytes.Buffer
	cmd := viewerCommand(t, "-hidden", "-size", "64x64", "-scene", "drift", "-clock", "fixed:60", "-ticks", "30")
	cmd.Stdout, cmd.Stderr = full, &stderr
	cmd.Run()
	if cmd.ProcessState.ExitCode() != exitFailed || strings.Count(stderr.String(), "\n") != 1 {
		t.Errorf("the summary: %v, %q", cmd.ProcessState, stderr.String())
	}
}

func TestAPictureThatAMinimisedWindowCannotGiveIsNotToldOf(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.png")
	b := newBench(t, "-scene drift -screenshot "+file)
	b.run(3)
	b.picture.Surface = input.Surface{}
	if err := b.show(true, nil); err != nil {
		t.Fatal(err)
	}
	err := b.finish()
	if err == nil || !strings.Contains(err.Error(), "minimised") || strings.Contains(b.summary, "picture") {
		t.Errorf("%v, %s", err, b.summary)
	}
}

func TestAScreenshotIsToldOfOnceItIsWritten(t *testing.T) {
	dir := t.TempDir()
	b := newBench(t, "-scene drift")
	b.run(3)
	for name, want := range map[string]string{
		filepath.Join(dir, "p.png"):            "wrote " + filepath.Join(dir, "p.png"),
		filepath.Join(dir, "nowhere", "p.png"): "no such file",
	} {
		files.WritePicture(b.Files, name, image.NewNRGBA(image.Rect(0, 0, 4, 4)))
		_ = b.Files.Wait()
		if b.run(1); !strings.Contains(b.picture.Notice.Text, want) {
			t.Errorf("%s: it says %q", name, b.picture.Notice.Text)
		}
	}
	if b.Files.Wait() == nil {
		t.Error("the run ends well")
	}
}
