import { beforeAll, describe, expect, it } from 'vitest';
import { invitations } from '../../functions/invitations/index.ts';
import { invitationsRoutes } from '../../functions/invitations/routes.ts';
import { team } from '../../functions/team/index.ts';
import { teamRoutes } from '../../functions/team/routes.ts';
import { routeGroups } from '../../functions/routes.ts';
import { openThreads } from '../../shared/domain/chat/threads.ts';
import { instantText } from '../../shared/platform/time/clock.ts';
import type { Route } from '../../shared/platform/http/route.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { type Api, api, type Asked, type Reply } from '../support/api.ts';
import { testUser } from '../support/table.ts';
import { type World, world } from '../support/world.ts';

const roles = ['OWNER', 'MANAGER', 'STAFF', 'CUSTOMER', 'ADMIN', 'none'] as const;
type Role = (typeof roles)[number];

/** What a role is answered: allowed, forbidden, not found, or without credentials. */
type Answer = 'passes' | 'forbidden' | 'hidden' | 'unknown';
type Answers = Record<Role, Answer>;

const toAll = (answer: Answer): Answers => Object.fromEntries(roles.map((role) => [role, answer])) as Answers;

/** The stated answers (D13–D15): roles in the team that owns the listing or booking, which is another person's. */
const kinds = {
  public: toAll('passes'),
  /** Of the caller alone: every signed-in caller has one. */
  own: toAll('passes'),
  /** Of an ACTIVE listing, for every signed-in person. */
  open: toAll('passes'),
  /** Another person's: not found for all others, whatever the role. */
  private: toAll('hidden'),
  /** The guest's alone: the hosts of the booking know that it exists. */
  guest: { ...toAll('forbidden'), CUSTOMER: 'hidden', none: 'hidden' },
  /** Calls of partners take a key. */
  partner: toAll('unknown'),
  /** Pages take a publishable key. */
  page: toAll('unknown'),
  /** By the token of a guest's link, which a signed-in person has not sent. */
  link: toAll('unknown'),
  /** Of the team as such, without a listing or booking. */
  teamManage: { ...toAll('passes'), STAFF: 'forbidden', CUSTOMER: 'forbidden', none: 'forbidden' },
  teamOwn: { ...toAll('forbidden'), OWNER: 'passes', ADMIN: 'passes' },
  teamRead: { ...toAll('passes'), CUSTOMER: 'forbidden', none: 'forbidden' },
  manage: { ...toAll('passes'), STAFF: 'forbidden', CUSTOMER: 'hidden', none: 'hidden' },
  operate: { ...toAll('passes'), CUSTOMER: 'hidden', none: 'hidden' },
  /** Of an ACTIVE listing, which all may read: a refused change is 403 (D101). */
  manageListing: { ...toAll('passes'), STAFF: 'forbidden', CUSTOMER: 'forbidden', none: 'forbidden' },
  readListing: { ...toAll('passes'), CUSTOMER: 'forbidden', none: 'forbidden' },
  operateListing: { ...toAll('passes'), CUSTOMER: 'forbidden', none: 'forbidden' },
} satisfies Record<string, Answers>;

/** Every row of the route table. A new row fails until it stands here. */
const stated: Record<string, keyof typeof kinds> = {
  ...{ getGuestPage: 'public', rotateGuestLink: 'manage' },
  ...{
    getGuestBooking: 'link',
    readGuestAccess: 'link',
    listGuestMessages: 'link',
    sendGuestMessage: 'link',
  },
  ...{ payGuestBooking: 'link', getGuestTransferCode: 'link', previewGuestChange: 'link' },
  ...{ changeGuestBooking: 'link', getGuestCancellation: 'link', cancelGuestBooking: 'link' },
  reviewGuestBooking: 'link',
  ...{ listTeamMails: 'teamManage', setTeamMail: 'teamManage', removeTeamMail: 'teamManage' },
  previewTeamMail: 'teamManage',
  getMe: 'own',
  updateMe: 'own',
  logOut: 'own',
  createListing: 'teamManage',
  listListings: 'own',
  getListing: 'open',
  updateListing: 'manageListing',
  archiveListing: 'manageListing',
  replaceImages: 'manageListing',
  listListingChanges: 'readListing',
  listParkingRules: 'open',
  createParkingRule: 'manageListing',
  updateParkingRule: 'manageListing',
  deleteParkingRule: 'manageListing',
  getPolicies: 'open',
  putPolicies: 'manageListing',
  createReview: 'guest',
  listReviews: 'open',
  replyToReview: 'manageListing',
  listCatalogs: 'public',
  listAmenities: 'public',
  listListingAmenities: 'open',
  updateWeeklyPrices: 'manageListing',
  listPricingRules: 'open',
  readStayRules: 'open',
  putStayRules: 'manageListing',
  bulkPrices: 'teamManage',
  bulkBlocks: 'teamRead',
  undoBulk: 'teamRead',
  createPricingRule: 'manageListing',
  updatePricingRule: 'manageListing',
  deletePricingRule: 'manageListing',
  previewPrice: 'open',
  listComboPrices: 'open',
  createComboPrice: 'manageListing',
  updateComboPrice: 'manageListing',
  deleteComboPrice: 'manageListing',
  listExtraServices: 'open',
  createExtraService: 'manageListing',
  updateExtraService: 'manageListing',
  deleteExtraService: 'manageListing',
  readMonth: 'open',
  readRange: 'open',
  listUnavailableHours: 'open',
  blockTime: 'operateListing',
  unblockTime: 'operateListing',
  readAvailability: 'open',
  listMyBookings: 'own',
  getBooking: 'operate',
  correctGuest: 'operate',
  correctExternalGuest: 'partner',
  getCancellation: 'operate',
  cancelBooking: 'manage',
  listTeamBookings: 'teamRead',
  readToday: 'teamRead',
  readTeamCalendar: 'teamRead',
  listImportedStays: 'teamRead',
  listBookingHistory: 'operate',
  confirmBooking: 'manage',
  declineBooking: 'manage',
  markNoShow: 'manage',
  previewChange: 'manage',
  changeBooking: 'manage',
  previewExternalChange: 'partner',
  changeExternalBooking: 'partner',
  checkInBooking: 'operate',
  undoCheckIn: 'operate',
  releaseAccess: 'operate',
  checkOutBooking: 'operate',
  completeBooking: 'operate',
  markBookingPaid: 'manage',
  takePayment: 'operate',
  extendPayment: 'manage',
  getTransferCode: 'operate',
  takeBankReport: 'public',
  correctPayment: 'manage',
  addAdjustment: 'manage',
  removeAdjustment: 'manage',
  openDuePage: 'operate',
  addCharge: 'operate',
  removeCharge: 'manage',
  changeSecurityDeposit: 'operate',
  refundBooking: 'manage',
  returnRefund: 'operate',
  getFolio: 'operate',
  readStatement: 'teamOwn',
  addToCart: 'own',
  listCart: 'own',
  removeFromCart: 'private',
  listThreads: 'own',
  listMessages: 'operate',
  sendMessage: 'operate',
  previewCheckout: 'open',
  createCheckout: 'own',
  confirmCheckout: 'own',
  bookForGuest: 'teamManage',
  extendCheckout: 'private',
  releaseCheckout: 'private',
  registerCustomer: 'partner',
  logInCustomer: 'partner',
  listCustomers: 'partner',
  getCustomer: 'partner',
  updateCustomer: 'partner',
  removeCustomer: 'partner',
  readLoginStatus: 'partner',
  requestPasswordReset: 'partner',
  resendVerification: 'partner',
  readEmailVerification: 'partner',
  ...{ getStayTeam: 'page', searchStays: 'page', getStayListing: 'page' },
  ...{ readStayAvailability: 'page', listStayReviews: 'page', quoteStay: 'page' },
  listExternalListings: 'partner',
  getExternalListing: 'partner',
  searchExternalListings: 'partner',
  readExternalAvailability: 'partner',
  createExternalBooking: 'partner',
  listExternalBookings: 'partner',
  getExternalBooking: 'partner',
  getExternalCancellation: 'partner',
  listExternalHistory: 'partner',
  cancelExternalBooking: 'partner',
  createQuote: 'partner',
  holdQuote: 'partner',
  extendQuote: 'partner',
  releaseQuote: 'partner',
  listExternalMessages: 'partner',
  sendExternalMessage: 'partner',
  exportCalendar: 'public',
  listFeeds: 'operateListing',
  followCalendar: 'manageListing',
  changeFeed: 'manageListing',
  unfollowCalendar: 'manageListing',
  rotateExportToken: 'manageListing',
  searchListings: 'own',
  handlePaymentWebhook: 'public',
  handlePaymentIpn: 'public',
  getRoot: 'public',
  getHealth: 'public',
  getOpenApiDocument: 'public',
  getDocs: 'public',
  getDocsAsset: 'public',
  getTeam: 'teamRead',
  getBankAccounts: 'teamRead',
  setTransferReports: 'teamOwn',
  removeTransferReports: 'teamOwn',
  listTransfers: 'teamManage',
  assignTransfer: 'teamManage',
  returnTransfer: 'teamManage',
  setBankAccount: 'teamOwn',
  stopBankAccount: 'teamOwn',
  updateTeam: 'teamOwn',
  listTeamKeys: 'teamOwn',
  createTeamKey: 'teamOwn',
  rotateTeamKey: 'teamOwn',
  revokeTeamKey: 'teamOwn',
  listTeamMembers: 'teamOwn',
  setTeamMember: 'teamOwn',
  removeTeamMember: 'teamOwn',
  getInvitationPage: 'public',
  getInvitation: 'public',
  acceptInvitation: 'public',
  createTeam: 'own',
  requestInvitedReset: 'public',
  createWebhook: 'partner',
  listWebhooks: 'partner',
  getWebhook: 'partner',
  updateWebhook: 'partner',
  deleteWebhook: 'partner',
  rotateWebhookSecret: 'partner',
  testWebhook: 'partner',
  listWebhookDeliveries: 'partner',
  redeliverWebhook: 'partner',
  readEvents: 'partner',
  readTeamEvents: 'teamRead',
};

const rows = routeGroups.flatMap(({ routes }) =>
  Object.entries(routes).map(([id, route]) => ({ id, route })),
);

/** What may be answered to a role that gets through: it was let in, and then the thing itself said no. */
const passing = new Set([
  'INVALID_STATE_TRANSITION',
  'LISTING_NOT_AVAILABLE',
  'SLUG_ALREADY_EXISTS',
  'PAYMENT_GATEWAY_UNAVAILABLE',
]);

/** The same of one row alone: what stands outside of this test is not there. */
const passingOf: Record<string, string> = {
  followCalendar: 'VALIDATION_ERROR', // another platform's address
  changeFeed: 'NOT_FOUND', // so nothing is followed
  unfollowCalendar: 'NOT_FOUND',
  handlePaymentWebhook: 'NOT_FOUND', // no gateway of that name
  takeBankReport: 'NOT_FOUND', // the team takes no reports
  handlePaymentIpn: 'NOT_FOUND',
  undoBulk: 'NOT_FOUND', // no bulk change of the example's id
  // The invitation is another person's, and the caller has no account at the provider.
  acceptInvitation: 'UNAUTHORIZED',
  createTeam: 'UNAUTHORIZED', // no account at the provider
  openDuePage: 'VALIDATION_ERROR', // it has no gateway here
  correctPayment: 'NOT_FOUND', // nothing was paid
  removeAdjustment: 'NOT_FOUND', // nothing was adjusted
  removeCharge: 'NOT_FOUND', // nothing was charged
  changeSecurityDeposit: 'VALIDATION_ERROR', // the listing asks for no deposit
  refundBooking: 'INVALID_STATE_TRANSITION', // nothing was paid
  returnRefund: 'NOT_FOUND', // nothing was refunded
  removeTeamMember: 'NOT_FOUND', // the person of this test's paths is a guest
  getInvitationPage: 'INTERNAL_ERROR', // it has no provider here
  getDocs: 'INTERNAL_ERROR', // a file beside the bundle, which only a build has
  getDocsAsset: 'NOT_FOUND',
};

const answerOf = (id: string, { status, body }: Reply): string => {
  const { code = '' } = body as { code?: string };
  if (status < 400 || passing.has(code) || passingOf[id] === code) return 'passes';
  if (status === 403 && code === 'FORBIDDEN') return 'forbidden';
  if (status === 404) return 'hidden';
  if (status === 401) return 'unknown';
  return `${status} ${code}`;
};

/** What cannot be asked for twice comes last, and the caller's own end at the very end. */
const order = ({ id, route }: { id: string; route: Route }): number => {
  if (id === 'logOut') return 4;
  if (id === 'archiveListing') return 3;
  if (id === 'cancelBooking') return 2;
  return route.method === 'DELETE' ? 1 : 0;
};

let service: Api;
beforeAll(async () => {
  process.env['TEAM_SIGN_UP'] = 'on';
  service = await api({
    extra: (deps) => [
      { group: teamRoutes, handler: team(() => deps) },
      { group: invitationsRoutes, handler: invitations(() => deps) },
    ],
  });
});

it('every row has a stated answer, and no answer is left over', () => {
  expect(Object.keys(stated).sort()).toEqual(rows.map(({ id }) => id).sort());
});

describe.each(roles)('%s', (role) => {
  let here: World;
  let caller: Asked;
  let parkingRule: number;
  let exportToken: string;
  beforeAll(async () => {
    here = await world(service);
    const { team } = here.host;
    const memberships = role === 'ADMIN' || role === 'none' ? [] : [{ team_id: team, role }];
    const { caller: person } = await testUser(service.deps, {
      memberships,
      system_role: role === 'ADMIN' ? 'ADMIN' : 'USER',
    });
    caller = { token: person.subject };
    const rule = await service.call('POST', `/api/v1/listings/${here.ids['listing_id']}/parking-rules`, {
      token: here.host.token,
      body: { vehicle_type: 'motorbike', is_free: true, location_type: 'on_site' },
    });
    parkingRule = (rule.body as { id: number }).id;
    const feeds = await service.call('GET', `/api/v1/listings/${here.ids['listing_id']}/calendar/ical`, {
      token: here.host.token,
    });
    exportToken = new URL((feeds.body as { export_url: string }).export_url).searchParams.get('token') ?? '';
    await openThreads(service.deps, [
      {
        id: `evt_${here.ids['booking_id']}`,
        event_type: 'booking.created',
        occurred_at: instantText(service.deps.clock.now()),
        team_id: team,
        actor: 'system:test',
        data: { id: Number(here.ids['booking_id']) },
      },
    ]);
  }, 30_000);

  const pathOf = ({ path }: Route): string =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      if (name === 'asset') return 'site.css';
      if (name === 'rule_id' && path.includes('parking-rules')) return String(parkingRule);
      return String(here.ids[name] ?? 4711);
    });

  /** Requests that the examples alone do not make. */
  const special = (): Record<string, Asked> => ({
    listUnavailableHours: { query: { start_time: '2027-02-04T1400', end_time: '2027-02-05T1400' } },
    exportCalendar: { query: { token: exportToken } },
    searchListings: { query: { location: 'HN' } },
    readTeamCalendar: { query: { from: '2027-02-01', to: '2027-02-28' } },
    listImportedStays: { query: { from: '2027-02-01', to: '2027-02-28' } },
    readStatement: { query: { month: '2027-02' } },
    previewTeamMail: {
      body: { language: 'vi', subject: 'A', text: 'B', booking_id: here.ids['booking_id'] },
    },
    assignTransfer: { body: { booking_id: here.ids['booking_id'] } },
    updateParkingRule: { body: { description: 'By the gate' } },
    correctPayment: { query: { reason: 'By mistake' } },
    removeCharge: { query: { reason: 'By mistake' } },
    changeSecurityDeposit: { body: { action: 'TAKE', amount: 1, method: 'CASH' } },
    addToCart: {
      body: {
        ...{ listing_id: here.ids['listing_id'], guests: 2 },
        ...{
          check_in: `${stay(85).check_in_date}T14:00:00`,
          check_out: `${stay(85).check_out_date}T12:00:00`,
        },
      },
    },
    confirmCheckout: { body: { items: [stay(90)], payment_method: 'CASH' } },
    createCheckout: { body: { items: [stay(95)] } },
    // The examples name services of the demo data.
    previewCheckout: { body: { items: [stay(100)] } },
    bookForGuest: { body: { guest_info: guest, items: [stay(105)], payment_method: 'CASH' } },
  });

  const guest = { full_name: 'Trần Thị Bình', phone: '+84 912 345 678', email: 'binh@example.com' };

  const stay = (daysAhead: number) => {
    const today = instantText(service.deps.clock.now()).slice(0, 10);
    return {
      listing_id: here.ids['listing_id'],
      check_in_date: addDays(today, daysAhead),
      check_out_date: addDays(today, daysAhead + 1),
      guest_number: 2,
    };
  };

  const ask = async (id: string, route: Route): Promise<Reply> => {
    const example = route.examples.body;
    const actsForTeam = role === 'ADMIN' && (stated[id] ?? '').startsWith('team');
    return service.call(route.method, pathOf(route), {
      ...(example === undefined ? {} : { body: here.withOwnIds(example) }),
      ...special()[id],
      ...(actsForTeam ? { team: here.host.team } : {}),
      ...caller,
    });
  };

  it.each(rows.toSorted((one, other) => order(one) - order(other)))('$id', async ({ id, route }) => {
    const wanted = kinds[stated[id] ?? 'public'][role];
    const reply = await ask(id, route);
    expect(answerOf(id, reply), reply.text.slice(0, 500)).toBe(wanted);
  });
});
