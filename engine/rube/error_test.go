package rube

import (
	"errors"
	"strings"
	"testing"
)

func TestBrokenFileGetsOneLineWithPlaceAndReason(t *testing.T) {
	shape := func(s string) string { return `{"body":[{},{"name":"wheel","type":2,"fixture":[{` + s + `}]}]}` }
	joint := func(s string) string {
		return `{"body":[{},{"type":2}],"joint":[{"type":"revolute","bodyB":1},{"bodyB":1,` + s + `}]}`
	}
	const list9 = `[0,1,2,3,4,5,6,7,8]`
	for _, c := range []struct{ data, want string }{
		{`{"body":[{"type":2,"fixture":[{"circle":{"radius":1}}]}],"joint":[{"type":"revolute","bodyA":0,"bodyB":17}]}`, `joint 0: bodyB 17 out of range (1 body)`},
		{joint(`"type":"weld","bodyA":-1`), `joint 1: bodyA -1 out of range (2 bodies)`},
		{joint(`"type":"weld","bodyA":1`), `joint 1: bodyA and bodyB are both 1`},
		{joint(`"type":"weld","bodyA":0.5`), `joint 1: bodyA 0.5: not a whole number from -2147483648 to 2147483647`},
		{joint(`"type":"spring"`), `joint 1: type "spring": not a joint type`},
		{joint(`"name":"x"`), `joint 1: type "": not a joint type`},
		{joint(`"type":"gear","joint1":0,"joint2":2`), `joint 1: joint2 2 out of range (2 joints)`},
		{joint(`"type":"gear","joint1":0,"joint2":0`), `joint 1: joint1 and joint2 are both 0`},
		{joint(`"type":"gear","joint1":0,"joint2":1`), `joint 1: joint2 1 is neither revolute nor prismatic`},
		{joint(`"type":"rope","maxLength":-1`), `joint 1: maxLength -1: below 0`},
		{`{"joint":[{"type":"weld"}]}`, `joint 0: bodyA 0 out of range (0 bodies)`},
		{`{"body":[{}],"joint":[7]}`, `joint 0: a number where an object should be`},

		{`{"body":{}}`, `body: an object where a list should be`},
		{`{"body":[null]}`, `body 0: null where an object should be`},
		{`{"body":[{"type":3}]}`, `body 0: type 3: not a whole number from 0 to 2`},
		{`{"body":[{"type":"two"}]}`, `body 0: type: "two" is not a float32 in eight hexadecimal digits`},
		{`{"body":[{"angle":[1,
			2]}]}`, `body 0: angle: a list where a number should be`},
		{`{"body":[{"angle":1e300}]}`, `body 0: angle: 1e300 is too large for a float32`},
		{`{"body":[{"angle":1e999}]}`, `body 0: angle: 1e999 is too large for a float32`},
		{`{"body":[{"angle":"7FC00000"}]}`, `body 0: angle: "7FC00000" is the float32 NaN`},
		{`{"body":[{"position":{"x":"FF800000","y":0}}]}`, `body 0: position: x: "FF800000" is the float32 -Inf`},
		{`{"body":[{"angle":"3F8000000000"}]}`, `body 0: angle: "3F8000000000" is not a float32 in eight hexadecimal digits`},
		{`{"body":[{"angle":"3F80"}]}`, `body 0: angle: "3F80" is not a float32 in eight hexadecimal digits`},
		{`{"body":[{"angle":"+3F80000"}]}`, `body 0: angle: "+3F80000" is not a float32 in eight hexadecimal digits`},
		{`{"body":[{"position":3}]}`, `body 0: position: a number other than 0 where a vector should be`},
		{`{"body":[{"position":[1,2]}]}`, `body 0: position: a list where a number should be`},
		{`{"body":[{"name":"a\nb","angle":true}]}`, `body 0 "a\nb": angle: a boolean where a number should be`},
		{`{"body":[{"name":7}]}`, `body 0: name: a number where a string should be`},
		{`{"body":[{"bullet":"yes"}]}`, `body 0: bullet: a string where true or false should be`},
		{`{"body":[{"linearDamping":-1}]}`, `body 0: linearDamping -1: below 0`},
		{`{"body":[{"type":2,"massData-mass":-1}]}`, `body 0: massData-mass -1: below 0`},
		{`{"body":[{"type":2,"massData-mass":2,"massData-center":{"x":3,"y":0},"massData-I":1}]}`,
			`body 0: massData-I 1: less than massData-mass at massData-center has, 18`},

		{shape(``), `body 1 "wheel": fixture 0: no circle, edge, loop, chain or polygon in it`},
		{shape(`"name":"rim"`), `body 1 "wheel": fixture 0 "rim": no circle, edge, loop, chain or polygon in it`},
		{shape(`"circle":5`), `body 1 "wheel": fixture 0: circle: a number where an object should be`},
		{shape(`"circle":{"radius":0}`), `body 1 "wheel": fixture 0: circle: radius 0: not above 0`},
		{shape(`"density":-1,"circle":{"radius":1}`), `body 1 "wheel": fixture 0: density -1: below 0`},
		{shape(`"filter-groupIndex":40000,"circle":{"radius":1}`), `body 1 "wheel": fixture 0: filter-groupIndex 40000: not a whole number from -32768 to 32767`},
		{shape(`"polygon":{"vertices":{"x":` + list9 + `,"y":` + list9 + `}}`), `body 1 "wheel": fixture 0: polygon with 9 corners (at most 8)`},
		{shape(`"polygon":{}`), `body 1 "wheel": fixture 0: polygon with 0 corners (at least 2)`},
		{shape(`"polygon":{"vertices":{"x":[1,2,3],"y":[1]}}`), `body 1 "wheel": fixture 0: polygon: vertices: 3 x, but 1 y`},
		{shape(`"polygon":{"vertices":{"x":[1,2,3],"y":[1,{},2]}}`), `body 1 "wheel": fixture 0: polygon: vertices: y 1: an object where a number should be`},
		{shape(`"loop":{"vertices":{"x":[1,2],"y":[1,2]}}`), `body 1 "wheel": fixture 0: loop with 2 corners (at least 3)`},
		{shape(`"chain":{"vertices":{"x":[1],"y":[1]}}`), `body 1 "wheel": fixture 0: chain with 1 point (at least 2)`},
		{shape(`"circle":{"radius":1},"customProperties":[{"name":"c","color":[1,2]}]`),
			`body 1 "wheel": fixture 0: customProperties: property 0 "c": color: a list of 2 where one of 4 should be`},
		{`{"gravity":0,"customProperties":[{"color":[0,0,0,256]}]}`, `customProperties: property 0: color: a component is not from 0 to 255`},

		{`{"gravity":0,"stepsPerSecond":-60}`, `stepsPerSecond -60: not from 0 to 1e+06`},
		{`{"gravity":0,"velocityIterations":1e9}`, `velocityIterations 1e+09: not a whole number from 0 to 1000`},
		{`{"gravity":{"x":0,"y":-1e30}}`, `world: gravity is (0, -1e+30): both must be between ±1e+18`},
		{`{"metaworld":{"body":[]}}`, `a project of the R.U.B.E. editor; export it there as JSON and open that file`},
		{`{"dependencies":{}}`, `not a R.U.B.E. scene: no body, joint or gravity in it`},
		{`[]`, `a list where an object should be`},
		{` `, `empty`},
		{"// nothing else", `empty`},
		{"module halfstep\n", `neither JSON, as R.U.B.E. and b2dJson export it, nor what b2World::Dump writes`},
		{"{\n  \"gravity\": NaN\n}", `line 2, column 14: invalid character 'N' looking for beginning of value`},
		{"{\n  \"näme\" 1}", `line 2, column 10: invalid character '1' after object key`},
		{`{"body":[`, `line 1, column 9: unexpected end of JSON input`},
		{"{ /* a\nb */ x}", `line 2, column 6: invalid character 'x' looking for beginning of object key string`},
		{`{"gravity":0}}`, `line 1, column 14: invalid character '}' after top-level value`},
		{"{\"gravity\":0, /* open", `line 1, column 21: unexpected end of JSON input`},
	} {
		s, err := Parse("x.json", []byte(c.data))
		if err == nil && len(s.LeftOut) == 1 { // a fixture
			err = errors.New("x.json: " + s.LeftOut[0])
		}
		if err == nil {
			t.Errorf("%s: no error, %+v", c.data, s)
			continue
		}
		if got := err.Error(); got != "x.json: "+c.want || strings.Contains(got, "\n") {
			t.Errorf("%s:\ngot  %s\nwant x.json: %s", c.data, got, c.want)
		}
	}
}

func TestLongTextsAreClippedInMessages(t *testing.T) {
	_, err := Parse("x.json", []byte(`{"body":[{"angle":"`+strings.Repeat("é", 1<<20)+`"}]}`))
	if err == nil || len(err.Error()) > 300 {
		t.Errorf("%.400v", err)
	}
	_, err = Parse("x.json", []byte(`{"body":[{"angle":1`+strings.Repeat("0", 1<<20)+`}]}`))
	if err == nil || len(err.Error()) > 300 {
		t.Errorf("%.400v", err)
	}
}
