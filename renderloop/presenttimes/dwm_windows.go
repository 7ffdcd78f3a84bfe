package presenttimes

import (
	"fmt"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"halfstep/internal/monotime"
)

var (
	dwmapi     = windows.NewLazySystemDLL("dwmapi.dll")
	timingInfo = dwmapi.NewProc("DwmGetCompositionTimingInfo")

	kernel32  = windows.NewLazySystemDLL("kernel32.dll")
	counter   = kernel32.NewProc("QueryPerformanceCounter")
	frequency = kernel32.NewProc("QueryPerformanceFrequency")
)

// dwmTiming is DWM_TIMING_INFO. That struct is packed, so each 64-bit number has two
// words here.
type dwmTiming struct {
	size          uint32
	_             [2]uint32 // rateRefresh
	refreshPeriod [2]uint32 // in ticks of the performance counter
	_             [2]uint32 // rateCompose
	verticalBlank [2]uint32 // time of the last vertical blank, in the same ticks
	_             [64]uint32
}

func joined(v [2]uint32) int64 { return int64(v[1])<<32 | int64(v[0]) }

// OpenWindows returns a Source for windows that DWM composes. Its error wraps ErrNone
// if DWM does not report times.
func OpenWindows() (Source, error) {
	if err := timingInfo.Find(); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrNone, err)
	}
	var perSecond int64
	if r, _, _ := frequency.Call(uintptr(unsafe.Pointer(&perSecond))); r == 0 || perSecond <= 0 {
		return nil, fmt.Errorf("%w: no performance counter", ErrNone)
	}
	d := &dwm{perSecond: perSecond}
	g := &grid{name: "DWM", refresh: d.refresh, now: monotime.Now}
	if _, _, ok := d.refresh(); !ok {
		return nil, fmt.Errorf("%w: DWM does not compose", ErrNone)
	}
	return g, nil
}

type dwm struct {
	perSecond int64 // ticks
	info      dwmTiming
	ticks     int64
}

func (d *dwm) refresh() (at time.Time, period time.Duration, ok bool) {
	d.info.size = uint32(unsafe.Sizeof(d.info))
	if failed, _, _ := timingInfo.Call(0, uintptr(unsafe.Pointer(&d.info))); failed != 0 {
		return at, 0, false
	}
	now := monotime.Now()
	if r, _, _ := counter.Call(uintptr(unsafe.Pointer(&d.ticks))); r == 0 {
		return at, 0, false
	}
	nanos := func(ticks int64) time.Duration { return time.Duration(float64(ticks) * 1e9 / float64(d.perSecond)) }
	return now.Add(nanos(joined(d.info.verticalBlank) - d.ticks)), nanos(joined(d.info.refreshPeriod)), true
}
