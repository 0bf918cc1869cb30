import { guestUrl } from '../../shared/domain/booking/index.ts';
import { readReservation } from '../../shared/domain/booking/model.ts';
import { blockTime } from '../../shared/domain/calendar/block-time.ts';
import { addToCart } from '../../shared/domain/checkout/cart.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { createCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import { createQuote } from '../../shared/domain/checkout/quotes.ts';
import type { FetchCalendar } from '../../shared/domain/ical/fetch-calendar.ts';
import { followCalendar } from '../../shared/domain/ical/follow-calendar.ts';
import { addMember } from '../../shared/domain/people/members.ts';
import { ReviewEntity } from '../../shared/domain/listing/review.store.ts';
import { appendEvent } from '../../shared/domain/webhook/append-event.ts';
import { createWebhook } from '../../shared/domain/webhook/webhooks.ts';
import { instantText } from '../../shared/platform/time/clock.ts';
import { newEventId } from '../../shared/platform/ids.ts';
import { put } from '../../shared/platform/table/index.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import type { Api } from './api.ts';
import { calendarWith } from './calendars.ts';
import { apiAddress, freshEmail, mailedSecret } from './invitations.ts';
import { BankTransferEntity } from '../../shared/domain/transfer/model.ts';
import { testListing } from './listings.ts';
import { testPublishableKey } from './builders.ts';
import { freshId, testContext, testKey, testTeam, testUser } from './table.ts';

const emptyCalendar: FetchCalendar = async (url) => ({
  status: 200,
  headers: {},
  body: Buffer.from(calendarWith()),
  url,
});

interface Signed {
  token: string;
  team: number;
}

/** Two teams with a record of every kind that has an id, and the users and partners of both. */
export interface World {
  host: Signed;
  staff: Signed;
  guest: Signed;
  otherHost: Signed;
  stranger: Signed;
  partner: { key: string };
  /** The token of the link to the first team's booking. */
  link: string;
  otherPartner: { key: string };
  /** Pages of both teams. */
  page: { key: string };
  otherPage: { key: string };
  /** Ids of team A's records by their path parameter. */
  ids: Record<string, number | string>;
  /** Returns an example body with the first team's ids. */
  withOwnIds: (example: unknown) => unknown;
}

export const world = async ({ deps, call }: Api): Promise<World> => {
  const [a, b] = [await testTeam(deps), await testTeam(deps)];
  const member = async (team_id: number, role: 'OWNER' | 'STAFF') =>
    testUser(deps, { memberships: [{ team_id, role }] });
  const [host, staff, otherHost] = [
    await member(a.team_id, 'OWNER'),
    await member(a.team_id, 'STAFF'),
    await member(b.team_id, 'OWNER'),
  ];
  const guest = await testUser(deps, {
    email: 'guest-of-team-a@example.com',
    full_name: 'Guest of A',
    memberships: [{ team_id: a.team_id, role: 'CUSTOMER' }],
  });
  const stranger = await testUser(deps);
  const [partner, otherPartner] = [
    await testKey(deps, { team_ids: [a.team_id] }),
    await testKey(deps, { team_ids: [b.team_id] }),
  ];
  const [page, otherPage] = [
    await testPublishableKey(deps, a.team_id),
    await testPublishableKey(deps, b.team_id),
  ];
  const listing = await testListing(deps, { team_id: a.team_id, wifi_password: 'hoang-hon-2027' });
  const add = async (path: string, body: object): Promise<number> => {
    const reply = await call('POST', path, { token: host.caller.subject, body });
    if (reply.status !== 201) throw new Error(`${path}: ${reply.text}`);
    return (reply.body as { id: number }).id;
  };
  const guestCtx = testContext(deps, guest.caller);
  const today = instantText(deps.clock.now()).slice(0, 10);
  const night = (days: number) => ({
    listing_id: listing.id,
    check_in_date: addDays(today, days),
    check_out_date: addDays(today, days + 1),
    guest_number: 2,
  });
  const booked = await confirmCheckout(guestCtx, { items: [night(40)], payment_method: 'CASH' });
  const held = await createCheckout(guestCtx, { items: [night(50)] });
  const block = await blockTime(testContext(deps, host.caller), listing.id, {
    block_date: addDays(today, 60),
    note: 'only-the-host-knows',
  });
  const inCart = await addToCart(guestCtx, {
    listing_id: listing.id,
    check_in: `${addDays(today, 45)}T14:00:00`,
    check_out: `${addDays(today, 46)}T12:00:00`,
    guests: 2,
  });
  const feed = await followCalendar(
    testContext(deps, host.caller),
    listing.id,
    { url: 'https://calendars.example.com/x.ics' },
    { fetchCalendar: emptyCalendar, apiUrl: '' },
  );
  const hook = await createWebhook(
    testContext(deps, partner.caller),
    // An unreachable address, allowed in local mode only.
    { url: 'https://127.0.0.1:9/', event_types: ['listing.created'], description: 'hook-of-team-a' },
    { local: true },
  );
  const eventId = newEventId(deps.clock);
  await appendEvent(
    { ...deps, deliveries: { send: async () => undefined } },
    {
      id: eventId,
      event_type: 'listing.created',
      occurred_at: instantText(deps.clock.now()),
      team_id: a.team_id,
      actor: 'system:test',
      data: { id: listing.id },
    },
  );
  const bookingId = booked.reservations[0]?.id ?? 0;
  const review_id = freshId();
  await deps.table.transact([
    put(ReviewEntity, {
      review_id,
      ...{ listing_id: listing.id, team_id: a.team_id, reservation_id: bookingId },
      ...{ user_id: guest.user.user_id, guest_name: 'A', rating: 5, comment: null },
      created_at: instantText(deps.clock.now()),
    }),
  ]);
  const quote = await createQuote(testContext(deps, partner.caller), {
    items: [
      {
        listing_id: listing.id,
        check_in_date: addDays(today, 75),
        check_out_date: addDays(today, 76),
        guest_number: 2,
      },
    ],
  });
  const transfer = {
    ...{ team_id: a.team_id, transfer_id: 'transfer-of-team-a', state: 'OPEN' as const, version: 1 },
    ...{ amount: 900_000_000, rest: 900_000_000, currency: 'VND', account_number: '0071000123456' },
    ...{ bank_reference: 'FT1', text: 'tien phong', named_orders: [], booking_ids: [] },
    received_at: instantText(deps.clock.now()),
    created_at: instantText(deps.clock.now()),
    updated_at: instantText(deps.clock.now()),
  };
  await deps.table.put(put(BankTransferEntity, transfer));
  const linked = await readReservation(deps.table, bookingId);
  const ids: World['ids'] = {
    review_id,
    listing_id: listing.id,
    booking_id: bookingId,
    posting_id: 1,
    adjustment_id: 1,
    reporter: 'sepay',
    name: 'booked',
    transfer_id: transfer.transfer_id,
    thread_id: bookingId,
    item_id: inCart.id,
    checkout_id: held.checkout_id,
    quote_id: quote.quote_id,
    availability_id: block.id,
    feed_id: feed.id,
    webhook_id: hook.id,
    key_id: partner.key.key_id,
    delivery_id: eventId,
    user_id: guest.user.user_id,
    team_id: a.team_id,
    token: await invitedBy(deps, a.team_id),
    service_id: await add(`/api/v1/listings/${listing.id}/extra-services`, {
      service_name: 'Breakfast',
      price: 50_000,
      price_unit: 'per_person',
      is_required: false,
      is_active: true,
    }),
    combo_id: await add('/api/v1/listing-combo-prices', {
      listing_id: listing.id,
      name: 'Two nights',
      start_time: '14:00:00',
      end_time: '12:00:00',
      original_price: 2_000_000,
      discounted_price: 1_500_000,
      combo_type: 'overnight',
      priority: 1,
      is_active: true,
    }),
    rule_id: await add(`/api/v1/listing-pricing-rules/listings/${listing.id}`, {
      date_type: 'ALWAYS',
      charge_unit: 'PER_NIGHT',
      stay_type: 'ANY',
      price: 1_100_000,
      priority: 1,
      is_active: true,
    }),
  };
  const signed = (person: typeof host, team: number): Signed => ({ token: person.caller.subject, team });
  return {
    host: signed(host, a.team_id),
    staff: signed(staff, a.team_id),
    guest: signed(guest, a.team_id),
    otherHost: signed(otherHost, b.team_id),
    stranger: signed(stranger, b.team_id),
    partner: { key: partner.api_key },
    link: (await guestUrl(deps, linked!, { from: 'm', pages: '' }))?.split('#')[1] ?? '',
    otherPartner: { key: otherPartner.api_key },
    page: { key: page.api_key },
    otherPage: { key: otherPage.api_key },
    ids,
    withOwnIds: (example) =>
      replaceIds(example, { listing_id: listing.id, dates: [addDays(today, 70), addDays(today, 73)] }),
  };
};

/** Returns the secret of an open invitation to a team. */
const invitedBy = async (deps: Api['deps'], team_id: number): Promise<string> => {
  const email = freshEmail();
  await addMember(deps, { team_id, email, role: 'STAFF', api_url: apiAddress });
  return mailedSecret(deps, { team_id, email });
};

/** Replaces the listing and the dates of an example body with this world's; extra services are left out. */
const replaceIds = (value: unknown, own: { listing_id: number; dates: [string, string] }): unknown => {
  if (Array.isArray(value)) return value.map((item) => replaceIds(item, own));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key === 'listing_id') return [key, own.listing_id];
      if (key === 'listing_ids') return [key, [own.listing_id]];
      if (key === 'check_in_date') return [key, own.dates[0]];
      if (key === 'check_out_date') return [key, own.dates[1]];
      if (key === 'extra_service_ids') return [key, []];
      return [key, replaceIds(item, own)];
    }),
  );
};
