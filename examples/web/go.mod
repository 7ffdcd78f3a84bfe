module halfstep/examples/web

go 1.26.0

require halfstep v0.0.0

require (
	github.com/ByteArena/box2d v1.0.2 // indirect
	github.com/go-gl/mathgl v1.2.0 // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace halfstep => ../..
