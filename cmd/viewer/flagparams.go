package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/scenes"
)

// paramValue returns a parser that reads NAME=VALUE and adds the value to the map *to.
func paramValue(to *map[string]float64) func(string) error {
	return func(s string) error {
		name, value, ok := strings.Cut(s, "=")
		x, err := strconv.ParseFloat(value, 64)
		if !ok || name == "" || err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return errors.New("must be NAME=VALUE, such as speed=2.5")
		}
		if *to == nil {
			*to = map[string]float64{}
		}
		if len(*to) == maxListed {
			return fmt.Errorf("more than %d parameters", maxListed)
		}
		(*to)[name] = x
		return nil
	}
}

// checkParams returns an error for a parameter that the scene does not have. It rounds the values
// to those that the scene allows.
func (o *Options) checkParams() error {
	if len(o.Params) == 0 {
		return nil
	}
	if o.Replay != "" || o.File != "" {
		return errors.New("-param: only built-in scenes have parameters, and a replay has those of its recording")
	}
	s, _ := scenes.Lookup(o.Scene)
	if len(s.Params) == 0 {
		return fmt.Errorf("-param: scene %s has no parameters", o.Scene)
	}
	for name, x := range o.Params {
		at := slices.IndexFunc(s.Params, func(p scenes.Param) bool { return p.Name == name })
		if at < 0 {
			var names []string
			for _, p := range s.Params {
				names = append(names, p.Name)
			}
			return fmt.Errorf("-param: scene %s has no parameter %s; it has %s", o.Scene, words.Quoted(name), strings.Join(names, ", "))
		}
		p := &s.Params[at]
		if x < p.Min || x > p.Max {
			return fmt.Errorf("-param %s=%v: must be from %v to %v", name, x, p.Min, p.Max)
		}
		o.Params[name] = p.Fix(x)
	}
	return nil
}
