/** The opening text of the OpenAPI document: what holds for every operation. */
export const about = `Nightlatch is a lodging rental service that cannot double-book.

**Who calls.** Partner back ends send \`X-API-Key\` to paths below \`/api/v1/external/\`. Customers and hosts send
\`Authorization: Bearer\` with an access token of the identity provider; hosts of several teams add \`X-Team-ID\`.

**Errors.** Every error is \`{code, message, details, request_id}\`. Program against \`code\`; \`message\` is for people. An invalid
request lists in \`details.issues\` every problem of its fields at once, then those of the stays that it asks for. An unknown path is \`NOT_FOUND\`, a wrong method
\`METHOD_NOT_ALLOWED\`; HEAD is answered like GET. Each answer carries \`X-Request-Id\`: quote it when you ask us.

**Repeating safely.** Send an \`Idempotency-Key\` with what creates or changes. The same key and body get the first answer
again, byte for byte, for 24 hours.

**Lists.** \`page\` and \`limit\` (1 to 100), or \`cursor\` with the \`next_cursor\` of the page before, which stays fast at any
depth.

**Time and money.** Instants are UTC with \`Z\`; availability is the listing's local time without zone. Money is exact in
the currency's minor unit.

**Limits.** Every answer of an operation that takes a key or token says what is left in \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and
\`X-RateLimit-Reset\`; a 429 carries \`Retry-After\`.`;

/** What the operations of each tag are about, in the order of the document. */
export const tags = {
  'External API':
    'What a partner’s back end does with its key: listings, prices, bookings and messages of its teams.',
  'Customers of partners':
    'Accounts of a partner’s customers: registration, login, verification, membership.',
  'Webhooks and events':
    'What happens in the teams of a key, sent to a webhook or read as a feed without gaps.',
  Search: 'Listings that are free for a stay, with their price.',
  Listings: 'Homes and rooms: what they are, what they offer, what they cost.',
  'House rules': 'Policies and parking of a listing.',
  Prices: 'Weekday prices, pricing rules, combo prices and extra services of a listing.',
  Availability: 'When a listing is free, and the host’s blocks.',
  'Calendar feeds': 'Calendars of other platforms, in both directions.',
  Cart: 'Stays that a customer thinks about; nothing is locked.',
  Checkout: 'From a price by a soft lock to a booking, all or nothing.',
  Bookings: 'Stays of a customer, and what hosts do with those of their team.',
  'Money of bookings': 'What stays cost, what was paid and refunded, and what hosts record of it.',
  'Pages of a team': 'What a web page of a team shows, with its publishable key. To book, a guest signs in.',
  'Links of guests': 'What a guest does with a stay by the link of a mail, without an account.',
  'Changes of stays': 'Another time, home or party for a stay that is booked: its price, and the change.',
  Chat: 'Messages between guest and host about a booking.',
  Reviews: 'What guests say of their stays, and hosts answer.',
  Payments: 'Where payment gateways report.',
  Account: 'The caller’s own account.',
  Team: 'Keys and members of a team, for its owners.',
  'Reference data': 'Catalogs and amenities; they may be kept for a day.',
  System: 'Health, this document and the page that shows it.',
};
