import { publicEventTypes } from '../../../../shared/events.ts';
import { type Item, itemsOf } from '../../memory/values.ts';
import type { FeedReader } from '../actors/partner.ts';
import type { Received, SentMail } from '../post.ts';
import { type Hook, platformGuest } from '../town.ts';

interface Event {
  id: string;
  event_type: string;
  team_id: number | null;
  occurred_at: string;
  data: { team_ids?: number[]; id?: number; booking_id?: number; reservation_ids?: number[] };
}

const publicTypes = new Set<string>(publicEventTypes);

interface Stay {
  reservation_id: number;
  order_id: number;
  payment_method: string;
}

/** What partners read: of stays that another platform has sold, nothing. */
const publicEvents = (items: readonly Item[]): Event[] => {
  const ofPlatforms = new Set(
    itemsOf<Stay>(items, 'Reservation')
      .filter(({ payment_method }) => payment_method === 'PLATFORM')
      .flatMap(({ reservation_id, order_id }) => [reservation_id, order_id]),
  );
  return itemsOf<Event>(items, 'Event').filter(
    ({ event_type, data: { id = 0, booking_id = 0, reservation_ids = [] } }) =>
      publicTypes.has(event_type) &&
      ![id, booking_id, ...reservation_ids].some((one) => ofPlatforms.has(one)),
  );
};

const isOf = ({ team_id, data }: Event, teams: readonly number[]): boolean =>
  [team_id, ...(data.team_ids ?? [])].some((team) => team !== null && teams.includes(team));

/** Each event of its teams was read exactly once by every reader, and nothing else. */
export const feedProblems = (
  items: readonly Item[],
  readers: readonly FeedReader[],
  teamsOf: (reader: FeedReader) => readonly number[],
): string[] =>
  readers.flatMap((reader) => {
    const name = `the reader of ${reader.who.name} with limit ${reader.limit}`;
    const wanted = publicEvents(items).filter((event) => isOf(event, teamsOf(reader)));
    const known = new Set(wanted.map(({ id }) => id));
    return [
      ...reader.problems,
      ...wanted
        .filter(({ id }) => reader.read.get(id) !== 1)
        .map(
          ({ id, event_type }) => `${name} has read ${event_type} ${id} ${reader.read.get(id) ?? 0} times`,
        ),
      ...[...reader.read.keys()]
        .filter((id) => !known.has(id))
        .map((id) => `${name} has read ${id}, which is no event`),
    ];
  });

interface Delivery {
  webhook_id: number;
  event_id: string;
  state: string;
  due_at: number | null;
  look_at?: number;
}

/** Each event of a webhook was delivered, or is on its list; nothing due is forgotten. */
export const webhookProblems = (
  items: readonly Item[],
  hooks: readonly (Hook & { since: number; teams: readonly number[] })[],
  received: Received,
  now: number,
): string[] => {
  const deliveries = new Map(
    itemsOf<Delivery>(items, 'WebhookDelivery').map((one) => [`${one.webhook_id} ${one.event_id}`, one]),
  );
  const events = publicEvents(items);
  const ids = new Set(events.map(({ id }) => id));
  return hooks.flatMap((hook) => {
    const arrived = received.of(hook.url);
    const wanted = events.filter(
      (event) =>
        hook.types.includes(event.event_type) &&
        isOf(event, hook.teams) &&
        Date.parse(event.occurred_at) > hook.since,
    );
    const invented = [...arrived.keys()].filter((id) => !ids.has(id));
    return [
      ...invented.map((id) => `${hook.url} received ${id}, which is no event`),
      ...wanted.flatMap((event) => {
        const { id, event_type } = event;
        const what = `${event_type} ${id} to ${hook.url}`;
        const delivery = deliveries.get(`${hook.id} ${id}`);
        if (!delivery) {
          const mayHaveExpired = now - Date.parse(event.occurred_at) > keptMs - lateMs;
          return mayHaveExpired ? [] : [`${what} has no delivery`];
        }
        if (delivery.state === 'DELIVERED')
          return arrived.get(id) ? [] : [`${what} is DELIVERED and never arrived`];
        const looksAt = delivery.look_at ?? delivery.due_at ?? 0;
        const isLate = delivery.state === 'PENDING' && looksAt < now - lateMs;
        return isLate ? [`${what} was due at ${new Date(looksAt).toISOString()}`] : [];
      }),
    ];
  });
};

const lateMs = 10 * 60_000;
/** As long as the service keeps a delivery. */
const keptMs = 30 * 86_400_000;

/** A mail is sent once; twice only where its sender met a fault at that time. */
export const mailProblems = (items: readonly Item[], mails: readonly SentMail[]): string[] => {
  const same = Map.groupBy(mails, ({ to, subject, text }) => `${to}\n${subject}\n${text}`);
  const changed = items.filter(({ event_type }) => event_type === 'booking.changed');
  const repeated = [...same.values()].filter(
    (copies) =>
      copies.length >
        Math.max(
          changesIn(copies[0]!, changed),
          movementsIn(copies[0]!, items),
          teamChanges(copies[0]!, items),
          conflictsIn(copies[0]!, items),
        ) && !copies.some(hadFault),
  );
  return [
    ...repeated.map(
      ([mail, ...more]) =>
        `"${mail!.subject}" to ${mail!.to} was sent ${more.length + 1} times, to ${mail!.by.name} and ${more[0]!.by.name}`,
    ),
    ...unannounced(items, mails),
    ...mails
      .filter(({ to }) => to === platformGuest)
      .map(({ subject }) => `a guest of a platform was sent "${subject}"`),
    ...items.flatMap(crowded),
  ];
};

/**
 * How many changes a mail is about: each mail shows the stay as it is then, so those of several may be the same. One that waits
 * for its payment may never be made.
 */
const changesIn = ({ subject, text }: SentMail, changed: readonly Item[]): number =>
  /thay đổi|changed/i.test(subject)
    ? Math.max(1, changed.filter(({ data }) => text.includes(String((data as { id: number }).id))).length)
    : 1;

/** How many payments, or refunds, of its booking a mail may be about: two of one amount have the same text. */
const movementsIn = ({ subject, text }: SentMail, items: readonly Item[]): number => {
  const isRefund = /^(Hoàn tiền|Đã hoàn tiền|Your refund|Payment refunded)/.test(subject);
  if (!isRefund && !/^(Biên nhận|Khách đã thanh toán|Your receipt|Payment received)/.test(subject)) return 1;
  const type = isRefund ? 'payment.refunded' : 'payment.paid';
  const isIn = ({ event_type, data }: Item) =>
    event_type === type && text.includes(String((data as { id: number }).id));
  return Math.max(1, items.filter((item) => item['entity'] === 'Event' && isIn(item)).length);
};

const teamSubjects: readonly [RegExp, string][] = [
  [/^Thành viên mới/, 'team.member_joined'],
  [/^Thay đổi vai trò/, 'team.member_role_changed'],
  [/^Thành viên đã bị đưa ra/, 'team.member_removed'],
  [/^Tài khoản nhận tiền thay đổi/, 'team.bank_account_changed'],
  [/^Báo cáo chuyển khoản thay đổi/, 'team.transfer_reports_changed'],
];

/** How many changes of teams a mail may be about: the same person may join, or leave, again, and a reporter have another key. */
const teamChanges = ({ subject }: SentMail, items: readonly Item[]): number => {
  const [, type] = teamSubjects.find(([pattern]) => pattern.test(subject)) ?? [];
  return items.filter(({ event_type }) => type !== undefined && event_type === type).length;
};

const calendarSubjects: readonly [RegExp, string][] = [
  [/^(Trùng lịch|Calendars conflict)/, 'calendar.conflict'],
  [/^(Một lịch mất nhiều đêm|A calendar lost)/, 'calendar.quarantined'],
];

/** How often the conflict or the quarantine of a mail rang: it may end, and come again just as it was. */
const conflictsIn = ({ subject, text }: SentMail, items: readonly Item[]): number => {
  const [, type] = calendarSubjects.find(([pattern]) => pattern.test(subject)) ?? [];
  if (type === undefined) return 1;
  const isShown = ({ data }: Item) => factsOf(data as Told).every((fact) => text.includes(fact));
  return Math.max(1, items.filter((item) => item['event_type'] === type && isShown(item)).length);
};

interface Told {
  host: string;
  start_at?: string;
  end_at?: string;
  booking_id?: number | null;
  nights?: number;
}

/** What a mail shows of a calendar; not its id, which is another one once the calendar is followed anew. */
const factsOf = ({ host, start_at, end_at, booking_id, nights }: Told): string[] => {
  const times = [start_at, end_at].flatMap((local) => (local ? [local.slice(0, 16).replace('T', ' ')] : []));
  return [host, ...times, ...[booking_id, nights].flatMap((one) => one ?? [])].map((fact) => `: ${fact}\n`);
};

/** Whether its machine ended, or a call of it met a fault, around the time of sending. */
const hadFault = ({ by, at }: SentMail): boolean =>
  !by.isAlive || by.faultsAt.some((fault) => Math.abs(fault - at) < 5 * 60_000);

interface Stay {
  reservation_id: number;
  state: string;
  payment_method: string;
  guest: { email: string };
}

/**
 * Guests of confirmed stays have a mail about them, or it waits for its turn, or more were asked for than an address gets. Guests of
 * platforms have none.
 */
const unannounced = (items: readonly Item[], mails: readonly SentMail[]): string[] =>
  itemsOf<Stay>(items, 'Reservation')
    .filter(({ state, payment_method: by }) => state === 'CONFIRMED' && by !== 'PLATFORM')
    .filter(
      ({ reservation_id, guest }) =>
        !mails.some(({ to, text }) => to === guest.email && text.includes(String(reservation_id))) &&
        !items.some(({ entity, booking_id }) => entity === 'DueMail' && booking_id === reservation_id) &&
        !isUsedUp(mails.filter(({ to }) => to === guest.email)),
    )
    .map(({ reservation_id, guest }) => `${guest.email} has no mail about stay ${reservation_id}`);

const hourMs = 60 * 60_000;
/** What an address gets that no account has verified. */
const most = { hour: 10, day: 30 };

/** Whether an address had as many mails in a day as it gets; each was sent within minutes of its turn. */
const isUsedUp = (mails: readonly SentMail[]): boolean =>
  atMostIn(
    mails.map(({ at }) => at),
    most.day - 1,
    24 * hourMs + lateMs,
  ) !== undefined;

/** Returns the time at which there are more than so many in a time; undefined: never. */
const atMostIn = (times: readonly number[], count: number, ms: number): number | undefined => {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted.find((at, first) => (sorted[first + count] ?? Infinity) < at + ms);
};

interface Turns {
  pk: string;
  sk: string;
  turns: { at: number; mail: string }[];
}

/** The turns of an address keep both limits, and no mail has two. */
const crowded = (item: Item): string[] => {
  if (item['entity'] !== 'MailTurns') return [];
  const { pk, sk, turns } = item as unknown as Turns;
  const times = turns.map(({ at }) => at);
  const name = `the mails to ${pk} on behalf of ${sk}`;
  return [
    ...(atMostIn(times, most.hour, hourMs) === undefined ? [] : [`${name} are more than 10 in an hour`]),
    ...(atMostIn(times, most.day, 24 * hourMs) === undefined ? [] : [`${name} are more than 30 in a day`]),
    ...(new Set(turns.map(({ mail }) => mail)).size < turns.length ? [`${name} have two turns of one`] : []),
  ];
};
