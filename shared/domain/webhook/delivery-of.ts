import { instantText } from '../../platform/clock.ts';
import { type Delivery, shardOf } from './delivery.entity.ts';
import type { PartnerEvent } from './partner-event.schema.ts';
import { firstLookMs } from './retry-plan.ts';
import type { Subscriber } from './webhook.entity.ts';

type Told = Omit<PartnerEvent, 'event_type'> & Pick<Delivery, 'event_type'>;

/** A delivery that was not tried yet. */
export const deliveryOf = (
  { webhook_id, key_id }: Pick<Subscriber, 'webhook_id' | 'key_id'>,
  { event_type, data, id, occurred_at, team_id }: Told,
  now: number,
): Delivery => ({
  webhook_id,
  key_id,
  event_id: id,
  event_type,
  team_id,
  data: JSON.stringify(data),
  occurred_at,
  state: 'PENDING',
  attempts: [],
  tries: 0,
  due_at: now,
  look_at: now + firstLookMs,
  shard: shardOf(id),
  claimed_until: 0,
  version: 1,
  claim: 'new',
  created_at: instantText(now),
});

/** What is sent: the event as partners read it (D62). */
export const bodyOf = ({ event_type, data, event_id, occurred_at, team_id, body }: Delivery): string =>
  body ??
  JSON.stringify({
    event_type,
    data: JSON.parse(data ?? '{}') as object,
    id: event_id,
    occurred_at,
    team_id,
  });
