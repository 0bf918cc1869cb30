import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Account,
  balanceOf,
  chargePosting,
  chargesOf,
  creditOf,
  dueFor,
  endPostings,
  isRefunded,
  isPaidToPartner,
  paidFor,
  post,
  type Posting,
  postRefundMade,
  splitRefund,
  takenPosting,
  transactionOf,
  untouched,
} from '../../../shared/domain/folio/model.ts';

const by = { at: 1, actor: 'user:1' };
const cash = (amount: number, collector: 'HOST' | 'PARTNER' = 'HOST') =>
  takenPosting({ payment_method: 'CASH' }, amount, collector, by);
const charged = (amount: number, id = 16) =>
  chargePosting({ payment_id: id, transaction_id: `txn_${id}` }, amount, 1);
const back = (of: number, amount: number, more: Partial<Posting> = {}): Posting => ({
  ...{ kind: 'refund', amount, ...by, of, ...more },
});
const slip = (of: number, amount: number): Posting => ({ kind: 'correction', amount: -amount, ...by, of });
const extra = (amount: number, of?: number): Posting => ({
  ...{ kind: 'charge', amount, ...by },
  ...(of === undefined ? { label: 'Minibar', quantity: 2 } : { of }),
});
const account = (total: number, ...postings: Posting[]): Account => ({ total, postings });

describe('a folio', () => {
  it.each([
    ['nothing posted', account(900), 0, 900],
    ['no postings at all', { total: 900 }, 0, 900],
    ['a part paid', account(900, cash(400)), 400, 500],
    ['paid in parts', account(900, cash(400), charged(500)), 900, 0],
    ['paid too much', account(900, cash(1000)), 1000, -100],
    ['a part refunded', account(900, cash(900), back(1, 200)), 700, 200],
    [
      'a refund that is due counts at once',
      account(900, charged(900), back(1, 200, { is_due: true })),
      700,
      200,
    ],
    ['tenths are exact', account(0.3, cash(0.1), cash(0.2)), 0.3, 0],
    ['a charge beside the price', account(900, extra(100), cash(900)), 900, 100],
    ['a charge that was taken out', account(900, extra(100), extra(-100, 1), cash(900)), 900, 0],
    [
      'a fee takes the place of charges too',
      account(900, extra(100), { kind: 'fee', amount: 0, ...by }),
      0,
      0,
    ],
    ['a change is in the total', account(900, { kind: 'change', amount: 100, ...by }, cash(900)), 900, 0],
    [
      'a fee takes the place of the price',
      account(900, cash(900), { kind: 'fee', amount: 300, ...by }),
      900,
      -600,
    ],
    ['a fee of nothing too', account(900, cash(900), { kind: 'fee', amount: 0, ...by }, back(1, 900)), 0, 0],
  ])('with %s', (_, given, paid, balance) => {
    expect([paidFor(given), balanceOf(given), dueFor(given)]).toEqual([paid, balance, Math.max(0, balance)]);
  });

  it('is refunded only when all that came in is, and the refunds are made', () => {
    const refund = back(1, 900, { refund_id: 'cancel-17-2', is_due: true });
    expect(isRefunded(account(900))).toBe(false);
    expect(isRefunded(account(900, charged(900)))).toBe(false);
    expect(isRefunded(account(900, charged(900), refund))).toBe(false);
    expect(isRefunded(account(900, charged(900), back(1, 900)))).toBe(true);
    expect(isRefunded(account(900, charged(900), back(1, 899)))).toBe(false);
    expect(isRefunded(account(900, charged(900), cash(1), back(1, 900)))).toBe(false);
  });

  it('names its charges, the first of them, and the partner who collected', () => {
    const given = account(900, cash(100), charged(500), charged(300, 32));
    expect(chargesOf(given).map(({ payment_id, amount }) => [payment_id, amount])).toEqual([
      [16, 500],
      [32, 300],
    ]);
    expect([transactionOf(given), transactionOf(account(900, cash(1)))]).toEqual(['txn_16', null]);
    expect([isPaidToPartner(given), isPaidToPartner(account(1, cash(0, 'PARTNER')))]).toEqual([false, true]);
  });

  it('lets a posting be taken back while all of it is there', () => {
    const given = account(
      900,
      cash(300),
      charged(300),
      cash(300, 'PARTNER'),
      cash(100),
      back(4, 1),
      cash(50),
      slip(6, 50),
    );
    expect([0, 1, 2, 3, 4, 5, 6, 7, 8].filter((id) => untouched(given, id))).toEqual([1, 2, 3, 5, 7]);
    expect(untouched(given, 1)).toEqual(cash(300));
    expect([creditOf(account(900, cash(1000))), creditOf(account(900, cash(800)))]).toEqual([100, 0]);
  });

  it('counts its versions, and none where nothing is posted', () => {
    expect(post({ total: 1 }, [])).toEqual({});
    const first = post({ total: 1 }, [cash(1)]);
    expect(first).toEqual({ postings: [cash(1)], folio_version: 1 });
    expect(post({ total: 1, ...first }, [back(1, 1)])).toEqual({
      ...{ postings: [cash(1), back(1, 1)], folio_version: 2 },
    });
  });
});

describe('a refund', () => {
  it.each([
    [
      'goes back of the newest payment first',
      account(900, charged(400), cash(500)),
      600,
      [
        [2, 500],
        [1, 100],
      ],
    ],
    [
      'not again of what went back',
      account(900, charged(400), cash(500), back(2, 450)),
      100,
      [
        [2, 50],
        [1, 50],
      ],
    ],
    ['not again of what is due', account(900, charged(900), back(1, 900, { is_due: true })), 10, []],
    [
      'not of a payment that was recorded by mistake',
      account(900, charged(900), cash(100), slip(2, 100)),
      950,
      [[1, 900]],
    ],
    ['of nothing is none', account(900, cash(900)), 0, []],
    ['never more than was paid', account(900, cash(300)), 900, [[1, 300]]],
    ['of a payment of nothing is none', account(0, cash(0, 'PARTNER')), 5, []],
  ])('%s', (_, given, amount, parts) => {
    expect(splitRefund(given, amount).map((part) => [part.of, part.amount])).toEqual(parts);
  });

  const made = { refund_id: 'cancel-17-2', amount: 900, payment_id: 16, transaction_id: 'txn_16' };

  it('that is made is not due any more; others are', () => {
    const due = back(1, 400, { refund_id: 'cancel-17-2', is_due: true });
    const other = back(1, 500, { refund_id: 'change-17-3', is_due: true });
    const { postings, folio_version } = postRefundMade(account(900, charged(900), due, other), made, 5);
    const { is_due: _, ...done } = due;
    expect([postings, folio_version]).toEqual([[charged(900), done, other], 1]);
  });

  it('of a folio that was opened after it was requested lowers what is kept', () => {
    const ended = account(900, charged(900), { kind: 'fee', amount: 900, at: 1 });
    const after = { ...ended, ...postRefundMade(ended, made, 5) };
    expect([balanceOf(after), paidFor(after), isRefunded(after)]).toEqual([0, 0, true]);
    expect(after.postings[2]).toMatchObject({ of: 1, refund_id: 'cancel-17-2', at: 5 });
  });

  it('of such a folio is with what the host had taken too, once', () => {
    const ended = account(1000, cash(100), charged(900), { kind: 'fee', amount: 1000, at: 1 });
    const after = { ...ended, ...postRefundMade(ended, made, 5) };
    expect([balanceOf(after), paidFor(after), isRefunded(after)]).toEqual([0, 0, true]);
    const both = account(1400, cash(100), charged(900), charged(400, 32), {
      kind: 'fee',
      amount: 1400,
      at: 1,
    });
    const one = { ...both, ...postRefundMade(both, made, 5) };
    const second = { ...made, refund_id: 'cancel-17', amount: 400, payment_id: 32, transaction_id: 'txn_32' };
    const two = { ...one, ...postRefundMade(one, second, 6) };
    expect([balanceOf(one), balanceOf(two), isRefunded(one), isRefunded(two)]).toEqual([0, 0, false, true]);
  });

  it('does not take the reference of a host for a charge', () => {
    const typed = account(
      900,
      takenPosting({ payment_method: 'CASH' }, 900, 'HOST', { ...by, reference: 'txn_16' }),
    );
    expect(postRefundMade(typed, { ...made, refund_id: 'late-txn_16' }, 5).postings.slice(1)).toMatchObject([
      { kind: 'payment', payment_id: 16 },
      { kind: 'refund', of: 2 },
    ]);
  });

  it('of a charge that came when nothing was due posts that too', () => {
    const late = { ...made, refund_id: 'late-txn_16' };
    const after = { total: 900, ...postRefundMade({ total: 900 }, late, 5) };
    expect(after.postings).toEqual([
      { kind: 'payment', amount: 900, at: 5, reference: 'txn_16', payment_id: 16 },
      { kind: 'refund', amount: 900, at: 5, of: 1, refund_id: 'late-txn_16' },
    ]);
    expect(isRefunded(after)).toBe(true);
  });

  it('of a stay that falls through leaves a fee, also of nothing; one that was never paid posts none', () => {
    expect(endPostings(account(900, cash(900)), 600, by)).toEqual([{ kind: 'fee', amount: 300, ...by }]);
    expect(endPostings(account(900, cash(900)), 900, by)).toEqual([{ kind: 'fee', amount: 0, ...by }]);
    expect(endPostings({ total: 900 }, 0, by)).toEqual([]);
  });
});

/** What happens to the money of a stay. */
const steps = fc.array(
  fc.oneof(
    fc.record({
      does: fc.constant('pays' as const),
      amount: fc.integer({ min: 1, max: 900 }),
      online: fc.boolean(),
    }),
    fc.record({ does: fc.constant('costs' as const), amount: fc.integer({ min: 0, max: 900 }) }),
    fc.record({ does: fc.constant('gets back' as const), amount: fc.integer({ min: 1, max: 900 }) }),
    fc.record({ does: fc.constant('is refunded' as const), place: fc.nat(5) }),
  ),
  { maxLength: 12 },
);

it('agrees with a purse and a list of notes over 20,000 random histories', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 900 }), steps, (price, taken) => {
      let folio: Account & { postings: Posting[] } = { total: price, postings: [] };
      // Each note is an amount that was paid; the newest is refunded first.
      const notes: number[] = [];
      const promised: number[] = [];
      let [cost, madeBack, came] = [price, 0, 0];
      for (const step of taken) {
        const add = (...added: Posting[]) => (folio = { ...folio, ...post(folio, added) });
        if (step.does === 'pays') {
          add(step.online ? charged(step.amount, 16 * (notes.length + 1)) : cash(step.amount));
          notes.push(step.amount);
          came += step.amount;
        } else if (step.does === 'costs') {
          folio = { ...folio, total: step.amount };
          cost = step.amount;
        } else if (step.does === 'gets back') {
          let rest = Math.min(
            step.amount,
            notes.reduce((sum, note) => sum + note, 0),
          );
          const id = `change-17-${folio.postings.length + 1}`;
          const parts = splitRefund(folio, rest);
          add(
            ...parts.map(({ of, amount, payment }) =>
              back(
                of,
                amount,
                payment.payment_id === undefined ? {} : { refund_id: `${id}-${of}`, is_due: true },
              ),
            ),
          );
          for (const { payment, amount } of parts)
            if (payment.payment_id === undefined) madeBack += amount;
            else promised.push(amount);
          for (let at = notes.length - 1; at >= 0; at--) {
            const part = Math.min(rest, notes[at]!);
            notes[at]! -= part;
            rest -= part;
          }
        } else {
          const due = folio.postings.filter(({ is_due }) => is_due)[step.place];
          if (!due) continue;
          const made = { refund_id: due.refund_id!, amount: due.amount, payment_id: 0, transaction_id: '' };
          folio = { ...folio, ...postRefundMade(folio, made, 9) };
          madeBack += due.amount;
        }
      }
      const purse = notes.reduce((sum, note) => sum + note, 0);
      expect([paidFor(folio), balanceOf(folio)]).toEqual([purse, cost - purse]);
      expect(isRefunded(folio)).toBe(came > 0 && madeBack === came);
      expect(splitRefund(folio, 1e9).map(({ amount }) => amount)).toEqual(
        notes.filter((note) => note > 0).reverse(),
      );
    }),
    { numRuns: 20_000, seed: 126 },
  );
}, 60_000);
