import { beforeAll, describe, expect, it } from 'vitest';
import { routeGroups } from '../../functions/routes.ts';
import { type Api, api } from '../support/api.ts';
import { testUser } from '../support/table.ts';
import { type World, world } from '../support/world.ts';

const forGuests = { azp: 'application-for-guests' };
const withoutFactor = { amr: ['pwd'] };

let service: Api;
let here: World;
beforeAll(async () => {
  service = await api();
  here = await world(service);
}, 60_000);

const hostRows = routeGroups
  .flatMap(({ routes }) => Object.entries(routes))
  .filter(([, { access }]) => access === 'host')
  .map(([id, route]) => ({ id, route }));

describe.each(hostRows)('$id', ({ route }) => {
  const path = () => route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(here.ids[name]));
  const asOwner = () => ({
    ...{ token: here.host.token, team: here.host.team },
    ...(route.body && { body: {} }),
  });

  it('is not for a token that was issued to an application for guests', async () => {
    for (const claims of [forGuests, { azp: 7, client_id: 'application-for-guests' }, { azp: 7 }]) {
      const reply = await service.call(route.method, path(), { ...asOwner(), claims });
      expect(reply, reply.text).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      expect(reply.text).toContain('application for guests');
    }
  });

  it('is not for a token without a second factor', async () => {
    for (const claims of [withoutFactor, { amr: 'mfa' }, { amr: null }]) {
      const reply = await service.call(route.method, path(), { ...asOwner(), claims });
      expect(reply, reply.text).toMatchObject({ status: 403, body: { code: 'MFA_REQUIRED' } });
    }
  });
});

describe('an owner with the token of a guest', () => {
  const booking = () => `/api/v1/bookings/${here.ids['booking_id']}`;
  const listing = () => `/api/v1/listings/${here.ids['listing_id']}`;

  it.each([
    ['of an application for guests', forGuests],
    ['without a second factor', withoutFactor],
  ])('%s sees what a guest sees', async (_, claims) => {
    const ask = (path: string) => service.call('GET', path, { token: here.host.token, claims });
    expect((await ask(listing())).text).not.toContain('hoang-hon-2027');
    expect((await ask(booking())).status).toBe(404);
    expect((await ask('/api/v1/auth/me')).body).toMatchObject({ teams: [] });
  });

  it('changes nothing of the team', async () => {
    const asked = { token: here.host.token, team: here.host.team, claims: forGuests };
    expect((await service.call('POST', `${booking()}/cancel`, asked)).status).toBe(404);
    const changed = await service.call('PATCH', '/api/v1/auth/me', {
      ...asked,
      body: { phone: '+84 901 234 567' },
    });
    expect(changed.body).toMatchObject({ teams: [] });
  });

  it('is a host again with a token of an application for hosts, in either claim', async () => {
    for (const claims of [{}, { azp: null, client_id: 'host-application' }])
      expect((await service.call('GET', booking(), { token: here.host.token, claims })).status).toBe(200);
    const claims = { amr: null, 'https://api.example.com/amr': ['mfa'] };
    expect((await service.call('GET', booking(), { token: here.host.token, claims })).status).toBe(200);
  });

  it('is no ADMIN either', async () => {
    const admin = await testUser(service.deps, { system_role: 'ADMIN' });
    const ask = (claims: Record<string, unknown>) =>
      service.call('GET', booking(), { token: admin.caller.subject, claims });
    expect((await ask({})).status).toBe(200);
    expect((await ask(forGuests)).status).toBe(404);
  });

  it('keeps the memberships as a customer', async () => {
    const reply = await service.call('GET', '/api/v1/auth/me', {
      token: here.guest.token,
      claims: forGuests,
    });
    expect(reply.body).toMatchObject({ teams: [{ role: 'CUSTOMER' }] });
  });
});
