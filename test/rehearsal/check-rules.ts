import { DescribeRuleCommand, EventBridgeClient, TestEventPatternCommand } from '@aws-sdk/client-eventbridge';
import { eventSource } from '../../shared/platform/events/event-message.ts';
import { subscriptions } from '../../shared/subscriptions.ts';
import { account, region } from './emulator.ts';
import { stage } from './stage.ts';

/** Asks the matcher of the emulator whether the rule of each consumer takes each of its events, and no event of another. */
export const checkRules = async (): Promise<void> => {
  const client = new EventBridgeClient({});
  for (const { consumer, event_types } of subscriptions) {
    const Name = `nightlatch-${stage}-${consumer}`;
    const { EventPattern } = await client.send(
      new DescribeRuleCommand({ Name, EventBusName: `nightlatch-${stage}` }),
    );
    const takes = async (source: string, type: string): Promise<boolean> => {
      const Event = JSON.stringify({
        ...{ id: crypto.randomUUID(), account, region, time: '2027-01-15T03:00:00Z', resources: [] },
        ...{ source, 'detail-type': type, detail: { event_type: type } },
      });
      const { Result } = await client.send(new TestEventPatternCommand({ EventPattern, Event }));
      return Result === true;
    };
    for (const type of event_types)
      if (!(await takes(eventSource, type))) throw new Error(`The rule ${Name} does not take ${type}.`);
    if (await takes(eventSource, 'another.event')) throw new Error(`The rule ${Name} takes every event.`);
    if (await takes('another', event_types[0] ?? ''))
      throw new Error(`The rule ${Name} takes foreign events.`);
  }
};
