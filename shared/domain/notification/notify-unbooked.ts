import type { EventOf } from '../../events.ts';
import { moneyText } from '../../platform/language.ts';
import { type BookingEventType, type Order, OrderEntity } from '../booking/index.ts';
import type { Mail } from './mail.ts';
import { layOut } from './mail-layout.ts';
import type { NotificationDependencies } from './notification-dependencies.ts';
import { notifyPeople } from './notify-people.ts';
import { guestOf } from './recipients.ts';
import type { Recipient } from './booking-mail.ts';
import { bookingWords } from './words/words.ts';

/** Writes to the person whose charge goes back because the order could not become a booking (D47); no host is concerned. */
export const notifyUnbooked = async (
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
