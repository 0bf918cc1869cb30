import { GetCommand, TransactWriteCommand } from '../../../shared/platform/dynamodb/index.ts';
import type { Item } from '../memory/values.ts';
import type { ServiceBug } from './bug.ts';
import type { Tamper } from './table.ts';
import { isOf, rewriting, unconditional } from './tampering.ts';

const rewritingTransfers = (change: (item: Item) => Item) =>
  rewriting((action) =>
    action.Put?.Item?.['entity'] === 'BankTransfer'
      ? { ...action, Put: unconditional({ ...action.Put, Item: change(action.Put.Item) }) }
      : action,
  );

/** Finds no transaction of a bank, and writes each of them over what is there. */
const countingAnew: Tamper = (command) => {
  if (!(command instanceof GetCommand)) return rewritingTransfers((item) => item)(command);
  const { pk, sk } = command.input.Key ?? {};
  return String(pk).startsWith('BANK_TRANSFERS#')
    ? new GetCommand({ ...command.input, Key: { pk: pk as unknown, sk: `${String(sk)}-other` } })
    : command;
};

/** Takes hours whether they are taken or not. */
const overAll: Tamper = (command) => {
  const all = command instanceof TransactWriteCommand ? (command.input.TransactItems ?? []) : [];
  return all.some(({ Put }) => Put?.Item?.['event_type'] === 'booking.restored')
    ? rewriting((action) =>
        action.Update && isOf(action.Update, 'MONTH#')
          ? { ...action, Update: unconditional(action.Update) }
          : action,
      )(command)
    : command;
};

const asReported =
  (entity: string, change: (item: Item) => Item): NonNullable<ServiceBug['reading']> =>
  (item, by) =>
    item['entity'] === entity && by.startsWith('payments/') ? change(item) : item;

/** Mistakes about bank transfers (D130). */
export const transferBugs: readonly ServiceBug[] = [
  { name: 'a transaction of a bank counts each time that it is reported', tamper: countingAnew },
  {
    name: 'a late transfer restores a stay whatever the calendar has',
    tamper: overAll,
    reading: asReported('CalendarMonth', (item) => ({ ...item, days: {} })),
  },
  {
    name: 'what a transfer has too much is forgotten',
    tamper: rewritingTransfers((item) => ({ ...item, rest: 0, state: 'MATCHED' })),
  },
  {
    name: 'what comes to an account that the team has not given pays its bookings',
    reading: asReported('TeamAccounts', ({ accounts, ...item }) => ({
      ...item,
      accounts: (accounts as { account_number: string }[]).flatMap((one) => [
        one,
        { ...one, account_number: `19036${one.account_number.slice(-4)}` },
      ]),
    })),
  },
];
