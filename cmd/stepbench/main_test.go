package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"
)

func TestStockAndFastPrintTheSameHash(t *testing.T) {
	var hashes []any
	for _, args := range [][]string{
		{"-scene", "fall60", "-steps", "30", "-stepper", "stock"},
		{"-scene", "fall60", "-steps", "30", "-stepper", "fast", "-workers", "1"},
		{"-scene", "fall60", "-steps", "20", "-warmup", "10", "-workers", "2"},
	} {
		var out bytes.Buffer
		if err := run(args, &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		var line map[string]any
		if err := json.Unmarshal(out.Bytes(), &line); err != nil {
			t.Fatalf("%v in %q", err, out.String())
		}
		for _, key := range []string{"engine", "scene", "steps", "cpu_ms", "median_ms", "p99_ms", "sum_y", "max_overlap", "moving", "allocs_per_step", "bytes_per_step", "state_hash"} {
			if _, ok := line[key]; !ok {
				t.Errorf("no %s in %s", key, out.String())
			}
		}
		hashes = append(hashes, line["state_hash"])
	}
	if hashes[0] != hashes[1] || hashes[0] != hashes[2] {
		t.Errorf("hashes differ: %v", hashes)
	}
}

func TestTheSoftStepperHasOneHashAndLittleOverlap(t *testing.T) {
	var first string
	for _, workers := range []string{"1", "2"} {
		var out bytes.Buffer
		if err := run([]string{"-scene", "fall60", "-steps", "200", "-stepper", "soft", "-workers", workers}, &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		var r result
		if err := json.Unmarshal(out.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = r.StateHash
		}
		if r.StateHash != first {
			t.Errorf("%s workers: hash %s, one has %s", workers, r.StateHash, first)
		}
		if r.MaxOverlap <= 0 || r.MaxOverlap > 0.02 || r.Moving > 0 {
			t.Errorf("shapes overlap by %v m, %d bodies move", r.MaxOverlap, r.Moving)
		}
	}
}

func TestTheScenesOfBox2DV3AreMeasuredWithEachStepper(t *testing.T) {
	for _, stepper := range []string{"soft", "fast"} {
		var out bytes.Buffer
		if err := run([]string{"-scene", "v3/tumbler", "-steps", "3", "-warmup", "1", "-stepper", stepper}, &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		var r result
		if err := json.Unmarshal(out.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if r.Steps != 3 || r.Moving != 2025 || r.Contacts == 0 || r.Outside != 0 || r.StateHash == "" {
			t.Errorf("%s", out.String())
		}
	}
}

func TestBadUsageIsToldFromFailure(t *testing.T) {
	for _, args := range [][]string{{"-scene", "nothing"}, {"-stepper", "slow"}, {"-steps", "-1"}, {"-scene", "v3/snow"}, {"-workers", "-1"}, {"-substeps", "0"}, {"-nonsense"},
		{"fall60"}, {"-scene", "fall60", "-substeps", "3"}, {"-scene", "fall60", "-pick"}, {"-scene", "asleep300", "-warmup", "3"}, {"-scene", "asleep300", "-nocontinuous"}, {"-scene", "v3/tumbler", "-stepper", "soft", "-substeps", "3"}} {
		var usage usageError
		if err := run(args, io.Discard, io.Discard); !errors.As(err, &usage) {
			t.Errorf("%v: %v is no usage error", args, err)
		}
	}
}

func TestAWorldThatSleepsIsMeasuredWithRollbackAndQuestions(t *testing.T) {
	for _, args := range [][]string{
		{"-scene", "asleep300", "-steps", "10", "-stepper", "soft", "-rollback", "8"},
		{"-scene", "asleep300", "-steps", "10", "-stepper", "fast", "-pick"},
	} {
		var out bytes.Buffer
		if err := run(args, &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		var r asleepResult
		if err := json.Unmarshal(out.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if r.Awake != awakeBoxes || r.CPUMs <= 0 || r.MakeMs <= 0 || r.BytesPerBody < 1000 || r.Pick != (r.FirstPickMs > 0) || r.Pick == (r.Rollback == 8) {
			t.Errorf("%v: %s", args, out.String())
		}
	}
	for _, args := range [][]string{{"-scene", "asleep0"}, {"-scene", "asleepx"}, {"-scene", "pyramid", "-pick"}, {"-scene", "asleep20000", "-stepper", "stock"}} {
		var usage usageError
		if err := run(args, io.Discard, io.Discard); !errors.As(err, &usage) {
			t.Errorf("%v: %v", args, err)
		}
	}
}
