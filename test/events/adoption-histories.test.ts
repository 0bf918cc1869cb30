import { expect, it } from 'vitest';
import { addDays } from '../../shared/platform/time/time.ts';
import { bookStay } from '../support/events.ts';
import { url } from '../support/import-scene.ts';
import { chanceOf } from '../support/many-stays.ts';
import { adoption, platformScene, sold } from '../support/platform-scene.ts';

interface Sale {
  uid: string;
  from: number;
  to: number;
  /** The guest has cancelled, and the nights are kept closed. */
  isClosed?: boolean;
}

const firstDay = '2027-01-20';
const days = 14;
const dateOf = (day: number): string => addDays(firstDay, day);
/** Enough nights that stay for no cancellation to be a quarantine. */
const far = Array.from({ length: 12 }, (_, at) =>
  sold(`far-${at}`, dateOf(30 + 2 * at), dateOf(31 + 2 * at), 'Blocked'),
);
const meets = (one: Omit<Sale, 'uid'>, other: Omit<Sale, 'uid'>): boolean =>
  one.from < other.to && one.to > other.from;

/** A platform, its host and guests here, all at random, and what must hold after each fetch. */
const history = async (seed: number) => {
  const random = chanceOf(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const s = await platformScene();
  let sales: Sale[] = [];
  let uids = 0;
  const own = new Set<number>();
  const notes: string[] = [];
  const span = () => {
    const from = below(days - 4);
    return { from, to: from + 1 + below(4) };
  };
  const isFree = (time: Omit<Sale, 'uid'>, except?: Sale) =>
    sales.every((sale) => sale === except || !meets(sale, time));
  const publish = () =>
    s.publish(
      ...sales.map(({ uid, from, to, isClosed }) =>
        sold(uid, dateOf(from), dateOf(to), isClosed ? 'Not available' : 'Reserved'),
      ),
      ...far,
    );
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[below(items.length)];
  const steps: Record<string, () => Promise<unknown> | undefined> = {
    sell: async () => {
      const time = span();
      if (isFree(time)) sales.push({ uid: `u${uids++}`, ...time });
    },
    move: async () => {
      const [sale, time] = [pick(sales), span()];
      if (sale && isFree(time, sale)) Object.assign(sale, time);
    },
    rename: async () => Object.assign(pick(sales) ?? {}, { uid: `u${uids++}` }),
    close: async () => Object.assign(pick(sales) ?? {}, { isClosed: random() < 0.8 }),
    cancel: async () => {
      const sale = pick(sales);
      sales = sales.filter((one) => one !== sale);
    },
    adopt: async () => {
      const { items } = await s.imported({ from: firstDay, to: dateOf(days) });
      const stay = pick(items);
      if (!stay) return;
      const body = { ...adoption, availability_id: stay.availability_id };
      await s.sales.ok(s.host, 'bookForGuest', { body });
    },
    book: async () => {
      const { from, to } = span();
      const asked = { listing_id: s.listing.id, check_in_date: dateOf(from), check_out_date: dateOf(to) };
      const booked = await bookStay(s.asGuest, asked).catch(() => undefined);
      if (booked) own.add(booked.booking_id);
    },
    leave: async () => {
      const id = pick([...own]);
      if (id === undefined) return;
      own.delete(id);
      await s.desk.ok(s.host, 'cancelBooking', { params: { booking_id: id } });
    },
  };
  const requireRight = async () => {
    const [feed] = await s.list();
    const held = await s.held();
    const because = () =>
      `${seed}: ${notes.join(', ')}; ${JSON.stringify(feed!.conflicts)}; ${held.join('; ')}`;
    expect(await s.audited(), because()).toEqual([]);
    const { items } = await s.desk.ok(s.host, 'listTeamBookings', { query: { limit: '100' } });
    const adopted = items.filter(
      ({ payment_method: by, state }) => by === 'PLATFORM' && state === 'CONFIRMED',
    );
    for (const { id, check_in, check_out } of adopted) {
      const isAsSold = sales.some(
        ({ from, to, isClosed }) => !isClosed && dateOf(from) === check_in && dateOf(to) === check_out,
      );
      const isInConflict = feed!.conflicts.some(({ booking_id }) => booking_id === id);
      expect(isAsSold || isInConflict, because()).toBe(true);
    }
    // What the platform has sold is never open here.
    const times = held.map((text) => text.split(' ').slice(1));
    for (const { from, to } of sales)
      for (let day = from; day < to; day++) {
        const at = `${dateOf(day).slice(5)}T20`;
        expect(
          times.some(([start = '', end = '']) => start <= at && end > at),
          because(),
        ).toBe(true);
      }
    // And nothing is closed for what it has not.
    for (const text of held.filter(
      (one) => one.startsWith('IMPORTED 01') || one.startsWith('IMPORTED 02-0'),
    )) {
      const [, start = '', end = ''] = text.split(' ');
      const isSold = sales.some(
        ({ from, to }) => `${dateOf(from).slice(5)}T00` <= start && `${dateOf(to).slice(5)}T23` >= end,
      );
      expect(isSold, because()).toBe(true);
    }
  };
  publish();
  await s.followAs({ label: 'P', counts_as: 'BY_TEXT' }, url);
  for (let step = 0; step < 24; step++) {
    const names = [
      'sell',
      'sell',
      'sell',
      'move',
      'move',
      'rename',
      'cancel',
      'close',
      'close',
      'adopt',
      'adopt',
      'adopt',
      'book',
      'leave',
    ];
    const name = pick(names)!;
    notes.push(name);
    await steps[name]!();
    publish();
    if (random() < 0.4) continue;
    // A second fetch frees what has vanished, and a third shows that nothing is left to do.
    for (let fetch = 0; fetch < 3; fetch++) await s.next();
    await requireRight();
  }
};

it.each(Array.from({ length: 40 }, (_, seed) => [seed + 1]))(
  'a random history of adopted stays holds: seed %i',
  async (seed) => {
    await history(seed);
  },
);
