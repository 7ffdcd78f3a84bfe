//go:build unix

package outfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockedByOther locks a file for as long as it is open. It returns true if another program has locked
// it. On a file system without locks it does nothing.
func lockedByOther(f *os.File) bool {
	return errors.Is(unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB), unix.EWOULDBLOCK)
}
