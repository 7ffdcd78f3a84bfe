package engine_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"halfstep/test/norace"
)

// guide returns the programs of a page, each together with the first output that
// follows the program.
func guide(t *testing.T, page string) (programs, outputs []string) {
	text, err := os.ReadFile("../docs/" + page)
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```(go|text)\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	for _, b := range blocks {
		switch {
		case b[1] == "go":
			programs = append(programs, b[2])
		case len(outputs) < len(programs):
			outputs = append(outputs, b[2])
		}
	}
	return programs, outputs
}

// module writes a program with a go.mod of its own, as a reader of the guide
// does. It does not run `go mod tidy`, which may need the network.
func module(t *testing.T, program string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	mod, err1 := os.ReadFile("../examples/headless/go.mod")
	sum, err2 := os.ReadFile("../examples/headless/go.sum")
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	for name, text := range map[string]string{
		"go.mod":  strings.Replace(string(mod), "../..", root, 1),
		"go.sum":  string(sum),
		"main.go": program,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// snippets returns the fragments of docs/embedding.md that can be compiled, each
// as a function. A fragment go-setup is a part of a Setup, and go-frame is a
// part of a frame.
func snippets(t *testing.T) (program string, n int) {
	text, err := os.ReadFile("../docs/embedding.md")
	if err != nil {
		t.Fatal(err)
	}
	program = `package main

import (
	"fmt"
	"math"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/world"
	"halfstep/world/forces"
	"halfstep/world/tiles"
	"halfstep/world/walker"
)

var (
	player, ice, ghost world.Body
	ground, blade      world.Body
	belt, shape        world.Shape
	joint              world.Joint
	_                  = fmt.Sprint(math.Pi, forces.Fluid{}, tiles.Def{}, walker.Def{}, body2d.Colour{})
)

func main() {}
`
	for _, b := range regexp.MustCompile("(?s)```go-(setup|frame)\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		n++
		if b[1] == "frame" {
			program += fmt.Sprintf("\nfunc frame%d(e *engine.Engine) {\n%s}\n", n, b[2])
			continue
		}
		result := "nil"
		if strings.Contains(b[2], "err :=") {
			result = "err"
		}
		program += fmt.Sprintf("\nfunc setup%d(w *world.World) error {\n%sreturn %s\n}\n", n, b[2], result)
	}
	return program, n
}

// needsGo skips a test that builds programs if there is no Go tool.
func needsGo(t *testing.T) {
	t.Helper()
	norace.Only(t)
	if _, err := exec.LookPath("go"); err != nil || testing.Short() {
		t.Skip("it builds programs")
	}
}

func TestTheGuidesSnippetsCompile(t *testing.T) {
	needsGo(t)
	program, n := snippets(t)
	if n < 8 {
		t.Fatalf("%d snippets", n)
	}
	cmd := exec.Command("go", "build", "-o", os.DevNull, ".")
	cmd.Dir = module(t, program)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func TestTheGuideWorksAsWritten(t *testing.T) {
	needsGo(t)
	programs, outputs := guide(t, "embedding.md")
	if len(programs) != 2 || len(outputs) != 2 {
		t.Fatalf("%d programs, %d outputs", len(programs), len(outputs))
	}
	in := func(dir string, command ...string) string {
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v: %s", command, err, out)
		}
		return string(out)
	}
	drop := in(module(t, programs[0]), "go", "run", ".")
	if drop != outputs[0] && runtime.GOARCH == "amd64" {
		t.Errorf("the first program prints\n%s\nand not\n%s", drop, outputs[0])
	}
	dir := module(t, programs[1])
	in(dir, "go", "build", "-o", "drop", ".")
	in(dir, "./drop", "record", "a.rec")
	if got := in(dir, "./drop", "replay", "a.rec"); !strings.Contains(got, "ticks, all the same") {
		t.Errorf("the replay prints %q", got)
	}
}

// The program of the page plays against itself in two processes.
func TestTheProgramOfTheNetplayPageWorksAsWritten(t *testing.T) {
	needsGo(t)
	programs, _ := guide(t, "netplay.md")
	if len(programs) != 1 {
		t.Fatalf("%d programs", len(programs))
	}
	dir := module(t, programs[0])
	build := exec.Command("go", "build", "-o", "cars", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	free, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	at := free.LocalAddr().String()
	free.Close()
	var both sync.WaitGroup
	page, err := os.ReadFile("../docs/netplay.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```go-test\n")
	text, _, whole := strings.Cut(rest, "```")
	if err := os.WriteFile(filepath.Join(dir, "main_test.go"), []byte(text), 0o666); err != nil || !whole {
		t.Fatal("the page has no test: ", err)
	}
	test := exec.Command("go", "test", "-v", ".")
	test.Dir = dir
	if out, err := test.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: TestBoth") {
		t.Errorf("the page's test: %v: %s", err, out)
	}
	for _, args := range [][]string{{"-listen", at}, {"-join", at}} {
		both.Add(1)
		go func() {
			defer both.Done()
			out, err := exec.Command(filepath.Join(dir, "cars"), args...).CombinedOutput()
			var tick, same, rollbacks int
			if _, e := fmt.Sscanf(lastLine(string(out)), "tick %d, the same in both programs up to tick %d, %d rollbacks", &tick, &same, &rollbacks); err != nil || e != nil || same == 0 {
				t.Errorf("%v: %v: %s", args, err, out)
			}
		}()
	}
	both.Wait()
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// The page has one program in two parts.
func TestTheProgramOfTheTimeTravelPageWorksAsWritten(t *testing.T) {
	needsGo(t)
	programs, outputs := guide(t, "time-travel.md")
	if len(programs) != 2 || len(outputs) == 0 {
		t.Fatalf("%d programs, %d outputs", len(programs), len(outputs))
	}
	dir := module(t, programs[0])
	if err := os.WriteFile(filepath.Join(dir, "travel.go"), []byte(programs[1]), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if want := outputs[len(outputs)-1]; string(out) != want && runtime.GOARCH == "amd64" {
		t.Errorf("it prints\n%s\nand not\n%s", out, want)
	}
}

func TestTheProgramsOfThePageOnRewindPrintWhatItSays(t *testing.T) {
	needsGo(t)
	programs, outputs := guide(t, "rewind.md")
	if len(programs) != 3 || len(outputs) != 3 {
		t.Fatalf("%d programs, %d outputs", len(programs), len(outputs))
	}
	for i, program := range programs {
		cmd := exec.Command("go", "run", ".")
		cmd.Dir = module(t, program)
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != outputs[i] && runtime.GOARCH == "amd64" {
			t.Errorf("program %d prints\n%s\nand not\n%s (%v)", i+1, out, outputs[i], err)
		}
	}
}
