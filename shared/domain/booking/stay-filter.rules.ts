import { invalid } from '../../platform/errors.ts';
import { foldText } from '../../platform/text/fold-text.ts';
import { isOrderId, reservationIdOf } from '../../platform/ids.ts';
import type { Condition } from '../../platform/lists/index.ts';
import { normalEmail } from '../../platform/text/normal-email.ts';
import { dayNumber } from '../../platform/time/time.ts';
import type { BookingFilter } from './booking-filter.schema.ts';
import { phoneText, type StayRow, textHash } from './stay-row.rules.ts';

type StayFilter = Omit<BookingFilter, 'sort_by' | 'sort_order'>;

/** Returns the conditions of a filter. Throws VALIDATION_ERROR for dates in the wrong order or contradictory states. */
export const stayConditions = (filter: StayFilter): Condition<StayRow>[] => {
  requireOrder(filter);
  const { state, status, payment_status, listing_id, updated_since, external_booking_id, q } = filter;
  const { to_return } = filter;
  if (state !== undefined && status !== undefined && state !== status)
    throw invalid({ path: 'status', message: 'is another name of state: give one of them' });
  const wanted = state ?? status;
  return [
    ...(wanted === undefined ? [] : [standing((text) => text.startsWith(`${wanted} `))]),
    ...(payment_status === undefined ? [] : [standing((text) => text.endsWith(` ${payment_status}`))]),
    ...(listing_id === undefined ? [] : [ofListing(listing_id)]),
    ...dateConditions(filter),
    ...(updated_since === undefined ? [] : [changedFrom(Date.parse(updated_since))]),
    ...(external_booking_id === undefined ? [] : [named(external_booking_id)]),
    ...(q === undefined ? [] : [ofGuest(q)]),
    ...(to_return === undefined ? [] : [returning(to_return)]),
  ];
};

const requireOrder = (filter: StayFilter): void => {
  const ranges = [
    ['from', 'to'],
    ['check_in_from', 'check_in_to'],
    ['check_out_from', 'check_out_to'],
  ] as const;
  for (const [from, to] of ranges) {
    const [first, last] = [filter[from], filter[to]];
    if (first !== undefined && last !== undefined && last < first)
      throw invalid({ path: to, message: `${to} is before ${from}` });
  }
};

const standing = (test: (text: string) => boolean): Condition<StayRow> => ({
  columns: ['standing'],
  test: (row) => test(row.standing),
});

const ofListing = (listingId: number): Condition<StayRow> => ({
  columns: ['listing'],
  test: ({ listing }) => listing === listingId,
});

const changedFrom = (epochMs: number): Condition<StayRow> => ({
  columns: ['updated'],
  test: ({ updated }) => updated >= epochMs,
});

const returning = (isWanted: boolean): Condition<StayRow> => ({
  columns: ['to_return'],
  test: (row) => (row.to_return === 1) === isWanted,
});

const named = (externalId: string): Condition<StayRow> => {
  const hash = textHash(externalId);
  return { columns: ['external'], test: ({ external }) => external === hash };
};

const dateConditions = (filter: StayFilter): Condition<StayRow>[] => {
  const checkIn = ({ check_in }: StayRow) => check_in;
  const checkOut = ({ check_in, nights }: StayRow) => check_in + nights;
  const bounds = [
    [filter.from, checkOut, 1],
    [filter.to, checkIn, -1],
    [filter.check_in_from, checkIn, 1],
    [filter.check_in_to, checkIn, -1],
    [filter.check_out_from, checkOut, 1],
    [filter.check_out_to, checkOut, -1],
  ] as const;
  return bounds.flatMap(([date, dayIn, direction]): Condition<StayRow>[] => {
    if (date === undefined) return [];
    const bound = dayNumber(date);
    return [{ columns: ['check_in', 'nights'], test: (row) => direction * (dayIn(row) - bound) >= 0 }];
  });
};

/** Matches a whole e-mail address, a whole telephone number or booking id, or beginnings of words of a name. */
const ofGuest = (q: string): Condition<StayRow> => {
  if (q.includes('@')) {
    const hash = textHash(normalEmail(q));
    return { columns: ['email'], test: ({ email }) => email === hash };
  }
  if (/^\+?[\d ().-]+$/.test(q)) {
    const hash = textHash(phoneText(q));
    const id = /^\d{1,15}$/.test(q) ? Number(q) : undefined;
    return {
      columns: ['phone'],
      test: ({ phone }) => phone === hash,
      ...(id === undefined ? {} : { orIds: { from: id, to: isOrderId(id) ? reservationIdOf(id, 14) : id } }),
    };
  }
  const beginnings = foldText(q).split(' ');
  return {
    columns: ['name'],
    test: ({ name }) => {
      const words = name.split(' ');
      return beginnings.every((beginning) => words.some((word) => word.startsWith(beginning)));
    },
  };
};
