//go:build !linux

package engine_test

import "time"

func rest(d time.Duration) { time.Sleep(d) }
