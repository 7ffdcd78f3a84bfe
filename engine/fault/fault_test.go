package fault

import (
	"strings"
	"testing"
	"time"
)

var invalid = []Fault{{Kind: 9}, {Kind: LateStep, At: 1}, {Delay: time.Second}, {Kind: LateFrame, Delay: -1}}

func TestFaultsAreReadAndWritten(t *testing.T) {
	for text, want := range map[string]Fault{
		"step:50ms@60":    {Kind: LateStep, Delay: 50 * time.Millisecond, At: 60},
		"frame:30ms@100":  {Kind: LateFrame, Delay: 30 * time.Millisecond, At: 100},
		"frame:1m0s@0":    {Kind: LateFrame, Delay: time.Minute},
		"gc@200":          {Kind: ForcedGC, At: 200},
		"step:1.5ms@1":    {Kind: LateStep, Delay: 1500 * time.Microsecond, At: 1},
		"step:0.25s@1000": {Kind: LateStep, Delay: 250 * time.Millisecond, At: 1000},
	} {
		got, err := Parse(text)
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
		if again, err := Parse(got.String()); err != nil || again != got {
			t.Errorf("%s is written as %s, which reads %+v, %v", text, got, again, err)
		}
	}
}

func TestABadFaultIsOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "must be step:DELAY@TICK",
		"step":                    "must be step:DELAY@TICK",
		"step@60":                 "must be step:DELAY@TICK",
		"gc:5ms@60":               "must be step:DELAY@TICK",
		"disk:5ms@60":             "must be step:DELAY@TICK",
		"step:5@60":               `"5" is not a delay`,
		"step:@60":                `"" is not a delay`,
		"step:5ms@":               `"" is not a tick`,
		"step:5ms@-1":             `"-1" is not a tick`,
		"step:5ms@6@7":            `"6@7" is not a tick`,
		"step:5ms@1e3":            `"1e3" is not a tick`,
		"step:5ms@0":              "the first step leads to tick 1",
		"step:-5ms@60":            "is not above 0",
		"frame:0s@60":             "is not above 0",
		"frame:61s@60":            "at most 1m0s",
		"gc@":                     `"" is not a tick`,
		"gc@99999999999999999999": "is not a tick",
	} {
		_, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v; want %s", text, err, want)
		} else if strings.LastIndex(err.Error(), "fault: ") != 0 {
			t.Errorf("%q: %v does not say once, at its beginning, that it is about a fault", text, err)
		}
	}
	for _, f := range invalid {
		if f.Validate() == nil {
			t.Errorf("%+v is valid", f)
		}
	}
}

// A fault that is parsed is valid, and its String is parsed as the same fault.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"step:50ms@60", "frame:30ms@100", "gc@200", "step:1h@1", "frame:-1s@0", "gc@18446744073709551615", "step:@"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Parse(text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: %q", text, err)
			}
			return
		}
		if err := got.Validate(); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if again, err := Parse(got.String()); err != nil || again != got {
			t.Errorf("%q: %v, and again %v: %v", text, got, again, err)
		}
	})
}
