import type { EventOf } from '../../events.ts';
import { isOrderId } from '../../platform/ids.ts';
import type { BookingEventType } from '../booking/index.ts';
import { readAbout } from './about.ts';
import { bookingMail } from './booking-mail.ts';
import { bookingMailOf, mailFor } from './booking-mails.ts';
import type { NotificationDependencies } from './notification-dependencies.ts';
import { notifyPeople } from './notify-people.ts';
import { notifyUnbooked } from './notify-unbooked.ts';
import { recipientsOf } from './recipients.ts';
import { scheduleReminder } from './schedule-mails.ts';

/** Writes to guest and hosts about a booking, if what the event tells is still true when it comes (D66, D91). */
export const notifyBooking = async (
  deps: NotificationDependencies,
  event: EventOf<BookingEventType>,
): Promise<void> => {
  // A charge of an order that never became a booking is told of by the order.
  if (isOrderId(event.data.id)) return notifyUnbooked(deps, event);
  const about = await readAbout(deps, event.data.id, event.data);
  if (event.event_type === 'booking.created' || event.event_type === 'booking.confirmed')
    await scheduleReminder(deps, about.stay, event.occurred_at);
  const name = mailFor(event.event_type, about);
  if (name === undefined) return;
  const { to } = bookingMailOf(name);
  const people = (await recipientsOf(deps, about.stay)).filter(({ side }) => to.includes(side));
  await notifyPeople(deps, event.id, people, (person) => bookingMail(person, name, about));
};
