package scenes

import "sort"

// Category is a group of scenes in the viewer's list.
type Category string

// The categories, in the order of the list.
const (
	Smoothness Category = "Time and smoothing"
	Stacks     Category = "Stacks and piles"
	Machines   Category = "Joints and machines"
	Forces     Category = "Forces and sensors"
	Games      Category = "What games need"
	Sizes      Category = "Far and large"
	Profiling  Category = "Demos for profiling"
)

var categories = []Category{Smoothness, Stacks, Machines, Forces, Games, Sizes, Profiling}

func (c Category) rank() int {
	for i, known := range categories {
		if c == known {
			return i
		}
	}
	return len(categories)
}

// ByCategory sorts scenes by category. Within one, and behind all others if they
// have none, their order stays as it is.
func ByCategory(all []Scene) {
	sort.SliceStable(all, func(i, j int) bool { return all[i].Category.rank() < all[j].Category.rank() })
}
