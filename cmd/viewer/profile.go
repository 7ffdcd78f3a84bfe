package main

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"runtime/pprof"
	"runtime/trace"

	"halfstep/engine/profile"
)

// profiling is what of profiling is under way.
type profiling struct {
	server  *http.Server
	handler *profile.Handler // or nil
	cpu     *stream
	trace   *stream
	memPath string
}

// startProfile starts what the flags ask for. A file that can not be made or
// an address that is taken ends the program before it has begun.
func startProfile(o *Options, stdout io.Writer) (*profiling, error) {
	p := &profiling{}
	if err := p.start(o, stdout); err != nil {
		_ = p.stop() // the first error is the one to show
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
		if p.cpu, err = newStream(o.CPUProfile); err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(p.cpu); err != nil {
			return err
		}
	}
	if o.ExecutionTrace != "" {
		if p.trace, err = newStream(o.ExecutionTrace); err != nil {
			return err
		}
		return trace.Start(p.trace)
	}
	return nil
}

// serve answers profile requests at an address.
func (p *profiling) serve(addr string, stdout io.Writer) error {
	l, err := profile.Listen(addr)
	if err != nil {
		return fmt.Errorf("-pprof: %w", err)
	}
	p.handler = profile.New()
	if err := p.handler.AllowHost(addr); err != nil {
		return fmt.Errorf("-pprof: %w", err)
	}
	p.server = p.handler.Server()
	fmt.Fprintf(stdout, "profiles at %s\n", profile.URL(l))
	go func() { _ = p.server.Serve(l) }() // until stop closes it
	return nil
}

// stop ends all of it and writes what is written at the end.
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
	if p.memPath != "" {
		errs = append(errs, writeHeap(p.memPath))
	}
	if p.server != nil {
		errs = append(errs, p.server.Close())
	}
	return cmp.Or(errs...)
}

func writeHeap(path string) error {
	runtime.GC() // what is in use is known only after a collection
	return writeWhole(path, func(w io.Writer) error { return pprof.Lookup("heap").WriteTo(w, 0) })
}
