package netplay
import ("testing";"os";"strconv";"time";"fmt")
func TestDebug(t *testing.T) {
	if os.Getenv("SEED")=="" {t.Skip()}
	seed,_ := strconv.Atoi(os.Getenv("SEED"))
	debugging = func(r *rig) {
		fmt.Printf("options %+v\n line %+v\n stepper %v synctest %d sync %v\n", r.options, r.line, r.config.World.Stepper, r.config.Testing.SyncTest, r.config.Sync)
		for _, p := range append(append([]*program{}, r.programs...), r.gone...) {
			fmt.Printf("player %d fps %d from %d hashes %d err %v %+v\n", p.Player()+1, p.fps, p.from, len(p.hashes), p.err, p.Figures())
			for _, o := range p.match.peers { fmt.Printf("  peer place %d begins %v start %d size %d entry %d ready %v known %v agreed %d final %d heard %v lead %v rtt %v\n", o.place, o.begins, o.start, o.size, o.entry, o.ready, o.known, o.agreed, o.final, r.now-o.heard, o.lead, o.roundTrip) }
			fmt.Printf("  present %d settled %d checked %d asked %d given %d final %d differ %v wants %v saving %d ready %v running %v\n", p.match.present, 0, p.checked, p.asked, p.given, p.match.final, p.match.differ!=nil, p.match.wants, p.saving, p.match.ready, p.match.running)
			if os.Getenv("TR") != "" && p.match.tracks != nil { for i := range p.match.tracks { tr := &p.match.tracks[i]; fmt.Printf("  %d:", i+1); for k := tr.oldest(); k < min(tr.known, 140); k++ { v := tr.at(k); if v[0]==0 {fmt.Print("-")} else {fmt.Print(v[1])} }; fmt.Println() } }
			
		}
	}
	randomMatch(t, uint64(seed), 5*time.Second)
}
