/** What users notice when a function fails: the first sentence of its alarms. Consumers say it in their subscription. */
const impacts: Record<string, string> = {
  authorizer: 'Nobody gets in: customers, hosts and partners are answered 503.',
  account: 'Customers and hosts cannot read or change their own record.',
  availability: 'Hosts and customers cannot see which dates are free.',
  bookings: 'Guests and hosts cannot read or cancel their bookings.',
  cart: 'Customers cannot fill or read their carts.',
  chats: 'Guests and hosts cannot read their messages.',
  checkout: 'Customers cannot book: previews, holds and confirmations fail.',
  customers: "Partners' customers can neither register nor log in.",
  external: "Partners' back ends cannot read listings or make bookings.",
  feeds: 'Other platforms cannot fetch our calendars and may sell taken nights.',
  listings: 'Hosts cannot manage listings, and customers cannot open them.',
  payments: 'Payments made online are noticed up to 5 minutes late: guests who paid still look unpaid.',
  prices: 'Hosts cannot change prices, and nobody can preview one.',
  search: 'Customers cannot search for a stay.',
  system: 'The health check and the documentation do not answer.',
  webhooks: 'Partners cannot manage webhooks, nor read the feed of events.',
  'workers/publisher':
    'Bookings are taken, but nobody hears of them: no mail, chat or calendar feed follows.',
};

/** The sentence of a function. */
export const impactOf = (folder: string): string => {
  const impact = impacts[folder];
  if (impact === undefined)
    throw new Error(`Say in infra/cloud/impacts.ts what users notice when functions/${folder} fails.`);
  return impact;
};
