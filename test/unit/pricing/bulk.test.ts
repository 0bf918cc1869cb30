import { expect, it } from 'vitest';
import { eachListing, requireRoomFor } from '../../../shared/domain/pricing/run-bulk.ts';
import type { Context } from '../../../shared/platform/context.ts';
import { type ErrorCode, ServiceError } from '../../../shared/platform/errors.ts';
import { maxWrites, type Write } from '../../../shared/platform/table/index.ts';

const writes = (count: number) => Array.from({ length: count }, () => ({}) as Write);

it('a change of a listing has as many writes as a transaction takes, and no more', () => {
  expect(requireRoomFor(writes(maxWrites))).toHaveLength(maxWrites);
  expect(() => requireRoomFor(writes(maxWrites + 1))).toThrow(ServiceError);
});

it.each([
  ['BOOKING_NOT_FOUND', 'is said of its listing'],
  ['SERVICE_UNAVAILABLE', 'is said of its listing'],
  ['INTERNAL_ERROR', 'is thrown'],
] as const)('%s %s', async (code, what) => {
  const ctx = { clock: { now: () => 0 } } as Context;
  const run = eachListing(ctx, [1], () => Promise.reject(new ServiceError(code as ErrorCode)));
  if (what === 'is thrown') await expect(run).rejects.toMatchObject({ code });
  else expect(await run).toMatchObject([{ listingId: 1, error: { code } }]);
});

it.each([
  [8000, null],
  [8001, 'SERVICE_UNAVAILABLE'],
])('a listing whose turn comes after %i ms is started, or not', async (ms, code) => {
  let now = 0;
  const ctx = { clock: { now: () => now } } as Context;
  const outcomes = await eachListing(ctx, [1, 2], () => Promise.resolve((now += ms)), new Set([2]));
  expect(outcomes.map(({ error }) => error?.code ?? null)).toEqual([null, code]);
});
