import * as z from 'zod';
import { publicEventTypes } from '../../events.ts';
import { Id, Instant, PathId, queryNumber } from '../../platform/schema/schema.ts';
import { EventId, PartnerEvent, PublicEventTypes } from './partner-event.schema.ts';

const Url = z
  .string()
  .trim()
  .min(1)
  .max(2048)
  .meta({
    description: 'https, and of a public host: the address is resolved and checked before each call.',
    examples: ['https://partner.example.com/hooks/nightlatch'],
  });

const EventTypes = z
  .array(PublicEventTypes)
  .min(1)
  .max(50)
  .overwrite((types) => [...new Set(types)])
  .meta({ description: 'The subscribed event types.', examples: [['booking.created', 'booking.cancelled']] });

const Description = z.string().trim().max(500).nullable();

export const CreateWebhook = z
  .strictObject({
    url: Url,
    event_types: EventTypes,
    description: Description.default(null),
  })
  .meta({ id: 'CreateWebhook' });
export type CreateWebhook = z.infer<typeof CreateWebhook>;

export const UpdateWebhook = z
  .strictObject({
    url: Url.optional(),
    event_types: EventTypes.optional(),
    description: Description.optional(),
    state: z.enum(['ACTIVE', 'DISABLED']).optional().meta({
      description:
        'DISABLED: nothing is sent until it is ACTIVE again; pending deliveries are cancelled. It is refused to be ACTIVE again where a team of the key has 50 webhooks by then.',
    }),
  })
  .meta({ id: 'UpdateWebhook' });
export type UpdateWebhook = z.infer<typeof UpdateWebhook>;

/** A webhook as its partner sees it (D62). */
export const WebhookRecord = z
  .object({
    id: Id,
    url: z.string(),
    event_types: z.array(PublicEventTypes),
    description: z.string().nullable(),
    team_ids: z.array(Id).meta({ description: 'The teams of the key, whose events it gets.' }),
    state: z.enum(['ACTIVE', 'FAILING', 'DISABLED']).meta({
      description:
        'FAILING: the retries of a delivery have run out; each event is tried once, and the first success makes it ACTIVE again.',
    }),
    problem: z
      .string()
      .nullable()
      .meta({ description: 'Why it is FAILING, or was disabled by the service.' }),
    failing_since: Instant.nullable().meta({
      description: 'Since when no attempt has succeeded; null: the last one did.',
    }),
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'Webhook' });
export type WebhookRecord = z.infer<typeof WebhookRecord>;

export const WebhookWithSecret = WebhookRecord.extend({
  secret: z
    .string()
    .meta({ description: 'The signing secret, shown only in this response.', examples: ['whsec_…'] }),
}).meta({ id: 'WebhookWithSecret' });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export const RotatedSecret = WebhookWithSecret.extend({
  old_secret_signs_until: Instant.meta({ description: 'Until then requests have two signatures.' }),
}).meta({ id: 'RotatedSecret' });
export type RotatedSecret = z.infer<typeof RotatedSecret>;

export const WebhookList = z.object({ items: z.array(WebhookRecord) }).meta({ id: 'WebhookList' });

const DeliveredEventType = z
  .enum([...publicEventTypes, 'webhook.test'])
  .meta({ id: 'DeliveredEventType', description: 'More may come, as new events do.' });

/** A delivery with its attempts (D62). */
export const DeliveryRecord = z
  .object({
    id: EventId.meta({ description: 'The id of the event, which is the `webhook-id` of its requests.' }),
    webhook_id: Id,
    event_type: DeliveredEventType,
    team_id: Id,
    state: z.enum(['PENDING', 'DELIVERED', 'FAILED', 'CANCELLED']).meta({
      description:
        'FAILED: no retry follows. CANCELLED: the webhook was disabled or deleted, or the key ended, before an attempt succeeded.',
    }),
    attempts: z
      .array(
        z
          .object({
            at: Instant,
            kind: z.enum(['retry', 'manual']).meta({
              description: '`retry`: automatic, the first one included; `manual`: by a test or a redelivery.',
            }),
            response_code: z.int().nullable().meta({ description: 'Null: no response.' }),
            error: z.string().nullable().meta({ description: 'Null: success.' }),
            duration_ms: z.int(),
          })
          .meta({ id: 'DeliveryAttempt' }),
      )
      .meta({ description: 'The latest 20, oldest first.' }),
    next_attempt_at: Instant.nullable(),
    occurred_at: Instant,
    created_at: Instant,
  })
  .meta({ id: 'WebhookDelivery' });
export type DeliveryRecord = z.infer<typeof DeliveryRecord>;

const Limit = queryNumber(
  z
    .int()
    .min(1)
    .max(100)
    .meta({ description: '1 to 100.', examples: [20] }),
);

export const ListDeliveriesQuery = z.strictObject({
  limit: Limit.default(20),
  cursor: EventId.optional().meta({ description: '`next_cursor` of the previous response.' }),
});
export type ListDeliveriesQuery = z.infer<typeof ListDeliveriesQuery>;

export const DeliveryList = z
  .object({
    items: z.array(DeliveryRecord),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'WebhookDeliveryList' });
export type DeliveryList = z.infer<typeof DeliveryList>;

export const WebhookParams = z.strictObject({ webhook_id: PathId });
export const DeliveryParams = z.strictObject({ webhook_id: PathId, delivery_id: EventId });

export const ReadTeamEventsQuery = z.strictObject({
  after: z.string().min(1).max(6000).optional().meta({
    description:
      '`next_cursor` of the previous response; `latest`: an empty page whose `next_cursor` is now; absent: from the oldest stored event.',
  }),
  limit: Limit.default(20),
});

export const ReadEventsQuery = ReadTeamEventsQuery.extend({
  team_ids: z.string().max(4096).optional().meta({
    description: 'A JSON array of team ids as text, such as `[71,72]`; absent: all teams of the key.',
  }),
});

/** A page of the feed (D62b). */
export const EventFeed = z
  .object({
    // TypeScript compares no union of more than 25 members with the general type.
    items: z.array(PartnerEvent as unknown as z.ZodType<PartnerEvent>),
    next_cursor: z
      .string()
      .meta({ description: 'The cursor of the next request, now or later; never null.' }),
    has_more: z.boolean().meta({
      description:
        'More events are available now; `next_cursor` is then another place than that of the request.',
    }),
  })
  .meta({ id: 'EventFeed' });
export type EventFeed = z.infer<typeof EventFeed>;
