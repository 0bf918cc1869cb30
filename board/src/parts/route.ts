import { signal } from '@preact/signals';

interface Route {
  page: 'today' | 'calendar';
  /** The booking that is open beside the page, or on a telephone in its place. */
  booking?: number;
}

const read = (): Route => {
  const [, page, id] = /^#\/(calendar)?\/?(?:bookings\/(\d{1,16}))?$/.exec(location.hash) ?? [];
  return { page: page === 'calendar' ? page : 'today', ...(id === undefined ? {} : { booking: Number(id) }) };
};

/** What is shown, as the part of the address behind `#` says. */
export const route = signal<Route>(read());

addEventListener('hashchange', () => (route.value = read()));

export const pageLink = (page: Route['page']): string => (page === 'today' ? '#/' : '#/calendar');

/** Opens a booking beside the page that is shown. */
export const bookingLink = (id: number): string =>
  `${route.value.page === 'today' ? '#' : '#/calendar'}/bookings/${id}`;
