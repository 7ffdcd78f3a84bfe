//go:build unix

package outfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockedByOther locks a file for as long as it is open, or reports that another program
// has. A file system without locks has none.
func lockedByOther(f *os.File) bool {
	return errors.Is(unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB), unix.EWOULDBLOCK)
}
