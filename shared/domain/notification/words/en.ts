import { bookingLabels } from './booking-labels.ts';
import type { Words } from './words.ts';

export const en: Words = {
  ...bookingLabels.en,
  openings: {
    guest: {
      requested: {
        subject: (listing) => `Your booking request: ${listing}`,
        sentence: (listing) =>
          `We have your booking request for ${listing}. The host answers within 24 hours; until then the place is held for you.`,
      },
      to_pay: {
        subject: (listing) => `Your booking awaits payment: ${listing}`,
        sentence: (listing) =>
          `Your stay at ${listing} is held for you. It is certain only once you have paid.`,
      },
      change_to_pay: {
        subject: (listing) => `A change of your booking awaits payment: ${listing}`,
        sentence: (listing) =>
          `Your host proposes to change your booking as follows: ${listing}. It is changed only once you have paid the amount due.`,
      },
      due_to_pay: {
        subject: (listing) => `A payment for your booking is due: ${listing}`,
        sentence: (listing) => `Your host asks you to pay what is due for your stay at ${listing}.`,
      },
      deposit_asked: {
        subject: (listing) => `The security deposit of your booking: ${listing}`,
        sentence: (listing) =>
          `Your host asks you to authorise the security deposit for your stay at ${listing} on your card. Nothing is charged now; it is released after your stay.`,
      },
      window: {
        subject: (listing) => `Please pay soon: ${listing}`,
        sentence: (listing) => `The time to pay for your stay at ${listing} ends soon.`,
      },
      balance: {
        subject: (listing) => `The balance of your booking: ${listing}`,
        sentence: (listing) => `This is what you still have to pay for your stay at ${listing}.`,
      },
      booked: {
        subject: (listing) => `Your booking: ${listing}`,
        sentence: (listing) => `Your stay at ${listing} is booked. We look forward to seeing you!`,
      },
      confirmed: {
        subject: (listing) => `Your booking is confirmed: ${listing}`,
        sentence: (listing) => `Your booking at ${listing} is confirmed. We look forward to seeing you!`,
      },
      change_given_up: {
        subject: (listing) => `Your booking is as before: ${listing}`,
        sentence: (listing) =>
          `The change of your booking at ${listing} was not paid in time. Your booking stands as it was before.`,
      },
      change_kept: {
        subject: (listing) => `A payment for your booking is due: ${listing}`,
        sentence: (listing) =>
          `The change of your booking at ${listing} was not paid in time. Your booking stands as it was changed; please pay the rest on arrival.`,
      },
      changed: {
        subject: (listing) => `Your booking was changed: ${listing}`,
        sentence: (listing) => `Your booking at ${listing} was changed. This is how it is now.`,
      },
      declined: {
        subject: (listing) => `Your booking request was declined: ${listing}`,
        sentence: (listing) =>
          `The host has declined your booking request for ${listing}. What you have paid is refunded in full.`,
      },
      no_show: {
        subject: (listing) => `We missed you: ${listing}`,
        sentence: (listing) =>
          `Your booking at ${listing} is closed, because you did not check in. If this is a mistake, please write to the host.`,
      },
      access_released: {
        subject: (listing) => `Wi-Fi and door code: ${listing}`,
        sentence: (listing) =>
          `Your host at ${listing} has released how you get in. You can read it in your booking from 24 hours before check-in.`,
      },
      cancelled: {
        subject: (listing) => `Your booking is cancelled: ${listing}`,
        sentence: (listing) => `Your booking at ${listing} has been cancelled.`,
      },
      restored: {
        subject: (listing) => `Your booking is restored: ${listing}`,
        sentence: (listing) =>
          `Your transfer came after your booking at ${listing} had been cancelled. The time was still free, so your stay is booked again. We look forward to seeing you!`,
      },
      paid: {
        subject: (listing) => `Your receipt: ${listing}`,
        sentence: (listing) => `Thank you. We have received your payment for ${listing}.`,
      },
      refunded: {
        subject: (listing) => `Your refund: ${listing}`,
        sentence: (listing) =>
          `You get money back for your booking at ${listing}. This is how much, and how you get it.`,
      },
      deposit_kept: {
        subject: (listing) => `Your security deposit: ${listing}`,
        sentence: (listing) =>
          `Your host at ${listing} keeps your security deposit or a part of it. This is how much, and why.`,
      },
      address_corrected: {
        subject: (listing) => `Your booking: ${listing}`,
        sentence: (listing) =>
          `Your booking at ${listing} now has this e-mail address. This is what was booked.`,
      },
      reminder: {
        subject: (listing) => `Your stay begins soon: ${listing}`,
        sentence: (listing) => `Your stay at ${listing} begins soon. This is what you need to arrive.`,
      },
      review: {
        subject: (listing) => `How was your stay? ${listing}`,
        sentence: (listing) =>
          `Thank you for staying at ${listing}. Please give 1 to 5 points and a few words for the next guests: open this booking by the link in this mail, or in the app or on the website where you booked, and choose to review it.`,
      },
    },
    host: {
      requested: {
        subject: (listing) => `New booking request: ${listing}`,
        sentence: (listing) =>
          `A guest would like to book ${listing}. Please confirm within 24 hours; after that the request lapses.`,
      },
      to_pay: {
        subject: (listing) => `New booking, awaiting payment: ${listing}`,
        sentence: (listing) => `${listing} has a new booking. Its time is held while the guest pays.`,
      },
      window_of_host: {
        subject: (listing) => `A transfer has not come yet: ${listing}`,
        sentence: (listing) =>
          `A booking of ${listing}, or what was changed of it, is cancelled unless its transfer comes in time. You can note it as paid, or give the guest more time.`,
      },
      booked: {
        subject: (listing) => `New booking: ${listing}`,
        sentence: (listing) => `${listing} has a new booking.`,
      },
      confirmed: {
        subject: (listing) => `Booking confirmed: ${listing}`,
        sentence: (listing) => `A booking at ${listing} is confirmed.`,
      },
      change_given_up: {
        subject: (listing) => `Unpaid change undone: ${listing}`,
        sentence: (listing) =>
          `The change of a booking at ${listing} was not paid in time. The booking is as it was before, and other nights are free again.`,
      },
      change_kept: {
        subject: (listing) => `Unpaid change: ${listing}`,
        sentence: (listing) =>
          `The change of a booking at ${listing} was not paid in time. What it was before is no longer possible, so it stays as it is: take the rest on arrival, or change or cancel the booking.`,
      },
      changed: {
        subject: (listing) => `Booking changed: ${listing}`,
        sentence: (listing) => `A booking at ${listing} was changed. This is how it is now.`,
      },
      declined: {
        subject: (listing) => `Booking request declined: ${listing}`,
        sentence: (listing) => `A booking request for ${listing} has been declined. Its time is free again.`,
      },
      no_show: {
        subject: (listing) => `Guest did not come: ${listing}`,
        sentence: (listing) =>
          `A booking at ${listing} is closed as a no-show. What was left of its time is free again.`,
      },
      cancelled: {
        subject: (listing) => `Booking cancelled: ${listing}`,
        sentence: (listing) => `A booking at ${listing} has been cancelled. Its time is free again.`,
      },
      restored: {
        subject: (listing) => `Booking restored: ${listing}`,
        sentence: (listing) =>
          `A transfer came for a booking at ${listing} that had been cancelled because it was not paid. The time was still free, so the guest's stay is booked again.`,
      },
      paid: {
        subject: (listing) => `Payment received: ${listing}`,
        sentence: (listing) => `A payment for a booking at ${listing} has been received.`,
      },
      refunded: {
        subject: (listing) => `Refund to a guest: ${listing}`,
        sentence: (listing) =>
          `The guest of a booking at ${listing} gets money back. What you refund yourself, hand over, and then record it as returned.`,
      },
      reminder: {
        subject: (listing) => `A guest arrives soon: ${listing}`,
        sentence: (listing) => `A guest checks in at ${listing} soon.`,
      },
    },
  },
  newMessages: {
    subject: (listing) => `New message: ${listing}`,
    sentence: (from, listing) => `${from} wrote to you about the booking at ${listing}:`,
  },
  unbooked: {
    subject: (listing) => `Refund, nothing was booked: ${listing}`,
    sentence: (listing) =>
      `Your payment for ${listing} is refunded, because the time was no longer free when the money came. Nothing was booked.`,
  },
  greeting: (name) => (name === '' ? 'Hello,' : `Hello ${name},`),
  payBy: {
    booking: (time) => `Please pay until ${time}; after that the booking is cancelled.`,
    due: (time) => `Please pay until ${time}.`,
    change: (time) =>
      `Please pay until ${time}; after that the change is not made and your booking stays as it is.`,
    added: (time) => `Please pay until ${time}; after that your booking is again as it was before.`,
    deposit: (time) => `Please authorise it until ${time}.`,
  },
  payNow: 'Pay now',
  authorise: 'Authorise now',
  seeBooking: 'See the booking',
  transferText: (reference) => `text of the transfer: ${reference}`,
  accessShown: 'The guest could read Wi-Fi and door code before. Change the door code.',
  payments: { PENDING: 'not paid yet', PAID: 'paid', REFUNDED: 'refunded' },
  paidInPart: 'paid in part',
  refunds: {
    none: 'none',
    ONLINE_GATEWAY: 'through the payment gateway, the way it was paid',
    CASH: 'by the host',
  },
  refundedByHost: { later: 'the host will return it', done: 'returned by the host' },
  refundToCome: 'to be refunded',
  refundUnderWay: 'not made yet',
  refundedByPartner: (partner) => `refunded by ${partner ?? 'the partner it was booked with'}`,
  reasonElsewhere: 'given; you can read it where you booked',
  adjusted: {
    added: (labels) => `${labels} (adjusted by the host)`,
    takenOut: (labels) => `without “${labels}” (adjusted by the host)`,
  },
  reasons: {},
  footer: 'An automatic mail from Nightlatch about a booking. Please do not reply to it.',
};
