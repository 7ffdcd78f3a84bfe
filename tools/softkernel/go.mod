// The generator of the soft stepper's kernel: apart from go.mod, so that nobody
// who imports the project gets to see what it needs.
module halfstep/tools/softkernel

go 1.26.0

require github.com/mmcloughlin/avo v0.6.0

require (
	golang.org/x/mod v0.41.0 // indirect
	golang.org/x/sync v0.23.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
)
