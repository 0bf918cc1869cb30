import type { NewEvent } from './events.ts';
import { callerRef } from './platform/auth.ts';
import { instantText } from './platform/time/clock.ts';
import type { Context } from './platform/context.ts';
import { type DomainEvent, EventEntity } from './platform/events/index.ts';
import { newEventId } from './platform/ids.ts';
import { create, type Write } from './platform/table/index.ts';

type Recorded = NewEvent & Pick<DomainEvent, 'subject' | 'team_id'> & { actor?: string };

/** Returns the write of an event; it belongs in the transaction of the change. */
export const recordEvent = (ctx: Pick<Context, 'clock' | 'caller'>, event: Recorded): Write =>
  create(EventEntity, {
    id: newEventId(ctx.clock),
    occurred_at: instantText(ctx.clock.now()),
    ...event,
    actor: event.actor ?? callerRef(ctx.caller),
  });
