//go:build !unix && !windows

package outfile

import "os"

// lockedByOther returns false, because no other program uses the files of a page in a
// browser.
func lockedByOther(*os.File) bool { return false }
