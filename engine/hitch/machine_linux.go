package hitch

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// jiffy is the unit of /proc/stat, ns.
const jiffy = 1e7

// readMachine reads from /proc how the processors were used. This takes some tens of
// microseconds.
func readMachine() (m machine) {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return m
	}
	line, _, _ := strings.Cut(string(stat), "\n")
	// user nice system idle iowait irq softirq steal; the time of guests is part of user and
	// nice
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
		// the time on a processor, and the time of the wait for one
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
