import { describe, expect, it } from 'vitest';
import { blockTime, unblockTime } from '../../shared/domain/calendar/block-time.ts';
import { BulkBlocks, BulkPrices } from '../../shared/domain/pricing/bulk.schema.ts';
import { addPricePart, bulkBlocks, bulkPrices, undoBulk } from '../../shared/domain/pricing/index.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { interrupted } from '../support/interrupted.ts';
import { testListing } from '../support/listings.ts';
import { preparationScene } from '../support/preparation-scene.ts';

const range = (date_from: string, date_to: string) => ({ date_from, date_to });
const blocks = (listing_ids: number[], date_ranges: object[], state = 'BLOCKED') =>
  BulkBlocks.parse({ listing_ids, date_ranges, change: { state } });
const prices = (listing_ids: number[], date_ranges: object[]) =>
  BulkPrices.parse({ listing_ids, date_ranges, change: { price: 9 } });

describe('The dates of a bulk change', () => {
  it('are blocked from today where the listing is', async () => {
    const { deps, owner, team_id, room } = await preparationScene();
    const west = await testListing(deps, { team_id, timezone: 'America/Los_Angeles' });
    const { items } = await bulkBlocks(
      owner,
      blocks([room.id, west.id], [range('2027-01-13', '2027-01-15')]),
    );
    expect(items.map(({ ranges }) => ranges[0]?.date_from)).toEqual(['2027-01-15', '2027-01-14']);
    const past = blocks([room.id], [range('2027-01-13', '2027-01-14')]);
    expect(await bulkBlocks(owner, past)).toMatchObject({
      undo_id: null,
      items: [{ ranges: [], error: null }],
    });
  });

  it('are days of the calendar, else nothing is done', async () => {
    const { owner, room } = await preparationScene();
    const far = [range('2027-02-01', '2027-02-02'), range('2199-12-31', '2200-01-01')];
    const issues = [{ path: 'date_ranges[1].date_to', message: 'must be from 2000-01-01 to 2199-12-31' }];
    for (const refused of [
      () => bulkBlocks(owner, blocks([room.id], far)),
      () => bulkPrices(owner, prices([room.id], far)),
    ])
      await expect(refused()).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: { issues } });
  });

  it('that preparation takes hours of are blocked, whatever is lifted', async () => {
    const { owner, room, book } = await preparationScene({ preparation_hours: 24 });
    await book();
    const lift = blocks([room.id], [range('2027-02-05', '2027-02-08')], 'AVAILABLE');
    const { items } = await bulkBlocks(owner, lift);
    const states = items[0]?.ranges.map(({ date_from, before, after }) => `${date_from} ${before} ${after}`);
    expect(states).toEqual([
      '2027-02-05 BOOKED BOOKED',
      '2027-02-07 BLOCKED BLOCKED',
      '2027-02-08 AVAILABLE AVAILABLE',
    ]);
  });

  it('whose block is lifted between the reads of the months and of the blocks are free', async () => {
    const { owner, room } = await preparationScene();
    const { availability_id: id } = await blockTime(owner, room.id, { block_date: '2027-02-05' });
    const ctx = interrupted(owner, () => unblockTime(owner, room.id, id!), { before: 'AvailabilityEntry' });
    const { items } = await bulkBlocks(ctx, blocks([room.id], [range('2027-02-05', '2027-02-05')]));
    expect(items).toMatchObject([{ error: null, ranges: [{ before: 'AVAILABLE', after: 'BLOCKED' }] }]);
  });

  it('whose own rule no priority exceeds are refused for that listing alone', async () => {
    const { owner, room, sibling } = await preparationScene();
    await addPricePart(owner, 'rules', room.id, {
      ...{
        date_type: 'SPECIFIC_DATE',
        date_from: '2027-02-05',
        date_to: null,
        day_of_week: null,
        weekdays: null,
      },
      ...{ charge_unit: 'PER_NIGHT', stay_type: 'OVERNIGHT', price: 7, is_active: true },
      priority: Number.MAX_SAFE_INTEGER,
    });
    const { items } = await bulkPrices(
      owner,
      prices([room.id, sibling.id], [range('2027-02-04', '2027-02-06')]),
    );
    expect(items).toMatchObject([{ ranges: [], error: { code: 'VALIDATION_ERROR' } }, { error: null }]);
  });
});

describe('A house that is blocked together with its rooms', () => {
  it('takes their time first, whatever the order of the request, and its undo frees all of it', async () => {
    const { deps, owner, team_id } = await preparationScene();
    const house = await testListing(deps, { team_id });
    const room = await testListing(deps, { team_id, parent_listing_id: house.id });
    const request = blocks([room.id, house.id], [range('2027-03-05', '2027-03-06')]);
    const dry = await bulkBlocks(owner, { ...request, dry_run: true });
    const { items, undo_id } = await bulkBlocks(owner, request);
    const blocked = { error: null, ranges: [{ before: 'AVAILABLE', after: 'BLOCKED' }] };
    expect(items).toMatchObject([blocked, blocked]);
    expect(dry.items).toEqual(items);
    await undoBulk(owner, { undo_id: undo_id! });
    const again = await bulkBlocks(owner, { ...request, dry_run: true });
    expect(again.items).toMatchObject([
      { ranges: [{ before: 'AVAILABLE' }] },
      { ranges: [{ before: 'AVAILABLE' }] },
    ]);
  });

  it('is lifted together with them: the dry run and the change say of each what it was and is', async () => {
    const { deps, owner, team_id } = await preparationScene();
    const house = await testListing(deps, { team_id });
    const room = await testListing(deps, { team_id, parent_listing_id: house.id });
    await bulkBlocks(owner, blocks([room.id], [range('2027-03-05', '2027-03-05')]));
    await bulkBlocks(owner, blocks([house.id], [range('2027-03-06', '2027-03-09')]));
    const request = blocks([house.id, room.id], [range('2027-03-05', '2027-03-07')], 'AVAILABLE');
    const dry = await bulkBlocks(owner, { ...request, dry_run: true });
    const { items, undo_id } = await bulkBlocks(owner, request);
    expect(dry.items).toEqual(items);
    expect(items[1]?.ranges).toMatchObject([
      { ...range('2027-03-05', '2027-03-07'), before: 'BLOCKED', after: 'AVAILABLE' },
    ]);
    const undone = await undoBulk(owner, { undo_id: undo_id! });
    expect(undone.items).toMatchObject([{ kept: [] }, { kept: [] }]);
    const again = await bulkBlocks(owner, { ...request, dry_run: true });
    expect(again.items).toEqual(items);
  });

  it('of which the house is refused: the answer is that of the room alone', async () => {
    const { deps, owner, team_id, guest } = await preparationScene();
    const house = await testListing(deps, { team_id });
    const room = await testListing(deps, { team_id, parent_listing_id: house.id });
    const other = await testListing(deps, { team_id, parent_listing_id: house.id });
    const item = { listing_id: other.id, guest_number: 1 };
    const night = { check_in_date: '2027-03-05', check_out_date: '2027-03-06' };
    await confirmCheckout(guest, { items: [{ ...item, ...night }], payment_method: 'CASH' });
    const request = blocks([house.id, room.id], [range('2027-03-05', '2027-03-06')]);
    const dry = await bulkBlocks(owner, { ...request, dry_run: true });
    const { items } = await bulkBlocks(owner, request);
    expect(dry.items).toEqual(items);
    expect(items).toMatchObject([
      { error: { code: 'LISTING_NOT_AVAILABLE' } },
      { error: null, ranges: [{ before: 'AVAILABLE', after: 'BLOCKED' }] },
    ]);
  });

  it('leaves a room alone that a later request blocks: its time is taken', async () => {
    const { deps, owner, team_id } = await preparationScene();
    const house = await testListing(deps, { team_id });
    const room = await testListing(deps, { team_id, parent_listing_id: house.id });
    const days = [range('2027-03-05', '2027-03-06')];
    await bulkBlocks(owner, blocks([house.id], days));
    const { items } = await bulkBlocks(owner, blocks([room.id], days));
    expect(items).toMatchObject([{ error: { code: 'LISTING_NOT_AVAILABLE' } }]);
  });
});
