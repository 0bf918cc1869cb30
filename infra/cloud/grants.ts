import type { TableGrant } from './table-policy.ts';

/** The permissions and settings of a function. */
export interface Grant {
  table: TableGrant;
  /** The service's client at the identity provider. */
  identity?: boolean;
  /** The payment gateway, and its secrets. */
  payments?: boolean;
  /** Sends mails from the sender address. */
  mail?: boolean;
}

/** The grants of each function; a function without a row cannot be deployed. */
const grants: Record<string, Grant> = {
  authorizer: { table: { items: 'write' }, identity: true },
  account: { table: { items: 'write' }, identity: true },
  availability: { table: { items: 'write' } },
  bookings: { table: { items: 'write', indexes: ['by_team', 'by_audience'] }, payments: true },
  cart: { table: { items: 'write' } },
  chats: { table: { items: 'write', indexes: ['by_team', 'by_audience'] } },
  checkout: { table: { items: 'write' }, identity: true, payments: true },
  customers: { table: { items: 'write', indexes: ['by_team'] }, identity: true },
  external: { table: { items: 'write', indexes: ['by_team', 'by_audience'] }, payments: true },
  // The first list of a listing's feeds creates the secret of its export.
  feeds: { table: { items: 'write' } },
  listings: { table: { items: 'write', indexes: ['by_team', 'by_audience'] } },
  payments: { table: { items: 'write' }, payments: true },
  prices: { table: { items: 'write', indexes: ['by_audience'] } },
  // Only rate-limit counters are written.
  search: { table: { items: 'write' } },
  system: { table: { items: 'none' } },
  team: { table: { items: 'write', indexes: ['by_team'] }, identity: true },
  // A cursor of the feed of events contains the identity of its table.
  webhooks: { table: { items: 'write', identity: true } },
  'workers/publisher': { table: { items: 'none' } },
  'workers/notification': { table: { items: 'write', indexes: ['by_team'] }, mail: true },
  'schedules/send-due-mails': { table: { items: 'write', indexes: ['by_team'] }, mail: true },
  'workers/chat': { table: { items: 'write' } },
  'workers/ical': { table: { items: 'write' } },
  'workers/search-index': { table: { items: 'write' } },
  'workers/list-index': { table: { items: 'write', indexes: ['by_team', 'by_audience'] } },
  'workers/calendar-sync': { table: { items: 'write' } },
  'schedules/move-due-bookings': { table: { items: 'write' }, payments: true },
  'schedules/reconcile-payments': { table: { items: 'write' }, payments: true },
  'workers/refunds': { table: { items: 'write' }, payments: true },
  'workers/webhook': { table: { items: 'write' } },
  'workers/webhook-delivery': { table: { items: 'write', indexes: ['by_team'] } },
  'workers/webhook-retry': { table: { items: 'write', indexes: ['by_team'] } },
  'schedules/audit-bookings': {
    table: { items: 'read', ownPartition: 'AUDIT#bookings', indexes: ['by_team', 'by_audience'] },
  },
  'schedules/poll-calendars': { table: { items: 'none', indexes: ['by_audience'] } },
  'schedules/retry-webhooks': { table: { items: 'write', indexes: ['by_audience'] } },
};

/** Returns the grant of a function. */
export const grantOf = (folder: string): Grant => {
  const grant = grants[folder];
  if (grant === undefined)
    throw new Error(`Say in infra/cloud/grants.ts what functions/${folder} may reach.`);
  return grant;
};
