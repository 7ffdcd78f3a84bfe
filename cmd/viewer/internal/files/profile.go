package files

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"sync/atomic"
	"time"

	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/outfile"
	"halfstep/engine/hitch"
	"halfstep/engine/profile"
)

// profiling is what -pprof, -cpuprofile, -memprofile and -trace have started.
type profiling struct {
	server  *http.Server
	Handler *profile.Handler // or nil
	cpu     *outfile.Stream
	trace   *outfile.Stream
	memPath string
	begun   *atomic.Bool // the run has begun
}

// Profiles are the address at which profiles are served, and the files to which they are written. Each may
// be "".
type Profiles struct{ Addr, CPU, Memory, Trace string }

// StartProfile starts the profiles of the flags. It fails if a file cannot be made
// or the address is in use.
func StartProfile(o Profiles, begun *atomic.Bool, stdout io.Writer) (*profiling, error) {
	p := &profiling{begun: begun}
	if err := p.start(&o, stdout); err != nil {
		_ = p.Stop() // the first error matters
		return nil, err
	}
	p.memPath = o.Memory
	return p, nil
}

func (p *profiling) start(o *Profiles, stdout io.Writer) (err error) {
	if o.Addr != "" {
		if err := p.serve(o.Addr, stdout); err != nil {
			return err
		}
	}
	if o.CPU != "" {
		if p.cpu, err = outfile.Create(o.CPU, p.begun); err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(p.cpu); err != nil {
			return err
		}
	}
	if o.Trace != "" {
		if p.trace, err = outfile.Create(o.Trace, p.begun); err != nil {
			return err
		}
		return trace.Start(p.trace)
	}
	return nil
}

// serve serves profiles at an address.
func (p *profiling) serve(addr string, stdout io.Writer) error {
	p.Handler = profile.New()
	l, err := p.Handler.Listen(addr)
	if err != nil {
		return fmt.Errorf("-pprof: %w", err)
	}
	p.server = p.Handler.Server()
	url := p.Handler.URL(l)
	fmt.Fprintf(stdout, "profiles at %sdebug/pprof/\nlive page at %s\n", url, url)
	go func() { _ = p.server.Serve(l) }() // until stop closes it
	return nil
}

// Stop ends profiling and writes the heap profile.
func (p *profiling) Stop() error {
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

// DefaultHitchDir is where -hitch writes without -hitch-dir.
const DefaultHitchDir = "hitches"

// StartHitch starts the recorder of -hitch, or returns nil without -hitch. late is how long a frame or a step may take. newest
// receives each new hitch, which the picture then shows. Once the recorder is closed,
// *reportErr is the first error in writing a report.
func StartHitch(late time.Duration, dir string, newest *atomic.Pointer[hitch.Report], stdout, stderr io.Writer) (r *hitch.Recorder, reportErr *error, err error) {
	reportErr = new(error)
	if late == 0 {
		return nil, reportErr, nil
	}
	r, err = hitch.Start(hitch.Options{
		Dir: cmp.Or(dir, DefaultHitchDir), Threshold: late,
		OnReport: func(r *hitch.Report, err error) {
			if err != nil {
				words.Complain(stderr, err)
				*reportErr = cmp.Or(*reportErr, err)
				return
			}
			if r.Suppressed > 0 {
				fmt.Fprintf(stdout, "%s\n", LeftOut(r.Suppressed))
			}
			fmt.Fprintf(stdout, "hitch %s\n  %s\n", words.Printable(r.Path()), words.Printable(r.Verdict))
			newest.Store(r)
		},
	})
	return r, reportErr, err
}

// LeftOut says how many hitches were not reported.
func LeftOut(n int) string {
	return fmt.Sprintf("%d more late frames and steps were left out: there is one report in 5 s, unless something is more than twice as late", n)
}
