package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"runtime"
	rpprof "runtime/pprof"
	"runtime/trace"
)

// profile is what of profiling is under way.
type profile struct {
	server  *http.Server
	cpu     *os.File
	trace   *os.File
	memPath string
}

// startProfile starts what the flags ask for. A file that can not be made or
// an address that is taken ends the program before it has begun.
func startProfile(o *Options, stdout io.Writer) (*profile, error) {
	p := &profile{}
	if err := p.start(o, stdout); err != nil {
		p.stop()
		return nil, err
	}
	p.memPath = o.MemProfile
	return p, nil
}

func (p *profile) start(o *Options, stdout io.Writer) (err error) {
	if o.PprofAddr != "" {
		if err := p.serve(o.PprofAddr, stdout); err != nil {
			return err
		}
	}
	if o.CPUProfile != "" {
		if p.cpu, err = os.Create(o.CPUProfile); err != nil {
			return err
		}
		if err := rpprof.StartCPUProfile(p.cpu); err != nil {
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

// serve answers profile requests at an address. The handlers are on a mux of
// their own.
func (p *profile) serve(addr string, stdout io.Writer) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("-pprof: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	p.server = &http.Server{Handler: mux}
	fmt.Fprintf(stdout, "profiles at http://%s/debug/pprof/\n", l.Addr())
	go p.server.Serve(l)
	return nil
}

// stop ends all of it and writes what is written at the end.
func (p *profile) stop() error {
	var errs []error
	if p.cpu != nil {
		rpprof.StopCPUProfile()
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
	err = rpprof.Lookup("heap").WriteTo(f, 0)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
