import { freeAt, type MailLimit } from '../../platform/mail/allowance.rules.ts';
import { dayMs, hourMs } from '../../platform/time/time.ts';
import type { Reservation } from '../booking/model.ts';

/** When a mail was or will be sent, in epoch milliseconds, and what names it. */
interface MailTurn {
  at: number;
  mail: string;
}

/** How many mails a key has in an hour, which is counted since 1970. */
interface HourOfKey {
  hour: number;
  mails: number;
}

/** What one address gets on behalf of one party (D110). */
const ofAddress: readonly MailLimit[] = [
  { most: 10, ms: hourMs },
  { most: 30, ms: dayMs },
];
/** What one key has sent to all such addresses in an hour of the clock. */
const mostOfKey = 500;
/** How long a mail waits for its turn; one whose turn would be later is dropped. */
const longestWaitMs = dayMs;

/** Turns of more than a day ago limit nothing any more, nor do those that no mail waits for: the clock was turned back. */
export const remembered = (turns: readonly MailTurn[], now: number): MailTurn[] =>
  turns.filter(({ at }) => at > now - dayMs && at < now + longestWaitMs + hourMs);

/** Returns the hours that are not over, of those in which a key has mails and which one may wait for. */
export const hoursAhead = (hours: readonly HourOfKey[], now: number): HourOfKey[] =>
  hours.filter(({ hour }) => (hour + 1) * hourMs > now && (hour - 1) * hourMs <= now + longestWaitMs);

/**
 * Returns the turn of one more mail, in epoch milliseconds: the first time at which the limits of the address with each party, and
 * those of the key if one sends, allow it. Undefined: not within the longest wait.
 */
export const nextTurn = (
  parties: readonly (readonly MailTurn[])[],
  hours: readonly HourOfKey[] | undefined,
  now: number,
): number | undefined => {
  const free = Math.max(
    now,
    ...parties.map((turns) =>
      freeAt(
        turns.map(({ at }) => at),
        ofAddress,
        now,
      ),
    ),
  );
  const turn = hours ? freeHour(hours, free) : free;
  return turn > now + longestWaitMs ? undefined : turn;
};

const freeHour = (hours: readonly HourOfKey[], from: number): number => {
  const full = new Set(hours.filter(({ mails }) => mails >= mostOfKey).map(({ hour }) => hour));
  let hour = Math.floor(from / hourMs);
  while (full.has(hour)) hour += 1;
  return Math.max(from, hour * hourMs);
};

/** Returns the hours of a key with one more mail. */
export const withMail = (hours: readonly HourOfKey[], turn: number): HourOfKey[] => {
  const hour = Math.floor(turn / hourMs);
  const others = hours.filter((one) => one.hour !== hour);
  const mails = hours.find((one) => one.hour === hour)?.mails ?? 0;
  return [...others, { hour, mails: mails + 1 }];
};

/** Returns on whose behalf a mail about a stay is: its team, and the key that booked it, else its guest with an account. */
export const partiesOf = ({
  team_id,
  key_id,
  guest,
}: Pick<Reservation, 'team_id' | 'key_id' | 'guest'>): string[] => {
  const booked = key_id === null ? guest.user_id : null;
  return [
    `team:${team_id}`,
    ...(key_id === null ? [] : [`key:${key_id}`]),
    ...(booked === null ? [] : [`user:${booked}`]),
  ];
};
