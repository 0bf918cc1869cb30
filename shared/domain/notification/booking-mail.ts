import { localTimeText, moneyText, type WrittenLanguage } from '../../platform/language.ts';
import type { Reservation } from '../booking/index.ts';
import type { Listing } from '../listing/index.ts';
import { bookingWords, type Happening, type Side } from './booking-words.ts';
import type { Mail } from './mail.ts';
import { layOut } from './mail-layout.ts';

/** A person who is written to. */
export interface Recipient {
  side: Side;
  /** `user:<id>`, or `mail:<address>` for a guest without an account. */
  ref: string;
  email: string;
  full_name: string;
  language: WrittenLanguage;
}

interface Told {
  happening: Happening;
  reservation: Reservation;
  listing: Pick<Listing, 'address'> | undefined;
}

/** The mail about a booking to one of its people, in that person's language (D66). */
export const bookingMail = (recipient: Recipient, { happening, reservation, listing }: Told): Mail => {
  const { language, side } = recipient;
  const words = bookingWords[language];
  const opening = words.openings[side][happening];
  return layOut(recipient.email, {
    language,
    subject: opening.subject(reservation.listing_name),
    greeting: words.greeting(recipient.full_name),
    paragraphs: [opening.sentence(reservation.listing_name), words.localTime(reservation.timezone)],
    facts: [
      ...stayFacts(reservation, listing, language),
      ...(side === 'host' ? guestFacts(reservation, language) : []),
    ],
    footer: words.footer,
  });
};

type Fact = readonly [label: string, value: string];

const stayFacts = (reservation: Reservation, listing: Told['listing'], language: WrittenLanguage): Fact[] => {
  const { labels, states, methods, payments } = bookingWords[language];
  const { payment_method, payment_status } = reservation;
  return [
    [labels.booking, String(reservation.reservation_id)],
    [labels.listing, reservation.listing_name],
    ...(listing ? ([[labels.address, listing.address]] as const) : []),
    [labels.check_in, localTimeText(reservation.start_at, language)],
    [labels.check_out, localTimeText(reservation.end_at, language)],
    ...(reservation.nights > 0 ? ([[labels.nights, String(reservation.nights)]] as const) : []),
    [labels.guests, String(reservation.guest_number)],
    [labels.total, moneyText(reservation.total, reservation.currency, language)],
    [labels.payment, `${methods[payment_method]}, ${payments[payment_status]}`],
    [labels.state, states[reservation.state]],
  ];
};

const guestFacts = ({ guest }: Reservation, language: WrittenLanguage): Fact[] => {
  const { labels } = bookingWords[language];
  const facts: Fact[] = [
    [labels.guest, guest.full_name],
    [labels.phone, guest.phone],
    [labels.email, guest.email],
  ];
  return facts.filter(([, value]) => value !== '');
};
