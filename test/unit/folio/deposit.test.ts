import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  balanceOf,
  chargesOf,
  type DepositAction,
  depositKinds,
  depositOf,
  endPostings,
  isDepositPaid,
  isRefunded,
  mostOfDeposit,
  paidFor,
  type Posting,
  receivedFor,
  refundedFor,
  splitRefund,
  takenPosting,
  toReturnFor,
} from '../../../shared/domain/folio/model.ts';

const by = { at: 1, actor: 'user:1' };
const did = (action: DepositAction, amount: number): Posting => ({
  ...{ kind: depositKinds[action], amount, ...by },
});
const cash = (amount: number) => takenPosting({ payment_method: 'CASH' }, amount, 'HOST', by);
const most = (postings: Posting[], amount: number) =>
  (['TAKE', 'RETURN', 'KEEP'] as const).map((action) => mostOfDeposit({ postings }, action, amount));

const desk = { authorised: 0 };

describe('a security deposit', () => {
  it.each([
    ['of which nothing was taken', [], [500, 0, 0], { held: 0, ...desk, kept: 0, returned: 0 }],
    ['taken in part', [did('TAKE', 200)], [300, 200, 200], { held: 200, ...desk, kept: 0, returned: 0 }],
    [
      'that was returned can be taken again',
      [did('TAKE', 500), did('RETURN', 500)],
      [500, 0, 0],
      { held: 0, ...desk, kept: 0, returned: 500 },
    ],
    [
      'that was kept cannot',
      [did('TAKE', 500), did('KEEP', 200), did('RETURN', 100)],
      [100, 200, 200],
      { held: 200, ...desk, kept: 200, returned: 100 },
    ],
    [
      'in tenths, exactly',
      [did('TAKE', 0.1), did('TAKE', 0.2)],
      [499.7, 0.3, 0.3],
      { held: 0.3, ...desk, kept: 0, returned: 0 },
    ],
  ])('%s', (_, postings, left, sums) => {
    expect(most(postings, 500)).toEqual(left);
    expect(depositOf({ postings })).toEqual(sums);
  });

  it('on a card is released and captured apart from what the host has', () => {
    const card = { method: 'ONLINE_GATEWAY', payment_id: 1 } as const;
    const postings = [did('TAKE', 100), { ...did('TAKE', 300), ...card }];
    expect(depositOf({ postings })).toEqual({ held: 400, authorised: 300, kept: 0, returned: 0 });
    const left = (byGateway: boolean) =>
      (['TAKE', 'RETURN', 'KEEP'] as const).map((one) => mostOfDeposit({ postings }, one, 500, byGateway));
    expect([left(false), left(true)]).toEqual([
      [100, 100, 100],
      [100, 300, 300],
    ]);
    const ended = [...postings, { ...did('KEEP', 200), ...card }, { ...did('RETURN', 100), ...card }];
    expect(depositOf({ postings: ended })).toEqual({ held: 100, authorised: 0, kept: 200, returned: 100 });
    expect(chargesOf({ total: 900, postings: [{ ...did('KEEP', 200), ...card, reference: 'txn' }] })).toEqual(
      [],
    );
  });

  it('of a stay without postings is not held, and none is left where a change has lowered it', () => {
    expect(depositOf({})).toEqual({ held: 0, ...desk, kept: 0, returned: 0 });
    expect(most([did('TAKE', 500)], 300)).toEqual([0, 500, 500]);
  });

  it('changes no other sum of the folio, wherever it stands among the postings', () => {
    const paid = [cash(400), { kind: 'charge' as const, amount: 50, ...by, label: 'Tea', quantity: 1 }];
    const sums = (postings: Posting[]) => {
      const account = { total: 900, postings };
      const refund = splitRefund(account, 1e9).map(({ payment, amount }) => [payment, amount]);
      const ends = endPostings(account, 100, by);
      return [balanceOf, paidFor, receivedFor, refundedFor, toReturnFor, isRefunded, isDepositPaid]
        .map((sumOf): unknown => sumOf(account))
        .concat(refund, ends);
    };
    const actions = fc.constantFrom<DepositAction>('TAKE', 'RETURN', 'KEEP');
    fc.assert(
      fc.property(fc.array(fc.tuple(actions, fc.integer({ min: 1, max: 900 }), fc.nat(2))), (done) => {
        const all = [...paid];
        for (const [action, amount, at] of done) all.splice(at, 0, did(action, amount) as never);
        expect(sums(all)).toEqual(sums(paid));
      }),
    );
  });
});
