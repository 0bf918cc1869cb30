import { describe, expect, it } from 'vitest';
import type { Bank } from '../bank.ts';
import type { Sent } from '../client.ts';
import { changeProblems } from './changes.ts';
import { mailProblems } from './messages.ts';
import { moneyProblems } from './money.ts';

const version = (nights: number, more: { guest_number?: number } = {}) => ({
  listing_id: 10,
  check_in_date: '2027-02-08',
  check_out_date: `2027-02-${String(8 + nights).padStart(2, '0')}`,
  start_at: '2027-02-08T14:00:00',
  end_at: `2027-02-${String(8 + nights).padStart(2, '0')}T12:00:00`,
  guest_number: 2,
  ...more,
  total_price: nights * 100,
});
type Version = ReturnType<typeof version>;

const event = (event_type: string, data: object) => ({
  ...{ pk: 'ORDER#16', sk: `EVENT#${event_type}`, entity: 'Event', event_type },
  data: { id: 17, ...data },
});
const changed = (was: Version, now: Version) => event('booking.changed', { was, now });
const created = event('booking.created', { total_price: 100 });
const stay = ({ total_price: total, ...more }: Version, changes: number) => ({
  ...{ pk: 'ORDER#16', sk: 'RESERVATION#17', entity: 'Reservation', reservation_id: 17, order_id: 16 },
  ...{ total, changes, ...more },
});

const sent = (now: Version | undefined, difference = 0, body: object = {}, key = 'k'): Sent => ({
  who: { name: 'an' },
  request: { verb: 'changeBooking', method: 'POST', path: '/api/v1/bookings/17/change', body, key },
  ...{ begin: 0, end: 1, since: 0, by: 1 },
  reply: now && {
    ...{ status: 200, headers: {}, text: '', code: undefined },
    json: { id: 17, ...now, change: { difference } },
  },
});

const problemsOf = (items: object[], ...requests: Sent[]): string[] =>
  changeProblems(items as never, { sent: requests });

describe('the judge of changes', () => {
  const longer = changed(version(1), version(2));

  it('accepts changes that lead from the booking to the stay, in any order of their events', () => {
    const back = changed(version(2), version(1));
    const answers = [sent(version(2), 100), sent(version(1), -100, {}, 'l')];
    expect(problemsOf([stay(version(2), 1), created, longer], sent(version(2), 100))).toEqual([]);
    expect(problemsOf([stay(version(1), 2), created, back, longer], ...answers)).toEqual([]);
    expect(problemsOf([stay(version(2), 1), created, longer], sent(undefined))).toEqual([]);
    expect(problemsOf([stay(version(1), 0), created], sent(version(1)))).toEqual([]);
  });

  it('refuses ones that do not', () => {
    const lead = [stay(version(3), 1), created, longer];
    expect(problemsOf(lead, sent(version(2), 100))).toEqual([
      expect.stringMatching(/^the changes of stay 17 do not lead from 100 to/),
    ]);
    expect(problemsOf([stay(version(2), 0), created])).toEqual([
      'stay 17 was sold at 100, costs 200, and no change says why',
    ]);
  });

  it('refuses a change that is not announced, or announced more than once, or with another difference', () => {
    expect(problemsOf([stay(version(1), 0), created], sent(version(2), 100))).toHaveLength(1);
    const twice = [stay(version(2), 2), created, longer, longer];
    expect(problemsOf(twice, sent(version(2), 100))).toContain('stay 17 has 2 events of 1 changes');
    expect(problemsOf([stay(version(2), 2), created, longer], sent(version(2), 100))).toHaveLength(1);
    expect(problemsOf([stay(version(2), 1), created, longer], sent(version(2), 90))).toHaveLength(1);
  });

  it('refuses an event of a change that changed nothing, unless it is of services', () => {
    const nothing = changed(version(1), version(1));
    const items = [stay(version(1), 1), created, nothing];
    expect(problemsOf(items, sent(version(1)))).toEqual([
      expect.stringMatching(/^a change of stay 17 was announced that changed nothing/),
    ]);
    expect(problemsOf(items, sent(version(1), 0, { extra_service_ids: [1] }))).toEqual([]);
  });

  it('accepts as many equal mails as a stay has changes', () => {
    const by = { isAlive: true, faultsAt: [], name: 'notification/1' };
    const mail = {
      to: 'an@guest.example',
      subject: 'Your booking was changed: Villa',
      text: 'stay 17',
      by,
      at: 0,
    };
    const problems = (...events: object[]) => mailProblems(events as never, [mail, mail] as never);
    expect(problems(longer, longer)).toEqual([]);
    expect(problems(longer)).toHaveLength(1);
    expect(problems()).toHaveLength(1);
    // A change that waits for its payment is announced, and may never be made.
    expect(mailProblems([], [mail] as never)).toEqual([]);
  });

  it('about a conflict of calendars may come again where the conflict rang again', () => {
    const mail = {
      to: 'hoa@host.example',
      subject: 'Trùng lịch: Room one',
      text: 'Calendar: platform.example.com\nFrom: 2027-01-25 14:00\nUntil: 2027-01-26 12:00\nBooking: 1\n',
      by: { isAlive: true, faultsAt: [], name: 'notification/1' },
      at: 0,
    };
    const time = { start_at: '2027-01-25T14:00:00', end_at: '2027-01-26T12:00:00' };
    const rung = (booking_id: number, more = {}) => ({
      event_type: 'calendar.conflict',
      data: { host: 'platform.example.com', ...time, booking_id, ...more },
    });
    const problems = (...events: object[]) => mailProblems(events as never, [mail, mail] as never);
    expect(problems(rung(1), rung(1))).toEqual([]);
    expect(problems(rung(1), rung(2))).toHaveLength(1);
    for (const other of [
      { host: 'other.example.com' },
      { start_at: '2027-01-24T14:00:00' },
      { end_at: '2027-01-27T12:00:00' },
    ])
      expect(problems(rung(1), rung(1, other))).toHaveLength(1);
  });
});

describe('the judge of the money of a changed stay', () => {
  const charge = (transaction_id: string, amount: number, refunded = 0) => ({
    ...{ kind: 'token', state: 'paid', payment_id: 16, reference: transaction_id, transaction_id, amount },
    refunds: new Map([['r', refunded]]),
  });
  const problems = (more: object, ...charges: object[]) =>
    moneyProblems(
      [
        { entity: 'Reservation', reservation_id: 17, order_id: 16, state: 'CONFIRMED', total: 300, ...more },
      ] as never,
      { charges, problems: [] } as unknown as Bank,
    );
  const online = { payment_method: 'ONLINE_GATEWAY', payment_status: 'PAID' };
  const paid = (reference: string, amount: number) => ({ kind: 'payment', reference, amount });
  const both = [paid('one', 200), paid('two', 100)];

  it('counts what was paid before its price was raised', () => {
    const due = (amount: number) => ({
      ...{ ...online, payment_status: 'PENDING', postings: [paid('one', amount)] },
    });
    expect(problems(due(200), charge('one', 200))).toEqual([]);
    expect(problems(due(100), charge('one', 200))).toHaveLength(1);
  });

  it('counts for each charge what it has paid, and what of it goes back', () => {
    const stay = { ...online, postings: both };
    expect(problems(stay, charge('one', 200), charge('two', 100))).toEqual([]);
    expect(problems(stay, charge('one', 200), charge('two', 100, 50))).toHaveLength(1);
    const back = [
      { kind: 'fee', amount: 150 },
      { kind: 'refund', amount: 100, of: 2 },
      { kind: 'refund', amount: 50, of: 1 },
    ];
    const missed = { ...online, postings: [...both, ...back], state: 'NO_SHOW' };
    expect(problems(missed, charge('one', 200, 50), charge('two', 100, 100))).toEqual([]);
  });

  it('does not count the security deposit', () => {
    const held = { kind: 'deposit_taken', amount: 500 };
    const returned = { kind: 'deposit_returned', amount: 500 };
    const stay = { ...online, postings: [held, ...both, returned] };
    expect(problems(stay, charge('one', 200), charge('two', 100))).toEqual([]);
  });

  it.each([
    ['a price above what was paid', { payment_status: 'PAID', postings: [paid('one', 200)] }, 200, 0],
    [
      'a fee beside all that was paid',
      { state: 'CANCELLED', postings: [...both, { kind: 'fee', amount: 1 }] },
      200,
      100,
    ],
    ['a charge that no bank made', { postings: both, payment_status: 'PAID' }, 200, 0],
    [
      'REFUNDED although something is kept',
      { state: 'CANCELLED', payment_status: 'REFUNDED', postings: [...both, { kind: 'fee', amount: 300 }] },
      200,
      100,
    ],
    [
      'a refund that is due for ever',
      {
        postings: [...both, { kind: 'refund', amount: 100, of: 2, is_due: true }],
        payment_status: 'PENDING',
      },
      200,
      100,
    ],
  ])('finds %s', (_, stay, one, two) => {
    const charged = two > 0 ? [charge('one', one), charge('two', two)] : [charge('one', one)];
    expect(problems({ ...online, ...stay }, ...charged).length).toBeGreaterThan(0);
  });

  it('finds a stay that was paid, and cancelled for want of what was added since', () => {
    const cancelled = (...postings: object[]) =>
      problems({
        ...{ ...online, payment_method: 'BANK_TRANSFER', total: 300, state: 'CANCELLED' },
        ...{ payment_status: 'PENDING', cancel_reason: 'The payment was not made in time.' },
        postings: [...postings, { kind: 'fee', amount: 200 }],
      });
    const [first, added] = [
      { kind: 'payment', amount: 200, method: 'BANK_TRANSFER' },
      { kind: 'change', amount: 100 },
    ];
    expect(cancelled(first, added)).toEqual(['stay 17 was paid, and cancelled for what was added since']);
    expect(cancelled({ ...first, amount: 199 }, added)).not.toContainEqual(expect.stringContaining('added'));
    expect(cancelled(first, added, { kind: 'correction', amount: -200, of: 1 })).not.toContainEqual(
      expect.stringContaining('added'),
    );
  });

  it('does not take a page that was replaced for the last one', () => {
    const page = { ...charge('old', 200, 200), kind: 'page', paidAt: 1, ends_at: 2 };
    const lost = {
      state: 'CANCELLED',
      payment_status: 'PENDING',
      cancel_reason: 'The payment was not made in time.',
    };
    const payment = (reference: string) => ({
      ...{ entity: 'Payment', payment_id: 16, state: 'CLOSED', reference, transaction_id: null },
    });
    const of = (reference: string) =>
      moneyProblems(
        [{ entity: 'Reservation', reservation_id: 17, order_id: 16, ...lost }, payment(reference)] as never,
        { charges: [page], problems: [] } as unknown as Bank,
      );
    expect(of('new')).toEqual([]);
    expect(of('old')).toEqual(['stay 17 was cancelled as unpaid; old was paid in time']);
  });
});
