import { marshall } from '@aws-sdk/util-dynamodb';
import { asSqsEvent } from '../../infra/local/queues/sqs-event.ts';
import type { AttributeValue, DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import type { Context } from '../../shared/platform/context.ts';
import { type DomainEvent, EventEntity, type EventMessage } from '../../shared/platform/events/index.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { stored } from '../../shared/platform/table/stored-item.ts';
import type { Table } from '../../shared/platform/table/index.ts';
import { testListing } from './listings.ts';
import { testContext, testDependencies, testTeam, testUser } from './table.ts';

/** Creates a team with an owner and a listing, and a guest. */
export const eventScene = async (given: Partial<Listing> = {}) => {
  const deps = await testDependencies();
  const { team_id } = await testTeam(deps);
  const listing = await testListing(deps, { team_id, ...given });
  const [guest, owner] = await Promise.all([
    testUser(deps),
    testUser(deps, { language: 'en', memberships: [{ team_id, role: 'OWNER' }] }),
  ]);
  return {
    deps,
    team_id,
    listing,
    guest,
    owner,
    asGuest: testContext(deps, guest.caller),
    asOwner: testContext(deps, owner.caller),
  };
};

/** Books a stay and returns the booking's id with its event. */
export const bookStay = async (
  ctx: Context,
  stay: { listing_id: number; check_in_date: string; check_out_date: string } & Record<string, unknown>,
): Promise<{ booking_id: number; created: EventMessage }> => {
  const items = [{ guest_number: 2, ...stay }];
  const { reservations } = await confirmCheckout(ctx as never, { items, payment_method: 'CASH' });
  const booking_id = reservations[0]!.id;
  const created = (await eventsOf(ctx.table, `ORDER#${orderIdOf(booking_id)}`)).at(-1)!;
  return { booking_id, created };
};

/** Returns the events of a partition as messages, oldest first. */
export const eventsOf = (table: Table, subject: string): Promise<EventMessage[]> =>
  table.queryAll(EventEntity, { pk: subject, prefix: 'EVENT#' });

/** Returns Lambda's event for messages of a queue that EventBridge fills; a text is used as the body. */
export const queueEvent = (...messages: (EventMessage | string)[]): SQSEvent =>
  asSqsEvent(
    messages.map((message, position) => ({
      MessageId: `message-${position}`,
      ReceiptHandle: `receipt-${position}`,
      Body: typeof message === 'string' ? message : JSON.stringify(envelope(message)),
    })),
    'arn:aws:sqs:us-east-1:000000000000:test',
  );

const envelope = (message: EventMessage) => ({
  version: '0',
  id: `delivery of ${message.id}`,
  'detail-type': message.event_type,
  source: 'nightlatch',
  account: '000000000000',
  time: message.occurred_at,
  region: 'us-east-1',
  resources: [],
  detail: message,
});

/** Returns Lambda's stream event for written events, numbered from 1. */
export const streamEvent = (...events: DomainEvent[]): DynamoDBStreamEvent => ({
  Records: events.map((event, position) => ({
    eventName: 'INSERT',
    dynamodb: {
      SequenceNumber: String(position + 1),
      NewImage: marshall(stored(EventEntity, event)) as Record<string, AttributeValue>,
    },
  })),
});
