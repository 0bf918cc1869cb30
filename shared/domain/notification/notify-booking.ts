import type { EventOf } from '../../events.ts';
import { isOrderId } from '../../platform/ids.ts';
import { moneyText } from '../../platform/language.ts';
import { type BookingEventType, type Order, OrderEntity } from '../booking/model.ts';
import { readAbout } from './booking-facts.ts';
import { bookingMail, type Recipient } from './booking-mail.ts';
import { bookingMailOf, mailFor } from './booking-mails.ts';
import { layOut, type Mail } from './mail-layout.ts';
import { type NotificationDependencies, notifyPeople } from './notify-people.ts';
import { guestOf, recipientsOf } from './recipients.ts';
import { scheduleReminder } from './schedule-mails.ts';
import { bookingWords } from './words/booking-words.ts';

/** Writes to the person whose charge goes back because the order could not become a booking (D47); no host is concerned. */
const notifyUnbooked = async (
  deps: NotificationDependencies,
  { id, data }: EventOf<BookingEventType>,
): Promise<void> => {
  const order = await deps.table.get(OrderEntity, { order_id: data.id });
  if (!order?.guest) return;
  const people = [await guestOf(deps, order.guest)].filter(({ email }) => email !== '');
  await notifyPeople(deps, id, people, (person) =>
    unbookedMail(person, order, 'amount' in data ? data.amount : undefined),
  );
};

const unbookedMail = (
  { email, full_name, language }: Recipient,
  order: Order,
  amount: number | undefined,
): Mail => {
  const words = bookingWords[language];
  const names = [...new Set(order.items.map(({ listing_name }) => listing_name))].join(', ');
  const given = amount ?? order.estimated_total;
  return layOut(email, {
    language,
    subject: words.unbooked.subject(names),
    greeting: words.greeting(full_name),
    paragraphs: [words.unbooked.sentence(names)],
    facts: [
      [words.labels.booking, String(order.order_id)],
      [words.labels.refund, moneyText(given, order.currency, language)],
    ],
    footer: words.footer,
  });
};

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
