import { beforeEach, describe, expect, test } from 'vitest';
import type { ActorHistory } from '../../infra/operator/actor-history.ts';
import { blockTime } from '../../shared/domain/calendar/block-time.ts';
import { bookExternally } from '../../shared/domain/checkout/book-externally.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { cancelExternalBooking } from '../../shared/domain/booking/external-bookings.ts';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import { updateWeeklyPrices } from '../../shared/domain/listing/weekly-prices.ts';
import { createTeamKey, revokeTeamKey } from '../../shared/domain/people/team-keys.ts';
import { setTeamMember } from '../../shared/domain/people/team-members.ts';
import { createWebhook } from '../../shared/domain/webhook/webhooks.ts';
import { instantText } from '../../shared/platform/time/clock.ts';
import { answerOf, playOperator, refusalOf } from '../support/operator.ts';
import { hour, minute, paymentScene, type PaymentScene } from '../support/payment-scene.ts';
import { apiAddress } from '../support/invitations.ts';
import { testContext, testKey, testUser } from '../support/table.ts';

let s: PaymentScene;
beforeEach(async () => void (s = await paymentScene()));

const at = () => instantText(s.clock.now());
const play = (args: string[], stage = 'local') => playOperator(s.deps, args, { stage });
const history = async (...args: string[]) => answerOf<ActorHistory>(await play(args));
const keyNamed = (name: string) => ({ name, scopes: ['read' as const], expires_at: null, allow_ip: [] });
const guestInfo = { full_name: 'Đặng Thị Kín', phone: '+84901234567', email: 'kin@example.com' };

describe('what a partner did with a leaked key', () => {
  test('is every change of the time by any of its keys, and nothing of others', async () => {
    const home = await s.listing();
    const { key, caller } = await testKey(s.deps, { team_ids: [home.team_id] });
    const other = await testKey(s.deps, { team_ids: [home.team_id] });
    const partner = testContext(s.deps, caller);
    const book = (by: typeof partner, check_in_date: string, check_out_date: string) =>
      bookExternally(by, {
        ...{ listing_id: home.id, check_in_date, check_out_date, guest_number: 2, nights: 1 },
        ...{ payment_method: 'CASH' as const, guest_info: guestInfo },
      } as Parameters<typeof bookExternally>[1]);
    await book(partner, '2027-02-01', '2027-02-02');
    s.clock.advance(minute);
    const from = at();
    const { booking } = await book(partner, '2027-02-03', '2027-02-04');
    await cancelExternalBooking(partner, booking.id, 'My knee was operated.');
    await book(testContext(s.deps, other.caller), '2027-02-05', '2027-02-06');
    const hook = await createWebhook(
      partner,
      { url: 'https://127.0.0.1:9/', event_types: ['booking.created'], description: null },
      { local: true },
    );
    const to = at();
    s.clock.advance(minute);
    await book(partner, '2027-02-07', '2027-02-08');

    const found = await history('key', 'history', '--key', String(key.key_id), '--from', from, '--to', to);
    const place = { team_id: home.team_id, id: booking.id, listing_id: home.id };
    expect(found).toMatchObject({
      actor: `key:${key.partner_key_id}`,
      ...{ from, to },
      by_type: { 'booking.created': 1, 'booking.cancelled': 1 },
      keys: [{ key_id: key.key_id, state: 'ACTIVE' }],
      webhooks: [{ webhook_id: hook.id, url: 'https://127.0.0.1:9/', event_types: ['booking.created'] }],
      log_query: null,
    });
    expect(found.changes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ event_type: 'booking.created', ...place }),
        expect.objectContaining({ event_type: 'booking.cancelled', ...place }),
      ]),
    );
    const text = JSON.stringify(found);
    for (const value of [...Object.values(guestInfo), 'knee', 'hash', 'whsec'])
      expect(text).not.toContain(value);
  });

  test('is asked by the key of a rotation too, until now where no end is given', async () => {
    const { key } = await testKey(s.deps, { team_ids: [1] });
    const next = answerOf<{ key_id: number }>(await play(['key', 'rotate', '--key', String(key.key_id)]));
    const found = await history('key', 'history', '--key', String(next.key_id), '--from', at());
    expect(found).toMatchObject({ actor: `key:${key.key_id}`, to: at(), changes: [] });
    expect(found.keys.map(({ key_id }) => key_id).sort()).toEqual([key.key_id, next.key_id].sort());
  });
});

describe('what was done with a leaked account', () => {
  test('is listings, prices, blocks, bookings, keys with their webhooks, and who joined its teams', async () => {
    const home = await s.listing();
    const { owner } = s;
    const userId = owner.caller.user_id;
    const owned = testContext(s.deps, owner.caller as never, { teamHeader: home.team_id });
    const before = await createTeamKey(owned, 'local', keyNamed('before'));
    await blockTime(owner, home.id, { block_date: '2027-03-01' });
    s.clock.advance(hour);
    const from = at();
    await updateListing(owned, home.id, { full_rate: 1 });
    await updateWeeklyPrices(owned, home.id, { base_price_by_weekday: { 1: 2 } });
    await blockTime(owner, home.id, { block_date: '2027-03-05', note: 'Call Lan' });
    const made = await createTeamKey(owned, 'local', keyNamed('mine'));
    await revokeTeamKey(owned, before.key_id);
    const { user: friend } = await testUser(s.deps, {
      memberships: [{ team_id: home.team_id, role: 'STAFF' }],
    });
    await setTeamMember(owned, { email: friend.email, role: 'MANAGER' }, apiAddress);
    await confirmCheckout(s.guest, { items: s.items(home), payment_method: 'CASH' });

    const found = await history('user', 'history', '--user', String(userId), '--from', from);
    expect(found.actor).toBe(`user:${userId}`);
    expect(found.by_type).toEqual({
      ...{ 'listing.updated': 2, 'availability.changed': 1 },
      ...{ 'team.key_created': 1, 'team.member_role_changed': 1 },
    });
    expect(found.changes.flatMap(({ changed = [] }) => changed)).toEqual(
      expect.arrayContaining(['full_rate', 'prices_by_week']),
    );
    expect(found.keys.map(({ key_id, state }) => [key_id, state])).toEqual(
      expect.arrayContaining([
        [made.key_id, 'ACTIVE'],
        [before.key_id, 'REVOKED'],
      ]),
    );
    expect(found.keys).toHaveLength(2);
    expect(found.members_since).toMatchObject([
      { team_id: home.team_id, user_id: friend.user_id, role: 'MANAGER' },
    ]);
    const text = JSON.stringify(found);
    for (const value of [friend.email, friend.full_name, 'Call Lan']) expect(text).not.toContain(value);
  });

  test('names the query of every request, reads included, on a stage', async () => {
    const { user } = await testUser(s.deps);
    s.clock.advance(minute);
    const line = ['user', 'history', '--email', user.email, '--from', '2027-01-15T10:00:00.500+07:00'];
    const { log_query } = answerOf<ActorHistory>(await play(line, 'staging'));
    expect(log_query).toMatchObject({
      log_group: '/nightlatch/staging/access',
      start_time: Date.parse('2027-01-15T03:00:00Z') / 1000,
      end_time: Math.ceil(s.clock.now() / 1000),
    });
    expect(log_query?.query).toContain(`filter caller = "user:${user.user_id}"`);
  });

  test('is refused for an end before the beginning, and for unknown accounts and keys', async () => {
    const { user } = await testUser(s.deps);
    const one = ['user', 'history', '--user', String(user.user_id), '--from', '2027-01-15T00:00:00Z'];
    expect(refusalOf(await play([...one, '--to', '2027-01-14T00:00:00Z'])).message).toContain(
      'before --from',
    );
    for (const who of [
      ['user', 'history', '--email', 'unknown@example.com'],
      ['key', 'history', '--key', '7'],
    ])
      expect(refusalOf(await play([...who, '--from', '2027-01-15T00:00:00Z'])).code).toBe('NOT_FOUND');
  });
});
