import { isHostOf } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { readNames } from '../people/model.ts';
import type { BookingActor, BookingChange, BookingHistory } from './booking-history.schema.ts';
import type { Reservation } from './reservation.entity.ts';
import type { BookingEventType } from './booking.events.ts';
import { type BookingEvent, findHistory } from './booking.store.ts';
import { visibleBooking } from './read-bookings.ts';

/** An event with the stay that it belongs to. */
interface Change {
  stay: Reservation;
  event: BookingEvent;
}

/** How the reader of a history sees hosts and keys (D62b). */
interface Reader {
  host: (userId: number) => Pick<BookingActor, 'id' | 'name'>;
  partner: (keyId: number) => Pick<BookingActor, 'id' | 'name'>;
  /** Whether the reader sees the guest's name (D93). */
  seesGuest: (stay: Reservation) => boolean;
}

/** Returns the events of these stays, in their order. */
export const changesOf = (stays: readonly Reservation[], events: readonly BookingEvent[]): Change[] => {
  const byId = new Map(stays.map((stay) => [stay.reservation_id, stay]));
  return events.flatMap((event) => {
    const stay = byId.get(event.data.id);
    return stay ? [{ stay, event }] : [];
  });
};

export const presentChange = (change: Change, reader: Reader): BookingChange => {
  const { stay, event } = change;
  return {
    id: event.id,
    booking_id: stay.reservation_id,
    occurred_at: event.occurred_at,
    event_type: event.event_type,
    who: actorOf(change, reader),
    why: event.data.reason ?? null,
    state: event.data.state,
    payment_status: event.data.payment_status,
    refund: event.data.refund ?? null,
    amount: 'amount' in event.data ? event.data.amount : null,
    guest_fields: 'fields' in event.data ? event.data.fields : null,
    deposit_action: 'action' in event.data ? event.data.action : null,
    currency: stay.currency,
    ...movedBy(event),
  };
};

const movedBy = ({ data }: BookingEvent): Pick<BookingChange, 'was' | 'now'> =>
  'was' in data ? { was: data.was, now: data.now } : { was: null, now: null };

/** Changes that a guest can make. Any other change by a user counts as the host's, even if the host is the guest. */
const guestEventTypes: readonly BookingEventType[] = [
  'booking.created',
  'booking.changed',
  'booking.guest_updated',
  'booking.cancelled',
  'payment.refunded',
];

/** Returns the user who made a change on the host's side; null if another kind of actor made it. */
const hostUserOf = ({ stay, event }: Change): number | null => {
  const userId = idAfter('user:', event.actor);
  return userId === stay.guest.user_id && guestEventTypes.includes(event.event_type) ? null : userId;
};

const actorOf = (change: Change, reader: Reader): BookingActor => {
  const { actor } = change.event;
  const { stay } = change;
  const hostId = hostUserOf(change);
  if (hostId !== null) return { kind: 'host', ...reader.host(hostId) };
  const keyId = idAfter('key:', actor);
  if (keyId !== null) return { kind: 'partner', ...reader.partner(keyId) };
  if (actor.startsWith('user:') || actor.startsWith('guest:')) {
    const { user_id, full_name } = stay.guest;
    const from = linkSources[actor.startsWith('guest:') ? actor.slice(-1) : ''];
    return {
      ...{ kind: 'guest', id: user_id, name: reader.seesGuest(stay) ? full_name : null },
      ...(from && { link_from: from }),
    };
  }
  return { kind: isGateway(actor) ? 'payment' : 'system', id: null, name: null };
};

/** By the last letter of the actor. */
const linkSources: Readonly<Record<string, BookingActor['link_from']>> = {
  m: 'MAIL',
  h: 'HOST',
  p: 'PARTNER',
};

const idAfter = (prefix: string, actor: string): number | null =>
  actor.startsWith(prefix) ? Number(actor.slice(prefix.length)) : null;

/** A payment gateway has no id of ours: it is anonymous, or a system process named for payments. */
const isGateway = (actor: string): boolean => actor === 'anonymous' || /^system:.*payment/.test(actor);

/** Returns every change of a booking, or of a master's stays, oldest first, for the hosts of its team (D62b). */
export const listBookingHistory = async (ctx: Context, bookingId: number): Promise<BookingHistory> => {
  const [found, events] = await Promise.all([
    visibleBooking(ctx, bookingId),
    findHistory(ctx.table, bookingId),
  ]);
  const hosted = found.reservations.filter(({ team_id }) => isHostOf(ctx.caller, team_id));
  if (hosted.length === 0)
    throw new ServiceError('FORBIDDEN', 'Only hosts of the booking may read its history.');
  const changes = changesOf(hosted, events);
  const names = await readNames(ctx.table, changes.map(hostUserOf));
  const reader = {
    host: (id: number) => ({ id, name: names.get(id) ?? null }),
    partner: (id: number) => ({ id, name: null }),
    seesGuest: () => true,
  };
  return { items: changes.map((change) => presentChange(change, reader)) };
};
