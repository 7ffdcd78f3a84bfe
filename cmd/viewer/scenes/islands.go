package scenes

func init() {
	Register(bench("islands", "200 separate piles of 25 boxes",
		View{Y: 5, Height: 28}))
}
