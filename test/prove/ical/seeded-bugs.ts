import { PutCommand, TransactWriteCommand } from '../../../shared/platform/dynamodb/index.ts';
import { givenText, givenTime, type GivenTime } from '../../../shared/domain/ical/exported-times.ts';
import type { Item } from '../memory/values.ts';
import type { Command } from '../memory/simulated-table.ts';

/** A mistake that the histories have to find. */
export interface CalendarBug {
  name: string;
  /** Changes what goes to the table. */
  tamper?: (command: Command) => Command;
  /** Hosts paste the general address, so a platform is given what came from itself. */
  pastesGeneral?: boolean;
}

/** Other memories of what a follower was given than the service meant to keep. */
const remembering =
  (change: (times: GivenTime[]) => GivenTime[]) =>
  (command: Command): Command => {
    const changed = (item: Item): Item =>
      item['entity'] === 'FeedExport'
        ? { ...item, given: change((item['given'] as string[]).map(givenTime)).map(givenText) }
        : item;
    if (command instanceof PutCommand)
      return new PutCommand({ ...command.input, Item: changed(command.input.Item ?? {}) });
    if (!(command instanceof TransactWriteCommand)) return command;
    const TransactItems = (command.input.TransactItems ?? []).map((action) =>
      action.Put ? { ...action, Put: { ...action.Put, Item: changed(action.Put.Item ?? {}) } } : action,
    );
    return new TransactWriteCommand({ ...command.input, TransactItems });
  };

export const calendarBugs: readonly CalendarBug[] = [
  { name: 'an echo is not recognised', tamper: remembering(() => []) },
  {
    name: 'an echo is one for ever',
    tamper: remembering((times) => times.map((time) => ({ ...time, goneAt: null, droppedAt: null }))),
  },
  { name: "an export holds what came from its follower's own feed", pastesGeneral: true },
  {
    name: 'a booking of nights that were given once is taken for an echo',
    tamper: remembering((times) =>
      times.map((time) => ({ ...time, isCurrent: true, goneAt: null, droppedAt: null })),
    ),
  },
];
