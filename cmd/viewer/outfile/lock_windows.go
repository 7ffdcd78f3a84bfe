package outfile

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockedByOther locks a file for as long as it is open. It returns true if another program has locked
// it. It locks only a byte beyond the end of any file, so that other programs can read the file.
func lockedByOther(f *os.File) bool {
	at := &windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
	return errors.Is(err, windows.ERROR_LOCK_VIOLATION)
}
