import {
  type CheckoutPreview,
  NightlatchError,
  type PaymentMethod,
  type StayListing,
  type User,
} from '@nightlatch/client';
import { useEffect } from 'preact/hooks';
import { useDraft } from '../data/drafts.ts';
import { useSendingOf } from '../data/sending-of.ts';
import { changed, me, noteEnd } from './guest.ts';
import { forgetHold, type Hold, loseHold } from './hold.ts';
import { go } from './place.tsx';
import { language } from './words/index.ts';

/** The price that an answer says, where it is another than the held one. */
const priceNow = (error: unknown): CheckoutPreview | undefined =>
  error instanceof NightlatchError && error.code === 'PRICE_CHANGED'
    ? (error.details as { preview?: CheckoutPreview }).preview
    : undefined;

export const methodsOf = ({ payment_methods }: StayListing): PaymentMethod[] =>
  payment_methods.filter((one) => one !== 'PLATFORM');

/** The name of the draft of a booking of a home. */
export const bookingOf = (id: number): string => `stay book ${id}`;

interface Asked {
  home: StayListing;
  hold: Hold;
  person: User;
}

type Given = Record<'full_name' | 'phone' | 'language' | 'note' | 'arrival' | 'method', string>;

/** What the guest says of the stay, and the booking of it: once, however often it is sent. */
export const useBooking = ({ home, hold, person }: Asked) => {
  const draft = useDraft(bookingOf(home.id));
  const { isSending, error, send } = useSendingOf(draft, { noteEnd, refresh: async () => undefined });
  const code = error instanceof NightlatchError ? error.code : '';
  useEffect(() => {
    if (code === 'CHECKOUT_EXPIRED' || code === 'NOT_FOUND') loseHold();
    // It is booked, or being paid, by a request of before whose answer was lost.
    if (code === 'INVALID_STATE_TRANSITION') {
      draft.discard();
      forgetHold();
      go({ view: 'bookings' }, { isInstead: true });
    }
  }, [code]);
  const { typed } = draft;
  const given: Given = {
    full_name: typed['full_name'] ?? person.full_name,
    phone: typed['phone'] ?? person.phone,
    language: typed['language'] ?? (person.full_name === '' ? language.value : person.language),
    note: typed['note'] ?? '',
    arrival: typed['arrival'] ?? '',
    method: typed['method'] ?? methodsOf(home)[0] ?? '',
  };
  const changedPrice = priceNow(error);
  const preview = changedPrice ?? hold.checkout.preview;
  const book = async (): Promise<void> => {
    const { checkout_id } = hold.checkout;
    const expected_total = preview.estimated_total;
    let id = 0;
    const fields = { ...given, checkout: String(checkout_id), total: String(expected_total) };
    const isBooked = await send(fields, async (idempotencyKey) => {
      await keepPerson(person, given);
      const request = { checkout_id, expected_total, ...termsOf(given) };
      const { reservations } = await me().confirmCheckout(request, { idempotencyKey });
      id = reservations[0]?.id ?? 0;
    });
    if (!isBooked) return;
    draft.discard();
    forgetHold();
    // Going back must not hold the nights again.
    go({ view: 'booking', id, isNew: true }, { isInstead: true });
  };
  return { draft, given, preview, changedPrice, isSending, error, book };
};

const termsOf = ({ method, note, arrival }: Given) => ({
  payment_method: method as PaymentMethod,
  ...(note.trim() === '' ? {} : { note: note.trim() }),
  ...(arrival === '' ? {} : { arrival_time: arrival }),
});

/** The booking takes name, number and language from the account. */
const keepPerson = async (person: User, given: Given): Promise<void> => {
  const [full_name, phone] = [given.full_name.trim(), given.phone.trim()];
  const chosen = given.language === 'en' ? 'en' : 'vi';
  if (full_name !== person.full_name || phone !== person.phone || chosen !== person.language)
    changed(await me().updateMe({ full_name, phone, language: chosen }));
};
