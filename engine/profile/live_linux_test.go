package profile_test

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"halfstep/buffer/phase"
	"halfstep/cmd/viewer/scenes"
	"halfstep/engine"
	"halfstep/engine/profile"
	"halfstep/internal/timeline"
	"halfstep/internal/timing"
	"halfstep/test/cputime"
)

// asPage is the environment variable that makes this test binary read a live page's
// stream until it is killed.
const asPage = "HALFSTEP_TEST_AS_PAGE"

func init() {
	if url := os.Getenv(asPage); url != "" {
		if r, err := http.Get(url); err == nil {
			io.Copy(io.Discard, r.Body)
		}
		os.Exit(0)
	}
}

// BenchmarkLivePage compares periods of 4 s at 60 frames per second in which a live
// page is open with periods in which none is open. It makes 20 pairs of runs in turns.
// Another process plays the page, so that only serving the page counts. It prints the
// cost of serving in per cent of a processor: the median over the pairs, and the 95 %
// confidence interval of the true median (sign test). The 99th percentiles of frames
// and steps, in ms, are over all periods of a kind. The benchmark takes three minutes.
//
//	go test ./engine/profile -run '^$' -bench LivePage -benchtime 1x
func BenchmarkLivePage(b *testing.B) {
	const pairs, stretch = 20, 4 * time.Second
	scene, ok := scenes.Lookup("fall1000")
	if !ok {
		b.Fatal("no such scene")
	}
	config := scene.Config()
	config.World.NoSleep = true
	e, err := engine.New(config)
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	h := profile.New()
	h.Add(e.Trace())
	l, err := profile.New().Listen(":0")
	if err != nil {
		b.Fatal(err)
	}
	server := h.Server()
	go server.Serve(l)
	defer server.Close()

	tape := timeline.NewTape(e.Trace(), stretch)
	run := func(d time.Duration) {
		for end := time.Now().Add(d); time.Now().Before(end); {
			e.Frame()
			tape.Collect(nil)
			const pause = 15 * time.Millisecond
			e.Trace().PlanSleep(pause)
			time.Sleep(pause)
		}
	}
	run(10 * time.Second) // the boxes come to rest during that time
	for b.Loop() {
		var costs []float64
		var took [2][2][]float64 // by page (closed, open) and thread (render, physics)
		for pair := range pairs {
			var used [2]float64
			for turn := range 2 {
				open := (turn + pair) % 2
				closePage := func() {}
				if open == 1 {
					closePage = openPage(b, "http://"+l.Addr().String()+"/debug/halfstep/events")
				}
				run(time.Second) // the page receives the earlier spans
				tape = timeline.NewTape(e.Trace(), stretch)
				tape.Collect(nil)
				began, before := timing.Now(), int64(cputime.Used())
				run(stretch)
				used[open] = float64(int64(cputime.Used())-before) / float64(timing.Now()-began)
				closePage()
				for _, t := range []phase.Thread{phase.Render, phase.Physics} {
					for _, s := range tape.Spans(t) {
						if s.Start > began {
							took[open][t] = append(took[open][t], s.Took().Seconds()*1e3)
						}
					}
				}
			}
			costs = append(costs, 100*(used[1]-used[0]))
		}
		slices.Sort(costs)
		b.ReportMetric((costs[9]+costs[10])/2, "%core")
		b.ReportMetric(costs[5], "%core-low")
		b.ReportMetric(costs[14], "%core-high")
		for open, name := range []string{"closed", "open"} {
			for _, t := range []phase.Thread{phase.Render, phase.Physics} {
				list := took[open][t]
				slices.Sort(list)
				b.ReportMetric(list[len(list)*99/100], t.String()+"-p99-"+name)
			}
		}
	}
}

// openPage makes another process read the stream. It returns a function that ends the
// process.
func openPage(b *testing.B, url string) (closePage func()) {
	program, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), asPage+"="+url)
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	return func() {
		cmd.Process.Kill()
		cmd.Wait()
	}
}
