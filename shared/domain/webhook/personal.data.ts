import type { ClassifiedFields } from '../../platform/table/personal-data.ts';

/** The classes of the texts of webhooks and the feed; the data of events have classes of their own. */
export const webhookData: Record<string, ClassifiedFields> = {
  Webhook: {
    none: 'url event_types[] problem troubled_since created_at updated_at',
    free: 'description',
    secret: 'secrets[].text secrets[].sealed',
  },
  WebhookCount: {},
  SubscriptionCount: {},
  WebhookSubscriber: { none: 'event_types[]' },
  EventPage: { none: 'entries[].event_type entries[].id entries[].occurred_at' },
  WebhookDelivery: {
    none: 'event_id event_type occurred_at attempts[].at attempts[].error claim created_at',
    copy: 'data body',
  },
};

/** The classes of the texts in the data of their events. */
export const webhookEventData: Record<string, ClassifiedFields> = {
  'webhook.failing': { none: 'url problem troubled_since', free: 'description' },
};
