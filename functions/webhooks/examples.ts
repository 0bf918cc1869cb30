import { exampleIds } from '../../shared/platform/http/example-records.ts';
import { exampleUrls } from '../../shared/platform/http/shown-examples.ts';
import { partnerExampleOf } from '../../shared/domain/webhook/partner-event.schema.ts';

/** A booking's event as webhooks and feed publish it. */
export const event = {
  event_type: 'booking.created' as const,
  data: partnerExampleOf('booking.created'),
  id: exampleIds.delivery,
  occurred_at: '2027-01-15T03:00:00.000Z',
  team_id: 71,
};

export const webhook = {
  id: exampleIds.webhook,
  url: exampleUrls.webhook,
  event_types: ['booking.created' as const, 'booking.cancelled' as const],
  description: null,
  team_ids: [71],
  state: 'ACTIVE' as const,
  problem: null,
  failing_since: null,
  created_at: '2027-01-15T03:00:00.000Z',
  updated_at: '2027-01-15T03:00:00.000Z',
};

export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

export const delivery = {
  id: event.id,
  webhook_id: webhook.id,
  event_type: event.event_type,
  team_id: 71,
  state: 'DELIVERED' as const,
  attempts: [
    {
      at: '2027-01-15T03:00:01.000Z',
      kind: 'retry' as const,
      response_code: 204,
      error: null,
      duration_ms: 87,
    },
  ],
  next_attempt_at: null,
  occurred_at: event.occurred_at,
  created_at: '2027-01-15T03:00:01.000Z',
};

export const nextCursor = 'eyJvZiI6IkQ3dlBfYThhS3RFIiwiYXQiOnsiNzEiOlsxLDFdfX0';
