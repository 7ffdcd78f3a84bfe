package files

import (
	"cmp"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"halfstep/cmd/viewer/internal/words"
	"halfstep/engine/hitch"
)

// DefaultHitchDir is the folder that -hitch uses without -hitch-dir.
const DefaultHitchDir = "hitches"

// StartHitch starts the recorder of -hitch. Without -hitch it returns nil. The parameter late is how long a
// frame or a step may take. Each new hitch is stored in newest, so that the picture can show it. After the
// recorder is closed, *reportErr is the first error in writing a report.
func StartHitch(late time.Duration, dir string, newest *atomic.Pointer[hitch.Report], stdout, stderr io.Writer) (r *hitch.Recorder, reportErr *error, err error) {
	reportErr = new(error)
	if late == 0 {
		return nil, reportErr, nil
	}
	r, err = hitch.Start(hitch.Options{
		Dir: cmp.Or(dir, DefaultHitchDir), Threshold: late,
		OnReport: func(r *hitch.Report, err error) {
			if err != nil {
				words.Complain(stderr, err)
				*reportErr = cmp.Or(*reportErr, err)
				return
			}
			if r.Suppressed > 0 {
				fmt.Fprintf(stdout, "%s\n", LeftOut(r.Suppressed))
			}
			fmt.Fprintf(stdout, "hitch %s\n  %s\n", words.Printable(r.Path()), words.Printable(r.Verdict))
			newest.Store(r)
		},
	})
	return r, reportErr, err
}

// LeftOut returns a message about n hitches without a report, or "" if n is 0.
func LeftOut(n int) string {
	return fmt.Sprintf("%d more late frames and steps were left out: there is one report in 5 s, unless something is more than twice as late", n)
}
