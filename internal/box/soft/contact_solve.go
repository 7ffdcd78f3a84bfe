package soft

// The functions in this file are the Go versions of the kernel. They do the same operations in
// the same order, lane by lane. Each product in a sum is converted to float32, so that no
// compiler fuses the product with the sum, and all machines get the same bits.

func at(states []state, offset int32) *state { return &states[uint32(offset)/stateSize] }

// warmStartPlain applies the impulses of the last sub-step.
func warmStartPlain(batches []batch, states []state) {
	for i := range batches {
		b := &batches[i]
		for k := range int(b.used) {
			k &= lanes - 1
			sa, sb := at(states, b.a[k]), at(states, b.b[k])
			nx, ny := b.nx[k], b.ny[k]
			mA, iA, mB, iB := b.mA[k], b.iA[k], b.mB[k], b.iB[k]
			vax, vay, wa := sa.v.x, sa.v.y, sa.w
			vbx, vby, wb := sb.v.x, sb.v.y, sb.w
			for p := range b.points {
				pt := &b.points[p]
				n, t := pt.normal[k], pt.tangent[k]
				// These are the arms after the rotation of the bodies, to the first order of the angle.
				armA, slideA := pt.armA[k]-float32(sa.da*pt.farA[k]), (pt.farA[k]+float32(sa.da*pt.armA[k]))+b.roundA[k]
				armB, slideB := pt.armB[k]-float32(sb.da*pt.farB[k]), (pt.farB[k]+float32(sb.da*pt.armB[k]))-b.roundB[k]
				px := float32(n*nx) + float32(t*ny)
				py := float32(n*ny) - float32(t*nx)
				wa -= float32(iA * (float32(n*armA) - float32(t*slideA)))
				vax -= float32(mA * px)
				vay -= float32(mA * py)
				wb += float32(iB * (float32(n*armB) - float32(t*slideB)))
				vbx += float32(mB * px)
				vby += float32(mB * py)
			}
			sa.v.x, sa.v.y, sa.w = vax, vay, wa
			sb.v.x, sb.v.y, sb.w = vbx, vby, wb
		}
	}
}

// solvePlain makes one pass over contacts. With bias it softly pushes overlapping shapes apart.
// Without bias (relax) it removes the velocity that the bias has added, and applies friction.
func solvePlain(batches []batch, states []state, with *common, invH float32, bias bool) {
	for i := range batches {
		b := &batches[i]
		for k := range int(b.used) {
			k &= lanes - 1
			sa, sb := at(states, b.a[k]), at(states, b.b[k])
			nx, ny := b.nx[k], b.ny[k]
			mA, iA, mB, iB := b.mA[k], b.iA[k], b.mB[k], b.iB[k]
			vax, vay, wa := sa.v.x, sa.v.y, sa.w
			vbx, vby, wb := sb.v.x, sb.v.y, sb.w
			moved := float32(nx*(sb.d.x-sa.d.x)) + float32(ny*(sb.d.y-sa.d.y))
			soft := with.of(b.a[k], b.b[k])
			linear := float32((vbx-vax)*nx) + float32((vby-vay)*ny)
			// The arguments of solvePair.
			var alone, shared, armA, armB, slideA, slideB [2]float32
			for p := range b.points {
				pt := &b.points[p]
				// The points turn with the bodies, so that both impulses act at one point throughout the step.
				// A round corner then touches with another point, namely the point below its centre.
				farA, farB := float32(sa.q.c*pt.farA[k])+float32(sa.q.s*pt.armA[k]), float32(sb.q.c*pt.farB[k])+float32(sb.q.s*pt.armB[k])
				armA[p], armB[p] = float32(sa.q.c*pt.armA[k])-float32(sa.q.s*pt.farA[k]), float32(sb.q.c*pt.armB[k])-float32(sb.q.s*pt.farB[k])
				slideA[p], slideB[p] = farA+b.roundA[k], farB-b.roundB[k]
				sep := (moved + b.base[p][k]) + (farB - farA)
				// Points that are apart may meet during the sub-step.
				push, ms, is := float32(sep*invH), float32(1), float32(0)
				if !(sep > 0) {
					push = 0
					if bias {
						push, ms, is = greater(float32(soft.biasRate*sep), -pushSpeed), soft.massScale, soft.impulseScale
					}
				}
				vn := (linear + float32(wb*armB[p])) - float32(wa*armA[p])
				m := b.normalMass[p][k]
				alone[p] = float32(m * (float32(ms*vn) + push))
				if bias {
					alone[p] += float32(is * pt.normal[k])
				}
				shared[p] = float32(float32(ms*m) * b.coupling[k])
			}
			p0, p1 := &b.points[0], &b.points[1]
			old0, old1 := p0.normal[k], p1.normal[k]
			p0.normal[k], p1.normal[k] = solvePair(old0, old1, alone[0], alone[1], shared[0], shared[1])
			more0, more1 := p0.normal[k]-old0, p1.normal[k]-old1
			more := more0 + more1
			px, py := float32(more*nx), float32(more*ny)
			vax -= float32(mA * px)
			vay -= float32(mA * py)
			wa -= float32(iA * (float32(armA[0]*more0) + float32(armA[1]*more1)))
			vbx += float32(mB * px)
			vby += float32(mB * py)
			wb += float32(iB * (float32(armB[0]*more0) + float32(armB[1]*more1)))
			if !bias {
				friction, speed := b.friction[k], b.tangentSpeed[k]
				for p := range b.points {
					pt := &b.points[p]
					vt := float32((vbx-vax)*ny) - float32((vby-vay)*nx)
					vt = ((vt - float32(wb*slideB[p])) + float32(wa*slideA[p])) - speed
					old := pt.tangent[k]
					most := float32(friction * pt.normal[k])
					impulse := greater(0-most, lesser(old-float32(b.tangentMass[p][k]*vt), most))
					pt.tangent[k] = impulse
					b.total[p][k] += pt.normal[k]
					b.totalTangent[p][k] += impulse
					impulse -= old
					px, py := float32(impulse*ny), 0-float32(impulse*nx)
					vax -= float32(mA * px)
					vay -= float32(mA * py)
					wa += float32(iA * float32(impulse*slideA[p]))
					vbx += float32(mB * px)
					vby += float32(mB * py)
					wb -= float32(iB * float32(impulse*slideB[p]))
				}
			}
			sa.v.x, sa.v.y, sa.w = vax, vay, wa
			sb.v.x, sb.v.y, sb.w = vbx, vby, wb
		}
	}
}

// solvePair returns the new impulses of the two points of a contact, computed from the old
// impulses. If the impulse of the other point stayed the same, the impulse of a point would
// fall by `alone`. For each unit by which the other impulse rises, it falls further by
// `shared`. Both are solved at once, so that an even load stays even. Then each point is solved
// again with the other point's impulse limited to 0 or more, because no point can pull.
func solvePair(old0, old1, alone0, alone1, shared0, shared1 float32) (float32, float32) {
	scale := 1 / (1 - float32(shared0*shared1))
	both0 := greater(old0-float32((alone0-float32(shared0*alone1))*scale), 0)
	both1 := greater(old1-float32((alone1-float32(shared1*alone0))*scale), 0)
	return greater((old0-alone0)-float32(shared0*(both1-old1)), 0), greater((old1-alone1)-float32(shared1*(both0-old0)), 0)
}

// bounceRounds is the number of rounds in which contacts apply restitution. The impulse of one
// contact changes the impulses that other contacts need. After only one round, some bodies
// would have gained energy: a plank that lands on two posts, for example, or a plank whose two
// points are almost one.
const bounceRounds = 4

// bounce gives points that have hit a shape at a speed of threshold or faster, in m/s, their
// speed back, multiplied by the restitution.
func bounce(batches []batch, bounces []bounceBatch, states []state, threshold float32) {
	for i := range bounces {
		r := &bounces[i]
		b := &batches[r.of]
		for k, e := range &r.restitution {
			if e == 0 {
				continue
			}
			sa, sb := at(states, b.a[k]), at(states, b.b[k])
			n := vec{b.nx[k], b.ny[k]}
			var alone, shared, speed, armA, armB [2]float32
			closing := dot(sb.v.sub(sa.v), n)
			for p := range b.points {
				pt := &b.points[p]
				armA[p] = float32(sa.q.c*pt.armA[k]) - float32(sa.q.s*pt.farA[k])
				armB[p] = float32(sb.q.c*pt.armB[k]) - float32(sb.q.s*pt.farB[k])
				speed[p] = (closing + float32(sb.w*armB[p])) - float32(sa.w*armA[p])
				if r.speed[p][k] > -threshold || b.total[p][k] == 0 || b.normalMass[p][k] == 0 {
					continue
				}
				alone[p] = float32(b.normalMass[p][k] * (speed[p] + float32(e*r.speed[p][k])))
				shared[p] = float32(b.normalMass[p][k] * b.coupling[k])
			}
			p0, p1 := &b.points[0], &b.points[1]
			next0, next1 := solvePair(p0.normal[k], p1.normal[k], alone[0], alone[1], shared[0], shared[1])
			more := [2]float32{next0 - p0.normal[k], next1 - p1.normal[k]}
			// Twice the work of the contact (its impulses times the sum of the speeds before and after) is
			// w0 + w1*share + w2*share². The work must not be positive, because that would add energy. The
			// arms of the earlier impulses were between those at the start and those at the end of the
			// step. The end at which they removed less energy counts.
			linear := b.mA[k] + b.mB[k]
			sum := more[0] + more[1]
			sumA := float32(b.iA[k] * (float32(armA[0]*more[0]) + float32(armA[1]*more[1])))
			sumB := float32(b.iB[k] * (float32(armB[0]*more[0]) + float32(armB[1]*more[1])))
			var w0, w1, w2 float32
			for p := range b.points {
				pt := &b.points[p]
				leftA, leftB := armA[p]-pt.armA[k], armB[p]-pt.armB[k]
				gain := float32(linear*sum) + float32(armA[p]*sumA) + float32(armB[p]*sumB)
				both := (speed[p] + r.speed[p][k]) + (float32(r.spinB[k]*leftB) - float32(r.spinA[k]*leftA))
				w1 += float32(more[p] * both)
				w2 += float32(more[p] * gain)
				// This is the difference if the arms are those at the start.
				moreBoth := float32((sa.w+r.spinA[k])*leftA) - float32((sb.w+r.spinB[k])*leftB)
				moreGain := 0 - float32(leftA*sumA) - float32(leftB*sumB)
				if moreBoth+moreGain > 0 {
					both, gain = both+moreBoth, gain+moreGain
				}
				w0 += float32(b.total[p][k] * both)
				w1 += float32(b.total[p][k] * gain)
			}
			share := float32(1)
			if w0+w1+w2 > 0 && sum > 0 {
				share = 0
				if w0 < 0 && w2 > 0 {
					share = (sqrt(float32(w1*w1)-float32(4*float32(w0*w2))) - w1) / (2 * w2)
				}
			}
			for p := range b.points {
				pt := &b.points[p]
				impulse := float32(share * more[p])
				pt.normal[k] += impulse
				b.total[p][k] += impulse
				push := n.times(impulse)
				sa.v = sa.v.plus(-b.mA[k], push)
				sa.w -= float32(float32(b.iA[k]*impulse) * armA[p])
				sb.v = sb.v.plus(b.mB[k], push)
				sb.w += float32(float32(b.iB[k]*impulse) * armB[p])
			}
		}
	}
}
