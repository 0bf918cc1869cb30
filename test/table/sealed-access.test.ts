import { beforeAll, describe, expect, it } from 'vitest';
import { listings } from '../../functions/listings/index.ts';
import { listingsRoutes } from '../../functions/listings/routes.ts';
import { ListingChangeEntity } from '../../shared/domain/listing/listing-change.entity.ts';
import { type Listing, ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import { replaceImages } from '../../shared/domain/listing/replace-images.ts';
import { updateWeeklyPrices } from '../../shared/domain/listing/weekly-prices.ts';
import { createSealing, type Sealing } from '../../shared/platform/data-key/sealing.ts';
import { IdempotencyEntity, type IdempotencyRecord } from '../../shared/platform/http/idempotency.entity.ts';
import { put } from '../../shared/platform/table/index.ts';
import { eventsOf } from '../support/events.ts';
import { groupCalls } from '../support/group-calls.ts';
import { hostWorld } from '../support/host-world.ts';
import { testListing } from '../support/listings.ts';
import { testKeeper, testSealing } from '../support/sealing.ts';
import { freshId, type TestDependencies, testDependencies } from '../support/table.ts';

let deps: TestDependencies;
beforeAll(async () => {
  deps = await testDependencies();
});
const { host, guest, create, detail, patch, read } = hostWorld(() => deps);

const codes = { wifi_password: 'rung-thong', door_code: { gate: '4711#' } };
const none = { wifi_password: null, door_code: null };
const bytesOf = ({ sealed_access }: Listing): string => Buffer.from(sealed_access ?? []).toString('latin1');

describe('Wi-Fi password and door code', () => {
  it('are encrypted in the record, and read by hosts alone', async () => {
    const ctx = await host();
    const { id } = await create(ctx, codes);
    expect(await read(id)).toMatchObject(none);
    expect([...((await read(id)).sealed_access ?? [])].slice(0, 2)).toEqual([1, 1]);
    expect(bytesOf(await read(id))).not.toMatch(/rung-thong|4711/);
    expect(await detail(ctx, id)).toMatchObject(codes);
    expect(await detail(await guest(), id)).toMatchObject(none);
    expect(JSON.stringify(await detail(ctx, id))).not.toContain('sealed');
  });

  it('are shown by every answer to a host that has the whole listing', async () => {
    const ctx = await host();
    const { id } = await create(ctx, codes);
    const images = { images: [{ url: 'https://example.com/a.jpg' }] };
    expect(await replaceImages(ctx, id, images)).toMatchObject(codes);
    expect(await updateWeeklyPrices(ctx, id, { base_price_by_weekday: { 5: 9000 } })).toMatchObject(codes);
    expect(await patch(ctx, id, { name: 'Nhà trên đồi' })).toMatchObject(codes);
    expect(await patch(ctx, id, { name: 'Nhà trên đồi' })).toMatchObject(codes);
  });

  it('stay as they are encrypted while they do not change, and one can change alone', async () => {
    const ctx = await host();
    const { id } = await create(ctx, codes);
    const before = bytesOf(await read(id));
    await patch(ctx, id, { name: 'Nhà trên đồi', ...codes });
    expect(bytesOf(await read(id))).toBe(before);
    const changed = await patch(ctx, id, { door_code: { gate: '2580' } });
    expect(changed).toMatchObject({ wifi_password: 'rung-thong', door_code: { gate: '2580' } });
    expect(bytesOf(await read(id))).not.toBe(before);
    expect(await patch(ctx, id, none)).toMatchObject(none);
    expect(await read(id)).not.toHaveProperty('sealed_access');
    const events = await eventsOf(deps.table, `LISTING#${id}`);
    expect(events.map(({ data }) => (data as { changed?: string[] }).changed)).toEqual([
      undefined,
      ['name'],
      ['door_code'],
      ['door_code', 'wifi_password'],
    ]);
    const log = await deps.table.queryAll(ListingChangeEntity, {
      pk: ListingChangeEntity.partition({ listing_id: id }),
    });
    expect(log.flatMap(({ changes }) => changes.map(({ field }) => field))).toEqual(
      events.flatMap(({ data }) => (data as { changed?: string[] }).changed ?? []),
    );
  });

  it('that a version before has written are read, and encrypted by the next change of the listing', async () => {
    const ctx = await host();
    const { team_id } = ctx.caller.memberships[0]!;
    const { id } = await testListing(deps, { team_id, ...codes });
    expect(await detail(ctx, id)).toMatchObject(codes);
    await patch(ctx, id, { name: 'Nhà trên đồi' });
    expect(await read(id)).toMatchObject(none);
    expect(await detail(ctx, id)).toMatchObject(codes);
    // A function of that version writes again, while both run.
    await deps.table.transact([put(ListingEntity, { ...(await read(id)), wifi_password: 'moi' })]);
    expect(await detail(ctx, id)).toMatchObject({ ...codes, wifi_password: 'moi' });
    await patch(ctx, id, { name: 'Nhà dưới đồi' });
    expect(await read(id)).toMatchObject(none);
    expect(await detail(ctx, id)).toMatchObject({ ...codes, wifi_password: 'moi' });
  });

  it('of another listing are not shown, wherever they are written', async () => {
    const ctx = await host();
    const [one, other] = [await create(ctx, codes), await create(ctx)];
    const { sealed_access = new Uint8Array() } = await read(one.id);
    await deps.table.transact([put(ListingEntity, { ...(await read(other.id)), sealed_access })]);
    expect(await detail(ctx, other.id)).toMatchObject(none);
  });

  it('are null for hosts when the key was lost, and can be written again', async () => {
    const ctx = await host();
    const { id } = await create(ctx, codes);
    const other = createSealing([(text) => testKeeper(`${text} of another key`)], 'test');
    const lost = { ...ctx, sealing: () => other };
    expect(await detail(lost, id)).toMatchObject(none);
    await patch(lost, id, { name: 'Nhà trên đồi' });
    expect(await detail(ctx, id)).toMatchObject(codes);
    expect(await patch(lost, id, { wifi_password: 'moi' })).toMatchObject({ wifi_password: 'moi' });
    expect(await detail(lost, id)).toMatchObject({ wifi_password: 'moi', door_code: null });
  });

  it('are not asked of the key for a listing without them', async () => {
    const ctx = await host();
    const without = { ...ctx, sealing: () => expect.unreachable() };
    const { id } = await create(without);
    expect(await detail(without, id)).toMatchObject(none);
    await patch(without, id, { name: 'Nhà trên đồi' });
  });
});

describe('the stored answer of a request with a door code', () => {
  const villa = {
    name: 'Biệt thự Đà Lạt',
    listing_type: 'ENTIRE_PLACE',
    property_type: 'villa',
    address: '12 Trần Hưng Đạo',
    province_code: 'LD',
    capacity: 4,
    full_rate: 1_000_000,
  };
  /** A host who sends requests under one key, and the texts whose fingerprints were asked for. */
  const scene = async () => {
    const { caller } = await host();
    const key = `key-${freshId()}`;
    const hashed: string[] = [];
    const sealing = testSealing();
    const noting: Sealing = {
      ...sealing,
      fingerprints: (text) => {
        hashed.push(text);
        return sealing.fingerprints(text);
      },
    };
    const api = groupCalls(
      listings(() => ({ ...deps, sealing: () => noting })),
      listingsRoutes,
    );
    const post = (given: object) =>
      api.call(caller, 'createListing', {
        body: { ...villa, ...given },
        headers: { 'Idempotency-Key': key },
      });
    const record = async (): Promise<IdempotencyRecord> => {
      const found = await deps.table.get(IdempotencyEntity, { scope: `user:${caller.user_id}#${key}` });
      return found ?? expect.unreachable();
    };
    return { post, record, hashed };
  };

  it('is encrypted, and repeated byte for byte', async () => {
    const { post, record } = await scene();
    const first = await post(codes);
    expect(JSON.parse(first.text)).toMatchObject(codes);
    expect(await record()).toMatchObject({ body: '', sealed: expect.any(Uint8Array) as Uint8Array });
    expect(await record()).not.toHaveProperty('packed');
    const again = await post(codes);
    expect([again.status, again.text, again.headers['Idempotent-Replayed']]).toEqual([
      201,
      first.text,
      'true',
    ]);
  });

  it('has a keyed fingerprint, from which the code cannot be guessed; another code is another request', async () => {
    const { post, record, hashed } = await scene();
    await post(codes);
    const { fingerprint } = await record();
    expect(hashed).not.toContain(fingerprint);
    expect([fingerprint]).toEqual(await testSealing().fingerprints(hashed[0]!));
    expect((await post({ ...codes, door_code: { gate: '4712#' } })).status).toBe(422);
  });

  it('without one is stored as others are', async () => {
    const { post, record, hashed } = await scene();
    await post(none);
    expect(hashed).toEqual([]);
    expect(await record()).not.toHaveProperty('sealed');
  });

  it('that a version before has stored is repeated, by its fingerprint without a key', async () => {
    const { post, record, hashed } = await scene();
    const first = await post(codes);
    const { sealed: _, ...kept } = await record();
    const old = { ...kept, fingerprint: hashed[0]!, body: first.text };
    await deps.table.transact([put(IdempotencyEntity, old)]);
    expect((await post(codes)).text).toBe(first.text);
    expect((await post({ ...codes, door_code: { gate: '4712#' } })).status).toBe(422);
  });

  it('that cannot be decrypted, because the key was lost, is an error and creates nothing again', async () => {
    const { post, record } = await scene();
    await post(codes);
    const { sealed = new Uint8Array(), ...kept } = await record();
    await deps.table.transact([
      put(IdempotencyEntity, { ...kept, sealed: sealed.map((byte) => byte ^ 128) }),
    ]);
    expect((await post(codes)).status).toBe(500);
  });
});
