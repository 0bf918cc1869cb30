import type { PartnerEvent } from '@nightlatch/client';
import { useEffect } from 'preact/hooks';
import { api, session, signIn } from '../session/session.ts';
import { noteEnd, refreshShown } from './reading.ts';

/** How often a visible board asks what has happened: the answer "nothing" costs one read unit. */
const pollMs = 2_000;
const slowPollMs = 15_000;

/** Reads again what is on the screen when something has happened to the team, and when the page is seen again. */
export const useLive = (): void => {
  const now = session.value;
  const team = now.state === 'SIGNED_IN' ? now.team.team_id : undefined;
  useEffect(() => {
    if (now.state !== 'OFFLINE') return undefined;
    const back = (): void => void signIn();
    window.addEventListener('online', back);
    return () => window.removeEventListener('online', back);
  }, [now.state]);
  useEffect(() => {
    if (team === undefined) return undefined;
    const control = new AbortController();
    void follow(control.signal);
    const wake = () => {
      if (document.visibilityState === 'visible') void refreshShown();
    };
    document.addEventListener('visibilitychange', wake, { signal: control.signal });
    addEventListener('online', wake, { signal: control.signal });
    return () => control.abort();
  }, [team]);
};

/** The bookings that an event names. */
const bookingsOf = ({ data }: PartnerEvent): number[] => {
  const { id, booking_id, master_reservation_id, thread_id } = data as Readonly<
    Partial<Record<'id' | 'booking_id' | 'master_reservation_id' | 'thread_id', unknown>>
  >;
  return [id, booking_id, master_reservation_id, thread_id].filter((one) => typeof one === 'number');
};

const follow = async (signal: AbortSignal): Promise<void> => {
  let after = 'latest';
  let pauseMs = pollMs;
  while (!signal.aborted) {
    if (document.visibilityState === 'visible' && navigator.onLine)
      try {
        const page = await api().readTeamEvents({ after }, { signal, maxAttempts: 1 });
        after = page.next_cursor;
        if (page.items.length > 0) void refreshShown(new Set(page.items.flatMap(bookingsOf)));
        pauseMs = pollMs;
      } catch (error) {
        noteEnd(error);
        // Such as a cursor that is out of date: begin at now, and read what may have been missed.
        after = 'latest';
        void refreshShown();
        pauseMs = slowPollMs;
      }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
};
