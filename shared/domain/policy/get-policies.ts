import type { Context } from '../../platform/context.ts';
import { requireReadable } from '../listing/index.ts';
import type { Policies } from './policies.schema.ts';
import { policiesOf, readHouseRules } from './policies.store.ts';

/** The policies of a listing; every listing has them, with nothing allowed until its host says so. */
export const getPolicies = async (
  ctx: Context,
  listingId: number,
): Promise<Policies> => {
  const { listing, rules } = await readHouseRules(ctx, listingId);
  return policiesOf(await requireReadable(ctx, listing), rules);
};
