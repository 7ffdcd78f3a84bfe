package glrender

import "halfstep/buffer/body2d"

// DefaultLayers are the layers of an ordinary picture. A [Renderer] can also draw
// body2d.GhostsLayer; a [draw.Painter] draws the other layers over the picture.
const DefaultLayers = body2d.JointsLayer | body2d.SleepLayer | body2d.GridLayer
