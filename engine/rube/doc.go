// Package rube reads and writes scenes as R.U.B.E. and b2dJson export them: JSON, a format
// in which users of Box2D exchange scenes. It also reads the output of b2World::Dump. It
// builds both in a world.World.
//
//	scene, err := rube.ReadFile("car.json")
//	if err != nil {
//		return err // car.json: joint 3: bodyB 17 out of range (16 bodies)
//	}
//	e, err := engine.New(engine.Config{World: scene.World, Setup: scene.Build})
//
// # What is read
//
// The world's settings, bodies with their mass data, every fixture and joint type including
// those of old exports, names, folder paths and custom properties. Paths and properties are
// in an *Info, in the User field of each definition of a body, shape or joint. The
// properties of the world are in Scene.Properties. Images are not read.
//
// # How the format is read
//
// A missing field is 0, false or empty, as in b2dJson, with these exceptions: gravityScale
// is 1, a body's allowSleep and active are true, and a filter has category 1, mask 0xffff
// and group zero. A mask of 0xffff is every category of a world.Filter. In particular a
// body without awake starts asleep, and a world without allowSleep never lets a body
// sleep.
//
// b2dJson always writes the following fields. If they are missing in a file made by hand,
// mass data comes from the densities, the length of a distance or pulley joint from the
// places of the bodies, a joint's axis is (1, 0), a ratio is 1, and a correction factor is
// 0.3.
//
// A vector of two zeros may be the number 0. A number may be a string of eight hexadecimal
// digits, the bits of a float32. Comments, which old versions wrote, are skipped.
//
// A fixture that Box2D cannot make is left out, as in b2dJson, and is named in
// Scene.LeftOut. b2dJson also leaves out a joint that Box2D cannot make. Here such a joint
// is an error, one line with the place and the reason.
//
// # Dumps
//
// [ReadFile] and [Parse] also take the text that b2World::Dump writes, of Box2D 2.3 and 2.4
// and of the Go port github.com/ByteArena/box2d. Each line has one statement, and an error
// names the line.
//
// The numbers of a C++ program are rounded to float32 again, which gives exactly the
// original numbers. ByteArena's port prints 15 digits. A dump lacks contacts, names, user
// data, masses that SetMassData gave, the world's settings besides gravity, and mouse
// joints, which Scene.LeftOut names. Springs of version 2.4 have a stiffness. Here they get
// the frequency and damping that pull equally hard at the places of the bodies. Chains and
// edges of version 2.4 with one solid side are solid from both sides here. In that version
// each fixture has a restitution threshold, and the first one becomes that of the world.
//
// # What is written
//
// [Of] makes a scene of the present world. Scene.JSON writes the scene as a file, and
// Scene.Go writes it as Go code. The file and the code build exactly the same bodies,
// shapes and joints at the same places and with the same velocities:
//
//	world.Ask(e.Commands, rube.Of, func(tick uint64, s *rube.Scene) {
//		data, err := s.JSON()
//		…
//	})
//
// Values for which the format has no field are in custom properties whose names begin with
// "halfstep.", which other programs ignore. Such a program sees a capsule as a polygon with
// eight corners, and all corners as sharp. Contacts are not written, so the impulses
// between touching bodies start from 0. Code is not written; Scene.LeftOut says what is
// missing.
//
// Sources: "R.U.B.E JSON structure" on iforce2d.net and b2dJson.cpp in
// github.com/iforce2d/b2dJson.
package rube
