// Package glrender draws views of a world of bodies with OpenGL 4.1 core.
//
// A Renderer belongs to the thread on which its context is current. A frame is
//
//	r.BeginFrame()               // statistics start at zero
//	r.Clear(colour)              // if Draw does not cover everything
//	err := r.Draw(view, camera, viewport, layers)
//	hud := r.BeginHUD(viewport)  // optional
//	hud.Label(8, 8, glrender.Regular, white, "…")
//	hud.Draw()
//
// # What goes to the GPU
//
// The states of a tick are uploaded once, unchanged (32 bytes per body), into one of a ring of texture buffers.
// If a view says what has changed, as the views of a render loop do, only the states that have changed since the
// buffer's last use are written, or all if they are more than half. The vertex shader fetches both states of its
// body and computes scene.Blend. A frame without a new tick uploads one small uniform block. In a large scene it
// also uploads the instances that have come into the camera's view. Shapes and joints are instances of one draw
// call, and only those that have changed are uploaded again. So the number of GL calls does not depend on the
// number of bodies. In a frame without a new tick, the number of uploaded bytes does not depend on it either.
// Stats counts both. In a large scene Draw leaves out shapes that the camera does not see.
//
// # Over a picture of your own
//
// A program that draws its own scene calls Overlay in place of Draw, with a matrix of its own:
//
//	err := r.Overlay(view, matrix, viewport, layers, marks)
//
// See the section in docs/embedding.md and the program examples/overlay.
//
// # State of the context
//
// Overlay, New, Close, Screenshot and ReadPixels leave the state of the context as they found it. OpenGL has no
// way to restore two things: the subroutine uniforms of the program in use, which are lost whenever another
// program is used, and a program that was deleted while it was in use. Overlay must not be called while
// transform feedback is active.
//
// Draw and HUD.Draw are for programs that draw nothing else. They set viewport, blending, program, vertex array,
// texture units 0 and 1 and uniform block binding 0, and do not restore them. They expect the depth, stencil and
// scissor tests and face culling to be off, the colour mask to be on and polygons to be filled, as in a new
// context.
//
// Several renderers can share a context, each with a view of its own. Renderers on several contexts can draw at
// once, each on its own thread.
package glrender
