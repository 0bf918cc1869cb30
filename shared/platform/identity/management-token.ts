import type { Clock } from '../time/clock.ts';

interface ManagementToken {
  read(): Promise<string>;
  /** Drops a token that the provider rejected; the next read fetches another. */
  forget(token: string): void;
}

interface Held {
  value: string;
  from: number;
  until: number;
}

/**
 * Returns a cache of the token for /api/v2. It renews the token after nine tenths of its lifetime, with one request at a time.
 */
export const createManagementToken = (
  clock: Clock,
  request: () => Promise<{ access_token: string; expires_in: number }>,
): ManagementToken => {
  let held: Held | undefined;
  let pending: Promise<string> | undefined;
  const renew = async () => {
    const from = clock.now();
    const { access_token, expires_in } = await request();
    held = { value: access_token, from, until: from + expires_in * 900 };
    return access_token;
  };
  return {
    read: async () => {
      const now = clock.now();
      if (held && held.from <= now && now < held.until) return held.value;
      pending ??= renew().finally(() => (pending = undefined));
      return pending;
    },
    forget: (token) => {
      if (held?.value === token) held = undefined;
    },
  };
};
