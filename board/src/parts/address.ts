const pageNames = ['today', 'calendar', 'inbox', 'find', 'figures', 'team'] as const;
export type PageName = (typeof pageNames)[number];

export interface Route {
  page: PageName;
  /** The booking that is open beside the page, or on a telephone in its place. */
  booking?: number;
  /** The booking whose conversation is open so. */
  chat?: number;
}

const addresses = new RegExp(`^#/(?:(${pageNames.join('|')})(?:/|$))?(?:(bookings|chats)/(\\d{1,16}))?$`);

/** Returns what an address shows, by its part behind `#`; what it does not know is today. */
export const routeOf = (hash: string): Route => {
  const [, name, what, id] = addresses.exec(hash) ?? [];
  const page = pageNames.find((one) => one === name) ?? 'today';
  if (what === 'bookings') return { page, booking: Number(id) };
  return what === 'chats' && page === 'inbox' ? { page, chat: Number(id) } : { page };
};

/** What a role may open: figures are of owners alone. */
export const pagesOf = (role: string): readonly PageName[] =>
  pageNames.filter((page) => page !== 'figures' || role === 'OWNER');
