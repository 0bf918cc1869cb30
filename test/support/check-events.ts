import { DynamoDB, TransactWriteCommand } from '../../shared/platform/dynamodb/index.ts';
import { eventDataIssues } from '../../shared/events.ts';

interface Sending {
  send: (command: unknown, ...rest: unknown[]) => unknown;
}

/** In tests a write of an event whose data does not fit its type is rejected before it is sent. */
const client = DynamoDB.prototype as unknown as Sending;
const { send } = client;
client.send = function checked(this: Sending, command, ...rest) {
  if (command instanceof TransactWriteCommand)
    for (const { Put } of command.input.TransactItems ?? [])
      if (Put?.Item?.['entity'] === 'Event') requireFit(Put.Item);
  return send.call(this, command, ...rest);
};

const requireFit = (item: Record<string, unknown>): void => {
  const issues = eventDataIssues({ event_type: String(item['event_type']), data: item['data'] });
  if (issues.length > 0) throw new Error(`an event does not fit its declaration: ${issues.join('; ')}`);
};
