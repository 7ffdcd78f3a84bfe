package main

import (
	"math"
	"os/exec"
	"strings"
	"testing"

	"halfstep/world"

	"github.com/go-gl/glfw/v3.3/glfw"
)

func TestALinkLeadsToTheSameMomentAndView(t *testing.T) {
	b := newBench(t, "-scene teleport -hz 50")
	b.run(3)
	b.params = paramValues{"teleport": {"speed": .3}}
	b.changeScene(b.current)
	b.run(130)
	b.camera.X, b.camera.Y, b.camera.Height = 1.25, -2, 9
	b.press(glfw.KeySpace)
	b.press(glfw.KeyK)
	link := b.screen.clip
	if !strings.HasPrefix(link, "viewer -scene teleport ") || strings.Contains(link, "\n") || b.notice.text != "copied: "+link {
		t.Fatalf("copied %q, said %q", link, b.notice.text)
	}
	out, err := exec.Command("sh", "-c", "printf '%s\n' "+strings.TrimPrefix(link, "viewer ")).Output()
	if err != nil {
		t.Skip(err)
	}
	args := strings.Split(strings.TrimSpace(string(out)), "\n")
	o, err := ParseFlags(args)
	if err != nil {
		t.Fatal(err)
	}
	if o.Params["speed"] != .3 || o.Seek == nil || *o.Seek != b.view.Tick {
		t.Errorf("%+v", o)
	}
	c := newBench(t, strings.Join(args, " "))
	c.run(1)
	c.press(glfw.KeySpace)
	if c.view.Tick != b.view.Tick || c.camera.Camera != b.camera.Camera {
		t.Errorf("at tick %d with %+v, not %d with %+v", c.view.Tick, c.camera.Camera, b.view.Tick, b.camera.Camera)
	}
	for slot := range b.view.Cur {
		p, q := b.view.Cur[slot], c.view.Cur[slot]
		if math.Abs(float64(p.X-q.X)) > 0 || p.Y != q.Y || p.Angle != q.Angle {
			t.Fatalf("slot %d is at %v, %v instead of %v, %v", slot, q.X, q.Y, p.X, p.Y)
		}
	}
}

func TestALinkQuotesAParameterWhoseNameHasASpace(t *testing.T) {
	b := newBench(t, "-scene rain")
	b.params = paramValues{"rain": {"drop speed": 3.5}}
	b.changeScene(b.current)
	b.run(3)
	b.press(glfw.KeyK)
	out, err := exec.Command("sh", "-c", "printf '%s\n' "+strings.TrimPrefix(b.screen.clip, "viewer ")).Output()
	if err != nil {
		t.Skip(err)
	}
	o, err := ParseFlags(strings.Split(strings.TrimSpace(string(out)), "\n"))
	if err != nil || o.Params["drop speed"] != 3.5 {
		t.Errorf("%s: %+v, %v", b.screen.clip, o, err)
	}
}

func TestALinkHasTheStepper(t *testing.T) {
	b := newBench(t, "-scene blocks")
	if err := b.setStepper(world.SoftStep); err != nil {
		t.Fatal(err)
	}
	b.run(90)
	b.press(glfw.KeySpace)
	b.press(glfw.KeyK)
	c := newBench(t, strings.TrimPrefix(b.screen.clip, "viewer "))
	c.run(1)
	c.press(glfw.KeySpace)
	if x, y := b.hash(), c.hash(); c.stepper() != world.SoftStep || x != y {
		t.Errorf("%s: stepped by %v, hash %x, not %x", b.screen.clip, c.stepper(), y, x)
	}
}

func TestBadParametersAndViewsAreRefusedInOneLine(t *testing.T) {
	for args, want := range map[string]string{
		"-scene drift -param speed":     "NAME=VALUE",
		"-scene drift -param speed=x":   "NAME=VALUE",
		"-scene drift -param speed=NaN": "NAME=VALUE",
		"-scene drift -param speed=99":  "from -5 to 5",
		"-scene drift -param weight=1":  "it has speed",
		"-scene leak -param weight=1":   "has no parameters",
		"-param speed=1 x.json":         "only built-in scenes",
		"-camera 1,2":                   "X,Y,HEIGHT",
		"-camera 1,2,0":                 "X,Y,HEIGHT",
		"-camera 1,2,NaN":               "X,Y,HEIGHT",
		"-seek -1":                      "whole number",
		"-gif movie.png":                "must end in .gif",
		"-gif-width 1":                  "from 16",
		"-panel=perhaps":                "panel",
	} {
		_, err := ParseFlags(strings.Fields(args))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", args, err)
		}
	}
	o, err := ParseFlags(strings.Fields("-scene drift -param speed=2.52 -camera=-1,2.5,3"))
	if err != nil || o.Params["speed"] != 2.5 || o.Camera.X != -1 || o.Camera.Height != 3 {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestArgumentsOfALinkAreQuotedForTheShellsOfTheSystem(t *testing.T) {
	for arg, want := range map[string][2]string{ // POSIX, Windows; none where it cannot be quoted
		"plain-1.5/x":      {"plain-1.5/x", "plain-1.5/x"},
		"two words":        {"'two words'", `"two words"`},
		"it's":             {`'it'\''s'`, `"it's"`},
		"":                 {"''", `""`},
		"a;b":              {"'a;b'", `"a;b"`},
		"a&calc&b.json":    {"'a&calc&b.json'", `"a&calc&b.json"`},
		`C:\x\car.json`:    {`'C:\x\car.json'`, `"C:\x\car.json"`},
		"a,b":              {"a,b", `"a,b"`}, // PowerShell makes two of it
		"$HOME":            {"'$HOME'", ""},
		"%PATH%":           {"'%PATH%'", ""},
		"`calc`":           {"'`calc`'", ""},
		"!x!":              {"'!x!'", ""},
		`a" & calc & "b`:   {`'a" & calc & "b'`, ""},
		"a” & calc & “b":   {"'a” & calc & “b'", ""},
		"ends with \\":     {`'ends with \'`, ""},
		"a\x1b[201~\ncalc": {"", ""},
	} {
		for i, goos := range []string{"linux", "windows"} {
			got, ok := quoteArg(arg, goos)
			if ok != (want[i] != "") || ok && got != want[i] {
				t.Errorf("%q on %s: %s, %v", arg, goos, got, ok)
			}
		}
	}
}

func TestANameThatCannotBeQuotedIsNotCopied(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(3)
	b.viewer.scenes[b.current].path = "a\nrm -rf ~\n.json"
	b.press(glfw.KeyK)
	if b.screen.clip != "" || !strings.Contains(b.notice.text, "cannot be written in a command") {
		t.Errorf("copied %q, said %q", b.screen.clip, b.notice.text)
	}
}

func TestACopiedLinkSaysThatItLacksWhatWasDoneByHand(t *testing.T) {
	const lacks = "without what you have changed by hand"
	for what, do := range map[string]func(b *bench, body world.Body){
		"deleted": func(b *bench, body world.Body) { b.deleteBody(b.player, body) },
		"dragged": func(b *bench, body world.Body) {
			p, _ := b.player.pose(body)
			b.cursor(p.CentreX, p.CentreY)
			b.mouse(glfw.MouseButtonLeft, glfw.Press)
			b.run(1)
			b.cursor(p.CentreX+1, p.CentreY+1)
			b.run(3)
			b.mouse(glfw.MouseButtonLeft, glfw.Release)
		},
	} {
		b := newBench(t, "-scene arch")
		b.run(3)
		if b.press(glfw.KeyK); strings.Contains(b.notice.text, lacks) {
			t.Errorf("before anything is %s it says %q", what, b.notice.text)
		}
		do(b, b.tracked[0].body)
		b.run(3)
		if b.press(glfw.KeyK); !strings.Contains(b.notice.text, lacks) {
			t.Errorf("%s: it says %q", what, b.notice.text)
		}
		if err := b.changeScene(b.current); err != nil {
			t.Fatal(err)
		}
		if b.press(glfw.KeyK); strings.Contains(b.notice.text, lacks) {
			t.Errorf("after a restart it says %q", b.notice.text)
		}
	}
}
