import { signal } from '@preact/signals';
import { type PageName, type Route, routeOf } from './address.ts';

/** What is shown, as the part of the address behind `#` says. */
export const route = signal<Route>(routeOf(location.hash));

let left = 0;
/** How far the page was scrolled before what is shown now: drawing it moves the page. */
export const leftAt = (): number => left;

addEventListener('hashchange', () => {
  left = scrollY;
  const next = routeOf(location.hash);
  if (next.page !== route.value.page) scrollTo(0, 0);
  route.value = next;
});

export const pageLink = (page: PageName): string => (page === 'today' ? '#/' : `#/${page}`);

/** Opens a booking beside the page that is shown. */
export const bookingLink = (id: number): string =>
  `${route.value.page === 'today' ? '#' : `#/${route.value.page}`}/bookings/${id}`;

/** Opens the conversation about a booking. */
export const chatLink = (bookingId: number): string => `#/inbox/chats/${bookingId}`;
