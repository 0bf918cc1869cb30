import { beforeEach, describe, expect, it } from 'vitest';
import { addToCart } from '../../shared/domain/checkout/cart.ts';
import { CartItemEntity } from '../../shared/domain/checkout/cart.store.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { followCalendar } from '../../shared/domain/ical/follow-calendar.ts';
import { FollowedFeedEntity, feedsOf } from '../../shared/domain/ical/ical.store.ts';
import { removeTeamMember, setTeamMember } from '../../shared/domain/people/team-members.ts';
import { MembershipEntity } from '../../shared/domain/people/user.store.ts';
import { createWebhook } from '../../shared/domain/webhook/webhooks.ts';
import { SubscriberEntity } from '../../shared/domain/webhook/webhook.store.ts';
import { put, type Table } from '../../shared/platform/table/index.ts';
import { nights } from '../support/calendars.ts';
import { hostWorld } from '../support/host-world.ts';
import { importScene, url } from '../support/import-scene.ts';
import { interrupted } from '../support/interrupted.ts';
import { besideFunctions } from '../support/rights/as-function.ts';
import {
  freshId,
  testContext,
  type TestDependencies,
  testDependencies,
  testKey,
  testTeam,
  testUser,
} from '../support/table.ts';

const publicAddress = {
  local: false,
  resolve: async () => [{ address: '93.184.215.14', family: 4 }],
} as never;

let deps: TestDependencies;
beforeEach(async () => {
  deps = await testDependencies();
});
const { host, guest, create, patch, read } = hostWorld(() => deps);

const stay = (listing_id: number) => ({
  items: [{ listing_id, check_in_date: '2027-02-04', check_out_date: '2027-02-07', guest_number: 2 }],
});

describe('a booking whose listing was read before a change of the time zone, its months after it', () => {
  it('has the zone of its listing', async () => {
    const [ctx, visitor] = [await host(), await guest()];
    const { id } = await create(ctx);
    const late = interrupted(visitor, () => patch(ctx, id, { timezone: 'Europe/Paris' }), {
      before: 'CalendarMonth',
    });
    const booked = await confirmCheckout(late, { ...stay(id), payment_method: 'CASH' });
    expect((await read(id)).timezone).toBe('Europe/Paris');
    const found = await (
      await import('../../shared/domain/booking/booking.store.ts')
    ).findBooking(deps.table, booked.reservations[0]!.id);
    expect(found?.reservations[0]?.timezone).toBe('Europe/Paris');
  });
});

describe('limits', () => {
  it('of the webhooks of a team', async () => {
    const { team_id } = await testTeam(deps);
    const contexts = await Promise.all(
      [0, 1].map(async () => testContext(deps, (await testKey(deps, { team_ids: [team_id] })).caller)),
    );
    for (let n = 0; n < 49; n++)
      await deps.table.put(
        put(SubscriberEntity, {
          team_id,
          webhook_id: freshId(),
          key_id: freshId(),
          team_ids: [team_id],
          event_types: ['booking.created'],
        }),
      );
    const hook = {
      url: 'https://partner.example.com/x',
      event_types: ['booking.created'],
      description: null,
    };
    const make = (ctx: (typeof contexts)[number]) => createWebhook(ctx, hook as never, publicAddress);
    const late = interrupted(contexts[0]!, () => make(contexts[1]!));
    await make(late).catch(() => undefined);
    const count = await deps.table.count({ pk: `TEAM#${team_id}#EVENTS`, prefix: 'SUBSCRIBER#' });
    expect(count).toBe(50);
  });

  it('of the stays of a cart', async () => {
    const [ctx, visitor] = [await host(), await guest()];
    const { id } = await create(ctx);
    const add = (by: typeof visitor, day: number) =>
      addToCart(by, {
        listing_id: id,
        check_in: `2027-03-${String(day).padStart(2, '0')}T14:00:00`,
        check_out: `2027-03-${String(day + 1).padStart(2, '0')}T12:00:00`,
        guests: 2,
      });
    const one = await add(visitor, 1);
    const { available: _, ...kept } = one as typeof one & { available: boolean };
    for (let n = 0; n < 48; n++)
      await deps.table.put(
        put(CartItemEntity, {
          ...kept,
          id: freshId(),
          listing_id: freshId(),
          user_id: visitor.caller.user_id,
          kept_until: deps.clock.now() + 86_400_000,
          check_in_date: '2027-03-01',
          check_out_date: '2027-03-02',
        }),
      );
    const late = interrupted(visitor, () => add(visitor, 10));
    await expect(add(late, 20)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('the members of a team', () => {
  const fill = async (team_id: number, count: number) => {
    for (let n = 0; n < count; n++) await testUser(deps, { memberships: [{ team_id, role: 'STAFF' }] });
  };
  const hosts = (table: Table, team_id: number) =>
    table.queryAll(MembershipEntity, { index: 'by_team', pk: `TEAM#${team_id}#MEMBERS`, prefix: 'HOST#' });

  it('are at most 100, also where the index does not have the last one yet', async () => {
    const { team_id } = await testTeam(deps);
    const { caller } = await testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] });
    await fill(team_id, 98);
    const stale = await hosts(deps.table, team_id);
    await setTeamMember(testContext(deps, caller), { email: 'one@example.com', role: 'STAFF' });
    const table = new Proxy(deps.table, {
      get: (target, name) => {
        if (name === 'queryAll')
          return (kind: { name: string }, range: never) =>
            kind.name === 'Membership' ? Promise.resolve(stale) : target.queryAll(kind as never, range);
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    await setTeamMember(testContext({ ...deps, table }, caller), {
      email: 'other@example.com',
      role: 'STAFF',
    }).catch(() => undefined);
    expect(await hosts(deps.table, team_id)).toHaveLength(100);
  });

  it('are at most 100, also where one gets another role as they are taken out and another comes', async () => {
    const { team_id } = await testTeam(deps);
    const [owner, staff] = [
      await testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] }),
      await testUser(deps, { memberships: [{ team_id, role: 'STAFF' }] }),
    ];
    await fill(team_id, 98);
    const ctx = testContext(deps, owner.caller);
    const late = interrupted(ctx, async () => {
      await removeTeamMember(ctx, staff.caller.user_id);
      await setTeamMember(ctx, { email: 'new@example.com', role: 'STAFF' });
    });
    await setTeamMember(late, { email: staff.caller.email, role: 'MANAGER' }).catch(() => undefined);
    expect(await hosts(deps.table, team_id)).toHaveLength(100);
  });
});

describe('a calendar that is followed', () => {
  it('is one of at most 20', async () => {
    const s = await importScene();
    s.publish(nights('a', '2027-02-01', '2027-02-02'));
    for (let n = 0; n < 19; n++) await s.follow(`https://calendars.example.com/${n}.ics`);
    const late = interrupted(
      s.asOwner,
      () => s.follow('https://calendars.example.com/20.ics'),
      (writes) => writes.some(({ entity }) => entity === FollowedFeedEntity.name),
    );
    await followCalendar(
      late,
      s.listing.id,
      { url: 'https://calendars.example.com/21.ics' },
      { fetchCalendar: s.fetchCalendar, apiUrl: '' },
    ).catch(() => undefined);
    expect(await feedsOf(s.deps.table, s.listing.id)).toHaveLength(20);
  }, 30_000);

  it('is not set back to what a slow fetch has brought from before a synchronisation', async () => {
    const s = await importScene();
    const before = s.remote.text;
    // Many nights vanish at once: a quarantine, which the host ends by adding the calendar again.
    s.publish(
      ...['01', '03', '05', '07', '09'].map((day) =>
        nights(
          day,
          `2027-03-${day}`,
          `2027-03-${day}`.replace(/\d$/, (d) => String(Number(d) + 1)).replace('-010', '-10'),
        ),
      ),
    );
    await s.follow();
    s.publish();
    expect(await s.next()).toMatchObject({ status: 'QUARANTINED' });
    // The text is of this moment; while it is on its way the platform sells a night, and a synchronisation brings it.
    s.deps.clock.advance(600_000);
    let isFirst = true;
    const fetchCalendar: typeof s.fetchCalendar = async (address, headers) => {
      if (!isFirst) return s.fetchCalendar(address, headers);
      isFirst = false;
      const old = await s.fetchCalendar(address, headers);
      s.publish(nights('sold', '2027-02-01', '2027-02-02'));
      await besideFunctions(s.sync);
      expect((await s.blocks()).filter((text) => text.startsWith('2027-02'))).toHaveLength(1);
      return old;
    };
    expect(before).toContain('VCALENDAR');
    await followCalendar(s.asOwner, s.listing.id, { url }, { fetchCalendar, apiUrl: '' });
    expect((await s.blocks()).filter((text) => text.startsWith('2027-02'))).toHaveLength(1);
  });
});
