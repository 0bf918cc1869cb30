import { auditData } from './domain/audit/personal.data.ts';
import { bookingData, bookingEventData } from './domain/booking/personal.data.ts';
import { calendarData } from './domain/calendar/personal.data.ts';
import { chatData } from './domain/chat/personal.data.ts';
import { checkoutData } from './domain/checkout/personal.data.ts';
import { icalData, icalEventData } from './domain/ical/personal.data.ts';
import { listingData, reviewEventData } from './domain/listing/personal.data.ts';
import { notificationData } from './domain/notification/personal.data.ts';
import { paymentData } from './domain/payment/personal.data.ts';
import { transferData } from './domain/transfer/personal.data.ts';
import { peopleData, peopleEventData } from './domain/people/personal.data.ts';
import { pricingData } from './domain/pricing/personal.data.ts';
import { searchData } from './domain/search/personal.data.ts';
import { webhookData, webhookEventData } from './domain/webhook/personal.data.ts';
import type { ClassifiedFields } from './platform/table/personal-data.ts';

/** The classes of the texts that the platform stores. */
const platformData: Record<string, ClassifiedFields> = {
  Event: { none: 'subject id event_type occurred_at actor' },
  OperatorChange: { none: 'month at by command flags{} error' },
  HandledEvent: { none: 'consumer event_id claim', personal: 'recipient' },
  ListHead: { none: 'list legend{}[]' },
  ListChunk: { none: 'list plane', copy: 'packed' },
  IdempotencyRecord: { none: 'scope fingerprint request_id', copy: 'body packed', secret: 'sealed' },
  // Of what was attempted with, such as an address, only a hash.
  RateWindow: { none: 'counted' },
};

/** What each text of each record says of people, by entity (see `DataClass`). A text without a class fails a test. */
export const personalData: Readonly<Record<string, ClassifiedFields>> = {
  ...listingData,
  ...pricingData,
  ...calendarData,
  ...checkoutData,
  ...bookingData,
  ...paymentData,
  ...chatData,
  ...notificationData,
  ...icalData,
  ...searchData,
  ...peopleData,
  ...transferData,
  ...webhookData,
  ...auditData,
  ...platformData,
};

/** The same of the data of events, by type. */
export const personalEventData: Readonly<Record<string, ClassifiedFields>> = {
  'listing.created': {},
  'listing.updated': { none: 'changed[]' },
  'listing.archived': {},
  'listing.rules_changed': { none: 'date_from date_to' },
  'availability.changed': { none: 'start_at end_at by' },
  'chat.message_created': {},
  ...bookingEventData,
  ...icalEventData,
  ...peopleEventData,
  ...reviewEventData,
  ...webhookEventData,
};
