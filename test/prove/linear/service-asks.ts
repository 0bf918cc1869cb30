import { meant, repeatable, type Request, type Sent } from '../service/client.ts';
import { hourSpan } from '../schedule/scene.ts';
import { type Asking, joinTwins, weightOf } from './twins.ts';

export type Asks = Asking<Sent, NonNullable<Sent['reply']>>;

interface Answer {
  id?: number;
  checkout_id?: number;
  locked_until?: string;
  master_reservation_id?: number;
  reservations?: { id: number; listing_id: number; check_in_date: string }[];
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** The clocks of two instances differ by up to a second. */
const skewMs = 1000;
export const softLockMs = 15 * minuteMs;
/** The shortest windows of payments and transfers, and how long a host may take to accept. */
export const windows = { page: 30 * minuteMs, transfer: 2 * hourMs, acceptance: 24 * hourMs };

/** Requests with one key are one; what was refused for itself is left out. */
export const asksOf = (sent: readonly Sent[]): Asks[] => {
  const askings = sent.map(meant).map((one, at): Asks => {
    const { who, request, begin, end, since, by, reply } = one;
    const isRepeatable = request.key !== undefined && repeatable.has(request.verb);
    return {
      name: `${who.name}#${at} ${request.verb}`,
      twinOf: isRepeatable ? `${who.name} ${request.key}` : undefined,
      request: one,
      ...{ begin, end, since: since - skewMs, by: by + skewMs, answer: reply },
    };
  });
  return joinTwins(askings, ({ status }) => weightOf(status)).map((one) =>
    one.answer && weightOf(one.answer.status) === 'unknown'
      ? { ...one, answer: undefined, end: Infinity, by: Infinity }
      : one,
  );
};

export const jsonOf = ({ answer }: Asks): Answer => answer?.json ?? {};

/** The hour that it is, at the latest, when a request is answered. */
export const nowHour = ({ since, by }: Asks): number => {
  const at = Number.isFinite(by) ? by : since + hourMs;
  const text = new Date(at + 7 * hourMs).toISOString().slice(0, 16);
  return hourSpan({ from: text, to: text }).from;
};

/** Orders are multiples of 16; the ids of their stays follow. */
export const orderOf = (id: number): number => id - (id % 16);

export const isMove = ({ verb, body }: Request): boolean =>
  verb === 'updateListing' && 'parent_listing_id' in (body ?? {});

export const untilOf = (one: Asks): readonly [number, number] => {
  const { locked_until: told } = jsonOf(one);
  if (told === undefined) return [-Infinity, Infinity];
  return [Date.parse(told), Date.parse(told)];
};
