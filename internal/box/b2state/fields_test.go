package b2state

import (
	"reflect"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/test/fields"
)

// A State copies some structs as a whole. If a field of these has a pointer, the
// value behind it must be copied or be restored in another way. The test knows
// that this is so for these fields.
var knownPointers = map[reflect.Type]string{
	reflect.TypeFor[box2d.B2Body]():         "M_world M_prev M_next M_fixtureList M_jointList M_contactList M_userData",
	reflect.TypeFor[box2d.B2Fixture]():      "M_next M_body M_shape M_proxies M_userData",
	reflect.TypeFor[box2d.B2Joint]():        "M_prev M_next M_edgeA M_edgeB M_bodyA M_bodyB M_userData",
	reflect.TypeFor[box2d.B2ChainShape]():   "M_vertices",
	reflect.TypeFor[box2d.B2CircleShape]():  "",
	reflect.TypeFor[box2d.B2EdgeShape]():    "",
	reflect.TypeFor[box2d.B2PolygonShape](): "",
	reflect.TypeFor[box2d.B2Manifold]():     "",
}

// A State copies other structs field by field. The test knows that it copies these
// fields.
var knownFields = map[reflect.Type]string{
	reflect.TypeFor[box2d.B2World](): "M_flags M_contactManager M_bodyList M_jointList M_bodyCount M_jointCount M_gravity " +
		"M_allowSleep M_destructionListener M_inv_dt0 M_warmStarting M_continuousPhysics M_subStepping M_stepComplete M_profile",
	reflect.TypeFor[box2d.B2ContactManager](): "M_broadPhase M_contactList M_contactCount M_contactFilter M_contactListener",
	reflect.TypeFor[box2d.B2BroadPhase](): "M_tree M_proxyCount M_moveBuffer M_moveCapacity M_moveCount " +
		"M_pairBuffer M_pairCapacity M_pairCount M_queryProxyId", // the last four mean nothing between two steps
	reflect.TypeFor[box2d.B2DynamicTree]():  "M_root M_nodes M_nodeCount M_nodeCapacity M_freeList M_path M_insertionCount",
	reflect.TypeFor[box2d.B2TreeNode]():     "Aabb UserData Parent Next Child1 Child2 Height",
	reflect.TypeFor[box2d.B2FixtureProxy](): "Aabb Fixture ChildIndex ProxyId",
	reflect.TypeFor[box2d.B2ContactEdge]():  "Other Contact Prev Next",
	reflect.TypeFor[box2d.B2JointEdge]():    "Other Joint Prev Next",
	reflect.TypeFor[box2d.B2Contact](): "M_flags M_prev M_next M_nodeA M_nodeB M_fixtureA M_fixtureB M_indexA M_indexB " +
		"M_manifold M_toiCount M_toi M_friction M_restitution M_tangentSpeed",
	reflect.TypeFor[box2d.B2PolygonContact]():          "B2Contact",
	reflect.TypeFor[box2d.B2CircleContact]():           "B2Contact",
	reflect.TypeFor[box2d.B2PolygonAndCircleContact](): "B2Contact",
	reflect.TypeFor[box2d.B2EdgeAndCircleContact]():    "B2Contact",
	reflect.TypeFor[box2d.B2EdgeAndPolygonContact]():   "B2Contact",
	reflect.TypeFor[box2d.B2ChainAndCircleContact]():   "B2Contact",
	reflect.TypeFor[box2d.B2ChainAndPolygonContact]():  "B2Contact",
}

func TestEveryPointerAndFieldOfBox2DIsKnown(t *testing.T) {
	for _, joint := range jointTypes {
		known := "B2Joint"
		if joint == reflect.TypeFor[box2d.B2GearJoint]() {
			known = "B2Joint M_joint1 M_joint2 M_bodyC M_bodyD"
		}
		fields.Check(t, joint, fields.Pointers(joint), known)
	}
	for structure, known := range knownPointers {
		fields.Check(t, structure, fields.Pointers(structure), known)
	}
	for structure, known := range knownFields {
		fields.Check(t, structure, fields.Names(structure), known)
	}
}
