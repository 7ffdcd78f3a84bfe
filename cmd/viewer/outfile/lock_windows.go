package outfile

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockedByOther locks a file for as long as the file is open. It returns true if another program has
// locked the file. It locks only one byte beyond the end of any file, so that other programs can read
// the file.
func lockedByOther(f *os.File) bool {
	at := &windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
	return errors.Is(err, windows.ERROR_LOCK_VIOLATION)
}
