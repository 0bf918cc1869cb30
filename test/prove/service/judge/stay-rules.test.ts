import { describe, expect, it } from 'vitest';
import type { Request, Sent } from '../client.ts';
import { stayRuleProblems } from './stay-rules.ts';

let moment = 0;
interface Given {
  status?: number;
  code?: string;
  json?: object;
  isLost?: boolean;
}

const sent = (request: Omit<Request, 'method'>, { status = 201, code, json = {}, isLost }: Given): Sent => {
  const begun = {
    who: { name: 'an' },
    request: { method: 'POST' as const, ...request },
    begin: moment++,
    since: 0,
  };
  if (isLost) return { ...begun, end: Infinity, by: Infinity, reply: undefined };
  return { ...begun, end: moment++, by: 1, reply: { status, headers: {}, text: '', json, code } };
};

const put = (rules: object, given: Given = {}): Sent =>
  sent(
    { verb: 'putStayRules', path: '/api/v1/listings/10/stay-rules', body: rules },
    { status: 200, ...given },
  );

const item = (nights: number) => ({
  listing_id: 10,
  check_in_date: '2027-02-05',
  check_out_date: `2027-02-0${5 + nights}`,
});
const body = (nights: number) => ({ items: [item(nights)], payment_method: 'CASH' });
const book = (nights: number, given: Given = {}): Sent =>
  sent({ verb: 'confirmCheckout', path: '/checkout/confirm', body: body(nights) }, given);
const hold = (nights: number): Sent =>
  sent({ verb: 'createCheckout', path: '/checkout', body: body(nights) }, {});

const reason = { listing_id: 10, rule: 'min_nights', date: '2027-02-05', allowed: 2 };
const refusal = (nights: number, reasons: object[], nearest: object[] = []): Sent =>
  book(nights, { status: 409, code: 'STAY_NOT_ALLOWED', json: { details: { reasons, nearest } } });

const problems = (...all: Sent[]): string[] => stayRuleProblems({ sent: all });
const twoNights = { default: { min_nights: 2 } };
const friday = { date_from: '2027-02-01', date_to: '2027-02-10', weekdays: [5] };

describe('the judge of stay rules', () => {
  it.each<[string, () => Sent[]]>([
    ['a stay is refused by a rule of then', () => [put(twoNights), refusal(1, [reason], [item(2)])]],
    ['a stay is taken that a rule allows', () => [put(twoNights), book(2)]],
    ['a stay is taken after the rule has gone', () => [put(twoNights), put({}), book(1)]],
    ['a stay is taken that was held before the rule', () => [hold(1), put(twoNights), book(1)]],
    [
      'rules without an answer bind or not',
      () => [put(twoNights, { isLost: true }), book(1), refusal(1, [reason])],
    ],
    [
      'a rule of a weekday binds on this day',
      () => [put({ date_rules: [{ ...friday, min_nights: 2 }] }), refusal(1, [reason])],
    ],
    [
      'a later rule wins, field by field',
      () => [
        put({
          ...twoNights,
          date_rules: [
            { ...friday, min_nights: 1 },
            { ...friday, max_nights: 3 },
          ],
        }),
        book(1),
      ],
    ],
  ])('it may be that %s', (_, all) => {
    expect(problems(...all())).toEqual([]);
  });

  it.each<[string, () => Sent[]]>([
    ['a stay is refused without a rule', () => [refusal(1, [reason])]],
    ['a stay is refused by a rule that has gone', () => [put(twoNights), put({}), refusal(1, [reason])]],
    ['a stay is refused by a rule that it keeps', () => [put(twoNights), refusal(2, [reason])]],
    ['a stay is refused for no rule', () => [put(twoNights), refusal(1, [])]],
    ['a stay is offered that a rule refuses', () => [put(twoNights), refusal(1, [reason], [item(1)])]],
    ['a stay is taken that a rule refuses', () => [put(twoNights), book(1)]],
    [
      'a stay is taken on a closed night',
      () => [put({ date_rules: [{ ...friday, closed: true }] }), book(1)],
    ],
    ['an arrival is taken that is closed', () => [put({ default: { closed_to_arrival: true } }), book(1)]],
    [
      'a departure is taken that is closed',
      () => [put({ date_rules: [{ ...friday, weekdays: [6], closed_to_departure: true }] }), book(1)],
    ],
    ['a stay is taken that is too long', () => [put({ default: { max_nights: 1 } }), book(2)]],
  ])('it cannot be that %s', (_, all) => {
    expect(problems(...all())).toHaveLength(1);
  });
});
