import { GetCommand } from '../../../shared/platform/dynamodb/index.ts';
import type { Item } from '../memory/values.ts';
import type { Tamper } from '../service/table.ts';
import { rewriting, withoutPuts } from '../service/tampering.ts';
import { type MoneyBug, type Posting, posting, setting, stays } from './tampering-stays.ts';

interface Plan {
  deposit: number;
  is_due?: true;
}
const planOf = (item: Item): Plan | undefined => item['plan'] as Plan | undefined;

/** Changes transfers as they are written. */
const transfers = (change: (transfer: Item) => Item): Tamper =>
  rewriting((action) =>
    action.Put?.Item?.['entity'] === 'BankTransfer'
      ? { ...action, Put: { ...action.Put, Item: change(action.Put.Item as Item) } }
      : action,
  );

/** Mistakes with payment plans (D129). */
const planBugs: readonly MoneyBug[] = [
  {
    name: 'all of the price is due at booking, whatever its plan says',
    reading: stays((stay) => {
      const plan = planOf(stay);
      return plan ? { plan: { ...plan, is_due: true } } : {};
    }),
  },
  {
    name: 'what a change adds is due with the deposit',
    reading: stays((stay, postings) => {
      const plan = planOf(stay);
      const added = postings.reduce((sum, { kind, amount }) => (kind === 'change' ? sum + amount : sum), 0);
      return plan && added > 0 ? { plan: { ...plan, deposit: plan.deposit + added } } : {};
    }),
  },
  {
    name: 'a balance that has fallen due has no time to be paid in',
    tamper: setting(({ pay_until }, events) =>
      events.includes('payment.due') && pay_until !== undefined ? { pay_until: undefined } : {},
    ),
  },
  {
    name: 'a balance falls due without an event of it',
    tamper: withoutPuts('Event', (item) => item['event_type'] === 'payment.due'),
  },
  {
    name: 'a cancellation for want of the balance refunds all of the deposit',
    reading: stays((stay) =>
      planOf(stay)?.is_due && Array.isArray(stay['cancellation_terms'])
        ? { cancellation_terms: [{ until_hours_before: 0, refund_percent: 100, keep_nights: 0 }] }
        : {},
    ),
  },
  {
    name: 'the balance is not due when the guest arrives',
    seed: 2,
    tamper: setting(({ plan }, events) => {
      if (!plan || !events.includes('booking.checked_in')) return {};
      const { is_due: _, ...rest } = plan;
      return { plan: rest };
    }),
  },
];

/** Mistakes with bank transfers (D130). */
const transferBugs: readonly MoneyBug[] = [
  {
    name: 'a report of a transfer that comes again is not known',
    tamper: (command) =>
      command instanceof GetCommand && String(command.input.Key?.['pk']).startsWith('BANK_TRANSFERS#')
        ? new GetCommand({ ...command.input, Key: { ...command.input.Key, sk: 'unknown' } })
        : rewriting(({ Put, ...action }) =>
            Put?.Item?.['entity'] === 'BankTransfer'
              ? { ...action, Put: { TableName: Put.TableName, Item: Put.Item } }
              : { ...action, ...(Put && { Put }) },
          )(command),
  },
  { name: 'what is left of a transfer is lost', tamper: transfers((one) => ({ ...one, rest: 0 })) },
  {
    name: 'a transfer that went back can be assigned again',
    reading: (item) =>
      item['entity'] === 'BankTransfer' && item['state'] === 'RETURNED' ? { ...item, state: 'OPEN' } : item,
  },
  {
    name: 'a late transfer restores a booking that its guest or host has cancelled',
    reading: stays(({ state, payment_method, created_at }) =>
      state === 'CANCELLED' && payment_method === 'BANK_TRANSFER'
        ? { lapsed_at: Date.parse(created_at as string) }
        : {},
    ),
  },
  {
    name: 'a booking that is restored keeps its end in the folio',
    tamper: posting(({ postings }, events) =>
      events.includes('booking.restored')
        ? { postings: postings.toSpliced(-1, 0, { kind: 'fee', amount: 0, at: 0 } as Posting) }
        : {},
    ),
  },
  {
    name: 'a part that came by itself ends the time to pay',
    tamper: posting(({ pay_until }, _, actors) =>
      pay_until !== undefined && actors.some((actor) => actor.includes('bank-transfers'))
        ? { pay_until: undefined }
        : {},
    ),
  },
  {
    name: 'a transfer counts when it was reported, not when it came',
    tamper: posting(({ postings }) => ({
      postings: postings.map((one) => {
        const { received_at: _, ...rest } = one;
        return one.method === 'BANK_TRANSFER' && one.reference?.startsWith('FT') ? rest : one;
      }),
    })),
  },
];

/** Mistakes with changes that are not paid in time (D147). */
const unpaidChangeBugs: readonly MoneyBug[] = [
  {
    name: 'a stay is cancelled because its change was not paid in time',
    reading: stays(({ unpaid_change }) => (unpaid_change ? { unpaid_change: { total: 1e9 } } : {})),
  },
  {
    name: 'a stay that was not paid before its change is not cancelled',
    reading: stays(({ unpaid_change }) =>
      unpaid_change ? { unpaid_change: { ...unpaid_change, total: 0 } } : {},
    ),
  },
  {
    name: 'a change that a guest has to transfer has no time for it',
    tamper: setting(({ pay_until }, events) =>
      events.includes('booking.changed') && pay_until !== undefined ? { pay_until: undefined } : {},
    ),
  },
  {
    name: 'what was paid for a change that is given up is kept',
    tamper: posting(({ postings }, events, actors) =>
      events.includes('booking.changed') && actors.some((actor) => actor.includes('move-due'))
        ? { postings: postings.filter(({ kind }) => kind !== 'refund') }
        : {},
    ),
  },
  {
    name: 'a change that was given up can be asked for again and again',
    reading: stays((_, postings) => ({
      postings: postings.map((one) => (one.kind === 'change' ? { ...one, actor: 'user:1' } : one)),
    })),
  },
];

export const planAndTransferBugs: readonly MoneyBug[] = [...planBugs, ...transferBugs, ...unpaidChangeBugs];
