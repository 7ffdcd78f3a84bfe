package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestThePageOfAHitchNamesTheRecordingAndItReplays(t *testing.T) {
	needDisplay(t)
	dir := t.TempDir()
	status, stdout, stderr := viewerRun(t, nil, "-hidden", "-size", "64x64", "-scene", "rain", "-fps", "100", "-ticks", "80",
		"-inject", "step:400ms@60", "-hitch", "250ms", "-hitch-dir", dir, "-black-box", filepath.Join(dir, "boxes"))
	pages, _ := filepath.Glob(filepath.Join(dir, "hitch-*.html"))
	if status != exitOK || len(pages) == 0 {
		t.Fatalf("status %d, %d pages, %s%s", status, len(pages), stdout, stderr)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		said := regexp.MustCompile(`viewer (-replay \S+\.rec)<`).FindStringSubmatch(string(text))
		if said == nil {
			t.Fatal("the page does not say how to replay the last seconds")
		}
		args := append([]string{"-hidden", "-size", "64x64"}, strings.Fields(said[1])...)
		args[len(args)-1] = filepath.Join(dir, args[len(args)-1])
		if status, stdout, stderr := viewerRun(t, nil, args...); status != exitOK || !strings.Contains(stdout, "rain: ") {
			t.Errorf("%v: status %d, %s%s", args, status, stdout, stderr)
		}
	}
}
