/* Exchange (exchange.go): slots of one state each and a mailbox of one word.

   The writer publishes, republishes and restarts for ever; the reader acquires,
   and reads what it holds as often as it likes. A state is the number of its
   tick, modulo, written in two parts, so the search covers runs of any length
   and sees a state that is half written. The writer poisons a slot before it
   writes there, as race builds of the code do.

   Variants, each of which must fail:
   SLOTS=4      the writer finds no free slot
   STORE_TAKE   the reader empties the mailbox by a load and a store, not a swap
   STORE_PUT    the writer fills it by a load and a store, not a swap
   EARLY_PUT    the writer's swap moves before its last write
   LATE_READ    the reader's last read of a pair moves behind its swap
   NO_ANSWER    the writer does not heed whether the mailbox was empty */

#ifndef SLOTS
#define SLOTS 5
#endif
#define TICKS  3
#define POISON 254
#define NONE   255

mtype = { PUBLISH, REPUBLISH, RESTART };

byte lo[SLOTS], hi[SLOTS];      /* first and last part of a state */
byte boxcur = NONE, boxprev = NONE; /* one word in the code: touched in one step */
byte rcur = 0, rprev = 0;       /* the slots in the reader's hand */
byte tcur = 0, tprev = 0;       /* the ticks that must be in them */
byte newcur = 0, newprev = 0;   /* the newest pair: slots, */
byte atcur = 0, atprev = 0;     /* ticks */

#define HELD(i) ((i) == rcur || (i) == rprev)

active proctype Writer()
{
    byte cur = 0, prev = 0, hcur = 0, hprev = 0;    /* as in Exchange.w */
    byte t = 0, next, pair, old, k;
    mtype op = PUBLISH;

    do
    :: /* Next: look, choose */
       d_step { if :: boxcur == NONE -> hcur = cur; hprev = prev :: else fi };
       d_step {
           next = 0;
           do
           :: next < SLOTS && (next == cur || next == prev || next == hcur || next == hprev) -> next++
           :: else -> break
           od;
           assert(next < SLOTS);
           assert(!HELD(next) && next != boxcur && next != boxprev);
           lo[next] = POISON; hi[next] = POISON
       }
       if
       :: op = PUBLISH;   pair = cur;  t = (t + 1) % TICKS
       :: op = REPUBLISH; pair = prev
       :: op = RESTART;   pair = next; t = (t + 1) % TICKS
       fi;
       d_step { assert(!HELD(next)); lo[next] = t }
#ifndef EARLY_PUT
       d_step { assert(!HELD(next)); hi[next] = t }
#endif

#ifdef STORE_PUT
       old = boxcur;
#endif
       d_step {
#ifndef STORE_PUT
           old = boxcur;
#endif
           boxcur = next; boxprev = pair;
           if
           :: op == PUBLISH   -> atprev = atcur
           :: op == REPUBLISH -> skip
           :: op == RESTART   -> atprev = t
           fi;
           atcur = t; newcur = next; newprev = pair;
           /* forget what nobody can reach, which keeps the search small */
           k = 0;
           do
           :: k == SLOTS -> break
           :: k < SLOTS && (HELD(k) || k == newcur || k == newprev) -> k++
           :: else -> lo[k] = POISON; hi[k] = POISON; k++
           od;
           k = 0
       }
#ifdef EARLY_PUT
       d_step { assert(!HELD(next)); hi[next] = t }
#endif
       d_step {
#ifdef NO_ANSWER
           hcur = cur; hprev = prev;
#else
           if :: old == NONE -> hcur = cur; hprev = prev :: else fi;
#endif
           cur = next; prev = pair;
           old = 0; next = 0; pair = 0; op = PUBLISH
       }
    od
}

active proctype Reader()
{
    byte was = 0, twas = 0;

    do
    :: /* Acquire: load, and swap if there is something */
       if
       :: atomic { boxcur == NONE ->
              assert(rcur == newcur && rprev == newprev) } /* nothing newer was lost */
       :: boxcur != NONE ->
#ifdef LATE_READ
          was = rprev; twas = tprev;
#endif
#ifdef STORE_TAKE
          d_step { rcur = boxcur; rprev = boxprev; tcur = atcur; tprev = atprev };
          d_step { boxcur = NONE; boxprev = NONE };
#else
          d_step { rcur = boxcur; rprev = boxprev; boxcur = NONE; boxprev = NONE;
                   tcur = atcur; tprev = atprev;
                   assert(rcur == newcur && rprev == newprev);
                   /* consecutive, or one state, or the first one edited */
                   assert(tcur == (tprev + 1) % TICKS || tcur == tprev) };
#endif
#ifdef LATE_READ
          assert(hi[was] == twas);
          d_step { was = 0; twas = 0 };
#endif
       fi;
       assert(lo[rprev] == tprev);
       assert(lo[rcur] == tcur);
       assert(hi[rprev] == tprev);
       assert(hi[rcur] == tcur)
    od
}
