package scenes

func init() {
	Register(bench("pyramid", "820 unit boxes in a pyramid with a base of 40",
		View{Y: 19, Height: 46}))
}
