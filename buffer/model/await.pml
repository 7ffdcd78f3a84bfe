/* Link.Await (link.go): the render side waits until physics has come as far as
   it asked, or has stopped. Physics publishes a state, announces how far it is,
   rings; it may stop anywhere, because it was asked to or by a panic.

   Ticks run modulo, with at most BACKLOG of them open, so the search covers
   runs of any length. The render side waits for what it asked, or asks again
   without waiting, so that rings of earlier ticks are still about.

   Variants, each of which must fail:
   STOPPED_LAST  stopped is read after the progress
   UNBUFFERED    the bell is a channel without a buffer
   EARLY_RING    the bell rings before the progress is announced
   EARLY_WORD    the progress is announced before the state is published
   SILENT_STOP   stopping does not ring */

#define M       4
#define BACKLOG 2

#define BEHIND(a, b) (((a) + M - (b)) % M)      /* how far b is behind a */

byte wanted = 0;                /* the tick that the render side asked for */
byte published = 0;             /* the newest state in the exchange */
byte tick = 0;                  /* what was announced */
bool stopped = false;

byte bell = 0;
bool asleep = false;            /* receiver in the channel without a buffer */

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

active proctype Physics()
{
    bool mortal;
    if :: mortal = true :: mortal = false fi;

end_idle:
    do
    :: tick != wanted ->
#ifdef EARLY_WORD
       tick = (tick + 1) % M;
       if :: true :: mortal -> goto stop fi;
       published = tick;
       Ring()
#else
       published = (tick + 1) % M;
       if :: true :: mortal -> goto stop fi;
#ifdef EARLY_RING
       Ring();
       tick = published
#else
       tick = published;
       Ring()
#endif
#endif
    :: mortal -> break
    od;
stop:
    stopped = true;
#ifndef SILENT_STOP
    Ring()
#endif
}

active proctype Render()
{
    byte t;
    bool s;

    do
    :: BEHIND(wanted, tick) < BACKLOG -> wanted = (wanted + 1) % M
    :: /* Await(wanted) */
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
          :: t == wanted ->
             assert(published == wanted);   /* what was waited for can be acquired */
             break
          :: t != wanted && s ->
             assert(tick != wanted);        /* it was really not done */
             goto released
          :: else ->
             Wait()
          fi
       od;
       atomic { s = false; t = 0 }
    :: break
    od;
released:
    skip
}
