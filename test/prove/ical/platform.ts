import { createHash } from 'node:crypto';
import { addDays, nightsBetween } from '../../../shared/platform/time/time.ts';

/** Half-open, in days since 1970: the nights that begin on them. */
export interface Nights {
  from: number;
  to: number;
}

export const dateText = (day: number): string => addDays('1970-01-01', day);
export const dayOf = (date: string): number => nightsBetween('1970-01-01', date);
export const meet = (one: Nights, other: Nights): boolean => one.from < other.to && one.to > other.from;
export const within = (inner: Nights, outer: Nights): boolean =>
  inner.from >= outer.from && inner.to <= outer.to;

/** How a platform treats what it imports. */
export interface Manner {
  /** It exports what it imported. */
  reExports: boolean;
  /** With new UIDs at every export. */
  newUids: boolean;
  /** All-day events, or times: from midnight to midnight, or from check-in to check-out. */
  form: 'dates' | 'midnights' | 'hours';
  /** What touches becomes one: imported entries alone, or its own bookings with them. */
  merges: 'never' | 'imported' | 'everything';
  /** It knows hours, and shows them as such; otherwise they are their date. */
  knowsHours: boolean;
  /** Between two fetches of our export. */
  everyMs: number;
  /** Until what happens there is in its own export. */
  lagMs: number;
  /** It sells so many days ahead; the block behind them moves by a day each day. */
  sellsDays?: number;
  /** What is past of an event is not in its export. */
  cutsPast?: boolean;
}

/** A platform that exports dates with lasting UIDs, what it imports included, and is asked every hour. */
export const plainManner: Manner = {
  form: 'dates',
  reExports: true,
  newUids: false,
  merges: 'never',
  knowsHours: false,
  everyMs: 3_600_000,
  lagMs: 0,
};

/** A stay that it sold. */
export interface Booking extends Nights {
  uid: string;
  /** The same whatever becomes of its nights and its UID. */
  sale?: number;
  /** What its export says of it; absent: that the nights are not available. */
  summary?: string;
  /** When a text that holds it was read first. */
  shownAt?: number;
}

/** Nights that it was given, in one text or in several one after another. */
export interface Given extends Nights {
  /** When it was given them first, of those texts. */
  firstAt: number;
  /** When it was given a text without them; null: the last one holds them. */
  droppedAt: number | null;
  /** When it was given them again after such a text. */
  againAt?: number;
}

interface Imported extends Nights {
  uid: string;
  /** As it was written, of an event within a date. */
  hours: [from: string, to: string] | undefined;
}

const hourMs = 3_600_000;
/** A follower that fetched a text without a time may show what is left of it for so long (D94). */
export const reExportMs = 6 * hourMs;
const rollingNights = 100;
/** The listing's zone, where the wall clock is as far ahead. */
const aheadMs = 7 * hourMs;

/** Another platform: it sells nights, imports our export and exports what it has, with delays and habits of its own. */
export class Platform {
  readonly url: string;
  readonly listing_id: number;
  readonly manner: Manner;
  readonly bookings: Booking[] = [];
  /** Of a listing that the platform links: of a house its rooms, of a room its house. What is sold there is closed here. */
  readonly links: Platform[] = [];
  /** Those that were cancelled. */
  readonly ended: Booking[] = [];
  /** What it was ever given, by its dates. */
  readonly given: Given[] = [];
  /** The nights of its bookings in the texts that were read. */
  readonly seen: { sale: number | undefined; nights: Nights; at: number }[] = [];
  nextFetchAt = 0;
  isDown = false;
  #imported: Imported[] = [];
  #shown: { at: number; bookings: Booking[]; linked: Booking[]; imported: Imported[] }[] = [];
  #firstShown = new Map<string, number>();
  #uids = 0;
  #readAt = 0;

  constructor(name: string, listing_id: number, manner: Manner) {
    this.url = `https://${name}.example.com/${listing_id}.ics`;
    this.listing_id = listing_id;
    this.manner = manner;
  }

  get host(): string {
    return new URL(this.url).host;
  }

  /** The nights it does not sell. */
  closed(): Nights[] {
    return [
      ...this.bookings,
      ...this.linked(),
      ...this.#imported.filter(({ hours }) => !hours || !this.manner.knowsHours),
    ];
  }

  /** What is closed for a sale of a listing that is linked. */
  linked(): Booking[] {
    return this.links.flatMap(({ listing_id, bookings }) =>
      bookings.map((booking) => ({ ...booking, uid: `linked-${listing_id}-${booking.uid}` })),
    );
  }

  /** Behind the days that it sells. */
  #rolling(now: number): Booking[] {
    const { sellsDays } = this.manner;
    if (sellsDays === undefined) return [];
    const from = Math.floor((now + aheadMs) / (24 * hourMs)) + sellsDays;
    return [{ from, to: from + rollingNights, uid: `behind-${from}` }];
  }

  /** The event that a booking is in its export. */
  eventOf(booking: Nights): Nights {
    const { reExports, merges } = this.manner;
    if (!reExports || merges !== 'everything') return booking;
    return merged(this.closed()).find((event) => within(booking, event)) ?? booking;
  }

  /** The events that hold what is closed for linked sales; where it merges what it imports, with that. */
  linkedEvents(): Nights[] {
    const { reExports, merges } = this.manner;
    if (merges === 'never') return this.linked();
    const own = merges === 'everything' ? this.bookings : [];
    const events = merged([...this.linked(), ...(reExports ? [...own, ...this.#imported] : [])]);
    return events.filter((event) => this.linked().some((nights) => within(nights, event)));
  }

  /** The events that the text read last held, and since when texts have held each. */
  eventsShown(): { event: Nights; since: number }[] {
    return [...this.#firstShown].map(([key, since]) => {
      const [from = 0, to = 0] = key.split(' ').map(Number);
      return { event: { from, to }, since };
    });
  }

  /** Since when texts that were read have held a booking as an event of exactly these nights; undefined: none has. */
  shownSince({ shownAt }: Booking, event: Nights): number | undefined {
    const since = this.#firstShown.get(nightsKey(event));
    return since === undefined || shownAt === undefined ? undefined : Math.max(since, shownAt);
  }

  book(nights: Nights & Pick<Booking, 'summary'>, now: number): boolean {
    if (this.closed().some((taken) => meet(taken, nights))) return false;
    const sale = ++this.#uids;
    this.bookings.push({ ...nights, sale, uid: `booking-${sale}` });
    for (const platform of [this, ...this.links]) platform.#note(now);
    return true;
  }

  /** Gives a booking other nights, where they are free, or another UID; returns whether it does. */
  change(booking: Booking, nights: Nights | 'other UID', now: number): boolean {
    const { from, to } = nights === 'other UID' ? booking : nights;
    if (this.closed().some((taken) => taken !== booking && meet(taken, { from, to }))) return false;
    const { shownAt: _, uid, ...rest } = booking;
    const changed = { ...rest, from, to, uid: nights === 'other UID' ? `booking-${++this.#uids}` : uid };
    this.bookings.splice(this.bookings.indexOf(booking), 1, changed);
    if (nights !== 'other UID') this.ended.push(booking);
    for (const platform of [this, ...this.links]) platform.#note(now);
    return true;
  }

  cancel(at: number, now: number): void {
    this.ended.push(...this.bookings.splice(at, 1));
    for (const platform of [this, ...this.links]) platform.#note(now);
  }

  /** Its calendar is followed anew: what was read of it before is forgotten. */
  followAnew(): void {
    for (const booking of this.bookings) delete booking.shownAt;
    this.#firstShown = new Map();
  }

  /** Takes in a text of our export; `since` is when it may have been given it first, where earlier answers were lost. */
  import(text: string, now: number, since = now): void {
    const events = text.matchAll(/UID:(\S+)\s+DTSTAMP:\S+\s+DTSTART[^:]*:(\S+)\s+DTEND[^:]*:(\S+)/g);
    this.#imported = [...events].map(([, uid = '', from = '', to = '']) => ({
      uid,
      ...importedOf(from, to),
    }));
    const isHeld = (time: Nights) =>
      this.#imported.some(({ from, to }) => from === time.from && to === time.to);
    for (const time of this.given) if (!isHeld(time)) time.droppedAt ??= now;
    for (const { from, to } of this.#imported) {
      const known = this.given.find((one) => one.from === from && one.to === to);
      if (!known) this.given.push({ from, to, firstAt: since, droppedAt: null });
      else if (known.droppedAt !== null) {
        // As long as no text was read that could not hold what is left of an echo.
        const firstAt = this.#readAt < known.droppedAt + reExportMs ? known.firstAt : since;
        Object.assign(known, { firstAt, againAt: since, droppedAt: null });
      }
    }
    this.#note(now);
  }

  /** Its own export as others see it now; `read` notes that its reader has it. */
  text(now: number): { text: string; etag: string; read: () => void } {
    const seen = this.#shown.findLast(({ at }) => at + this.manner.lagMs <= now);
    const { bookings = [], linked = [], imported = [] } = seen ?? {};
    const closed = [...linked, ...this.#rolling(now - this.manner.lagMs)];
    const nights = this.#shownOf(nightsShown(this.manner, { bookings, closed, imported }), now);
    const read = (): void => {
      this.#readAt = now;
      for (const booking of bookings) {
        const { sale, from, to, shownAt } = booking;
        if (shownAt === undefined) this.seen.push({ sale, nights: { from, to }, at: now });
        booking.shownAt ??= now;
      }
      this.#firstShown = new Map(
        nights.map((event) => [nightsKey(event), this.#firstShown.get(nightsKey(event)) ?? now]),
      );
    };
    const lines = eventsOf(this.manner, nights, imported).flatMap(({ uid, from, to, summary }) => [
      'BEGIN:VEVENT',
      `UID:${this.manner.newUids ? `export-${++this.#uids}` : uid}`,
      from,
      to,
      `SUMMARY:${summary ?? `[${this.url}] Not available`}`,
      'END:VEVENT',
    ]);
    const text = `${['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR'].join('\r\n')}\r\n`;
    return { text, etag: `"${createHash('sha256').update(text).digest('hex')}"`, read };
  }

  #shownOf(nights: Booking[], now: number): Booking[] {
    if (!this.manner.cutsPast) return nights;
    const today = Math.floor((now + aheadMs) / (24 * hourMs));
    return nights.filter(({ to }) => to > today).map((one) => ({ ...one, from: Math.max(one.from, today) }));
  }

  #note(at: number): void {
    this.#shown.push({
      at,
      bookings: [...this.bookings],
      linked: this.linked(),
      imported: this.#imported,
    });
  }
}

/** The dates of an event, and its hours where it lies within one. */
const importedOf = (from: string, to: string): Omit<Imported, 'uid'> => {
  const dayIn = (text: string): number =>
    dayOf(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}`);
  if (from.length === 8) return { from: dayIn(from), to: dayIn(to), hours: undefined };
  const instant = (text: string): number =>
    Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  const day = (ms: number): number => Math.floor((ms + aheadMs) / (24 * hourMs));
  return { from: day(instant(from)), to: day(instant(to) - 1) + 1, hours: [from, to] };
};

/** An event of an export: its lines of start and end. */
interface Event extends Pick<Booking, 'summary'> {
  uid: string;
  from: string;
  to: string;
}

const nightsKey = ({ from, to }: Nights): string => `${from} ${to}`;

const isAsHours = ({ knowsHours }: Manner, { hours }: Imported): boolean => knowsHours && hours !== undefined;

interface Shown {
  bookings: readonly Booking[];
  /** What the platform closes by itself: it shows that whether or not it shows what it imports. */
  closed: readonly Booking[];
  imported: readonly Imported[];
}

/** What an export shows by nights. */
const nightsShown = (manner: Manner, { bookings, closed, imported }: Shown): Booking[] => {
  const reExported = manner.reExports ? imported.filter((event) => !isAsHours(manner, event)) : [];
  const asNights = [...closed, ...reExported];
  return {
    never: () => [...bookings, ...asNights],
    imported: () => [...bookings, ...merged(asNights)],
    everything: () =>
      manner.reExports ? merged([...bookings, ...asNights]) : [...bookings, ...merged(asNights)],
  }[manner.merges]();
};

const eventsOf = (manner: Manner, nights: readonly Booking[], imported: readonly Imported[]): Event[] => {
  const asHours = (manner.reExports ? imported : []).flatMap((event) =>
    event.hours && isAsHours(manner, event)
      ? [{ uid: event.uid, from: `DTSTART:${event.hours[0]}`, to: `DTEND:${event.hours[1]}` }]
      : [],
  );
  return [
    ...asHours,
    ...nights.map(({ uid, from, to, summary }) => ({
      uid,
      ...(summary === undefined ? {} : { summary }),
      from: `DTSTART${momentIn(manner, from, '140000')}`,
      to: `DTEND${momentIn(manner, to, '120000')}`,
    })),
  ];
};

const momentIn = ({ form }: Manner, day: number, time: string): string => {
  const date = dateText(day).replaceAll('-', '');
  if (form === 'dates') return `;VALUE=DATE:${date}`;
  return `:${date}T${form === 'midnights' ? '000000' : time}`;
};

/** What touches as one; its UID is made of its dates. */
const merged = (nights: readonly Nights[]): Booking[] => {
  const result: Nights[] = [];
  for (const { from, to } of nights.toSorted((one, other) => one.from - other.from)) {
    const last = result.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result.map(({ from, to }) => ({ from, to, uid: `${from}-${to}` }));
};
