//go:build !unix && !windows

package outfile

import "os"

// lockedByOther reports false: a page in a browser has its files for itself.
func lockedByOther(*os.File) bool { return false }
