/* The tick limit through changes of mode (demand.go, link.go, renderloop/simulated.go,
   physicsloop/loop.go). In each frame the render side demands, moves the limit,
   and waits for what counts as done. The limit jumps to all that is demanded
   (Lockstep on a simulated clock), goes to a part of it (Pipelined on one), is
   gone (the wall clock), and falls behind what is done already.

   Somebody may close the loop beside a frame. Then what was allowed is done,
   and a frame that waits is released. An engine lifts the limit before it closes,
   so all that was demanded is done, whatever the frame does to the limit.

   Ticks run modulo, with at most BACKLOG of them open, so the search covers
   runs of any length. A limit behind what is done lies half a turn away.

   Variants, each of which must fail:
   LATE_LIMIT   a frame waits before it moves the limit
   SILENT_LIMIT moving the limit does not ring
   EARLY_RING   the bell rings before the limit is moved
   LIMIT_FIRST  physics reads quit after the limit
   NOT_LIFTED   a frame moves a limit that was lifted
   SILENT_STOP  the end of physics does not ring
   STOPPED_LAST Await reads stopped after the progress */

#define M       8
#define BACKLOG 2
#define NONE    255             /* no limit */
#define LIFTED  254             /* no limit, for good */

#define AHEAD(a, b)  ((a) != (b) && ((a) + M - (b)) % M <= BACKLOG)  /* a is to come at b */
#define OPEN         ((wanted + M - tick) % M)
#define ALLOWED(l)   ((l) >= LIFTED || AHEAD(l, tick))

byte wanted = 0, tick = 0;      /* ticks demanded and done */
byte limit = 0;
bool quit = false, stopped = false;
bool waiting = false;           /* the render side, for physics */

byte bell = 0, answer = 0;      /* rings for physics and for the render side */
byte owed = 0;                  /* ticks demanded and allowed before quitting, not done */

/* What is owed is what is still allowed. */
inline Owe(most)
{
    owed = most;
    if
    :: limit < LIFTED && !AHEAD(limit, tick) -> owed = 0
    :: limit < LIFTED && AHEAD(limit, tick) && (limit + M - tick) % M < owed -> owed = (limit + M - tick) % M
    :: else
    fi
}

inline SetLimit(l)
{
    if
    :: limit != l ->
#ifdef EARLY_RING
       bell = 1;
#endif
#ifdef NOT_LIFTED
       d_step { limit = l };
#else
       d_step {                 /* a compare-and-swap */
           if
           :: limit != LIFTED -> limit = l; Owe(owed)
           :: else
           fi
       }
#endif
#if !defined(EARLY_RING) && !defined(SILENT_LIMIT)
       bell = 1
#endif
    :: else
    fi
}

active proctype Render()
{
    byte l, t;
    bool s;

    do
    :: /* a frame: demand, */
       if
       :: OPEN == 0 -> wanted = (wanted + 2) % M; bell = 1
       :: OPEN < BACKLOG -> wanted = (wanted + 1) % M; bell = 1
       :: true
       fi;
       /* choose a mode, */
       atomic {
           if
           :: l = NONE
           :: l = wanted
           :: OPEN > 0 -> l = (wanted + M - 1) % M
           :: l = (tick + M - 1) % M
           fi
       }
#ifndef LATE_LIMIT
       SetLimit(l);
#endif
       /* and wait, but for the wall clock */
       if
       :: l == NONE
       :: else ->
          do
          ::
#ifndef STOPPED_LAST
             s = stopped;
#endif
             t = tick;
#ifdef STOPPED_LAST
             s = stopped;
#endif
             if
             :: !AHEAD(l, t) -> break
             :: AHEAD(l, t) && s ->
                assert(AHEAD(l, tick));         /* it was really not done */
                goto released
             :: else ->
                waiting = true;
                atomic { answer == 1 -> answer = 0; waiting = false }
             fi
          od
       fi;
#ifdef LATE_LIMIT
       SetLimit(l);
#endif
       atomic { l = 0; t = 0; s = false }
    :: break
    od;
released:
    skip
}

active proctype Closer()
{
    if
    :: true -> d_step { quit = true; Owe(OPEN) }; bell = 1
    :: true -> limit = LIFTED; bell = 1; d_step { quit = true; Owe(OPEN) }; bell = 1
    :: true                                     /* never */
    fi
}

active proctype Physics()
{
    byte target;
    bool q = false, a = false;

    do
    :: /* Next */
       q = quit;
       target = wanted;
       if
       :: target == tick && q -> break
       :: target == tick && !q ->
end_idle:
          atomic { bell == 1 -> bell = 0 }
       :: else ->
          do
          :: tick == target -> break
          :: else ->
             do
#ifdef LIMIT_FIRST
             :: a = ALLOWED(limit);
                q = quit;
#else
             :: q = quit;
                a = ALLOWED(limit);
#endif
                if
                :: a -> break
                :: !a && q -> goto finished
                :: else ->
end_limit:
                   atomic { bell == 1 -> bell = 0 }
                fi
             od;
             atomic {
                 tick = (tick + 1) % M;
                 if :: owed > 0 -> owed-- :: else fi
             };
             answer = 1
          od
       fi;
       atomic { q = false; a = false; target = 0 }
    od;
finished:
    assert(owed == 0);
    stopped = true;
#ifndef SILENT_STOP
    answer = 1
#endif
}

/* Nobody can move: then no frame waits, and physics has ended or sleeps for a
   reason. */
active proctype Watch()
{
    timeout ->
    assert(!waiting && (stopped || !quit && (OPEN == 0 || !ALLOWED(limit))))
}
