import { NightlatchError, type PartnerEvent } from '@nightlatch/client';
import { useEffect } from 'preact/hooks';
import { api, pace, session, signIn } from '../session/session.ts';
import { noteEnd, refreshShown } from './reading.ts';
import { inOneTab, type Said, talk } from './tabs.ts';

/** How often a visible board asks what has happened: the answer "nothing" costs one read unit. */
const pollMs = 2_000;
const slowPollMs = 15_000;

const isVisible = (): boolean => document.visibilityState === 'visible';

/** Reads again what is on the screen when something has happened to the team, and when the page is seen again. */
export const useLive = (): void => {
  const now = session.value;
  const team = now.state === 'SIGNED_IN' ? now.team.team_id : undefined;
  const person = 'person' in now ? now.person.id : 0;
  useEffect(() => {
    if (now.state !== 'OFFLINE') return undefined;
    const back = (): void => void signIn();
    window.addEventListener('online', back);
    return () => window.removeEventListener('online', back);
  }, [now.state]);
  useEffect(() => {
    if (team === undefined) return undefined;
    const control = new AbortController();
    const { signal } = control;
    followTogether(`${person}/${team}`, signal);
    const wake = () => {
      if (isVisible()) void refreshShown();
    };
    document.addEventListener('visibilitychange', wake, { signal });
    addEventListener('online', wake, { signal });
    return () => control.abort();
  }, [team]);
};

/** One of the tabs that are seen asks; all read again what they show. */
const followTogether = (name: string, signal: AbortSignal): void => {
  const place = { after: 'latest' };
  const refresh = refresher(signal);
  const hear = ({ after, news }: Said): void => {
    place.after = after;
    if (news && isVisible()) refresh(news);
  };
  const say = talk(name, signal, hear);
  inOneTab(name, signal, (turn) =>
    follow(place, turn, (said) => {
      say(said);
      hear(said);
    }),
  );
};

/** Returns what reads again: what happens while it reads or waits is read together, once. */
const refresher = (signal: AbortSignal) => {
  let due: Set<number> | 'ALL' | undefined;
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    while (due !== undefined && !signal.aborted) {
      await pause(pace.delayMs(), signal);
      const now: Set<number> | 'ALL' = due;
      due = undefined;
      await refreshShown(now === 'ALL' ? undefined : now);
    }
    isRunning = false;
  };
  return (news: readonly number[] | 'ALL'): void => {
    due = news === 'ALL' || due === 'ALL' ? 'ALL' : new Set([...(due ?? []), ...news]);
    if (!isRunning) void run();
  };
};

/** The bookings that an event names. */
const bookingsOf = ({ data }: PartnerEvent): number[] => {
  const { id, booking_id, master_reservation_id, thread_id } = data as Readonly<
    Partial<Record<'id' | 'booking_id' | 'master_reservation_id' | 'thread_id', unknown>>
  >;
  return [id, booking_id, master_reservation_id, thread_id].filter((one) => typeof one === 'number');
};

const follow = async (
  place: { after: string },
  signal: AbortSignal,
  say: (said: Said) => void,
): Promise<void> => {
  let isSure = true;
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    let pauseMs = pollMs;
    if (isVisible() && navigator.onLine)
      try {
        const page = await api().readTeamEvents({ after: place.after }, { signal, maxAttempts: 1 });
        const ids = page.items.length > 0 ? page.items.flatMap(bookingsOf) : undefined;
        say({ after: page.next_cursor, news: isSure ? ids : 'ALL' });
        isSure = true;
      } catch (error) {
        if (isOver()) return;
        noteEnd(error);
        const { status, retryAfterSeconds = 0 } =
          error instanceof NightlatchError ? error : { status: undefined };
        // Nothing is missed: the next answer begins where the last one has ended.
        if (status === 429) pace.refused(retryAfterSeconds * 1000);
        else pauseMs = slowPollMs;
        if (status === undefined || status >= 500) void refreshShown();
        else if (status !== 429) {
          // Such as a cursor that is out of date: begin at now, and read what may have been missed.
          place.after = 'latest';
          isSure = false;
        }
      }
    await pause(Math.max(pauseMs, pace.delayMs()), signal);
  }
};

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
