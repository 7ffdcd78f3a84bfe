package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"sync/atomic"

	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/outfile"
	"halfstep/engine/hitch"
	"halfstep/engine/profile"
)

// profiling is what -pprof, -cpuprofile, -memprofile and -trace have started.
type profiling struct {
	server  *http.Server
	handler *profile.Handler // or nil
	cpu     *outfile.Stream
	trace   *outfile.Stream
	memPath string
	begun   *atomic.Bool // the run has begun
}

// startProfile starts the profiles of the flags. It fails if a file cannot be made
// or the address is in use.
func startProfile(o *Options, begun *atomic.Bool, stdout io.Writer) (*profiling, error) {
	p := &profiling{begun: begun}
	if err := p.start(o, stdout); err != nil {
		_ = p.stop() // the first error matters
		return nil, err
	}
	p.memPath = o.MemProfile
	return p, nil
}

func (p *profiling) start(o *Options, stdout io.Writer) (err error) {
	if o.PprofAddr != "" {
		if err := p.serve(o.PprofAddr, stdout); err != nil {
			return err
		}
	}
	if o.CPUProfile != "" {
		if p.cpu, err = outfile.Create(o.CPUProfile, p.begun); err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(p.cpu); err != nil {
			return err
		}
	}
	if o.ExecutionTrace != "" {
		if p.trace, err = outfile.Create(o.ExecutionTrace, p.begun); err != nil {
			return err
		}
		return trace.Start(p.trace)
	}
	return nil
}

// serve serves profiles at an address.
func (p *profiling) serve(addr string, stdout io.Writer) error {
	p.handler = profile.New()
	l, err := p.handler.Listen(addr)
	if err != nil {
		return fmt.Errorf("-pprof: %w", err)
	}
	p.server = p.handler.Server()
	url := p.handler.URL(l)
	fmt.Fprintf(stdout, "profiles at %sdebug/pprof/\nlive page at %s\n", url, url)
	go func() { _ = p.server.Serve(l) }() // until stop closes it
	return nil
}

// stop ends profiling and writes the heap profile.
func (p *profiling) stop() error {
	var errs []error
	if p.cpu != nil {
		pprof.StopCPUProfile()
		errs = append(errs, p.cpu.Close())
	}
	if p.trace != nil {
		trace.Stop()
		errs = append(errs, p.trace.Close())
	}
	if p.memPath != "" && p.begun.Load() {
		errs = append(errs, writeHeap(p.memPath))
	}
	if p.server != nil {
		errs = append(errs, p.server.Close())
	}
	return cmp.Or(errs...)
}

func writeHeap(path string) error {
	runtime.GC() // the profile shows the heap as of the last collection
	return outfile.Replace(path, func(w io.Writer) error { return pprof.Lookup("heap").WriteTo(w, 0) })
}

// labelThread labels the calling goroutine, and those that it starts, in
// profiles. The engine's own labels are finer.
func labelThread(name string) {
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels("loop", name)))
}

// defaultHitchDir is where -hitch writes without -hitch-dir.
const defaultHitchDir = "hitches"

// startHitch starts the recorder of -hitch, or returns nil without -hitch. newest
// receives each new hitch, which the picture then shows. Once the recorder is closed,
// *reportErr is the first error in writing a report.
func startHitch(o *Options, newest *atomic.Pointer[hitch.Report], stdout, stderr io.Writer) (r *hitch.Recorder, reportErr *error, err error) {
	reportErr = new(error)
	if o.Hitch == 0 {
		return nil, reportErr, nil
	}
	r, err = hitch.Start(hitch.Options{
		Dir: cmp.Or(o.HitchDir, defaultHitchDir), Threshold: o.Hitch,
		OnReport: func(r *hitch.Report, err error) {
			if err != nil {
				words.Complain(stderr, err)
				*reportErr = cmp.Or(*reportErr, err)
				return
			}
			if r.Suppressed > 0 {
				fmt.Fprintf(stdout, "%s\n", leftOut(r.Suppressed))
			}
			fmt.Fprintf(stdout, "hitch %s\n  %s\n", words.Printable(r.Path()), words.Printable(r.Verdict))
			newest.Store(r)
		},
	})
	return r, reportErr, err
}

// leftOut says how many hitches were not reported.
func leftOut(n int) string {
	return fmt.Sprintf("%d more late frames and steps were left out: there is one report in 5 s, unless something is more than twice as late", n)
}

// tellHitch shows the cause of a new hitch in the picture. The panel keeps showing the last one.
func (v *viewer) tellHitch() {
	if v.newest == nil {
		return
	}
	if r := v.newest.Swap(nil); r != nil {
		v.picture.verdict = words.Printable(r.Verdict)
		v.picture.Warn(r.Verdict)
		if e := v.Stage.Player.Engine; e != nil && r.Engine == e.Name() && v.Stage.Shown.What != play.ShowsPast {
			v.Notes.Note(play.BarMark{Tick: r.Tick})
		}
	}
}
