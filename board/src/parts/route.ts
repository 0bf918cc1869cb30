import { signal } from '@preact/signals';

type Route = { view: 'today' } | { view: 'booking'; id: number };

const read = (): Route => {
  const [, id] = /^#\/bookings\/(\d{1,16})$/.exec(location.hash) ?? [];
  return id === undefined ? { view: 'today' } : { view: 'booking', id: Number(id) };
};

/** What is shown, as the part of the address behind `#` says. */
export const route = signal<Route>(read());

addEventListener('hashchange', () => (route.value = read()));

export const bookingLink = (id: number): string => `#/bookings/${id}`;
export const todayLink = '#/';
