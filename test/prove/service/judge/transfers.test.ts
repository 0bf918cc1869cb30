import { describe, expect, it } from 'vitest';
import type { Item } from '../../memory/values.ts';
import type { Sent } from '../client.ts';
import type { HostBank, Transaction } from '../transfers/host-bank.ts';
import { watchReport } from '../transfers/watch.ts';
import { shownProblems, transferProblems, untakenProblems } from './transfers.ts';

const transaction: Transaction = {
  ...{ id: 'FT7X1', team: 7, account: '0071', amount: 100, text: '00000000010', at: 0, kind: 'in' },
  ...{ reference: '00000000010', reports: 2, isTaken: true },
};
const other: Transaction = { ...transaction, account: '19036', kind: 'on another account' };
const record = {
  ...{ entity: 'BankTransfer', team_id: 7, state: 'MATCHED', amount: 100, rest: 0 },
  ...{ account_number: '0071', bank_reference: 'FT7X1', booking_ids: [17] },
};
const posting = { kind: 'payment', amount: 100, method: 'BANK_TRANSFER', reference: 'FT7X1' };
/** Of the order that the reference names. */
const stay = {
  ...{ entity: 'Reservation', reservation_id: 17, order_id: 16, listing_id: 3, team_id: 7, key_id: null },
  ...{ state: 'CONFIRMED', payment_method: 'BANK_TRANSFER', payment_status: 'PAID', total: 100 },
  ...{
    start_at: '2027-02-01T14:00:00',
    end_at: '2027-02-02T12:00:00',
    created_at: '2027-01-15T03:00:00.000Z',
  },
  postings: [posting],
};
const event = (event_type: string, actor: string, at: string) => ({
  ...{ entity: 'Event', event_type, actor, occurred_at: at, data: { id: 17 } },
});
const problems = (items: object[], transactions = [transaction]): string[] =>
  transferProblems(items as Item[], { transactions } as unknown as HostBank);

describe('the books of the bank of the hosts', () => {
  it.each<[string, object[], Transaction[]]>([
    ['a transfer has paid a stay', [record, stay], [transaction]],
    [
      'a part of it is left',
      [
        { ...record, amount: 100, rest: 40, state: 'OPEN' },
        { ...stay, postings: [{ ...posting, amount: 60 }] },
      ],
      [transaction],
    ],
    ['a rest was sent back', [{ ...record, booking_ids: [], rest: 100, state: 'RETURNED' }], [transaction]],
    ['a report has not arrived', [], [{ ...transaction, reports: 0, isTaken: false }]],
    ['a report had no answer', [record, stay], [{ ...transaction, isTaken: false }]],
    [
      'two transactions have one id',
      [record, { ...record, amount: 50, rest: 50, state: 'OPEN', booking_ids: [] }, stay],
      [transaction, { ...transaction, amount: 50 }],
    ],
    ['it came to an account that the service does not know', [], [other]],
    [
      'a late one has restored a stay',
      [
        record,
        stay,
        event('booking.cancelled', 'system:due', '1'),
        event('booking.restored', 'system:sepay', '2'),
      ],
      [transaction],
    ],
  ])('are right where %s', (_, items, transactions) => {
    expect(problems(items, transactions)).toEqual([]);
  });

  it.each<[string, object[], Transaction[]]>([
    ['is counted twice', [record, { ...stay, postings: [posting, posting] }], [transaction]],
    ['is there twice', [record, record, stay], [transaction]],
    ['is lost', [stay], [transaction]],
    ['is forgotten', [], [transaction]],
    ['was never reported', [record, stay], [{ ...transaction, reports: 0, isTaken: false }]],
    [
      'has a rest that is forgotten',
      [record, { ...stay, postings: [{ ...posting, amount: 60 }] }],
      [transaction],
    ],
    [
      'is done, with a rest',
      [
        { ...record, rest: 40 },
        { ...stay, postings: [{ ...posting, amount: 60 }] },
      ],
      [transaction],
    ],
    ['has paid a stay that does not say so', [{ ...record, booking_ids: [17, 18] }, stay], [transaction]],
    ['is with another team', [record, { ...stay, team_id: 8 }], [transaction]],
    [
      'came to another account, and is on the list',
      [{ ...record, account_number: '19036', rest: 100, state: 'OPEN', booking_ids: [] }],
      [other],
    ],
    ['went out, and has paid', [record, stay], [{ ...transaction, kind: 'out' }]],
    ['never came', [record, stay], []],
    [
      'has restored what a person had cancelled',
      [
        record,
        stay,
        event('booking.cancelled', 'user:5', '1'),
        event('booking.restored', 'system:sepay', '2'),
      ],
      [transaction],
    ],
    [
      'has restored without money',
      [
        { ...stay, postings: [] },
        event('booking.cancelled', 'system:due', '1'),
        event('booking.restored', 'user:1', '2'),
      ],
      [],
    ],
  ])('are wrong where a transaction %s', (_, items, transactions) => {
    expect(problems(items, transactions)).not.toEqual([]);
  });

  it('have nothing that the service has never taken', () => {
    const never = { ...transaction, isTaken: false };
    expect(untakenProblems({ transactions: [never, transaction] } as unknown as HostBank)).toHaveLength(1);
  });
});

describe('a report that comes alone', () => {
  const waiting = { ...stay, payment_status: 'PENDING', postings: [] };
  const lapsed = { ...waiting, state: 'CANCELLED', lapsed_at: Date.parse('2027-01-16T00:00:00.000Z') };
  const home = { entity: 'Listing', id: 3, team_id: 7, state: 'ACTIVE' };
  const open = { ...record, state: 'OPEN', rest: 100, booking_ids: [] };
  const entry = { entity: 'AvailabilityEntry', listing_id: 3, start_at: stay.start_at, end_at: stay.end_at };
  const found = (before: object[], after: object[], given = transaction): string[] => {
    const failed: string[] = [];
    let items = before as Item[];
    const now = Date.parse('2027-01-17T00:00:00.000Z');
    const homes = [{ id: 3, isRoom: false, isHouse: false }] as never;
    const end = watchReport(
      () => ({ now, items, homes }),
      (problem) => failed.push(problem),
    ).look(given);
    items = after as Item[];
    end();
    return failed;
  };

  it.each<[string, object[], object[], Transaction?]>([
    ['pays what waits', [waiting], [record, stay]],
    ['finds that another has paid', [waiting], [open, stay]],
    ['finds the time taken', [home, lapsed, entry], [home, lapsed, entry, open]],
    [
      'is less than what was due',
      [home, lapsed],
      [home, lapsed, { ...open, amount: 99 }],
      { ...transaction, amount: 99 },
    ],
    ['is of a partner’s booking', [home, { ...lapsed, key_id: 1 }], [home, { ...lapsed, key_id: 1 }, open]],
    [
      'finds the home paused',
      [{ ...home, state: 'INACTIVE' }, lapsed],
      [{ ...home, state: 'INACTIVE' }, lapsed, open],
    ],
    ['names nothing', [waiting], [waiting, open], { ...transaction, reference: 'ZZZZZZZZZZ0' }],
  ])('may be on the list where it %s', (_, before, after, given) => {
    expect(found(before, after, given)).toEqual([]);
  });

  it.each<[string, object[], object[]]>([
    ['names what waits', [waiting], [waiting, open]],
    ['names what lapsed, and its time is free', [home, lapsed], [home, lapsed, open]],
  ])('is not only on the list where it %s', (_, before, after) => {
    expect(found(before, after)).toHaveLength(1);
  });
});

describe('what is shown of transfers', () => {
  const account = { team: 7, number: '0071', from: 1000 };
  const shown = (who: object, json: object, by = 5000): string[] => {
    const sent = {
      who,
      request: { verb: 'read' },
      reply: { text: JSON.stringify(json), json },
      by,
    } as unknown as Sent;
    return shownProblems([stay], { sent: [sent] }, {
      hostBank: { accounts: [account] },
    } as never);
  };
  const transfer = { account_number: '0071' };

  it('is of the own team, and an account of the host from its time on', () => {
    expect(shown({ name: 'host', team: 7 }, { text: 'FT7X1' })).toEqual([]);
    expect(shown({ name: 'guest' }, { id: 17, transfer })).toEqual([]);
  });

  it.each<[string, object, object, number?]>([
    ['a transaction to another team', { name: 'host', team: 8 }, { text: 'FT7X1' }],
    ['a transaction to a partner', { name: 'partner' }, { text: 'FT7X1' }],
    ['an account before its time', { name: 'guest' }, { id: 17, transfer }, -1],
    ['an account of no host', { name: 'guest' }, { id: 17, transfer: { account_number: '0072' } }],
    ['an account for a stay of another team', { name: 'guest' }, { id: 99, transfer }],
  ])('is never %s', (_, who, json, by) => {
    expect(shown(who, json, by)).toHaveLength(1);
  });
});
