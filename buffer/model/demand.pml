/* Demand (demand.go) and the loop that serves it (physicsloop/loop.go): frames
   posted by the render side, a tick limit, quitting, and one doorbell of
   capacity one for all three.

   Frames, ticks and the limit run modulo, with at most BACKLOG of each open,
   so the search covers runs of any length. The render side may stop anywhere,
   and anybody may quit at any time: what was posted and allowed before that
   must be done.

   Variants, each of which must fail:
   UNBUFFERED   the bell is a channel without a buffer
   QUIT_LAST    quit is read after the number of frames
   LIMIT_FIRST  quit is read after the limit
   EARLY_RING   the bell rings before the frame is posted
   SILENT_LIMIT moving the limit does not ring */

#define M       4               /* more than BACKLOG */
#define BACKLOG 2

#define BEHIND(a, b) (((a) + M - (b)) % M)      /* how far b is behind a */

byte demand[M];                 /* tick asked for, by number of the frame */
byte posted = 0, done = 0;      /* frames */
byte wanted = 0, tick = 0;      /* ticks demanded and done */
byte limit = 0;                 /* tick physics may step to, where limited */
bool limited, quit = false, over = false;

byte bell = 0;                  /* rings in the channel */
bool asleep = false;            /* receiver in the channel without a buffer */

byte owedframes = 0, owedticks = 0; /* posted and allowed before quitting, not done yet */

/* A send that never blocks. */
inline Ring()
{
#ifdef UNBUFFERED
    d_step { if :: asleep -> asleep = false :: else fi }
#else
    bell = 1
#endif
}

inline Wait()
{
#ifdef UNBUFFERED
    asleep = true;
    !asleep
#else
    atomic { bell == 1 -> bell = 0 }
#endif
}

inline FinishFrame()
{
    done = (done + 1) % M;
    if :: owedframes > 0 -> owedframes-- :: else fi
}

active proctype Render()
{
    if :: limited = true :: limited = false fi;
    do
    :: BEHIND(posted, done) < BACKLOG ->
       /* a frame of commands alone, or with as many steps as are allowed */
       atomic {
           if
           :: true
           :: BEHIND(wanted, tick) < BACKLOG -> wanted = (wanted + 1) % M
           :: BEHIND(wanted, tick) == 0 -> wanted = (wanted + 2) % M
           fi;
           demand[posted] = wanted
       }
#ifdef EARLY_RING
       Ring();
       posted = (posted + 1) % M
#else
       posted = (posted + 1) % M;
       Ring()
#endif
    :: limited && limit != wanted ->
       limit = (limit + 1) % M;
#ifndef SILENT_LIMIT
       Ring()
#endif
    :: break
    od
}

active proctype Quitter()
{
    if
    :: true ->
       d_step {
           quit = true;
           if
           :: limited -> owedticks = BEHIND(limit, tick)
           :: !limited && posted != done -> owedticks = BEHIND(demand[(posted + M - 1) % M], tick)
           :: else
           fi;
           do
           :: (owedframes < BEHIND(posted, done) &&
               BEHIND(demand[(done + owedframes) % M], tick) <= owedticks) -> owedframes++
           :: else -> break
           od
       };
       Ring()
    :: true                                     /* never */
    fi
}

active proctype Physics()
{
    byte target, n;
    bool q = false;

    do
    :: /* Next */
#ifndef QUIT_LAST
       q = quit;
#endif
       n = posted;
#ifdef QUIT_LAST
       q = quit;
#endif
       if
       :: n == done && q -> break
       :: n == done && !q ->
end_idle:
          Wait()
       :: else ->
          target = demand[done];
          if
          :: target == tick -> atomic { FinishFrame() }
          :: else ->
             do
             :: tick == target -> break
             :: else ->
                do
#ifdef LIMIT_FIRST
                :: n = limit;
                   q = quit;
#else
                :: q = quit;
                   n = limit;
#endif
                   if
                   :: !limited || n != tick -> break
                   :: limited && n == tick && q -> goto finished
                   :: limited && n == tick && !q ->
end_limit:
                      Wait()
                   fi
                od;
                atomic {
                    tick = (tick + 1) % M;
                    if :: owedticks > 0 -> owedticks-- :: else fi;
                    if :: tick == target -> FinishFrame() :: else fi
                }
             od
          fi
       fi;
       atomic { n = 0; q = false; target = 0 }
    od;
finished:
    assert(owedframes == 0 && owedticks == 0);
    over = true
}

/* Nobody can move: then physics has ended, or it sleeps for a reason. */
active proctype Watch()
{
    timeout ->
    assert(over || !quit && (done == posted || limited && tick == limit))
}
