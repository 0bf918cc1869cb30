import type { Checkout, CheckoutRequest } from '@nightlatch/client';
import { signal } from '@preact/signals';
import { Temporal } from 'temporal-polyfill';

/** A soft lock of this tab. */
export interface Hold {
  checkout: Checkout;
  /** What is held. */
  items: CheckoutRequest['items'];
  /** What the clock of this device shows more than the service's, in milliseconds. */
  ahead: number;
  isExtended: boolean;
  /** The service holds it no longer, such as after a newer hold of the same guest in another tab. */
  isLost?: boolean;
}

const name = 'hold';
/** How long the service holds an order, from the moment when it is asked. */
const holdMs = 15 * 60_000;

const now = (): number => Temporal.Now.instant().epochMilliseconds;
const msOf = (instant: string): number => Temporal.Instant.from(instant).epochMilliseconds;

const kept = (): Hold | undefined =>
  (JSON.parse(sessionStorage.getItem(name) ?? 'null') as Hold | null) ?? undefined;

/** What this tab holds; it outlives a sign-in and a reload, as the soft lock does. */
export const hold = signal<Hold | undefined>(kept());

const keep = (next: Hold | undefined): void => {
  if (next) sessionStorage.setItem(name, JSON.stringify(next));
  else sessionStorage.removeItem(name);
  hold.value = next;
};

/** `askedAt` is when the device asked first: the service may have answered later, and never held longer. */
export const held = (checkout: Checkout, items: Hold['items'], askedAt: number): void =>
  keep({ checkout, items, ahead: askedAt + holdMs - msOf(checkout.locked_until), isExtended: false });

export const extendedTo = (checkout: Checkout): void => {
  if (hold.value) keep({ ...hold.value, checkout, isExtended: true });
};

export const loseHold = (): void => {
  if (hold.value) keep({ ...hold.value, isLost: true });
};

export const forgetHold = (): void => keep(undefined);

/** Whether this tab holds a home for all the nights from a date to another. */
export const heldBetween = (listingId: number, from: string, to: string): boolean =>
  hold.value !== undefined &&
  leftOf(hold.value) > 0 &&
  hold.value.items.some(
    ({ listing_id, check_in_date, check_out_date }) =>
      listing_id === listingId && check_in_date <= from && to <= check_out_date,
  );

/** The milliseconds that are left of a hold, by the clock of the service. */
export const leftOf = ({ checkout, ahead, isLost = false }: Hold): number =>
  isLost ? 0 : msOf(checkout.locked_until) + ahead - now();
