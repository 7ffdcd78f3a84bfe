package scenes

func init() {
	Register(bench("fall5000", "5,000 half-metre boxes falling into a container",
		View{Y: 19, Height: 46}))
}
