import { expect, it } from 'vitest';
import { AvailabilityEntryEntity } from '../../../shared/domain/calendar/calendar.store.ts';
import { put } from '../../../shared/platform/table/index.ts';
import { testDependencies } from '../../support/table.ts';
import { homes, plainListing } from '../schedule/scene.ts';
import { takenNights } from './world.ts';

it('a soft lock takes its nights until it has expired, whether TTL has deleted it or not', async () => {
  const { table } = await testDependencies();
  const listing = plainListing(homes.lone, 2, 'lone');
  const lock = {
    ...{ calendar_id: listing.id, availability_id: 5, listing_id: listing.id, state: 'SOFT_LOCK' as const },
    ...{ reservation_id: null, order_id: 4, note: null, created_at: '2027-01-15T03:00:00.000Z' },
    ...{ start_at: '2027-02-04T14:00:00', end_at: '2027-02-05T12:00:00', locked_until: 1000 },
  };
  await table.transact([put(AvailabilityEntryEntity, lock)]);
  const day = Date.parse('2027-02-04') / 86_400_000;
  const takenAt = (now: number) =>
    takenNights({ table, clock: { now: () => now } }, listing, { from: day, to: day + 2 });
  expect(await takenAt(999)).toEqual(new Set([day]));
  expect(await takenAt(1000)).toEqual(new Set());
});
