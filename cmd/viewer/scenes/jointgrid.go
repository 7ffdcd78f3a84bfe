package scenes

func init() {
	Register(bench("jointgrid", "a net of 20 by 20 circles held by revolute joints",
		View{X: 9.5, Y: -12, Height: 40}))
}
