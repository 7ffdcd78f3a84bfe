/* Log (log.go): a queue in chunks, whose chunks are used again once the reader
   has left them. The count travels with something else that is published; here
   it is a word of its own.

   Numbers of records run modulo, and a record holds its own number, so the
   search covers runs of any length. At most BACKLOG records wait at a time;
   with that bound CHUNKS chunks are enough, which is asserted.

   Variants, each of which must fail:
   EARLY_COUNT  the count is published before the record is written
   EARLY_LEFT   a chunk is given back before the reader has followed its link
   PEEK_TWICE   Peek does not see that it has followed the link already */

#define LEN     2
#define CHUNKS  4
#define BACKLOG 3
#define M       16              /* a multiple of LEN, more than CHUNKS*LEN */
#define NIL     255

#define BEHIND(a, b) (((a) + M - (b)) % M)      /* how far b is behind a */
#define RECORD(c, n) record[(c)*LEN + (n) % LEN]

byte record[CHUNKS*LEN] = NIL;
byte next[CHUNKS] = NIL;
byte published = 0;             /* the count as the reader can get it */
byte left = 0;                  /* records in chunks given back */
byte taken = 0;

active proctype Writer()
{
    byte tail = 0, old = 0, count = 0, freed = 0, made = 1, c = 0;
    bool later = false;         /* count moved on: boundary is not at the start */

end:
    do
    :: BEHIND(count, taken) < BACKLOG ->
       if
       :: count % LEN == 0 && later ->
          if
          :: BEHIND(left, freed) >= LEN ->
             c = old; old = next[c]; freed = (freed + LEN) % M; next[c] = NIL
          :: else ->
             assert(made < CHUNKS);
             c = made; made++
          fi;
          next[tail] = c;
          tail = c; c = 0
       :: else
       fi;
       later = true;
#ifdef EARLY_COUNT
       published = (count + 1) % M;
#endif
       RECORD(tail, count) = count;
       count = (count + 1) % M
    :: published != count -> published = count
    od
}

active proctype Reader()
{
    byte head = 0, limit = 0;
    bool later = false;

end:
    do
    :: taken == limit -> (published != limit); limit = published
    :: taken != limit ->
       /* Peek */
       if
#ifdef PEEK_TWICE
       :: taken % LEN == 0 && later ->
#else
       :: taken % LEN == 0 && later && left != taken ->
#endif
#ifdef EARLY_LEFT
          left = taken;
          head = next[head];
#else
          head = next[head];
          left = taken;
#endif
          assert(head != NIL)
       :: else
       fi;
       assert(RECORD(head, taken) == taken);
       if
       :: true                  /* look again */
       :: true ->               /* Take */
          RECORD(head, taken) = NIL;
          later = true;
          taken = (taken + 1) % M
       fi
    od
}
