import { followCalendar } from '../../../shared/domain/ical/index.ts';
import { FeedTokenEntity } from '../../../shared/domain/ical/model.ts';
import { deliveryOf, withAttempt } from '../../../shared/domain/webhook/attempt.ts';
import { createWebhook } from '../../../shared/domain/webhook/index.ts';
import { DeliveryEntity, partnerExampleOf } from '../../../shared/domain/webhook/model.ts';
import { instantText } from '../../../shared/platform/time/clock.ts';
import { exampleExportToken, exampleIds as ids } from '../../../shared/platform/http/example-records.ts';
import { create } from '../../../shared/platform/table/index.ts';
import { localCalendar } from '../home/local-calendar.ts';
import { asPartner, asUser, depsAt, type ExampleStage } from './callers.ts';

/** Creates the webhooks and calendar feeds of the examples. They call this service only. */
export const seedExampleFeeds = async ({ deps, host, partner, apiUrl }: ExampleStage): Promise<void> => {
  const now = deps.clock.now();
  for (const id of [ids.webhook, ids.webhookToDelete])
    await createWebhook(
      asPartner(depsAt(deps, now, id), partner),
      {
        url: `${apiUrl}/_local/webhook`,
        // None that the demo data emits, so that a start sends nothing.
        event_types: ['payment.refunded'],
        description: null,
      },
      { local: true },
    );
  const event = {
    event_type: 'booking.created' as const,
    data: partnerExampleOf('booking.created'),
    id: ids.delivery,
    occurred_at: instantText(now),
    team_id: ids.team,
  };
  const made = {
    at: instantText(now),
    kind: 'retry',
    response_code: 204,
    error: null,
    duration_ms: 4,
  } as const;
  const delivery = deliveryOf({ webhook_id: ids.webhook, key_id: partner.key_id }, event, now);
  const token = { listing_id: ids.listing, token: exampleExportToken, created_at: instantText(now) };
  await deps.table.transact([
    create(DeliveryEntity, withAttempt(delivery, made, { state: 'DELIVERED', due_at: null })),
    create(FeedTokenEntity, token),
  ]);
  const calendar = async (url: string) => ({
    status: 200,
    headers: {},
    body: Buffer.from(localCalendar(now)),
    url,
  });
  await followCalendar(
    asUser(depsAt(deps, now, ids.feed), host),
    ids.listing,
    { url: `${apiUrl}/_local/calendar.ics` },
    { fetchCalendar: calendar, apiUrl },
  );
};
