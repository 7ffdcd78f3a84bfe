package world

import "halfstep/internal/query"

// QueryFilter says which shapes a question is about. The zero QueryFilter asks
// about all that are solid, of bodies that are not disabled.
type QueryFilter struct {
	// Mask is the categories of shapes that are found; 0 stands for all.
	Mask uint16
	// Category is whose question it is: shapes without it in their own mask are
	// left out, as they would not collide with it. 0 leaves out none.
	Category uint16
	Sensors  bool // find sensors too
	Disabled bool // find shapes of disabled bodies too
	Ignore   Body // a body that is not found, such as the one that asks
}

func (f *QueryFilter) asked() query.Filter {
	return query.Filter{
		Category: f.Category, Mask: f.Mask, Sensors: f.Sensors, Disabled: f.Disabled, Ignore: uint64(f.Ignore),
	}
}
