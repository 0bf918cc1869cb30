import { TransactWriteCommand } from '../../../shared/platform/dynamodb/index.ts';
import type { Item } from '../memory/values.ts';
import { refundingAnew } from '../service/planted-outside.ts';
import type { Tamper } from '../service/table.ts';
import { isOf, rewriting, without, withoutPuts } from '../service/tampering.ts';
import { holdBugs } from './planted-holds.ts';
import { planAndTransferBugs } from './planted-plans.ts';
import { each, type MoneyBug, type Posting, posting, stays, sumOf, withoutField } from './tampering-stays.ts';

const postingBugs: readonly MoneyBug[] = [
  {
    name: 'a refund is of the oldest payment',
    tamper: each('refund', (one, all) => ({
      ...one,
      of: all.findIndex(({ kind }) => kind === 'payment') + 1,
    })),
  },
  {
    name: 'the version of a folio stays as it is',
    tamper: posting(({ folio_version }) => ({ folio_version: Math.max(1, folio_version - 1) })),
  },
  {
    name: 'a posting does not check that the folio is as it was read',
    tamper: rewriting((action) =>
      action.Update && isOf(action.Update, 'RESERVATION#')
        ? { ...action, Update: without(action.Update, 'folio_version') }
        : action,
    ),
  },
  {
    name: 'the host has to hand over what a partner refunds',
    tamper: each('refund', (one, all) =>
      all[(one.of ?? 0) - 1]?.collected_by === 'PARTNER' ? { ...one, to_return: true } : one,
    ),
  },
  {
    name: 'a fee is all that was paid, also what goes back of it',
    tamper: each('fee', (one, all) => ({ ...one, amount: sumOf(all, 'payment') })),
  },
  {
    name: 'the fee of a booking that fell through has its charges',
    tamper: each('fee', (one, all) => ({ ...one, amount: one.amount + sumOf(all, 'charge') })),
  },
  {
    name: 'a security deposit is a payment',
    tamper: each('deposit_taken', (one) => ({ ...one, kind: 'payment', collected_by: 'HOST' })),
  },
  {
    name: 'a correction is posted with the sign of its payment',
    tamper: each('correction', (one) => ({ ...one, amount: Math.abs(one.amount) })),
  },
  {
    name: 'a charge is taken out once, however many there were of it',
    tamper: each('charge', (one) =>
      one.of === undefined ? one : { ...one, amount: Math.ceil(one.amount / 2) },
    ),
  },
  {
    name: 'another price is not posted',
    tamper: posting(({ postings }) => ({ postings: postings.filter(({ kind }) => kind !== 'change') })),
  },
  {
    name: 'a part of the price pays all of it',
    tamper: posting((_, events) => (events.includes('payment.paid') ? { payment_status: 'PAID' } : {})),
  },
  {
    name: 'a refund through the gateway counts before it is made',
    tamper: each('refund', (one) => withoutField(one, 'is_due')),
  },
  {
    name: 'a refund that was made stays due',
    tamper: posting(({ postings }, events) =>
      events.includes('payment.refunded')
        ? {
            postings: postings.map((one) => (one.refund_id === undefined ? one : { ...one, is_due: true })),
          }
        : {},
    ),
  },
  {
    name: 'what the host has handed over is still to be returned',
    tamper: posting(({ postings }, events) =>
      events.includes('payment.returned')
        ? {
            postings: postings.map((one) =>
              one.kind === 'refund' && one.refund_id === undefined ? { ...one, to_return: true } : one,
            ),
          }
        : {},
    ),
  },
  {
    name: 'money counts when it was recorded, not when it came',
    tamper: each('payment', (one) => withoutField(one, 'received_at')),
  },
];

const isBackAtOnce = ({ refund_id }: Posting): boolean => /^(late|charge|short)-/.test(refund_id ?? '');

/** Changes where both postings of money that came when nothing was due are, as they are written. */
const atOnce = (
  change: (before: readonly Posting[], both: readonly Posting[]) => readonly Posting[],
): Tamper =>
  posting(({ postings }) => {
    const [before, both] = [postings.slice(0, -2), postings.slice(-2)];
    const [paid, back] = both;
    const isNew = paid?.kind === 'payment' && back?.kind === 'refund' && isBackAtOnce(back);
    return isNew ? { postings: [...change(before, both)] } : {};
  });

const shifted = (one: Posting, by: number): Posting =>
  one.of === undefined ? one : { ...one, of: one.of + by };

const atOnceBugs: readonly MoneyBug[] = [
  {
    name: 'money that came when nothing was due is posted twice, with its refund',
    tamper: atOnce((before, both) => [...before, ...both, ...both.map((one) => shifted(one, 2))]),
  },
  {
    name: 'money that came when nothing was due is posted before what was posted last',
    tamper: atOnce((before, both) => [
      ...before.slice(0, -1),
      ...both.map((one) => shifted(one, -Math.min(1, before.length))),
      ...before.slice(-1),
    ]),
  },
];

const readingBugs: readonly MoneyBug[] = [
  {
    name: 'a report that comes again is not known',
    reading: (item) =>
      item['entity'] === 'Payment' && item['state'] === 'PAID'
        ? { ...item, state: 'OPEN', transaction_id: null }
        : item,
  },
  {
    name: 'a refund that is due does not count as gone',
    reading: stays((_, postings) => ({ postings: postings.filter(({ is_due }) => !is_due) })),
  },
  {
    name: 'a charge is a part of the price',
    reading: stays(({ total }, postings) => ({ total: Number(total) + sumOf(postings, 'charge') })),
  },
  {
    name: 'the first step of the terms holds until check-in',
    reading: stays(({ cancellation_terms: terms }) =>
      Array.isArray(terms)
        ? { cancellation_terms: [{ ...(terms[0] as object), until_hours_before: 0 }] }
        : {},
    ),
  },
  {
    name: 'kept nights cost nothing',
    reading: stays(({ cancellation_terms: terms }) =>
      Array.isArray(terms)
        ? { cancellation_terms: (terms as object[]).map((term) => ({ ...term, kept_price: 0 })) }
        : {},
    ),
  },
  {
    name: 'a statement overlooks corrections',
    reading: stays(
      (_, postings) => ({
        postings: postings.map((one) => (one.kind === 'correction' ? { ...one, amount: 0 } : one)),
      }),
      ['statement'],
    ),
  },
  {
    name: 'the months of a statement are by UTC',
    reading: stays(() => ({ timezone: 'UTC' }), ['statement']),
  },
];

const isEventOf =
  (type: string) =>
  (item: Item): boolean =>
    item['event_type'] === type;

const otherBugs: readonly MoneyBug[] = [
  { name: 'a refund has no event', tamper: withoutPuts('Event', isEventOf('payment.refunded')) },
  {
    name: 'an event says all that was paid so far',
    tamper: (command) => {
      if (!(command instanceof TransactWriteCommand)) return command;
      const sets = (command.input.TransactItems ?? []).flatMap(({ Update }) =>
        Object.values(Update?.ExpressionAttributeValues ?? {}).filter((value) => Array.isArray(value)),
      ) as Posting[][];
      return rewriting((action) => {
        const item = action.Put?.Item as Item | undefined;
        if (!action.Put || item?.['event_type'] !== 'payment.paid' || !sets[0]) return action;
        const data = { ...(item['data'] as object), amount: sumOf(sets[0], 'payment') };
        return { ...action, Put: { ...action.Put, Item: { ...item, data } } };
      })(command);
    },
  },
  {
    name: 'money that came when nothing was due is kept',
    tamper: withoutPuts('PaymentRefund', ({ refund_id }) => /^(late|charge|short)-/.test(String(refund_id))),
  },
  { name: 'a refund is asked for again under another key, of one booking', gateway: refundingAnew },
  {
    name: 'a refund is of the whole charge',
    gateway: (client) => ({ ...client, refund: (due) => client.refund({ ...due, amount: due.paid }) }),
  },
  {
    name: 'a page without a report counts as unpaid',
    gateway: (client) => ({
      ...client,
      find: async () => ({ state: 'unpaid', final: false, reason: 'not asked' }),
    }),
  },
];

export const moneyBugs: readonly MoneyBug[] = [
  ...postingBugs,
  ...atOnceBugs,
  ...readingBugs,
  ...otherBugs,
  ...planAndTransferBugs,
  ...holdBugs,
];
