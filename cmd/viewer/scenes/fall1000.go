package scenes

func init() {
	Register(bench("fall1000", "1,000 half-metre boxes falling into a container",
		View{Y: 12, Height: 30}))
}
