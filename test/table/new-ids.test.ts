import { beforeAll, expect, it, vi } from 'vitest';
import { sendMessage } from '../../shared/domain/chat/messages.ts';
import { openThreads } from '../../shared/domain/chat/threads.ts';
import { blockTime } from '../../shared/domain/calendar/block-time.ts';
import { changeBooking } from '../../shared/domain/checkout/index.ts';
import { createCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import { createQuote } from '../../shared/domain/checkout/quotes.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { followCalendar } from '../../shared/domain/ical/follow-calendar.ts';
import { findOrCreateUser } from '../../shared/domain/people/find-or-create-user.ts';
import { KeySettings } from '../../shared/domain/people/key.schema.ts';
import { createKey } from '../../shared/domain/people/keys.ts';
import { signUpTeam } from '../../shared/domain/people/sign-up-team.ts';
import { createTeam } from '../../shared/domain/people/teams.ts';
import { CreateComboPrice } from '../../shared/domain/pricing/price-part.schema.ts';
import { addPricePart } from '../../shared/domain/pricing/price-parts.ts';
import { createReview } from '../../shared/domain/listing/reviews.ts';
import { testWebhook } from '../../shared/domain/webhook/deliveries.ts';
import { CreateWebhook } from '../../shared/domain/webhook/webhook.schema.ts';
import { createWebhook } from '../../shared/domain/webhook/webhooks.ts';
import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import type { EventOf } from '../../shared/events.ts';
import { machineClock } from '../../shared/platform/time/clock.ts';
import type { Context } from '../../shared/platform/context.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { change, ConflictError, present, type Table } from '../../shared/platform/table/index.ts';
import { calendarWith, nights } from '../support/calendars.ts';
import { bookStay } from '../support/events.ts';
import { hostWorld } from '../support/host-world.ts';
import { testPerson } from '../support/invitations.ts';
import { type PaymentScene, paymentScene } from '../support/payment-scene.ts';
import { testContext, testKey, testTeam, testUser } from '../support/table.ts';

let s: PaymentScene;
beforeAll(async () => {
  s = await paymentScene();
});

/** A table on which another item has the id that the first new item of a kind would get. */
const crowded = (kind: string) => {
  const { table } = s.deps;
  const found: { error?: unknown } = {};
  const transact: Table['transact'] = async (writes) => {
    const write = 'error' in found ? undefined : writes.find(({ entity }) => entity === kind);
    if (!write) return table.transact(writes);
    await table.transact([write]);
    await table.transact(writes).catch((error: unknown) => (found.error = error));
    if ('error' in found) throw found.error;
    found.error = undefined;
  };
  const over = new Proxy(table, {
    get: (target, name) => {
      if (name === 'transact') return transact;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const deps = { ...s.deps, table: over };
  const as = <C extends Context>(ctx: C): C => ({
    ...ctx,
    table: over,
    recordStart: transact,
    commit: async (writes: Parameters<Context['commit']>[0], body: unknown) => {
      await transact(writes);
      return body;
    },
  });
  return { found, deps, as };
};
type Crowded = ReturnType<typeof crowded>;

const dates = { check_in_date: '2027-02-04', check_out_date: '2027-02-06' };
const book = async () => bookStay(s.guest, { listing_id: (await s.listing()).id, ...dates });
const address = { local: false, resolve: async () => [{ address: '93.184.215.14', family: 4 as const }] };
const partner = async () => {
  const { team_id } = await testTeam(s.deps);
  return testContext(s.deps, (await testKey(s.deps, { team_ids: [team_id] })).caller);
};
const hook = CreateWebhook.parse({ url: 'https://example.com/hook', event_types: ['booking.created'] });

const makeKey = async ({ deps }: Crowded) => {
  const { team_id } = await testTeam(s.deps);
  return createKey(deps, 'test', KeySettings.parse({ team_ids: [team_id] }));
};
/** A guest has a few checkouts at a time. */
const guest = async () => testContext(s.deps, (await testUser(s.deps)).caller);
const check = async ({ as }: Crowded) =>
  createCheckout(as(await guest()), { items: s.items(await s.listing()) });
const confirm = async ({ as }: Crowded) =>
  confirmCheckout(as(await guest()), { items: s.items(await s.listing()), payment_method: 'CASH' });

const charge = async ({ as }: Crowded) =>
  confirmCheckout(as(await guest()), s.online([await s.listing()], 'tok_ok'));
const follow = async ({ as }: Crowded) => {
  const text = calendarWith(nights('a', '2027-02-04', '2027-02-06'));
  const remote = { status: 200, headers: {}, body: Buffer.from(text) };
  const fetchCalendar = async (url: string) => ({ ...remote, url });
  const source = { url: 'https://calendars.example.com/x.ics' };
  return followCalendar(as(s.owner), (await s.listing()).id, source, {
    fetchCalendar,
    apiUrl: 'https://api',
  });
};

/** A night more of a paid stay, held until it is paid on a page. */
const holdChange = async ({ as }: Crowded) => {
  const home = await s.listing({ refund_rule: 'Full refund until check-in' });
  const { reservations } = await s.confirm([home], 'tok_ok');
  return changeBooking(as(s.guest), reservations[0]!.id, { check_out_date: '2027-02-07' });
};

const makers: Record<string, (over: Crowded) => Promise<unknown>> = {
  User: ({ deps }) => findOrCreateUser(deps, s.deps.provider.add().subject),
  Team: ({ deps }) => createTeam(deps, { name: 'Hồ Tây' }),
  'Team that a person makes': async ({ as }) => {
    vi.stubEnv('TEAM_SIGN_UP', 'on');
    return signUpTeam(as((await testPerson(s.deps)).as()), { name: 'Hồ Tây' });
  },
  ApiKey: makeKey,
  ApiKeyId: makeKey,
  PartnerKey: makeKey,
  Listing: async ({ as }) => {
    const { host, create } = hostWorld(() => s.deps);
    return create(as(await host()));
  },
  PricePartOwner: async ({ as }) => {
    const { id: listing_id } = await s.listing();
    const combo = { name: 'Night', start_time: '19:00', end_time: '09:00', combo_type: 'overnight' };
    const amounts = { original_price: 900_000, discounted_price: 700_000 };
    const part = CreateComboPrice.parse({ listing_id, ...combo, ...amounts });
    return addPricePart(as(s.owner), 'combos', listing_id, part);
  },
  Quote: async ({ as }) => {
    const { team_id, id } = await s.listing();
    const { caller } = await testKey(s.deps, { team_ids: [team_id] });
    const ctx = as(testContext(s.deps, caller));
    return createQuote(ctx, { items: s.items({ id }) });
  },
  Order: check,
  'Order of a booking': confirm,
  'Order of a charge': charge,
  'Order of a change that is held': holdChange,
  Payment: charge,
  AvailabilityEntry: check,
  'AvailabilityEntry of a booking': confirm,
  'AvailabilityEntry of a charge': charge,
  'AvailabilityEntry of a change that is held': holdChange,
  'AvailabilityEntry of a followed calendar': follow,
  'AvailabilityEntry of a block': async ({ as }) =>
    blockTime(as(s.owner), (await s.listing()).id, { block_date: '2027-02-04' }),
  Reservation: confirm,
  Event: confirm,
  ChatMessage: async ({ as }) => {
    const { booking_id, created } = await book();
    await openThreads(s.deps, [created as EventOf<'booking.created'>]);
    await sendMessage(s.guest, booking_id, { text: 'Xin chào' });
    return sendMessage(as(s.guest), booking_id, { text: 'Bạn khỏe không?' });
  },
  Review: async ({ as }) => {
    const { booking_id: id } = await book();
    const ids = { order_id: orderIdOf(id), reservation_id: id };
    const done = { set: { state: 'COMPLETED' as const } };
    await s.deps.table.transact([change(ReservationEntity, ids, done, { when: present() })]);
    return createReview(as(s.guest), id, { rating: 5, comment: 'Quiet.' });
  },
  Webhook: async ({ as }) => createWebhook(as(await partner()), hook, address),
  WebhookDelivery: async ({ as }) => {
    const ctx = await partner();
    const { id } = await createWebhook(ctx, hook, address);
    const sending = { ...as(ctx), post: async () => ({ status: 204 }), signingClock: machineClock };
    return testWebhook(sending, id);
  },
};

it.each(Object.keys(makers))(
  '%s: an id that another has is a conflict, and is never shared',
  async (name) => {
    const over = crowded(name.split(' ')[0]!);
    await makers[name]!(over).catch(() => undefined);
    expect(over.found.error).toBeInstanceOf(ConflictError);
  },
);
