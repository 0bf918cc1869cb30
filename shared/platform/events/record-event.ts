import { callerRef } from '../auth.ts';
import { instantText } from '../clock.ts';
import type { Context } from '../context.ts';
import { newEventId } from '../ids.ts';
import { create, type Write } from '../table/index.ts';
import { type DomainEvent, EventEntity } from './event.entity.ts';

type Told = Pick<DomainEvent, 'subject' | 'event_type' | 'team_id' | 'data'> & { actor?: string };

/** The write that tells an event: it belongs into the transaction of the change that it tells of. */
export const recordEvent = (ctx: Pick<Context, 'clock' | 'caller'>, told: Told): Write =>
  create(EventEntity, {
    id: newEventId(ctx.clock),
    occurred_at: instantText(ctx.clock.now()),
    ...told,
    actor: told.actor ?? callerRef(ctx.caller),
  });
