/* Exchange (exchange.go): slots of one state each and a mailbox of one word.

   The writer publishes, republishes, restarts and withdraws for ever, and stages up to
   two states before it republishes or restarts; the reader acquires three states, and
   reads what it holds as often as it likes. A state is the number of its tick, modulo,
   with a bit that each correction turns over. It is written in two parts, so the search
   covers runs of any length and sees a state that is half written, and a pair of which
   one state is corrected. The writer poisons a slot before it writes there, as race
   builds of the code do.

   Variants, each of which must fail:
   SLOTS=8      the writer finds no free slot
   TWO_SWAPS    a corrected pair replaces the other one state by state
   STORE_TAKE   the reader empties the mailbox by a load and a store, not a swap
   STORE_PUT    the writer fills it by a load and a store, not a swap
   EARLY_PUT    the writer's swap moves before its last write
   LATE_READ    the reader's last read of a pair moves behind its swap
   NO_ANSWER    the writer does not heed whether the mailbox was empty */

#ifndef SLOTS
#define SLOTS 9
#endif
#define TICKS  3
#define POISON 254
#define NONE   255

#define TICK(v) ((v) % TICKS)
#define TURN(v) ((v) / TICKS)
#define BACK(n) ((t + TICKS - (n)) % TICKS + TICKS * turn)

mtype = { PUBLISH, REPUBLISH, RESTART };

byte lo[SLOTS], hi[SLOTS];      /* first and last part of a state */
byte boxcur = NONE, boxprev = NONE, boxold = NONE; /* one word in the code: touched in one step */
byte rcur = 0, rprev = 0, rold = 0;        /* the slots in the reader's hand */
byte tcur = 0, tprev = 0, told = 0;        /* the ticks that must be in them */
byte newcur = 0, newprev = 0, newold = 0;  /* the newest states: slots, */
byte atcur = 0, atprev = 0, atold = 0;     /* ticks */

bool sure = false, rsure = false; /* the newest pair, and that of the reader, was corrected as one */
byte was = NONE, twas = 0;      /* what the reader still reads, in LATE_READ */

/* Which slot is which does not matter, so after each publish the slots get new
   names, by what they are used for. That keeps the search small. */
byte name[SLOTS], names, lo2[SLOTS], hi2[SLOTS];

inline give(s) { if :: s != NONE && name[s] == NONE -> name[s] = names; names++ :: else fi }
inline rename(s) { if :: s != NONE -> s = name[s] :: else fi }

#define HELD(i) ((i) == rcur || (i) == rprev || (i) == rold)

inline Forget()
{
           /* forget what nobody can reach, which keeps the search small */
           k = 0;
           do
           :: k == SLOTS -> break
           :: k < SLOTS && (HELD(k) || k == newcur || k == newprev || k == newold) -> k++
           :: else -> lo[k] = POISON; hi[k] = POISON; k++
           od;
           k = 0
}

inline Tidy()
{
           k = 0;
           do :: k < SLOTS -> name[k] = NONE; k++ :: else -> break od;
           names = 0;
           give(cur); give(prev); give(older); give(rcur); give(rprev); give(rold);
           give(was); give(hcur); give(hprev); give(hold);
           k = 0;
           do :: k < SLOTS -> give(k); k++ :: else -> break od;
           k = 0;
           do :: k < SLOTS -> lo2[name[k]] = lo[k]; hi2[name[k]] = hi[k]; k++ :: else -> break od;
           rename(boxcur); rename(boxprev); rename(boxold);
           rename(rcur); rename(rprev); rename(rold);
           rename(newcur); rename(newprev); rename(newold);
           rename(cur); rename(prev); rename(older);
           rename(hcur); rename(hprev); rename(hold);
           rename(was);
           k = 0;
           do
           :: k < SLOTS -> lo[k] = lo2[k]; hi[k] = hi2[k]; name[k] = 0; lo2[k] = 0; hi2[k] = 0; k++
           :: else -> break
           od;
           k = 0; names = 0
}

active proctype Writer()
{
    byte cur = 0, prev = 0, older = 0, hcur = 0, hprev = 0, hold = 0; /* as in Exchange.w */
    byte st0 = NONE, st1 = NONE;    /* staged, the older one first */
    byte t = 0, next = NONE, pair, third, old, k, turn = 0;
    byte left = 0;                  /* to be staged */
    mtype op = PUBLISH;

    do
    :: d_step { TICK(atcur) == (TICK(atprev) + 1) % TICKS && left == 0 && st0 == NONE && st1 == NONE ->
           /* Withdraw: a swap without a state of its own */
           old = boxcur; boxcur = prev; boxprev = older; boxold = older;
           if :: old == NONE -> hcur = cur; hprev = prev; hold = older :: else fi;
           cur = prev; prev = older;
           atcur = atprev; atprev = atold; newcur = cur; newprev = prev; newold = older;
           t = TICK(atcur); sure = false; old = 0;
           Forget(); Tidy() }
    :: if
       :: left == 0 && st0 == NONE && st1 == NONE ->
          if
          :: op = PUBLISH; t = (t + 1) % TICKS
          :: op = REPUBLISH
          :: atomic { TICK(atcur) == (TICK(atprev) + 1) % TICKS -> op = REPUBLISH; left = 1; turn = 1 - turn }
          :: atomic { op = REPUBLISH; left = 2; turn = 1 - turn }
          :: op = RESTART; t = (t + 1) % TICKS
          :: atomic { op = RESTART; t = (t + 1) % TICKS; left = 1; turn = 1 - turn }
          :: atomic { op = RESTART; t = (t + 1) % TICKS; left = 2; turn = 1 - turn }
          fi
       :: else
       fi;
       /* Next: look, choose */
       d_step { if :: boxcur == NONE -> hcur = cur; hprev = prev; hold = older :: else fi };
       d_step {
           next = 0;
           do
           :: next < SLOTS && (next == cur || next == prev || next == older
                            || next == hcur || next == hprev || next == hold
                            || next == st0 || next == st1) -> next++
           :: else -> break
           od;
           assert(next < SLOTS);
           assert(!HELD(next) && next != boxcur && next != boxprev && next != boxold);
           lo[next] = POISON; hi[next] = POISON
       }
       if
       :: left > 0 ->
          d_step { assert(!HELD(next)); lo[next] = BACK(left) };
          d_step { assert(!HELD(next)); hi[next] = BACK(left);
                   if :: left == 2 -> st0 = next :: else -> st1 = next fi;
                   left--; next = NONE }
       :: else ->
       d_step {
           if
           :: op == PUBLISH   -> pair = cur;  third = prev
           :: op == REPUBLISH -> pair = prev; third = older
           :: op == RESTART   -> pair = next; third = next
           fi;
           if :: st1 != NONE -> pair = st1 :: else fi;
           if
           :: st0 != NONE -> third = st0
           :: st0 == NONE && st1 != NONE && op == RESTART -> third = st1
           :: else
           fi
       }
       d_step { assert(!HELD(next)); lo[next] = BACK(0) }
#ifndef EARLY_PUT
       d_step { assert(!HELD(next)); hi[next] = BACK(0) }
#endif
#ifdef TWO_SWAPS
       if
       :: st1 != NONE && boxcur != NONE -> d_step {
              boxprev = st1; newprev = st1; atprev = BACK(1); sure = true }
       :: else
       fi;
#endif

#ifdef STORE_PUT
       old = boxcur;
#endif
       d_step {
#ifndef STORE_PUT
           old = boxcur;
#endif
           boxcur = next; boxprev = pair; boxold = third;
           if
           :: op == PUBLISH   -> atold = atprev; atprev = atcur
           :: op == REPUBLISH -> skip
           :: op == RESTART   -> atold = BACK(0); atprev = BACK(0); sure = true
           fi;
           if :: st1 != NONE -> atprev = BACK(1); sure = true :: else fi;
           if
           :: st0 != NONE -> atold = BACK(2)
           :: st0 == NONE && st1 != NONE && op == RESTART -> atold = BACK(1)
           :: else
           fi;
           atcur = BACK(0); newcur = next; newprev = pair; newold = third;
           Forget()
       }
#ifdef EARLY_PUT
       d_step { assert(!HELD(next)); hi[next] = BACK(0) }
#endif
       d_step {
#ifdef NO_ANSWER
           hcur = cur; hprev = prev; hold = older;
#else
           if :: old == NONE -> hcur = cur; hprev = prev; hold = older :: else fi;
#endif
           cur = next; prev = pair; older = third;
           old = 0; next = NONE; pair = 0; third = 0; op = PUBLISH; st0 = NONE; st1 = NONE;

           Tidy()
       }
       fi
    od
}

active proctype Reader()
{
    do
    :: /* Acquire: load, and swap if there is something */
       if
       :: atomic { boxcur == NONE ->
              assert(rcur == newcur && rprev == newprev && rold == newold) } /* nothing newer was lost */
       :: boxcur != NONE ->
#ifdef LATE_READ
          was = rold; twas = told;
#endif
#ifdef STORE_TAKE
          d_step { rcur = boxcur; rprev = boxprev; rold = boxold; tcur = atcur; tprev = atprev; told = atold; rsure = sure };
          d_step { boxcur = NONE; boxprev = NONE; boxold = NONE };
#else
          d_step { rcur = boxcur; rprev = boxprev; rold = boxold;
                   boxcur = NONE; boxprev = NONE; boxold = NONE;
                   tcur = atcur; tprev = atprev; told = atold; rsure = sure;
                   assert(rcur == newcur && rprev == newprev && rold == newold);
                   /* consecutive, or one state, or the first one edited */
                   assert(TICK(tcur) == (TICK(tprev) + 1) % TICKS || TICK(tcur) == TICK(tprev));
                   assert(TICK(tprev) == (TICK(told) + 1) % TICKS || TICK(tprev) == TICK(told));
                   /* a correction is there as a whole */
                   assert(!rsure || TURN(tcur) == TURN(tprev)) };
#endif
#ifdef LATE_READ
          assert(hi[was] == twas);
          d_step { was = NONE; twas = 0 };
#endif
       fi;
       if
       :: assert(lo[rold] == told)
       :: assert(lo[rprev] == tprev)
       :: assert(lo[rcur] == tcur)
       :: assert(hi[rold] == told)
       :: assert(hi[rprev] == tprev)
       :: assert(hi[rcur] == tcur)
       fi
    od
}
