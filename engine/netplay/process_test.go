package netplay

import (
	"bytes"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/world"
)

// These are the parameters of a program of TestTwoProcesses. The program is this test's
// binary.
var (
	ticks      = flag.Uint64("ticks", 200, "how many ticks TestTwoProcesses plays")
	steps      = flag.String("stepper", "soft", "and how its world is stepped")
	conditions = flag.String("line", "40ms,20ms,10%", "and over what line, one way")
	guestIs    = flag.String("guest", "", "and the command that runs the guest, with this binary for another machine")
	hostAddr   = flag.String("host", "", "of the program: the address of the host, or :PORT to be the host")
)

// TestProcess is a program that plays until all ticks are final, and prints the hashes of
// the ticks.
func TestProcess(t *testing.T) {
	if *hostAddr == "" {
		t.Skip("one of the programs of TestTwoProcesses")
	}
	way, err := world.ParseStepper(*steps)
	if err != nil {
		t.Fatal(err)
	}
	line, err := ParseConditions(*conditions)
	if err != nil {
		t.Fatal(err)
	}
	address, guest := strings.CutPrefix(*hostAddr, "join ")
	listen := address
	if guest {
		listen = "127.0.0.1:0"
	}
	udp, err := ListenUDP(listen)
	if err != nil {
		t.Fatal(err)
	}
	defer udp.Close()
	p := &program{game: new(yard), hashes: map[uint64]uint64{}}
	c := engine.Config{Setup: p.game.setup, World: world.Config{Workers: 1, Stepper: way}}
	o := Options{Match: "processes", Players: 2, InputSize: 1, Apply: apply, Window: 30, Timeout: time.Minute}
	if guest {
		host, err := ResolveUDP(address)
		if err != nil {
			t.Fatal(err)
		}
		line.Twice = .05
		p.Session, err = Join(line.Worsen(udp), host, c, o)
		if err != nil {
			t.Fatal(err)
		}
	} else if p.Session, err = Host(udp, c, o); err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var out bytes.Buffer
	done, printed := 0, uint64(0)
	for frame := 0; done < 60; frame++ { // in these frames the other program gets the inputs that it lacks
		time.Sleep(time.Second / 120)
		if err := p.Update([]byte{byte(frame * 7 / 50 % 10)}); err != nil {
			t.Log(err)
			break
		}
		e := p.Engine()
		if e == nil {
			continue
		}
		e.Frame()
		for range e.Events() {
		}
		for final := p.facts.final.Load(); printed < min(final, *ticks); printed++ {
			fmt.Fprintf(&out, "%d %016x\n", printed, p.facts.finalHashes[printed%kept])
		}
		if p.Metrics().Checked >= *ticks {
			done++
		}
	}
	m := p.Metrics()
	fmt.Printf("%s%+v\n", out.String(), m)
}

// Two processes, perhaps on two machines, play over UDP and a bad line. They must have
// the same hash at every final tick.
func TestTwoProcessesHaveOneHashAtEveryFinalTick(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	free, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	address := free.LocalAddr().String()
	free.Close()
	guest := []string{self}
	if *guestIs != "" {
		guest = strings.Fields(*guestIs)
	}
	var outs [2]string
	var both sync.WaitGroup
	for i, command := range [][]string{{self}, guest} {
		host := address
		if i > 0 {
			host = "join " + address
		}
		both.Add(1)
		go func() {
			defer both.Done()
			args := append(command[1:], "-test.run=^TestProcess$", "-test.timeout=1h", "-host="+host,
				fmt.Sprint("-ticks=", *ticks), "-stepper="+*steps, "-line="+*conditions)
			out, err := exec.Command(command[0], args...).CombinedOutput()
			if outs[i] = string(out); err != nil {
				t.Errorf("%v: %v: %.2000s", command, err, out)
			}
		}()
	}
	both.Wait()
	var hashes [2][]string
	for i, out := range outs {
		for line := range strings.Lines(out) {
			if line[0] >= '0' && line[0] <= '9' {
				hashes[i] = append(hashes[i], line)
			} else if line[0] == '{' {
				t.Log(line)
			}
		}
	}
	if len(hashes[0]) != int(*ticks) || strings.Join(hashes[0], "") != strings.Join(hashes[1], "") {
		t.Errorf("%d ticks are final in one process and %d in the other, and not all are the same", len(hashes[0]), len(hashes[1]))
	}
	t.Logf("%d ticks have the same hash", len(hashes[0]))
}
