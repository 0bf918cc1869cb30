import { TransactWriteCommand } from '../../../shared/platform/dynamodb/index.ts';
import type { Item } from '../memory/values.ts';
import type { ServiceBug } from './bug.ts';
import type { Tamper } from './table.ts';

const calendarImport = 'system:calendar-import';

/** Leaves out what a transaction of a calendar's reader writes with an event of a booking, but for its conditions. */
const withoutEffect =
  (eventType: string): Tamper =>
  (command) => {
    if (!(command instanceof TransactWriteCommand)) return command;
    const all = command.input.TransactItems ?? [];
    const isOne = all.some(
      ({ Put }) => Put?.Item?.['event_type'] === eventType && Put.Item['actor'] === calendarImport,
    );
    return isOne
      ? new TransactWriteCommand({ TransactItems: all.filter(({ ConditionCheck }) => ConditionCheck) })
      : command;
  };

/** Deletes the entries of stays that their platform has cancelled, and leaves no block in their place. */
const withoutBlock: Tamper = (command) => {
  if (!(command instanceof TransactWriteCommand)) return command;
  const all = command.input.TransactItems ?? [];
  const isOne = all.some(
    ({ Put }) => Put?.Item?.['event_type'] === 'booking.cancelled' && Put.Item['actor'] === calendarImport,
  );
  if (!isOne) return command;
  const TransactItems = all.map((action) => {
    const { Item, TableName } = action.Put ?? {};
    return Item?.['entity'] === 'AvailabilityEntry'
      ? { Delete: { TableName, Key: { pk: Item['pk'] as unknown, sk: Item['sk'] as unknown } } }
      : action;
  });
  return new TransactWriteCommand({ TransactItems });
};

/** Leaves blocks as they are where their calendar says something else of them. */
const withoutTexts: Tamper = (command) => {
  if (!(command instanceof TransactWriteCommand)) return command;
  const all = command.input.TransactItems ?? [];
  const isLabel = ({ Item = {}, ExpressionAttributeNames = {} }: NonNullable<(typeof all)[number]['Put']>) =>
    Item['entity'] === 'AvailabilityEntry' &&
    Item['state'] === 'BLOCKED' &&
    Object.values(ExpressionAttributeNames).includes('state');
  const TransactItems = all.filter(({ Put }) => !Put || !isLabel(Put));
  return new TransactWriteCommand({ ...command.input, TransactItems });
};

/** Leaves adopted stays to a calendar that is followed no more. */
const withoutLeaving: Tamper = (command) => {
  if (!(command instanceof TransactWriteCommand)) return command;
  const TransactItems = (command.input.TransactItems ?? []).filter(
    ({ Update: { Key = {}, ExpressionAttributeNames = {} } = {} }) =>
      !String(Key['sk']).startsWith('RESERVATION#') ||
      !Object.values(ExpressionAttributeNames).includes('feed_id'),
  );
  return new TransactWriteCommand({ ...command.input, TransactItems });
};

/** Leaves the calendar as it is where a guest is checked in before the stay begins. */
const withoutEarlyHours: Tamper = (command) => {
  if (!(command instanceof TransactWriteCommand)) return command;
  const all = command.input.TransactItems ?? [];
  const isEarly = all.some(({ Put }) => Put?.Item?.['booked_from'] !== undefined);
  const isArrival = all.some(({ Put }) => Put?.Item?.['event_type'] === 'booking.checked_in');
  if (!isEarly || !isArrival) return command;
  const TransactItems = all.filter(
    ({ Put, Update, Delete, ConditionCheck }) =>
      !/^(MONTH|ENTRY|LONG_ENTRY)#/.test(
        String(Put?.Item?.['sk'] ?? (Update ?? Delete ?? ConditionCheck)?.Key?.['sk']),
      ),
  );
  return new TransactWriteCommand({ ...command.input, TransactItems });
};

const ofGuests =
  (change: (item: Item, by: string) => Item): NonNullable<ServiceBug['reading']> =>
  (item, by) =>
    item['entity'] === 'Reservation' && by.startsWith('guest/') ? change(item, by) : item;

/** An instance of the function keeps the stay that it has opened first. */
const firstStay = (): NonNullable<ServiceBug['reading']> => {
  const first = new Map<string, Item>();
  return ofGuests((item, by) => {
    const kept = first.get(by) ?? item;
    first.set(by, kept);
    return kept;
  });
};

/** Mistakes about stays of platforms (D120), and links of guests (D122). */
export const stayBugs: readonly ServiceBug[] = [
  {
    name: 'an event of a platform moves, and its adopted stay does not',
    tamper: withoutEffect('booking.changed'),
    often: { adoptStay: 100, moveEvent: 40 },
  },
  {
    name: 'an event of a platform is gone, and its adopted stay is not cancelled',
    tamper: withoutEffect('booking.cancelled'),
  },
  { name: 'nights of a stay that its platform has cancelled have no block', tamper: withoutBlock },
  {
    name: 'what a host says of a calendar does not reach its stays',
    tamper: withoutTexts,
    often: { adoptStay: 100, changeFeed: 100 },
  },
  {
    name: 'a calendar that is followed no more keeps its adopted stays',
    tamper: withoutLeaving,
    often: { adoptStay: 100, followAnew: 100 },
  },
  { name: 'an early check-in takes no hours', tamper: withoutEarlyHours },
  {
    name: 'a link that was replaced opens its stay',
    reading: ofGuests(({ guest_link: _, ...item }) => item),
    often: { rotateGuestLink: 40 },
  },
  { name: 'a link opens the stay that another has opened', reading: firstStay() },
];
