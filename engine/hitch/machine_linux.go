package hitch

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// jiffy is the unit of times in /proc/stat, in ns.
const jiffy = 1e7

// readMachine reads a machine from /proc. It takes some tens of microseconds.
func readMachine() (m machine) {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return m
	}
	line, _, _ := strings.Cut(string(stat), "\n")
	// The fields are user, nice, system, idle, iowait, irq, softirq and steal.
	for i, field := range strings.Fields(line) {
		n, err := strconv.ParseInt(field, 10, 64)
		if i == 0 || i > 8 || err != nil {
			continue
		}
		if i == 4 || i == 5 {
			m.idle += n * jiffy
		} else {
			m.busy += n * jiffy
		}
	}
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) == nil {
		m.kernel = r.Stime.Nano()
		m.own = r.Utime.Nano() + m.kernel
		m.faults = int64(r.Minflt + r.Majflt)
	}
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return m
	}
	for _, t := range threads {
		// the first two numbers are the time on a processor and the time of waits for a processor
		text, err := os.ReadFile("/proc/self/task/" + t.Name() + "/schedstat")
		if err != nil {
			continue // the thread has ended
		}
		if f := strings.Fields(string(text)); len(f) == 3 {
			n, _ := strconv.ParseInt(f[1], 10, 64)
			m.waited += n
		}
	}
	return m
}
