/* Updates of the exchange's slots (exchange.go, stamps.go): a slot holds the state that
   was published in it some time ago, and only what has changed since then is written.

   The slots and the mailbox are those of exchange.pml, without the two parts of a state;
   up to two states are staged before one is published. Nothing is withdrawn: that only
   happens to a state that the reader has not shown. A state is one body here. It changes in some states and not in others. What matters
   of serials and stamps is which is higher, so stale says for each slot whether the
   body's stamp is above the serial of the slot's state.

   The reader keeps a copy of the body, as the GPU does, and writes it only where the
   body's stamp in the slot is above the serial that the copy is of. A slot has stamps of
   its own, those of its serial. So fresh says for each slot whether its body's stamp is
   above the serial of the copy.

   Variants, each of which must fail:
   CHANGED_ONLY a slot gets the body only if it changes in the state at hand
   STAMP_OF_ONE a change is stamped for the slot at hand alone
   LAST_ONLY    the reader writes its copy only if the body changed in the newest state
   STAGED_LOST  what changes in a staged state is not stamped */

#define SLOTS 9
#define NONE  255

mtype = { PUBLISH, REPUBLISH, RESTART };

bit body[SLOTS], stale[SLOTS], fresh[SLOTS];
bit now = 0;                    /* the body as it is */
bit copy = 0;                   /* the reader's */
bit behind = 0;                 /* its body's newest stamp is above the serial of the copy */
byte boxcur = NONE, boxprev = NONE, boxold = NONE; /* one word in the code: touched in one step */
byte rcur = 0, rprev = 0, rold = 0;        /* the slots in the reader's hand */
bit bcur = 0, bprev = 0, bold = 0;         /* what must be in them */
byte newcur = 0, newprev = 0, newold = 0;  /* the newest states: slots, */
bit iscur = 0, isprev = 0, isold = 0;      /* bodies */

/* As in exchange.pml, the slots get new names after each publish, by what they are used
   for. */
byte name[SLOTS], names;
bit body2[SLOTS], stale2[SLOTS], fresh2[SLOTS];

inline give(s) { if :: s != NONE && name[s] == NONE -> name[s] = names; names++ :: else fi }
inline rename(s) { if :: s != NONE -> s = name[s] :: else fi }

#ifdef STAGED_LOST
#define STAMPS(k) (left == 0 || k == next)
#else
#define STAMPS(k) true
#endif
#define HELD(i) ((i) == rcur || (i) == rprev || (i) == rold)

active proctype Writer()
{
    byte cur = 0, prev = 0, older = 0, hcur = 0, hprev = 0, hold = 0; /* as in Exchange.w */
    byte st0 = NONE, st1 = NONE;    /* staged, the older one first */
    bit is0 = 0, is1 = 0;           /* bodies */
    byte left = 0;                  /* to be staged */
    byte next, pair, third, old, k;
    bit changes = 0;
    mtype op = PUBLISH;

    do
    :: atomic {
       if
       :: left == 0 && st1 == NONE ->
          if
          :: op = PUBLISH
          :: op = REPUBLISH
          :: op = RESTART
          :: op = REPUBLISH; left = 1
          :: op = REPUBLISH; left = 2
          :: op = RESTART; left = 1 /* with two it is as REPUBLISH */
          fi
       :: else
       fi;
       if :: boxcur == NONE -> hcur = cur; hprev = prev; hold = older :: else fi };
       /* What the reader does from here to the swap makes no difference to the writer. */
       atomic {
       d_step {
           next = 0;
           do
           :: next < SLOTS && (next == cur || next == prev || next == older
                            || next == hcur || next == hprev || next == hold
                            || next == st0 || next == st1) -> next++
           :: else -> break
           od;
           assert(next < SLOTS && !HELD(next))
       }
       if
       :: changes = 0
       :: changes = 1
       fi;
       d_step {
           if
           :: changes ->
              now = 1 - now; behind = 1;
#ifdef STAMP_OF_ONE
              stale[next] = 1
#else
              k = 0;
              do :: k < SLOTS -> if :: STAMPS(k) -> stale[k] = 1 :: else fi; k++ :: else -> break od;
              k = 0
#endif
           :: else
           fi;
#ifdef CHANGED_ONLY
           if :: changes -> body[next] = now :: else fi;
#else
           if :: stale[next] -> body[next] = now :: else fi;
#endif
           stale[next] = 0
       }
       if
       :: left > 0 ->
          d_step {
              fresh[next] = behind; changes = 0;
              if :: left == 2 -> st0 = next; is0 = now :: else -> st1 = next; is1 = now fi;
              left--; next = NONE
          }
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
       fi };
       if
       :: next == NONE -> next = 0 /* staged */
       :: else ->
       d_step {
           old = boxcur;
           boxcur = next; boxprev = pair; boxold = third;
#ifdef LAST_ONLY
           fresh[next] = changes;
#else
           fresh[next] = behind;
#endif
           changes = 0;
           if
           :: op == PUBLISH   -> isold = isprev; isprev = iscur
           :: op == REPUBLISH -> skip
           :: op == RESTART   -> isold = now; isprev = now
           fi;
           if :: st1 != NONE -> isprev = is1 :: else fi;
           if
           :: st0 != NONE -> isold = is0
           :: st0 == NONE && st1 != NONE && op == RESTART -> isold = is1
           :: else
           fi;
           iscur = now; newcur = next; newprev = pair; newold = third;
           /* What nobody can reach and will be written anew does not matter. */
           k = 0;
           do
           :: k == SLOTS -> break
           :: k < SLOTS && (HELD(k) || k == newcur || k == newprev || k == newold) -> k++
           :: else -> fresh[k] = 0; if :: stale[k] -> body[k] = 0 :: else fi; k++
           od;
           k = 0;
           if :: old == NONE -> hcur = cur; hprev = prev; hold = older :: else fi;
           cur = next; prev = pair; older = third;
           old = 0; next = 0; pair = 0; third = 0; op = PUBLISH;
           st0 = NONE; st1 = NONE; is0 = 0; is1 = 0;

           k = 0;
           do :: k < SLOTS -> name[k] = NONE; k++ :: else -> break od;
           names = 0;
           give(cur); give(prev); give(older); give(rcur); give(rprev); give(rold);
           give(hcur); give(hprev); give(hold);
           k = 0;
           do :: k < SLOTS -> give(k); k++ :: else -> break od;
           k = 0;
           do
           :: k < SLOTS -> body2[name[k]] = body[k]; stale2[name[k]] = stale[k]; fresh2[name[k]] = fresh[k]; k++
           :: else -> break
           od;
           rename(boxcur); rename(boxprev); rename(boxold);
           rename(rcur); rename(rprev); rename(rold);
           rename(newcur); rename(newprev); rename(newold);
           rename(cur); rename(prev); rename(older);
           rename(hcur); rename(hprev); rename(hold);
           k = 0;
           do
           :: k < SLOTS ->
              body[k] = body2[k]; stale[k] = stale2[k]; fresh[k] = fresh2[k];
              name[k] = 0; body2[k] = 0; stale2[k] = 0; fresh2[k] = 0; k++
           :: else -> break
           od;
           k = 0; names = 0
       }
       fi
    od
}

active proctype Reader()
{
    do
    :: boxcur != NONE ->
       d_step { rcur = boxcur; rprev = boxprev; rold = boxold;
                boxcur = NONE; boxprev = NONE; boxold = NONE;
                bcur = iscur; bprev = isprev; bold = isold };
       if /* the copy follows now, or after a later look */
       :: d_step {
              if :: fresh[rcur] -> copy = body[rcur] :: else fi;
              assert(copy == bcur);
              behind = stale[rcur]
          }
       :: skip
       fi
    :: assert(body[rold] == bold);
       assert(body[rprev] == bprev);
       assert(body[rcur] == bcur)
    od
}
