/** What one tab says to the others of this browser that show the same team. */
export interface Said {
  /** Up to where the events are known. */
  after: string;
  /** Something has happened to these bookings and perhaps to other things; undefined: nothing has. */
  news: readonly number[] | 'ALL' | undefined;
}

/** Listens to the other tabs, and returns a function that says something to them. */
export const talk = (name: string, signal: AbortSignal, hear: (said: Said) => void) => {
  const channel = new BroadcastChannel(`nightlatch ${name}`);
  channel.addEventListener('message', ({ data }: MessageEvent<Said>) => hear(data), { signal });
  signal.addEventListener('abort', () => channel.close());
  return (said: Said): void => {
    if (!signal.aborted) channel.postMessage(said);
  };
};

type Run = (signal: AbortSignal) => Promise<void>;

/** Runs in one tab at a time, of those that are seen. Pages without a certificate have no locks: there it runs in each. */
export const inOneTab = (name: string, signal: AbortSignal, run: Run): void => {
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) return void run(signal);
  let turn: AbortController | undefined;
  const look = (): void => {
    if (document.visibilityState !== 'visible') turn?.abort();
    else if (!turn || turn.signal.aborted) {
      const mine = (turn = new AbortController()).signal;
      // A tab that is left while it waits for its turn gives it up.
      void locks.request(`nightlatch ${name}`, { signal: mine }, () => run(mine)).catch(() => undefined);
    }
  };
  document.addEventListener('visibilitychange', look, { signal });
  signal.addEventListener('abort', () => turn?.abort());
  look();
};
