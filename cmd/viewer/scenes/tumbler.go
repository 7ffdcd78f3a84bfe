package scenes

func init() {
	Register(bench("tumbler", "1,024 boxes in a box that turns 25 degrees a second",
		View{Y: 10, Height: 32}))
}
