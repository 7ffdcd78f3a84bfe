/* Readers (readers.go): a place that readers come to and leave, and a feed.

   The writer publishes for ever, sleeps when it likes and cuts a feed when it likes.
   Two readers come to the one place, look as often as they like, and go. exchange.pml
   has the triples of slots and the corrections, so here a word names one slot. A state
   is its number, modulo, written in two parts. Each state has one record, and a feed is
   the number of its last record, and whether it began with one that is not published yet.

   Variants, each of which must fail:
   SLOTS=3      the writer finds no free slot
   SWAP         the writer swaps its word in whatever is there
   NOT_HEEDED   the writer does not heed that a reader has taken what waited
   NOT_KEPT     the writer writes what waits for a reader whose feed is cut
   FEED_LAST    the feed is there after the word
   UNASKED      a cut feed is replaced though nobody has asked
   FULL_GOES_ON a reader whose feed is cut gets more states
   TOO_NEW      a feed begins with records that are not published yet
   SILENT       a reader asks and does not ring
   RING_FIRST   a reader rings before it asks
   LATE_READ    a reader reads once more when it has gone
   ASK_BY_STORE a reader asks whatever is in its place */

#ifndef SLOTS
#define SLOTS 4
#endif
#define M      3
#define POISON 100
#define IDLE   253
#define ASKING 254
#define NONE   255

#define AFTER(a, b) (((a) + M - (b)) % M)       /* how far a is after b */

byte lo[SLOTS] = POISON, hi[SLOTS] = POISON;    /* parts of a state */
byte box = IDLE;
byte feed = 0;                                  /* of the place: 1 or 2, 0 is none */
byte last[3];                                   /* of each feed */
bool cut[3], early[3];
byte held[2] = NONE, has[2] = 0;                /* slot and feed of each reader */
bool rung = false;                              /* the bell */

#define HEED      mine = waiting
#define SETTLED   (!pending)    /* no records that are not published yet */
#define IF_CUT    break
#define BEFORE    Begin()
#define BEHIND    skip
#define UNCHANGED box == old
#define SPARED    waiting
#ifdef NOT_HEEDED
#define HEED      skip
#endif
#ifdef TOO_NEW
#define SETTLED   true
#endif
#ifdef UNASKED
#define IF_CUT    Begin()
#endif
#ifdef FULL_GOES_ON
#define IF_CUT    skip
#endif
#ifdef FEED_LAST
#define BEFORE    skip
#define BEHIND    Begin()
#endif
#ifdef SWAP
#define UNCHANGED true
#endif
#ifdef NOT_KEPT
#define SPARED    mine
#endif

inline Begin()
{
    d_step { feed = id; last[id] = (now + pending) % M; early[id] = pending; cut[id] = false; id = 3 - id }
}

inline Put(serves)
{
    told = false;
    do
    :: told -> break
    :: !told ->
       old = box;
       if :: serves && old != ASKING -> break :: else fi;
       if
       :: old == IDLE -> mine = NONE; waiting = NONE; feed = 0; break
       :: old == NONE || old == ASKING -> HEED
       :: else
       fi;
       if
       :: old == ASKING && SETTLED -> BEFORE
       :: old == ASKING && !SETTLED -> break
       :: old != ASKING && feed != 0 && cut[feed] -> IF_CUT
       :: else
       fi;
       atomic { if :: UNCHANGED -> box = cur; waiting = cur; told = true :: else fi };
       if :: told && old == ASKING -> BEHIND :: else fi
    od;
    old = 0
}

/* Which slot is which does not matter, nor what nobody can reach: that keeps the
   search small. */
byte name[SLOTS], lo2[SLOTS], hi2[SLOTS], names;
inline give(s) { if :: s < SLOTS && name[s] == NONE -> name[s] = names; names++ :: else fi }
inline rename(s) { if :: s < SLOTS -> s = name[s] :: else fi }

inline Tidy()
{
    d_step {
        next = 0;
        do :: next < SLOTS -> name[next] = NONE; lo2[next] = POISON; hi2[next] = POISON; next++ :: else -> break od;
        names = 0;
        give(cur); give(mine); give(waiting); give(box); give(held[0]); give(held[1]);
        next = 0;
        do
        :: next < SLOTS && name[next] != NONE -> lo2[name[next]] = lo[next]; hi2[name[next]] = hi[next]; next++
        :: next < SLOTS && name[next] == NONE -> next++
        :: else -> break
        od;
        rename(cur); rename(mine); rename(waiting); rename(box); rename(held[0]); rename(held[1]);
        next = 0;
        do
        :: next < SLOTS -> lo[next] = lo2[next]; hi[next] = hi2[next]; name[next] = 0; lo2[next] = 0; hi2[next] = 0; next++
        :: else -> break
        od;
        names = 0; next = 1;
        do
        :: next < 3 && feed != next && has[0] != next && has[1] != next -> last[next] = 0; cut[next] = false; early[next] = false; next++
        :: next < 3 && (feed == next || has[0] == next || has[1] == next) -> next++
        :: else -> break
        od;
        next = 0
    }
}

active proctype Writer()
{
    byte cur = 0, mine = NONE, waiting = NONE;  /* mine are the slots that are held, as the writer knows */
    byte now = 0, old, next, id = 1;
    bool pending = false, told = false;

    lo[0] = 0; hi[0] = 0;
    do
    :: d_step {                 /* a step */
           next = 0;
           do
           :: next < SLOTS && (next == cur || next == mine || next == SPARED) -> next++
           :: else -> break
           od;
           assert(next < SLOTS)
       };
       d_step { assert(next != held[0] && next != held[1]); lo[next] = POISON; hi[next] = POISON };
       if
       :: pending = true; Put(true)
       :: true
       fi;
       d_step { assert(next != held[0] && next != held[1]); lo[next] = (now + 1) % M };
       d_step { assert(next != held[0] && next != held[1]); hi[next] = (now + 1) % M };
       now = (now + 1) % M; cur = next; pending = false;
       if
       :: feed != 0 && !cut[feed] ->
          d_step { last[feed] = now; early[feed] = false };
          if :: cut[feed] = true :: true fi
       :: else
       fi;
       Put(false);
       Tidy()
    :: Put(true);               /* sleep */
end:   rung -> rung = false
    od
}

#define h held[me]
#define WHOLE (lo[h] == hi[h] && lo[h] != POISON)

proctype Reader(byte me)
{
    byte right = 0;

end: do
    :: /* come */
       atomic {
           box == IDLE ->
#ifdef RING_FIRST
           skip
       };
       rung = true;
       atomic {
           if :: box == IDLE -> box = ASKING :: else -> goto end fi
       };
#else
           box = ASKING
       };
       rung = true;
#endif
       do
       :: /* look */
          if
          :: d_step { box < SLOTS ->
                 h = box; box = NONE; right = feed;
                 assert(WHOLE);
                 assert(right != 0 && AFTER(last[right], lo[h]) <= 1 && !early[right]) };
             d_step { has[me] = feed; assert(has[me] == right); right = 0 }
          :: h != NONE ->
             d_step { assert(WHOLE) } /* read again */
          :: else
          fi;
          if
          :: has[me] != 0 && cut[has[me]] ->
             atomic {
                 if
#ifdef ASK_BY_STORE
                 :: true -> box = ASKING
#else
                 :: box == NONE -> box = ASKING
                 :: else
#endif
                 fi
             };
#ifndef SILENT
             rung = true
#endif
          :: else
          fi
       :: /* wait to be served: the writer must not sleep now */
          box == ASKING -> box != ASKING
       :: /* go */
#ifdef LATE_READ
          box = IDLE;
          if :: h != NONE -> d_step { assert(WHOLE) } :: else fi;
          d_step { h = NONE; has[me] = 0 };
#else
          d_step { h = NONE; has[me] = 0; box = IDLE };
#endif
          break
       od
    od
}

init { atomic { run Reader(0); run Reader(1) } }
