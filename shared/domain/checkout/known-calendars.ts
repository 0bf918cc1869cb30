import type { Context } from '../../platform/context.ts';

/**
 * The calendars of listings as an instance has read them last, so that the months of a child are read with its listing. The
 * clock is what all requests of an instance share.
 */
const calendars = new WeakMap<Context['clock'], Map<number, number>>();
const mostCalendars = 10_000;

export const knownCalendars = ({ clock }: Context): Map<number, number> => {
  const known = calendars.get(clock);
  if (known && known.size < mostCalendars) return known;
  const none = new Map<number, number>();
  calendars.set(clock, none);
  return none;
};
