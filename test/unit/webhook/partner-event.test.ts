import { describe, expect, it } from 'vitest';
import {
  partnerData,
  PartnerEvent,
  partnerExampleOf,
  publicDataOf,
  teamForEvent,
  teamsOfEvent,
} from '../../../shared/domain/webhook/partner-event.schema.ts';
import { type EventOf, type PublicEventType, publicEventTypes } from '../../../shared/events.ts';

const message = (event_type: PublicEventType, data: { id: number } & Record<string, unknown>) =>
  ({
    id: 'evt_1',
    event_type,
    occurred_at: '2027-01-15T03:00:00.000Z',
    team_id: 71,
    actor: 'user:5312',
    data,
  }) as EventOf<PublicEventType>;

describe('what partners see', () => {
  it.each(publicEventTypes)('of %s is an id at least, and nothing unknown', (type) => {
    const data = publicDataOf(message(type, { id: 17, by: 'user:5312', internal: true, shortened: true }));
    expect(data).toEqual({ id: 17 });
    const event = {
      event_type: type,
      data,
      id: 'evt_1',
      occurred_at: '2027-01-15T03:00:00.000Z',
      team_id: 71,
    };
    expect(PartnerEvent.parse(event)).toEqual(event);
  });

  it.each(publicEventTypes)('of %s is as its example shows, with every published field', (type) => {
    const example = partnerExampleOf(type);
    expect(publicDataOf(message(type, example))).toEqual(example);
    expect(Object.keys(example).toSorted()).toEqual(Object.keys(partnerData[type].shape).toSorted());
  });

  it('of an event that was written before a field was, is the rest', () => {
    const data = { id: 17, state: 'CONFIRMED', payment_status: 'PAID' };
    expect(publicDataOf(message('payment.paid', data))).toEqual(data);
  });

  it('of a cancellation has reason and refund', () => {
    const data = { id: 17, state: 'CANCELLED', payment_status: 'REFUNDED', reason: null, refund: 1_500_000 };
    expect(publicDataOf(message('booking.cancelled', data))).toEqual(data);
    expect(publicDataOf(message('payment.refunded', data))).toEqual(data);
  });
});

describe('the teams of an event', () => {
  it('are its own and those named in its data, each once', () => {
    expect(teamsOfEvent(message('booking.created', { id: 1 }))).toEqual([71]);
    expect(teamsOfEvent(message('customer.registered', { id: 1, team_ids: [71, 72] }))).toEqual([71, 72]);
    expect(
      teamsOfEvent({ ...message('customer.registered', { id: 1, team_ids: [] }), team_id: null }),
    ).toEqual([]);
  });

  it('names the first that the key holds', () => {
    expect(teamForEvent([71, 72, 73], [73, 72])).toBe(72);
    expect(teamForEvent([71], [5])).toBeUndefined();
  });
});
