import { describe, expect, it } from 'vitest';
import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import { removeMember } from '../../shared/domain/people/members.ts';
import type { Customer } from '../../shared/domain/people/customer.schema.ts';
import type { TeamMembers } from '../../shared/domain/people/team-member.schema.ts';
import { readUser, readUserByEmail, UserEntity } from '../../shared/domain/people/user.store.ts';
import { change } from '../../shared/platform/table/index.ts';
import { joinTeam, personOf } from '../support/invitations.ts';
import { ok, stay, useOrderScene } from '../support/order-scene.ts';
import { testKey, testTeam, testUser } from '../support/table.ts';

const s = useOrderScene();
const own = { full_name: 'Lý Thị Chủ', phone: '+84 263 382 2222' };
const given = { full_name: 'Pay at this number', phone: '+84 909 999 999' };

/** A partner of two teams, and a person who is its customer and of another team what the role says. */
const scene = async (role?: 'OWNER' | 'STAFF' | 'CUSTOMER') => {
  const teams = [await testTeam(s.deps), await testTeam(s.deps)];
  const team_ids = teams.map(({ team_id }) => team_id);
  const elsewhere = (await testTeam(s.deps)).team_id;
  const { api_key } = await testKey(s.deps, { team_ids });
  const { user, caller } = await testUser(s.deps, {
    ...own,
    memberships: [
      ...team_ids.map((team_id) => ({ team_id, role: 'CUSTOMER' as const })),
      ...(role ? [{ team_id: elsewhere, role }] : []),
    ],
  });
  const path = `/api/v1/external/customers/${user.user_id}`;
  const { user_id, email } = user;
  return {
    ...{ team_ids, elsewhere, user_id, email, token: caller.subject },
    change: async (body: object = given) => ok<Customer>(await s.call('PATCH', path, { key: api_key, body })),
    customer: async () => ok<Customer>(await s.call('GET', path, { key: api_key })),
    listed: async () =>
      ok<{ items: Customer[] }>(await s.call('GET', '/api/v1/external/customers', { key: api_key })).items,
    record: async () => (await readUser(s.deps.table, user_id))!.user,
    /** Who a booking of these teams' listings is for. */
    guestsAt: async (...at: number[]) => {
      const listings = await Promise.all(at.map((team_id) => s.listing({ team_id })));
      const items = listings.map((listing) => stay(listing));
      const { reservations } = ok(
        await s.confirm({ token: caller.subject }, { items, payment_method: 'CASH' }),
        201,
      );
      const booked = await Promise.all(
        reservations.map(async ({ id }) => ok(await s.booking({ token: caller.subject }, id)).guest_info),
      );
      return booked.map(({ full_name, phone }) => ({ full_name, phone }));
    },
  };
};

describe('a customer of a partner who is nothing else', () => {
  it('has the own record changed', async () => {
    const c = await scene();
    expect(await c.change()).toMatchObject(given);
    expect(await c.record()).toMatchObject(given);
    expect(ok(await s.call('GET', '/api/v1/auth/me', c))).toMatchObject(given);
    expect(await c.guestsAt((await testTeam(s.deps)).team_id)).toEqual([given]);
  });

  it('loses what the teams had in place of the own name while there was another team', async () => {
    const c = await scene('STAFF');
    await c.change();
    await removeMember(s.deps, { team_id: c.elsewhere, email: c.email });
    expect(await c.change({ full_name: own.full_name })).toMatchObject({
      ...given,
      ...{ full_name: own.full_name },
    });
    expect(await c.record()).toMatchObject(own);
    const [team_id = 0] = c.team_ids;
    expect(await c.guestsAt(team_id)).toEqual([{ ...given, full_name: own.full_name }]);
  });
});

describe.each(['OWNER', 'STAFF', 'CUSTOMER'] as const)('a customer who is %s of another team', (role) => {
  it('is changed for the teams of the key alone', async () => {
    const c = await scene(role);
    const before = await c.record();
    expect(await c.change()).toMatchObject({ ...given, email: c.email });
    expect(await c.customer()).toMatchObject(given);
    expect(await c.listed()).toMatchObject([given]);
    expect(await c.record()).toEqual(before);
    expect(ok(await s.call('GET', '/api/v1/auth/me', c))).toMatchObject(own);
  });

  it('has that name in bookings of these teams from then on, and the own in those of others', async () => {
    const c = await scene(role);
    const [team_id = 0] = c.team_ids;
    expect(await c.guestsAt(team_id)).toEqual([own]);
    await c.change({ phone: given.phone });
    const theirs = { ...own, phone: given.phone };
    expect(await c.guestsAt(team_id)).toEqual([theirs]);
    expect(await c.guestsAt(c.elsewhere)).toEqual([own]);
    expect(await c.guestsAt(c.elsewhere, team_id)).toEqual([own, theirs]);
  });

  it('has the name that was written last, by the partner or the person', async () => {
    const c = await scene(role);
    await c.change();
    const mine = { full_name: 'Lý Chủ' };
    ok(await s.call('PATCH', '/api/v1/auth/me', { token: c.token, body: mine }));
    expect(await c.customer()).toMatchObject({ ...mine, phone: given.phone });
    await c.change({ full_name: 'Ms Lý' });
    expect(await c.customer()).toMatchObject({ full_name: 'Ms Lý', phone: given.phone });
  });
});

it('a host’s guests and colleagues see the host as before', async () => {
  const c = await scene('OWNER');
  const listing = await s.listing({ team_id: c.elsewhere });
  const { reservations } = ok(
    await s.confirm(s.guest, { items: [stay(listing)], payment_method: 'CASH' }),
    201,
  );
  await c.change();
  expect(ok(await s.booking(s.guest, reservations[0]!.id)).host_info.phone).toBe(own.phone);
  const members = await s.call('GET', '/api/v1/team/members', { token: c.token, team: c.elsewhere });
  expect(ok<TeamMembers>(members).items).toMatchObject([{ full_name: own.full_name }]);
});

it('platform staff is changed for the teams of the key alone', async () => {
  const c = await scene();
  const { user_id } = (await readUserByEmail(s.deps.table, c.email))!.user;
  await s.deps.table.transact([change(UserEntity, { user_id }, { set: { system_role: 'ADMIN' } })]);
  expect(await c.change()).toMatchObject(given);
  expect(await c.record()).toMatchObject(own);
});

it('a customer who becomes a host of a team of the key has the own name again', async () => {
  const c = await scene('STAFF');
  await c.change();
  const [team_id = 0] = c.team_ids;
  const { user } = (await readUserByEmail(s.deps.table, c.email))!;
  await joinTeam(s.deps, personOf(s.deps, user), { team_id, role: 'MANAGER' });
  expect(await c.guestsAt(team_id)).toEqual([own]);
});

it('the records of a booking hold no mark of it', async () => {
  const c = await scene('STAFF');
  await c.change();
  const listing = await s.listing({ team_id: c.team_ids[0]! });
  const { reservations, master_reservation_id } = ok(
    await s.confirm({ token: c.token }, { items: [stay(listing)], payment_method: 'CASH' }),
    201,
  );
  const ids = { order_id: master_reservation_id, reservation_id: reservations[0]!.id };
  expect((await s.deps.table.get(ReservationEntity, ids))?.guest).not.toHaveProperty('is_renamed');
});
