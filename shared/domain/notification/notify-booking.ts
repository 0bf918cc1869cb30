import type { EventOf } from '../../events.ts';
import { isOrderId } from '../../platform/ids.ts';
import { moneyText } from '../../platform/text/language.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { nameInMail } from '../../platform/mail/name-in-mail.ts';
import { type BookingEventType, linkOf, type Order, OrderEntity } from '../booking/model.ts';
import { type BookingFacts, readBookingFacts, readLines } from './booking-facts.ts';
import { bookingMail } from './booking-mail.ts';
import { bookingMailOf, countedFor, mailFor } from './booking-mails.ts';
import { renderMail } from './mail-layout.ts';
import { notifyPeople } from './notify-people.ts';
import { guestOf, type Recipient, recipientsOf } from './recipients.ts';
import { withOwnWords } from './team-mails.ts';
import {
  scheduleBalanceReminders,
  scheduleEvent,
  scheduleMessages,
  scheduleReminder,
  scheduleWindowReminders,
} from './schedule-mails.ts';
import { firstTurn, type NotificationDependencies, throwIfFailed } from './send-once.ts';
import { bookingWords } from './words/booking-words.ts';
import type { BookingMailName } from './words/words.ts';

/** Mails the person whose charge is refunded because the order did not become a booking (D47); hosts get no mail. */
const notifyUnbooked = async (
  deps: NotificationDependencies,
  { id, data, team_id }: EventOf<BookingEventType>,
): Promise<void> => {
  const order = await deps.table.get(OrderEntity, { order_id: data.id });
  // Each team of the order gets an event of the refund.
  if (!order?.guest || order.items[0]?.team_id !== team_id) return;
  const people = [await guestOf(deps, order.guest)].filter(({ email }) => email !== '');
  const amount = 'amount' in data ? data.amount : undefined;
  throwIfFailed(await notifyPeople(deps, id, people, (person) => unbookedMail(person, order, amount)));
};

const unbookedMail = (
  { email, full_name, language }: Recipient,
  order: Order,
  amount: number | undefined,
): Mail => {
  const words = bookingWords[language];
  const names = [...new Set(order.items.map(({ listing_name }) => nameInMail(listing_name)))].join(', ');
  const refunded = amount ?? order.estimated_total;
  return renderMail(email, {
    language,
    subject: words.unbooked.subject(names),
    greeting: words.greeting(nameInMail(full_name)),
    paragraphs: [words.unbooked.sentence(names)],
    facts: [
      [words.labels.booking, String(order.order_id)],
      [words.labels.refund, moneyText(refunded, order.currency, language)],
    ],
    footer: words.footer,
  });
};

/** Each may give the stay another check-in or time to pay, or another guest's address, who is reminded before. */
const opensReminder: readonly BookingEventType[] = [
  'booking.created',
  'booking.confirmed',
  'booking.changed',
  'booking.restored',
  'payment.extended',
  'booking.guest_updated',
];

/** Mails guest and hosts about a booking event, if it still applies (D66, D91); mails that wait are on the list of due ones (D110). */
export const notifyBooking = async (
  deps: NotificationDependencies,
  event: EventOf<BookingEventType>,
): Promise<void> => {
  // An order id: the payment belongs to an order that did not become a booking.
  if (isOrderId(event.data.id))
    return event.event_type === 'payment.failed' ? undefined : notifyUnbooked(deps, event);
  const about = await readBookingFacts(deps, event.data.id, { ...event.data, actor: event.actor });
  const name = mailFor(event.event_type, about);
  // Before the writes: the messages of a batch read together.
  const mails = name && (await readMails(deps, name, about));
  if (opensReminder.includes(event.event_type)) {
    await scheduleReminder(deps, about.stay, event.occurred_at);
    await scheduleBalanceReminders(deps, about.stay, event.occurred_at);
    await scheduleWindowReminders(deps, about.stay, event.occurred_at);
  }
  if (!mails) return;
  if (name === 'address_corrected') await scheduleMessages(deps, event);
  const outcomes = await notifyPeople(deps, onceOf(event, about), mails.people, mails.mailTo, mails.by);
  await scheduleEvent(deps, event, firstTurn(outcomes));
  throwIfFailed(outcomes);
};

/** Refunds that were decided together are one mail, whichever is made first (D123); so are corrections before the first mail (D146). */
const onceOf = (
  { id, event_type, data }: EventOf<BookingEventType>,
  { stay }: Pick<BookingFacts, 'stay'>,
): string => {
  if (event_type === 'booking.guest_updated') return `address_${data.id}_${linkOf(stay).version}`;
  return 'decision' in data && data.decision !== undefined ? `refunds_${data.id}_${data.decision}` : id;
};

/** Reads who gets a mail, and what else it has. */
const readMails = async (deps: NotificationDependencies, name: BookingMailName, about: BookingFacts) => {
  const { to, facts } = bookingMailOf(name);
  const [recipients, lines] = await Promise.all([
    recipientsOf(deps, about.stay),
    facts.guest.includes('lines') ? readLines(deps.table, about.stay) : [],
  ]);
  const people = recipients.filter(({ side }) => to.includes(side));
  const worded = await withOwnWords(deps, name, { ...about, lines }, people);
  return {
    people,
    mailTo: (person: Recipient) => bookingMail(person, name, worded),
    by: (person: Recipient) => countedFor(person, name, about),
  };
};
