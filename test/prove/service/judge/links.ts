import { phoneDigits } from '../actors/link-guests.ts';
import type { Answers, Sent } from '../client.ts';
import type { Booked } from '../town.ts';

/** An answer by a link. */
interface Answer {
  id?: number;
  guest_url?: string | null;
}

/** Verbs whose answers have the id of the stay. */
const ofStay = new Set(['getGuestBooking', 'changeGuestBooking', 'cancelGuestBooking']);

/**
 * Links of guests as their callers saw them: a link opens its stay and no other, until it is replaced, and not a moment longer; it
 * shows the entry information to who knows the last digits of the telephone number, and never by a partner's link.
 */
export const linkProblems = ({ sent }: Pick<Answers, 'sent'>, bookings: readonly Booked[]): string[] => {
  const rotated = sent
    .filter(({ request }) => request.verb === 'rotateGuestLink')
    // What was answered is repeated with the same answer, and replaces nothing.
    .filter(
      ({ request: { key }, begin }, _, all) =>
        !all.some(({ request, reply, end }) => request.key === key && reply?.status === 200 && end < begin),
    );
  const born = new Map<string, Sent>();
  for (const one of sent) {
    const token = ((one.reply?.json ?? {}) as Answer | null)?.guest_url?.split('#')[1];
    if (token !== undefined && !born.has(token)) born.set(token, one);
  }
  return sent.flatMap((one) => {
    const { link, stay = 0 } = one.who;
    const first = born.get(link ?? '');
    if (link === undefined || !first || !one.reply) return [];
    const { status, code, json } = one.reply;
    const name = `${one.who.name} ${one.request.verb} of stay ${stay}`;
    const ends = rotated.filter(({ request }) => stayIn(request.path) === stay && first.request !== request);
    const hasEnded = ends.some(
      ({ begin, end, reply }) => reply?.status === 200 && begin > first.end && end < one.begin,
    );
    const mayHaveEnded = ends.some(
      ({ begin, end, reply }) => end > first.begin && begin < one.end && (!reply || !isRefused(reply)),
    );
    const booked = bookings.find(({ stays }) => stays.some(({ id }) => id === stay));
    return [
      ...(hasEnded && status !== 404 && status < 500 && status !== 429
        ? [`${name} was answered ${status} by a link that was replaced`]
        : []),
      ...(status === 404 && code !== 'LISTING_NOT_FOUND' && !mayHaveEnded
        ? [`${name} was answered ${status} by a link that was not replaced`]
        : []),
      ...(ofStay.has(one.request.verb) && status < 300 && (json as Answer).id !== stay
        ? [`${name} opened stay ${(json as Answer).id}`]
        : []),
      ...(one.request.verb === 'readGuestAccess' && status === 200 ? accessProblems(name, one, booked) : []),
    ];
  });
};

const stayIn = (path: string): number => Number(/\/bookings\/(\d+)/.exec(path)?.[1]);

const isRefused = ({ status }: { status: number }): boolean => status >= 400 && status < 500;

const accessProblems = (name: string, { request }: Sent, booked: Booked | undefined): string[] => {
  const { phone_digits: digits } = request.body as { phone_digits: string };
  return booked?.kind === 'host' && digits === phoneDigits.host
    ? []
    : [`${name} was shown the entry information for ${digits}`];
};
