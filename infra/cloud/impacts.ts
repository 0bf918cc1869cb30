/** What users notice when a function fails: the first sentence of its alarms. For consumers the subscription has it. */
const functionImpacts: Record<string, string> = {
  authorizer: 'No request is authorized: customers, hosts and partners receive 503.',
  account: 'Customers and hosts cannot read or change their own record.',
  availability: 'Hosts and customers cannot see which dates are free.',
  bookings: 'Guests and hosts cannot read or cancel their bookings.',
  cart: 'Customers cannot read or change their carts.',
  chats: 'Guests and hosts cannot read their messages.',
  checkout: 'Customers cannot book: previews, holds and confirmations fail.',
  customers: "Partners' customers can neither register nor log in.",
  external: "Partners' back ends cannot read listings or make bookings.",
  feeds: 'Other platforms cannot fetch the exported calendars and may sell nights that are taken.',
  listings: 'Hosts cannot manage listings, and customers cannot open them.',
  payments: 'Online payments are recorded up to 5 minutes late: paid bookings are shown as unpaid.',
  prices: 'Hosts cannot change prices, and prices cannot be previewed.',
  search: 'Customers cannot search for a stay.',
  system: 'The health check and the documentation do not answer.',
  webhooks: 'Partners cannot manage webhooks or read the feed of events.',
  'workers/publisher':
    'Bookings succeed, but their events are not published: no mail, chat, webhook or calendar follows.',
};

/** Returns the impact of a function. */
export const impactOf = (folder: string): string => {
  const impact = functionImpacts[folder];
  if (impact === undefined) throw new Error(`infra/cloud/impacts.ts has no row for functions/${folder}.`);
  return impact;
};
