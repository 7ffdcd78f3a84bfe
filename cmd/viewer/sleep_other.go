//go:build !linux

package main

import "time"

// oversleep is how late sleep usually is.
const oversleep = time.Millisecond

func sleep(d time.Duration) { time.Sleep(d) }
