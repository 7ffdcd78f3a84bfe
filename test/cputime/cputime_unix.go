//go:build unix

// Package cputime measures the processor time of the process.
package cputime

import (
	"syscall"
	"time"
)

// Used is the processor time that the process has used.
func Used() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
