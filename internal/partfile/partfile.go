// Package partfile makes the file that is renamed to another when it is complete.
package partfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
)

// Create makes a new file beside target, whose name begins with target's and ends
// with .part. It never opens a file that is there, nor follows a link: somebody
// else may have put it there to have another file emptied.
func Create(target string, mode fs.FileMode) (f *os.File, err error) {
	for range 100 {
		part := fmt.Sprintf("%s.%08x.part", target, rand.Uint32())
		f, err = os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return f, err
}
