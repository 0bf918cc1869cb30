import { phoneDigits } from '../actors/link-guests.ts';
import type { Answers, Sent } from '../client.ts';
import { linkIn, type SentMail } from '../post.ts';
import type { Booked } from '../town.ts';

/** An answer by a link. */
interface Answer {
  id?: number;
  guest_url?: string | null;
}

/** Verbs whose answers have the id of the stay. */
const ofStay = new Set(['getGuestBooking', 'changeGuestBooking', 'cancelGuestBooking']);

/** The times between which a link was made. */
interface Made {
  since: number;
  by: number;
  request?: object;
}

/** A mail is written within a run of its function. */
const writingMs = 15 * 60_000;

/** When each link was seen first: in a mail, or in an answer. */
const linksOf = (sent: readonly Sent[], mails: readonly SentMail[]): Map<string, Made> => {
  const made = new Map<string, Made>();
  for (const mail of mails) {
    const token = linkIn(mail);
    if (token !== undefined && !made.has(token)) made.set(token, { since: mail.at - writingMs, by: mail.at });
  }
  for (const one of sent) {
    const token = ((one.reply?.json ?? {}) as Answer | null)?.guest_url?.split('#')[1];
    if (token !== undefined && !made.has(token)) made.set(token, one);
  }
  return made;
};

/**
 * Links of guests as their callers saw them: a link opens its stay and no other, until it is replaced, and not a moment longer; it
 * shows the entry information to who knows the last digits of the telephone number, and never by a partner's link.
 */
export const linkProblems = (
  { sent }: Pick<Answers, 'sent'>,
  bookings: readonly Booked[],
  mails: readonly SentMail[],
): string[] => {
  const rotated = sent
    .filter(({ request }) => request.verb === 'rotateGuestLink')
    // What was answered is repeated with the same answer, and replaces nothing.
    .filter(
      ({ request: { key }, begin }, _, all) =>
        !all.some(({ request, reply, end }) => request.key === key && reply?.status === 200 && end < begin),
    );
  const made = linksOf(sent, mails);
  return sent.flatMap((one) => {
    const { link, stay = 0 } = one.who;
    const first = made.get(link ?? '');
    if (link === undefined || !first || !one.reply) return [];
    const { status, code, json } = one.reply;
    const name = `${one.who.name} ${one.request.verb} of stay ${stay}`;
    const ends = rotated.filter(({ request }) => stayOf(request.path) === stay && first.request !== request);
    const hasEnded = ends.some(
      ({ since, end, reply }) => reply?.status === 200 && since > first.by && end < one.begin,
    );
    const mayHaveEnded = ends.some(
      ({ by, begin, reply }) => by >= first.since && begin < one.end && (!reply || !isRefused(reply)),
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
      ...(one.request.verb === 'readGuestAccess' && status === 200
        ? accessProblems(name, one, booked, !('request' in first))
        : []),
    ];
  });
};

const stayOf = (path: string): number => Number(/\/bookings\/(\d+)/.exec(path)?.[1]);

const isRefused = ({ status }: { status: number }): boolean => status >= 400 && status < 500;

const accessProblems = (
  name: string,
  { request }: Sent,
  booked: Booked | undefined,
  isMailed: boolean,
): string[] => {
  const { phone_digits: digits } = request.body as { phone_digits: string };
  const kind = booked?.kind ?? 'guest';
  const isRight = digits === phoneDigits[kind] && (isMailed || kind === 'host');
  return isRight ? [] : [`${name} was shown the entry information for ${digits}`];
};
