package words

import (
	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/renderloop"
	"halfstep/world"
)

// Plain describes names in plain words, for a user who rests the pointer on a name.
var Plain = map[string]string{
	"same": "the right half is like the left one",

	body2d.Interpolate.String(): "a body is shown between its last two steps",
	body2d.Newest.String():      "a body is shown where the last step left it: it jumps",
	body2d.Extrapolate.String(): "a body is shown ahead of its last step, by its velocity",
	body2d.Hermite.String():     "a body is shown on a curve through its last two steps",

	renderloop.Pipelined.String(): "a picture shows the frame before, and never waits",
	renderloop.Lockstep.String():  "a picture waits for the step of its frame",
	renderloop.RunAhead.String():  "a picture shows the instant at which it is seen",

	world.FastStep.String(): "the library's results to the bit, and quicker",
	world.SoftStep.String(): "soft contacts in sub-steps: high stacks stand",

	"revolute":  "a hinge: the bodies turn about where the drag ends",
	"weld":      "holds the bodies together where the drag ends",
	"prismatic": "a slider: the bodies move along the drag",
	"wheel":     "turns about where the drag ends, on a spring",
	"distance":  "a rod between the ends of the drag",
	"spring":    "a rod that gives and springs back",
	"rope":      "keeps the ends of the drag from moving further apart",

	"engine":     "the engine's own loop: steps beside the drawing",
	"single":     "the loop of the articles: steps, then the drawing",
	"fixed":      "one step in each frame, however long that was",
	"variable":   "one step in each frame, as long as the frame",
	"semi-fixed": "the frame cut into steps of unequal length",
	"free":       "steps of equal length, and no blending between them",
	"naive":      "physics with a timer of its own: bodies jump back",

	"joints":                     "where bodies are joined, and how",
	"bounding boxes":             "the upright boxes by which pairs of shapes are found",
	"contacts and impulses":      "where bodies touch, and how hard",
	"centres and axes":           "the centre of mass of each body, and which way it is turned",
	"previous and current state": "the last two steps, between which the picture lies",
	"dim sleeping bodies":        "bodies that rest and take no time are darker",
	"grid":                       "lines of the coordinates, in metres",
	"names":                      "the names of bodies, where there is room",
	"velocities":                 "how fast bodies are, and which way they go",
	"normals of shapes":          "which way the sides of shapes face",
	"islands":                    "bodies of one colour touch and fall asleep together",
	"fast bodies":                "bodies that are swept along their way, so that they pass through nothing",
	"colours of the soft step":   "contacts of one colour are solved side by side",
	"what the program draws":     "points, lines and texts of the scene's own code",

	phase.Acquire.String():     "takes the newest states from physics",
	phase.Events.String():      "tells what has happened",
	phase.Upload.String():      "sends what has changed to the graphics card",
	phase.Draw.String():        "draws the bodies",
	phase.HUD.String():         "draws texts and controls",
	phase.Swap.String():        "hands the picture to the display, or waits for it",
	phase.Commands.String():    "does what was asked for",
	phase.Controllers.String(): "calls what pushes bodies before a step",
	phase.Step.String():        "moves the bodies",
	phase.Contacts.String():    "tells who touches whom",
	phase.Capture.String():     "copies the states of bodies",
	phase.Publish.String():     "hands them to the frames",
	phase.Other.String():       "all the rest",
}
