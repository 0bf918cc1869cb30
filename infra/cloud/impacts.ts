/** Every alarm that notifies, with what users notice: the first sentences of its description. Each has its runbook. */
export const alarmImpacts = {
  'canary-failed':
    'Guests and partners may not be able to book: the canary, which books a night and cancels it like a partner, has not succeeded for 15 minutes.',
  'confirm-burn': 'Guests and partners cannot book: requests that make a booking fail.',
  'booking-burn': 'Booking is broken before its last step: previews, quotes, holds or cancellations fail.',
  'search-burn': 'Guests cannot find a stay: searches and reads of listings, prices and free dates fail.',
  'partner-burn': "Partners' back ends cannot work: their requests fail.",
  'api-server-errors': 'Customers, hosts and partners get 5xx answers: more than 1 in 100 requests fails.',
  'api-slow': 'Booking feels broken: 1 request in 100 takes longer than 3 seconds.',
  'api-throttled':
    'Callers within their own limit are answered 429: the stage as a whole is over its throttle.',
  'queues-late':
    'What follows a booking is late: mails, chats, webhooks, calendars or search wait for 20 minutes or longer.',
  'dead-letters':
    'Something that follows a booking has not happened: a consumer gave messages up, and they wait to be moved back.',
  'publisher-late':
    'Bookings succeed, but their events are not published: no mail, chat, webhook or calendar follows. The oldest event has waited for a minute or longer.',
  'publisher-dead-letters':
    'Events of bookings were not published for 24 hours: no mail, chat, webhook or calendar followed. They stay in the table.',
  'schedules-still':
    'Work by the clock is not done: calendars are not fetched, unpaid bookings keep their nights, payments are not reconciled or mails not sent. A schedule has not succeeded for half an hour, or several have failed in part of it.',
  'due-late':
    'Work by the clock is 15 minutes late or later: unpaid bookings keep their nights, or reminders are late.',
  'due-stuck':
    'A booking is not moved or a mail not sent: its work has failed 4 times in a row or more, and is at least 35 minutes late. The alarm lasts until 75 minutes after the last failure.',
  'feeds-late':
    'Calendars of other platforms are fetched 30 minutes late or later: nights that are sold there can still be booked here.',
  'payment-attention':
    'The money of a guest needs a person: another amount than due was paid, a guest was charged twice, a booking was cancelled without an answer of its gateway, or a refund may not have been made.',
  'payment-unreconciled':
    'A payment cannot be compared with its gateway: a guest who paid may look unpaid, or a refund waits. It has failed 4 times in a row or more.',
  'mail-bounces':
    'Guests do not get their mails: 5 in 100 come back, and SES stops the account at 10. Addresses that bounced get no more mail.',
  'mail-complaints':
    'Mails are reported as spam: 1 in 1,000, and SES stops the account at 5 in 1,000. Who complained gets no more mail.',
  'table-refusals':
    'Bookings and searches are slow or answered 503: DynamoDB refuses requests, or does not answer.',
  'audit-findings':
    'Records disagree: a night may be sold twice or kept without a booking, money may be missing, or an event was not sent. The alarm lasts until they agree.',
  'audit-late': 'Records that disagree would be noticed late: the audit of bookings is 4 hours behind.',
  'record-mismatch':
    'A stored item does not have the shape of its record: requests that read it may fail or answer wrongly. During a deployment, functions of the version before may count items of the next.',
} as const;

export type AlarmName = keyof typeof alarmImpacts;

/** Returns the page that says what to do when an alarm rings. */
export const runbookOf = (name: AlarmName): string => `docs/runbooks/${name}.md`;
