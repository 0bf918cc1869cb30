import type { TableRights } from './table-rights.ts';

/** The permissions and settings of a function, besides its table rights, which follow from its source. */
export interface Grant {
  /** Table rights that its source suggests and no run uses. */
  without?: Partial<TableRights>;
  /** Reads the identity of the table. */
  tableIdentity?: true;
  /** The service's client at the identity provider. */
  identity?: true;
  /** The payment gateway, and its secrets. */
  payments?: true;
  /** The key of door codes and secrets (D140). */
  sealed?: true;
  /** The canary's API key. */
  canaryKey?: true;
  /** Asks whether CloudFront has sent a request. */
  edge?: true;
  /** Sends mails from the sender address. */
  mail?: true;
}

/** Rows that are public are not counted; those that repeat safely take no Idempotency-Key. */
const keptReplies = { reads: ['IDEMPOTENCY#*'], writes: ['IDEMPOTENCY#*'] };
const publicRows = { reads: keptReplies.reads, writes: [...keptReplies.writes, 'RATE#*#*'] };

/** Calendars are read for prices with the code that writes them for bookings. */
const writtenElsewhere = ['CALENDAR#*'];

/** The grants of each function; a function without a row cannot be deployed. */
const grants: Record<string, Grant> = {
  authorizer: { identity: true, edge: true },
  account: { identity: true },
  availability: {},
  bookings: { payments: true, sealed: true },
  bulk: {},
  cart: { without: { writes: writtenElsewhere } },
  changes: { payments: true, sealed: true },
  chats: {},
  checkout: { identity: true, payments: true },
  customers: { identity: true },
  external: { payments: true, sealed: true },
  feeds: {},
  guest: { payments: true, sealed: true },
  listings: { sealed: true },
  payments: { payments: true, sealed: true, without: publicRows },
  prices: { sealed: true },
  search: { without: keptReplies },
  // Anyone may call it: it writes what it has counted, and when a key was used.
  stay: {
    edge: true,
    without: {
      reads: keptReplies.reads,
      writes: [...keptReplies.writes, ...writtenElsewhere, 'TEAM#*#KEYS'],
    },
  },
  system: { without: publicRows },
  team: { sealed: true },
  invitations: { identity: true },
  // A cursor of the feed of events contains the identity of its table.
  webhooks: { tableIdentity: true, sealed: true },
  'workers/publisher': {},
  'workers/notification': { mail: true, sealed: true },
  'schedules/send-due-mails': { mail: true, sealed: true },
  'workers/chat': {},
  'workers/ical': {},
  'workers/search-index': {},
  'workers/list-index': {},
  'workers/calendar-sync': {},
  'schedules/move-due-bookings': { payments: true },
  'schedules/reconcile-payments': { payments: true },
  'workers/refunds': { payments: true },
  'workers/webhook': {},
  'workers/webhook-delivery': { sealed: true },
  'workers/webhook-retry': { sealed: true },
  // It reads the lists of due work, and repairs nothing.
  'schedules/audit-bookings': { without: { writes: ['DUE_BOOKINGS*', 'DUE_PAYMENTS*'] } },
  // It calls the API like a partner, and nothing else.
  'schedules/canary': { canaryKey: true },
  'schedules/poll-calendars': {},
  'schedules/retry-webhooks': {},
};

/** The functions that may use the data key. */
export const sealedFunctions = Object.keys(grants).filter((folder) => grants[folder]?.sealed);

/** Returns the grant of a function. */
export const grantOf = (folder: string): Grant => {
  const grant = grants[folder];
  if (grant === undefined)
    throw new Error(`Say in infra/cloud/grants.ts what functions/${folder} may reach.`);
  return grant;
};
