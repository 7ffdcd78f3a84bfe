package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"runtime/pprof"
	"runtime/trace"

	"halfstep/engine/profile"
)

// profiling is what of profiling is under way.
type profiling struct {
	server  *http.Server
	handler *profile.Handler // or nil
	cpu     *os.File
	trace   *os.File
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
		if p.cpu, err = os.Create(o.CPUProfile); err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(p.cpu); err != nil {
			return err
		}
	}
	if o.ExecutionTrace != "" {
		if p.trace, err = os.Create(o.ExecutionTrace); err != nil {
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
	p.server = &http.Server{Handler: p.handler}
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
	return errors.Join(errs...)
}

func writeHeap(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	runtime.GC() // what is in use is known only after a collection
	err = pprof.Lookup("heap").WriteTo(f, 0)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
