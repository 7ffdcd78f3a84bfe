package outfile

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockedByOther locks a byte that no file reaches, for as long as the file is open, or
// reports that another program has. The others may be read meanwhile.
func lockedByOther(f *os.File) bool {
	at := &windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
	return errors.Is(err, windows.ERROR_LOCK_VIOLATION)
}
