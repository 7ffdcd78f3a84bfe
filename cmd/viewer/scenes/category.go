package scenes

import "slices"

// Category is a group of scenes in the viewer's list.
type Category string

// The categories are in the order of the list.
const (
	Smoothness Category = "Time and smoothing"
	Stacks     Category = "Stacks and piles"
	Machines   Category = "Joints and machines"
	Forces     Category = "Forces and sensors"
	Games      Category = "For games"
	Sizes      Category = "Far and large"
	Profiling  Category = "Demos for profiling"
)

var categories = []Category{Smoothness, Stacks, Machines, Forces, Games, Sizes, Profiling}

// ByCategory sorts scenes by category. In one category it keeps the order of
// the scenes. Scenes without a category come last.
func ByCategory(all []Scene) {
	rank := func(s *Scene) int {
		if i := slices.Index(categories, s.Category); i >= 0 {
			return i
		}
		return len(categories)
	}
	slices.SortStableFunc(all, func(a, b Scene) int { return rank(&a) - rank(&b) })
}
