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

	"halfstep/cmd/viewer/outfile"
	"halfstep/engine/profile"
)

// profiling is the state of the flags -pprof, -cpuprofile, -memprofile and -trace.
type profiling struct {
	server  *http.Server
	Handler *profile.Handler // may be nil
	cpu     *outfile.Stream
	trace   *outfile.Stream
	memPath string
	begun   *atomic.Bool // begun says that the run has begun. Before that no existing file is replaced.
}

// Profiles are an address at which profiles can be downloaded, and the files to which profiles are
// written. Each may be "".
type Profiles struct{ Addr, CPU, Memory, Trace string }

// StartProfile starts the profiles that the flags ask for. It returns an error if a file cannot be
// made or the address is in use.
func StartProfile(o Profiles, begun *atomic.Bool, stdout io.Writer) (*profiling, error) {
	p := &profiling{begun: begun}
	if err := p.start(&o, stdout); err != nil {
		_ = p.Stop() // the first error matters
		return nil, err
	}
	p.memPath = o.Memory // set the path only now, because Stop would write the file
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

// serve makes profiles available at an address.
func (p *profiling) serve(addr string, stdout io.Writer) error {
	p.Handler = profile.New()
	l, err := p.Handler.Listen(addr)
	if err != nil {
		return fmt.Errorf("-pprof: %w", err)
	}
	p.server = p.Handler.Server()
	url := p.Handler.URL(l)
	fmt.Fprintf(stdout, "profiles at %sdebug/pprof/\nlive page at %s\n", url, url)
	go func() { _ = p.server.Serve(l) }() // until Stop closes it
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
	runtime.GC() // the profile shows the heap after the last collection
	return outfile.Replace(path, func(w io.Writer) error { return pprof.Lookup("heap").WriteTo(w, 0) })
}
