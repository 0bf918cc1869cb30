import { beforeAll, describe, expect, it } from 'vitest';
import { type Listing, ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import { openListingsOwner } from '../../shared/domain/listing/listing-list.store.ts';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import { indexListings } from '../../shared/domain/search/index-listing.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { api, type Api, type Asked } from '../support/api.ts';
import { testListing } from '../support/listings.ts';
import { testContext, testKey, testTeam, testUser } from '../support/table.ts';

let s: Api;
let unlisted: Listing;
let listed: Listing;
let guest: Asked;
let host: Awaited<ReturnType<typeof testUser>>['caller'];
let ownKey: Asked;
let otherKey: Asked;
const province_code = 'XX';

beforeAll(async () => {
  s = await api();
  const { team_id } = await testTeam(s.deps);
  unlisted = await testListing(s.deps, { team_id, province_code, unlisted: true });
  listed = await testListing(s.deps, { team_id, province_code });
  await indexListings(s.deps, [unlisted.id, listed.id]);
  guest = { token: (await testUser(s.deps)).caller.subject };
  host = (await testUser(s.deps, { memberships: [{ team_id, role: 'OWNER' }] })).caller;
  ownKey = { key: (await testKey(s.deps, { team_ids: [team_id] })).api_key };
  otherKey = { key: (await testKey(s.deps, { team_ids: [(await testTeam(s.deps)).team_id] })).api_key };
});

const date = (days: number) => addDays(new Date(s.deps.clock.now()).toISOString().slice(0, 10), days);
const stay = (days: number) => ({
  ...{ listing_id: unlisted.id, check_in_date: date(days), check_out_date: date(days + 1), guest_number: 2 },
});
const idsIn = ({ items }: { items: { id: number }[] }) => items.map(({ id }) => id);

describe('an unlisted listing', () => {
  it('is in no search', async () => {
    for (const [path, who] of [
      ['/api/v1/search', guest],
      ['/api/v1/external/search', ownKey],
    ] as const) {
      const { status, text } = await s.call('GET', path, { ...who, query: { location: province_code } });
      expect(status).toBe(200);
      expect(text).toContain(String(listed.id));
      expect(text).not.toContain(String(unlisted.id));
    }
  });

  it('is in no list of guests, but in that of its key', async () => {
    const open = await s.deps.table.query(ListingEntity, { index: 'by_audience', pk: openListingsOwner.pk });
    expect(idsIn(open)).toContain(listed.id);
    expect(idsIn(open)).not.toContain(unlisted.id);
    const ofKey = await s.call('GET', '/api/v1/external/listings', ownKey);
    expect(idsIn(ofKey.body as typeof open).sort()).toEqual([listed.id, unlisted.id].sort());
  });

  it('is not there for guests and other keys who know its id', async () => {
    const items = [stay(40)];
    const confirm = { items, currency: 'VND', payment_method: 'CASH' };
    const refused = await Promise.all([
      s.call('GET', `/api/v1/listings/${unlisted.id}`, guest),
      s.call('POST', '/api/v1/checkout/preview', { ...guest, body: { items } }),
      s.call('POST', '/api/v1/checkout', { ...guest, body: { items } }),
      s.call('POST', '/api/v1/checkout/confirm', { ...guest, body: confirm }),
      s.call('GET', `/api/v1/external/listings/${unlisted.id}`, otherKey),
      s.call('POST', '/api/v1/external/quotes', { ...otherKey, body: { items } }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
  });

  it('is quoted and booked by a key of its team, and seen by its hosts', async () => {
    const items = [stay(41)];
    const quote = await s.call('POST', '/api/v1/external/quotes', { ...ownKey, body: { items } });
    expect(quote.status).toBe(201);
    const seen = await s.call('GET', `/api/v1/listings/${unlisted.id}`, { token: host.subject });
    expect(seen.status).toBe(200);
    expect(seen.body).not.toHaveProperty('unlisted');
  });

  it('stays so when its hosts change it', async () => {
    await updateListing(testContext(s.deps, host), unlisted.id, { name: 'Renamed' });
    expect(await s.deps.table.get(ListingEntity, unlisted)).toMatchObject({
      name: 'Renamed',
      unlisted: true,
    });
  });
});
