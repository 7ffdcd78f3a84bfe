package play

import (
	"fmt"
	"strconv"
	"strings"

	"halfstep/cmd/viewer/internal/words"
	"halfstep/world"
)

// Tracked is a body of -track. In every frame -log writes its position. The position of the first such body is
// also written for -plot, and compared between the halves.
type Tracked struct {
	Label string // Label is the body's name, or # and its slot.
	Body  world.Body
}

// track finds the bodies with the given names. The name "#3" means the body in slot 3. Without
// names it finds the body that the scene prefers, or else the first dynamic body. A missing body is
// left out. If needsAll is true, a missing body is an error.
func track(p *Player, names []string, preferred string, needsAll bool) (list []Tracked, err error) {
	v := p.View()
	if len(names) == 0 && preferred != "" {
		if b, ok := findBody(p, preferred); ok {
			return []Tracked{{words.Printable(preferred), b}}, nil
		}
	}
	for _, name := range names {
		if b, ok := findBody(p, name); ok {
			list = append(list, Tracked{words.Printable(name), b})
		} else if needsAll {
			return nil, fmt.Errorf("-track: no body %s; there are %s", words.Quoted(name), bodyNames(v))
		}
	}
	for i := range v.Scene.Bodies {
		if b := &v.Scene.Bodies[i]; len(names) == 0 && b.Exists && world.BodyKind(b.Type) == world.Dynamic {
			return []Tracked{{label(v, i), world.Body(b.Handle)}}, nil
		}
	}
	return list, nil
}

// findBody finds a body by its name, or by # and its slot.
func findBody(p *Player, name string) (world.Body, bool) {
	if b, ok := p.Find(name); ok {
		return b, true
	}
	if digits, ok := strings.CutPrefix(name, "#"); ok {
		bodies := p.View().Scene.Bodies
		if slot, err := strconv.Atoi(digits); err == nil && slot >= 0 && slot < len(bodies) && bodies[slot].Exists {
			return world.Body(bodies[slot].Handle), true
		}
	}
	return 0, false
}

// bodyNames lists the bodies that can be tracked, in one short line.
func bodyNames(v *View) string {
	const most = 12
	var names []string
	bodies, named := 0, 0
	seen := map[string]bool{}
	for i := range v.Scene.Bodies {
		b := &v.Scene.Bodies[i]
		if !b.Exists {
			continue
		}
		bodies++
		if b.Name != "" && !seen[b.Name] {
			seen[b.Name] = true
			if named++; named <= most {
				names = append(names, words.Quoted(b.Name))
			}
		}
	}
	switch {
	case bodies == 0:
		return "no bodies"
	case named == 0:
		return fmt.Sprintf("%d bodies without names, from #0 on", bodies)
	case named > most:
		return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), named-most)
	}
	return strings.Join(names, ", ")
}
