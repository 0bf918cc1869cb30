import { describe, expect, it } from 'vitest';
import { routeGroups } from '../../functions/routes.ts';
import { errorsOf } from '../../shared/platform/http/route.ts';
import { ThrownCodes } from '../support/thrown-codes.ts';

/** Codes that the check finds and no caller can get, by operation, with the reason. */
const onlyAccepting = { PAYMENT_GATEWAY_UNAVAILABLE: 'moveBooking opens a page only for the move `confirm`' };
const onlyArriving = { LISTING_NOT_AVAILABLE: 'moveBooking takes hours only for the move `check_in`' };
const ofItsPart = { LISTING_NOT_FOUND: 'the row names no listing; the listing of a part is NOT_FOUND' };
const isAnswered = 'cancellationOf answers the refusal as data';
const areAsked = 'allowedActions asks what verbs refuse, and throws nothing of it';
const allAsked = { FORBIDDEN: areAsked, INVALID_STATE_TRANSITION: areAsked, MANAGED_BY_CHANNEL: areAsked };
const waitingOnly = 'a report moves only stays that wait for their payment, and those may be paid';
const ofNoKey = { MANAGED_BY_CHANNEL: 'no key has made an adopted stay' };
const byGuest = {
  FORBIDDEN: 'is of hosts; who has the link is the guest of its stay',
  MANAGED_BY_CHANNEL: 'a stay of a platform has no link',
};
const asOnRecord = { IDENTITY_PROVIDER_UNAVAILABLE: 'withFreshVerification answers what is on record' };
const notThrown: Record<string, Record<string, string>> = {
  getBooking: allAsked,
  getGuestBooking: allAsked,
  previewGuestChange: byGuest,
  changeGuestBooking: byGuest,
  cancelGuestBooking: byGuest,
  getGuestCancellation: { ...byGuest, INVALID_STATE_TRANSITION: isAnswered },
  getStayTeam: { NOT_FOUND: 'a key is of a team that there is' },
  getMe: asOnRecord,
  getCustomer: asOnRecord,
  readLoginStatus: asOnRecord,
  checkInBooking: onlyAccepting,
  confirmBooking: onlyArriving,
  undoCheckIn: { ...onlyAccepting, ...onlyArriving },
  checkOutBooking: { ...onlyAccepting, ...onlyArriving },
  completeBooking: { ...onlyAccepting, ...onlyArriving },
  updatePricingRule: ofItsPart,
  deletePricingRule: ofItsPart,
  updateComboPrice: ofItsPart,
  deleteComboPrice: ofItsPart,
  getCancellation: {
    FORBIDDEN: isAnswered,
    INVALID_STATE_TRANSITION: isAnswered,
    MANAGED_BY_CHANNEL: isAnswered,
  },
  previewExternalChange: ofNoKey,
  changeExternalBooking: ofNoKey,
  getExternalCancellation: { INVALID_STATE_TRANSITION: isAnswered },
  listCart: { LISTING_NOT_FOUND: 'a stay that cannot be booked any more is shown as not available' },
  confirmCheckout: { EMAIL_NOT_VERIFIED: 'requireVerified gives `unverified` the other code' },
  bulkBlocks: { LISTING_NOT_AVAILABLE: 'is the error of its listing in the answer' },
  undoBulk: {
    LISTING_NOT_FOUND: 'is the error of its listing in the answer',
  },
  acceptInvitation: { EMAIL_NOT_VERIFIED: 'requireOwnAccount gives `unverified` the other code' },
  createTeam: { EMAIL_NOT_VERIFIED: 'requireOwnAccount gives `unverified` the other code' },
  logInCustomer: { USER_NOT_VERIFIED: 'notVerified gives `unverified` the other code' },
  takeBankReport: {
    INVALID_STATE_TRANSITION: 'a transfer that restores nothing is on the list',
    LISTING_NOT_AVAILABLE: 'a transfer that restores nothing is on the list; a conflict is read again',
  },
  handlePaymentWebhook: { INVALID_STATE_TRANSITION: waitingOnly },
  handlePaymentIpn: {
    UNAUTHORIZED: 'vnpayAnswer answers RspCode 97',
    INVALID_STATE_TRANSITION: waitingOnly,
  },
};
/** Declared codes that the check does not find, with where they come from. */
const thrownElsewhere: Record<string, Record<string, string>> = {
  registerCustomer: { CUSTOMER_ALREADY_EXISTS: 'thrown again where the account is complete' },
};

const fileOf = (group: string): string => `functions/${group}/index.ts`;

describe('the errors that a row declares', () => {
  const thrown = new ThrownCodes([
    ...routeGroups.map(({ group }) => fileOf(group)),
    'shared/platform/identity/auth0.ts',
  ]);
  const rows = routeGroups.flatMap(({ group, routes }) => {
    const verbs = thrown.verbsIn(fileOf(group), Object.keys(routes));
    return Object.entries(routes).map(([id, route]) => ({ id, route, verb: verbs.get(id) }));
  });

  it.each(rows)('are those that $id throws', ({ id, route, verb }) => {
    if (!verb) throw new Error(`${id} has no verb`);
    const codes = thrown.from(verb);
    const declared = new Set<string>(errorsOf(route));
    const undeclared = [...codes].filter(([code]) => !declared.has(code) && !(code in (notThrown[id] ?? {})));
    const unused = route.errors.filter((code) => !codes.has(code) && !(code in (thrownElsewhere[id] ?? {})));
    const stale = Object.keys(notThrown[id] ?? {}).filter((code) => !codes.has(code) || declared.has(code));
    expect({ undeclared, unused, stale }).toEqual({ undeclared: [], unused: [], stale: [] });
  });
});
