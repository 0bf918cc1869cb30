import type { ServiceBug } from './bug.ts';
import { accessBugs } from './planted-access.ts';
import { outsideBugs } from './planted-outside.ts';
import { stayBugs } from './planted-stays.ts';
import { transferBugs } from './planted-transfers.ts';
import { isOf, rewriting, unconditional, type Update, without } from './tampering.ts';

/** Whether it counts a change of a stay. */
const isChange = ({ ExpressionAttributeNames: names = {}, UpdateExpression: update = '' }: Update): boolean =>
  Object.keys(names).some(
    (placeholder) => names[placeholder] === 'changes' && new RegExp(`${placeholder} = `).test(update),
  );

/** Mistakes that the histories of the service have to find. */
export const serviceBugs: readonly ServiceBug[] = [
  {
    name: 'an event is appended to a page of the feed that is closed',
    tamper: rewriting((action) =>
      action.Put?.Item?.['entity'] === 'EventPage'
        ? { ...action, Put: without(action.Put, 'closed_at') }
        : action,
    ),
  },
  {
    name: 'an unpaid booking is cancelled without asking the gateway',
    gateway: (client, by) => {
      const unasked = async () => ({ state: 'unpaid' as const, final: true, reason: 'not asked' });
      return by.startsWith('move-due-bookings') ? { ...client, find: unasked, close: unasked } : client;
    },
  },
  {
    name: 'an event is marked as handled whether it was or not',
    tamper: rewriting((action) =>
      action.Put?.Item?.['entity'] === 'HandledEvent'
        ? { ...action, Put: unconditional(action.Put) }
        : action,
    ),
  },
  {
    name: 'a refund is noted as made whatever its state',
    tamper: rewriting((action) =>
      action.Update && isOf(action.Update, 'REFUND#')
        ? { ...action, Update: unconditional(action.Update) }
        : action,
    ),
  },
  {
    name: 'a payment is written over what another has written',
    tamper: rewriting((action) =>
      action.Update && isOf(action.Update, 'PAYMENT')
        ? { ...action, Update: unconditional(action.Update) }
        : action,
    ),
  },
  {
    name: 'a change of a stay is written over what another has written',
    tamper: rewriting((action) =>
      action.Update && isChange(action.Update) ? { ...action, Update: unconditional(action.Update) } : action,
    ),
  },
  {
    name: 'a user is created whether the account has one or not',
    tamper: rewriting((action) =>
      action.Put?.Item?.['entity'] === 'Subject' ? { ...action, Put: unconditional(action.Put) } : action,
    ),
  },
  {
    name: 'a month of the calendar is written over what another has written',
    tamper: rewriting((action) => {
      const changed = { ...action };
      if (action.Put?.Item?.['entity'] === 'CalendarMonth') changed.Put = unconditional(action.Put);
      if (action.Update && isOf(action.Update, 'MONTH#')) changed.Update = unconditional(action.Update);
      return changed;
    }),
  },
  ...outsideBugs,
  ...stayBugs,
  ...transferBugs,
  ...accessBugs,
];
