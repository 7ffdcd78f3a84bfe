package world

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/ByteArena/box2d"

	"halfstep/internal/binenc"
	"halfstep/internal/box/b2state"
)

// leftOut are fields of records that do not influence later steps. They are numbers of restores, and identifiers for
// pictures and structure records.
var leftOut = []string{"seen", "looks", "generation", "id", "jump"}

// Difference compares the snapshots of two runs of one world at the same tick. It describes the first
// value that differs, with the value in s and the value in other. It compares bodies in order of
// creation, then shapes, contacts, joints and user code. It returns "" if the snapshots have the same
// bits.
func (s *Snapshot) Difference(other *Snapshot) string {
	all, others := s.listed(), other.listed()
	if d := bodyDifference(all.bodies, others.bodies); d != "" {
		return d
	}
	if d := s.b2.Difference(&other.b2); d != nil {
		return s.told(d)
	}
	if d := s.userDifference(other); d != "" {
		return d
	}
	if s.Stepper() == SoftStep { // with SoftStep, contacts and impulses of joints are outside Box2D's objects
		if d, differs := (&binenc.Comparison{Skip: leftOut}).Difference(s.soft.Values(&s.b2), other.soft.Values(&other.b2)); differs {
			return differed("the soft stepper", d.Path, d.Before, d.After)
		}
	}
	for _, part := range []struct {
		of   string
		a, b any
	}{
		{"the world", &s.saved, &other.saved},
		{"a body", &all.bodies, &others.bodies}, {"a shape", &all.shapes, &others.shapes}, {"a joint", &all.joints, &others.joints},
		{"a force", &s.loaded, &other.loaded},
		{"an event", &s.events, &other.events}, {"the handles", &s.made, &other.made},
		{"controllers and hooks", &s.control, &other.control},
	} {
		if d, differs := binenc.Difference(part.a, part.b, leftOut...); differs {
			return differed(part.of, d.Path, d.Before, d.After)
		}
	}
	for i := range all.bodies { // slots without a body have no influence
		a, b := &all.bodies[i].value, &others.bodies[i].value
		was, is := s.slot(int(a.slot)), other.slot(int(b.slot))
		if d, differs := binenc.Difference(&was, &is, leftOut...); differs {
			return differed(calledIn(a), d.Path, d.Before, d.After)
		}
	}
	return ""
}

// bodyDifference names the first body that only one of the two snapshots has.
func bodyDifference(bodies, others []kept[body]) string {
	for i := range bodies {
		a, rest := &bodies[i].value, others[min(i, len(others)):]
		switch slices.IndexFunc(rest, func(o kept[body]) bool { return o.value.handle == a.handle }) {
		case 0:
		case -1:
			return differed(calledIn(a), "existence", true, false)
		default: // the first body of others is older, and bodies lacks it
			return differed(calledIn(&rest[0].value), "existence", false, true)
		}
	}
	if n := len(bodies); n < len(others) {
		return differed(calledIn(&others[n].value), "existence", false, true)
	}
	return ""
}

// userDifference compares the states of each Stateful. It ignores different numbers of states, which Difference finds
// later.
func (s *Snapshot) userDifference(other *Snapshot) string {
	if bytes.Equal(s.user, other.user) && slices.Equal(s.userEnds, other.userEnds) || len(s.userEnds) != len(other.userEnds) {
		return ""
	}
	from, i := [2]int{}, 0
	for st := range s.stateful {
		a, b := s.user[from[0]:s.userEnds[i]], other.user[from[1]:other.userEnds[i]]
		from = [2]int{s.userEnds[i], other.userEnds[i]}
		if i++; !bytes.Equal(a, b) {
			return differed(fmt.Sprintf("what a %T keeps", st), "bytes", fmt.Sprintf("%x", a), fmt.Sprintf("%x", b))
		}
	}
	return ""
}

// calledIn returns the name of a body for messages.
func calledIn(r *body) string {
	if r.name == "" {
		return r.handle.String()
	}
	return fmt.Sprintf("%v (%q)", r.handle, r.name)
}

// differed describes a value that is different in the two snapshots.
func differed(of, value string, was, is any) string {
	return fmt.Sprintf("%s: %s was %v and is %v", of, strings.Trim(strings.ReplaceAll(value, "M_", ""), ". "), was, is)
}

// bodyValues has the names of a body's fields, as in private.FirstDifference. Messages call other fields by their paths.
var bodyValues = map[string]string{
	".M_xf.P.X": valueNames[0], ".M_xf.P.Y": valueNames[1], ".M_sweep.A": valueNames[2],
	".M_linearVelocity.X": valueNames[3], ".M_linearVelocity.Y": valueNames[4], ".M_angularVelocity": valueNames[5],
	".M_sleepTime": "sleep time",
}

// told describes in words a difference between Box2D's objects.
func (s *Snapshot) told(d *b2state.Difference) string {
	value := d.Path
	if name := bodyValues[value]; d.Of == "body" && name != "" {
		value = name
	}
	of := "the " + d.Of
	switch a, b := s.called(d.A), s.called(d.B); {
	case d.Of == "body" && a != "":
		of = a
	case b != "":
		of = fmt.Sprintf("the %s of %s and %s", d.Of, a, b)
	case a != "":
		of = fmt.Sprintf("the %s of %s", d.Of, a)
	}
	return differed(of, value, d.Before, d.After)
}

// called returns the name of one of Box2D's bodies for messages.
func (s *Snapshot) called(b *box2d.B2Body) string {
	for _, r := range s.listed().bodies {
		if r.value.b == b && b != nil {
			return calledIn(&r.value)
		}
	}
	return ""
}
