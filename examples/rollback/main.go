// Rollback is a game for two over a network (package netplay): both programs simulate the
// whole game at once, guess the other player's input, and go back in time when a guess
// was wrong.
//
//	rollback -listen :7000            and on the other machine
//	rollback -join host:7000
//
// Without either flag, both programs are in this process, side by side, over a simulated
// line. -line 80ms,20ms,5% sets the delay, jitter and loss of any line, in each
// direction.
//
// W, A, S and D or the arrow keys steer; side by side they are one player each. The
// computer plays for a player who has not touched a key. Escape quits.
package main

import (
	"errors"
	"flag"
	"fmt"
	"net/netip"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/engine/netplay"
	"halfstep/examples/internal/glwindow"
	"halfstep/renderloop/glrender"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

var (
	listen = flag.String("listen", "", "wait for the other player at this address, such as :7000")
	join   = flag.String("join", "", "play with the host at this address, such as example.org:7000")
	bad    = flag.String("line", "", "make the line bad: delay, jitter, loss, such as 80ms,20ms,5%")
)

func main() { glwindow.Main("rollback", 3, run) }

// program is one of the two programs of a match.
type program struct {
	*netplay.Session
	*game
	bot  *bot
	view *glrender.Renderer
}

func run(o glwindow.Flags) (err error) {
	c := engine.Config{}
	c.World.NoGravity = true
	c.Time.Simulated = o.Frames > 0
	programs, end, err := begin(c, netplay.Options{})
	defer func() { err = errors.Join(err, end()) }()
	if err != nil {
		return err
	}
	window, err := glwindow.Open(600*len(programs), 600, "halfstep: rollback · Esc quits", o.Frames == 0, 0)
	if err != nil {
		return err
	}
	defer glfw.Terminate()
	for _, p := range programs {
		if p.view, err = glrender.New(); err != nil {
			return err
		}
		defer p.view.Close()
	}
	for frame := 1; ; frame++ {
		glfw.PollEvents()
		w, h := window.GetFramebufferSize()
		for i, p := range programs {
			if err := p.Update(p.wish(window, i, len(programs))); err != nil {
				return err
			}
			at := glrender.Viewport{X: i * w / len(programs), W: w / len(programs), H: h}
			if err := p.draw(at, o.Frames > 0); err != nil {
				return err
			}
		}
		over := window.ShouldClose() || window.GetKey(glfw.KeyEscape) == glfw.Press || frame == o.Frames
		if over && o.Screenshot != "" {
			return glwindow.Save(o.Screenshot, programs[0].view.Screenshot(glrender.Viewport{W: w, H: h}))
		}
		if over {
			return nil
		}
		window.SwapBuffers()
	}
}

// begin makes the programs of the match that run in this process. Call end even after an
// error.
func begin(c engine.Config, options netplay.Options) (programs []*program, end func() error, err error) {
	var closers []func() error
	end = func() (err error) {
		for _, f := range closers {
			err = errors.Join(err, f())
		}
		return err
	}
	c.World.Stepper = world.SoftStep
	here := *listen == "" && *join == ""
	if here && *bad == "" {
		*bad = "100ms,30ms,2%"
	}
	line, err := netplay.ParseConditions(*bad)
	if err != nil {
		return nil, end, err
	}
	line.Now = options.Now
	add := func(l netplay.Line, host netip.AddrPort) error {
		p := &program{game: new(game), bot: newBot(uint64(len(programs)))}
		c.Name, c.Setup = fmt.Sprint("program ", len(programs)+1), p.setup
		options.Match, options.Players, options.InputSize, options.Apply = "halfstep rollback example", players, 1, p.apply
		if host.IsValid() {
			p.Session, err = netplay.Join(l, host, c, options)
		} else {
			p.Session, err = netplay.Host(l, c, options)
		}
		if err == nil {
			programs = append(programs, p)
			closers = append([]func() error{p.Close}, closers...)
		}
		return err
	}
	if here {
		network, a, b := new(netplay.Memory), netip.MustParseAddrPort("127.0.0.1:1"), netip.MustParseAddrPort("127.0.0.1:2")
		if err := add(network.Line(a), netip.AddrPort{}); err != nil {
			return nil, end, err
		}
		return programs, end, errors.Join(add(line.Worsen(network.Line(b)), a), err)
	}
	at, host := *listen, netip.AddrPort{}
	if at == "" {
		at = ":0"
		if host, err = netplay.ResolveUDP(*join); err != nil {
			return nil, end, err
		}
	}
	udp, err := netplay.ListenUDP(at)
	if err != nil {
		return nil, end, err
	}
	closers = append(closers, udp.Close)
	err = add(line.Worsen(udp), host)
	return programs, end, err
}

// draw lets the time of a frame pass, and draws the picture.
func (p *program) draw(at glrender.Viewport, simulated bool) error {
	p.view.BeginFrame()
	text := []string{"waiting for the host"}
	if e := p.Engine(); e != nil {
		if simulated {
			e.Advance(time.Second / 60)
		} else {
			e.Frame()
		}
		p.count(e)
		const above = 2.5 // the height of the text in m
		cam := scene.Camera{}.Fit(scene.Bounds{MinX: -halfWidth, MinY: -halfHeight, MaxX: halfWidth, MaxY: halfHeight + above}, at.W, at.H)
		if err := p.view.Draw(e.View(), cam, at, 0); err != nil {
			return err
		}
		text = p.report()
	}
	hud := p.view.BeginHUD(at)
	for i, line := range text {
		y := float32(8 + i*(glrender.LabelHeight+4))
		hud.Panel(8, y, glrender.LabelWidth(glrender.Regular, int(hud.Unit()), line)+16, glrender.LabelHeight+4, 5, body2d.Colour{14, 18, 25, 255})
		hud.Label(16, y+2, glrender.Regular, body2d.Colour(colours[max(p.Player(), 0)]), line)
	}
	hud.Draw()
	return nil
}

func (p *program) report() []string {
	f := p.Metrics()
	lines := []string{fmt.Sprintf("player %d: %d : %d hits", p.Player(), p.hits[0], p.hits[1])}
	for i, other := range f.Players {
		if i != p.Player() && other.Here {
			lines = append(lines, fmt.Sprintf("round trip %d ms; ticks guessed: %d", other.RoundTrip.Milliseconds(), f.Guessed))
		}
	}
	each := f.InRollbacks.Seconds() * 1e3 / max(float64(f.Rollbacks), 1)
	lines = append(lines,
		fmt.Sprintf("rollbacks: %d a second, %.1f ms each, back by %d ticks, by %d at most", f.PerSecond, each, f.Depth, f.Deepest),
		fmt.Sprintf("the same up to tick %d of %d", f.Checked, f.Tick))
	for i, player := range f.Players {
		if player.WaitsFor >= 0 {
			lines = append(lines, fmt.Sprintf("player %d waits for player %d", i, player.WaitsFor))
		}
	}
	return lines
}

// wish is the player's input. It comes from the keys or, until one of them has been
// touched, from the computer. Two programs side by side have different keys.
func (p *program) wish(window *glfw.Window, i, of int) []byte {
	var down [4]int
	for j, keys := range [2][4]glfw.Key{{glfw.KeyA, glfw.KeyD, glfw.KeyS, glfw.KeyW}, {glfw.KeyLeft, glfw.KeyRight, glfw.KeyDown, glfw.KeyUp}} {
		for k, key := range keys {
			if (of == 1 || i == j) && window.GetKey(key) == glfw.Press {
				down[k], p.bot.idle = 1, true
			}
		}
	}
	if !p.bot.idle {
		return []byte{byte(p.bot.input(p))}
	}
	return []byte{byte(towards(down[1]-down[0], down[3]-down[2]))}
}
