//go:build !cgo

package main

import "errors"

// Without cgo there is no window.
func canDraw() bool { return false }

func draw(options) error { return errors.New("this build can not draw (CGO_ENABLED=0)") }
