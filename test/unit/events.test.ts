import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bookingMoves } from '../../shared/domain/booking/booking.rules.ts';
import { bookingMails } from '../../shared/domain/notification/booking-mails.ts';
import {
  events,
  type EventType,
  eventTypes,
  publicEventTypes,
  eventDataIssues,
} from '../../shared/events.ts';
import { subscriptions, typesOf } from '../../shared/subscriptions.ts';
import { sourceFiles } from '../support/source-files.ts';

/** The files of verbs: what names an event type there, but for its declaration, writes it. */
const verbs = sourceFiles('shared/domain')
  .filter((path) => !/\.(events|schema|entity)\.ts$|\/notification\//.test(path))
  .map((path) => readFileSync(path, 'utf8'))
  .filter((text) => /recordEvent|emitBookingEvent|emitPaymentEvent|bookingMoves = /.test(text));

describe('each event type', () => {
  it.each(eventTypes)('%s is written by a verb', (type) => {
    expect(verbs.some((text) => text.includes(`'${type}'`))).toBe(true);
  });

  it.each(eventTypes)('%s has an example that fits its data', (event_type) => {
    const { example, meaning } = events[event_type];
    expect(eventDataIssues({ event_type, data: example })).toEqual([]);
    expect(meaning).toMatch(/^[A-Z].+\.$/);
  });

  /** History alone; that a conflict has ended, the conflicts of today show. */
  const unread: readonly EventType[] = ['calendar.conflict_ended', 'team.created', 'team.updated'];

  it.each(eventTypes.filter((type) => !unread.includes(type)))('%s has a consumer', (type) => {
    expect(subscriptions.some(({ event_types }) => event_types.includes(type))).toBe(true);
  });

  it.each(publicEventTypes)('%s shows partners a part of its data', (type) => {
    const { data, partners } = events[type];
    expect(Object.keys(data.shape)).toEqual(expect.arrayContaining(Object.keys(partners.shape)));
    expect(partners.shape.id.description).toMatch(/^The .+\.$/);
  });

  it('reaches partners unless it is of the service or of host and guest alone', () => {
    expect(eventTypes.filter((type) => !(publicEventTypes as EventType[]).includes(type))).toEqual([
      'booking.access_released',
      'payment.returned',
      'team.member_invited',
      'team.member_joined',
      'team.member_role_changed',
      'team.member_removed',
      'team.created',
      'team.updated',
      'team.key_created',
      'team.key_rotated',
      'team.transfer_reports_changed',
      'team.bank_account_changed',
      'webhook.failing',
      'calendar.conflict',
      'calendar.conflict_ended',
      'calendar.quarantined',
      'calendar.stale',
      'calendar.read_in_part',
    ]);
    expect(typesOf('webhook')).toEqual(publicEventTypes);
  });

  it('does not fit with a field that is not declared, without one that is, or of no known type', () => {
    const { example } = events['listing.created'];
    expect(eventDataIssues({ event_type: 'listing.created', data: { ...example, secret: 1 } })).toHaveLength(
      1,
    );
    expect(eventDataIssues({ event_type: 'listing.created', data: { id: 4711 } })).toHaveLength(1);
    expect(eventDataIssues({ event_type: 'listing.eaten', data: example })).toHaveLength(1);
  });
});

describe('consumers of events', () => {
  it.each(subscriptions)('$consumer subscribes to types of the table, each once', ({ event_types }) => {
    expect(eventTypes).toEqual(expect.arrayContaining([...event_types]));
    expect(new Set(event_types).size).toBe(event_types.length);
  });

  it('mails subscribe to every event that a mail is about', () => {
    // The others are triggered by due items.
    const about = Object.values(bookingMails).flatMap(({ on }) => (on in events ? [on] : []));
    expect(typesOf('notification')).toEqual(expect.arrayContaining(about));
  });

  it('moves of a booking have events of bookings', () => {
    expect(eventTypes).toEqual(expect.arrayContaining(Object.values(bookingMoves).map(({ event }) => event)));
  });
});
