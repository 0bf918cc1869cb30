import { policiesExample } from '../../../functions/listings/house-rows.ts';
import { putPolicies, replaceImages } from '../../../shared/domain/listing/index.ts';
import { addPricePart } from '../../../shared/domain/pricing/index.ts';
import type { UserCaller } from '../../../shared/platform/auth.ts';
import type { Context } from '../../../shared/platform/context.ts';
import { type Look, pictureUrls } from '../pictures/index.ts';
import { dateAt } from './days.ts';
import type { SeededListing } from './listings.ts';

/** Gives a listing the pictures of its look. */
export const hangPictures = async (
  ctx: Context<UserCaller>,
  apiUrl: string,
  { id, look, kind }: { id: number; look: Look; kind: 'home' | 'room' },
): Promise<void> => {
  await replaceImages(ctx, id, { images: pictureUrls(apiUrl, look, kind).map((url) => ({ url })) });
};

/** The rules of the documented example; the listing's refund rule stays as it is. */
const rules = { ...policiesExample, refund_rule: undefined };

/** Gives a demo listing pictures, and a home its house rules and the prices of its high season. */
export const furnish = async (
  ctx: Context<UserCaller>,
  { id, look, about }: SeededListing,
  { apiUrl, now }: { apiUrl: string; now: number },
): Promise<void> => {
  await hangPictures(ctx, apiUrl, { id, look, kind: 'look' in about ? 'home' : 'room' });
  if (!('look' in about)) return;
  const { houseRules: other_rules, seasonPrice: price } = about;
  if (other_rules !== undefined) await putPolicies(ctx, id, { ...rules, other_rules });
  if (price !== undefined)
    await addPricePart(ctx, 'rules', id, {
      date_type: 'DATE_RANGE',
      date_from: dateAt(now, 40),
      date_to: dateAt(now, 54),
      day_of_week: null,
      charge_unit: 'PER_NIGHT',
      stay_type: 'OVERNIGHT',
      price,
      priority: 0,
      is_active: true,
    });
};
