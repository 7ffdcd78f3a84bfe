package rube_test

import (
	"fmt"

	"halfstep/engine"
	"halfstep/engine/rube"
)

const crate = `{
	"gravity": {"x": 0, "y": -10},
	"body": [{
		"name": "crate", "type": 2, "awake": true, "position": {"x": 0, "y": 3},
		"fixture": [{"density": 1, "circle": {"center": 0, "radius": 0.5}}]
	}]
}`

func ExampleParse() {
	scene, err := rube.Parse("crate.json", []byte(crate))
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := engine.New(engine.Config{World: scene.World, Setup: scene.Build})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	e.Step(30)
	b, ok := e.Find("crate")
	p, _ := e.Pose(b)
	fmt.Printf("%v, y = %.2f m\n", ok, p.Y)
	// Output: true, y = 1.71 m
}

// A scene that cannot be built is refused with an error of one line, which names the
// place in the file.
func ExampleParse_refused() {
	_, err := rube.Parse("crate.json", []byte(`{"body": [{"type": 7}]}`))
	fmt.Println(err)
	// Output: crate.json: body 0: type 7: not a whole number from 0 to 2
}
