import type { Context } from '../../platform/context.ts';
import { newId } from '../../platform/ids.ts';
import { money, toNumber } from '../../platform/money.ts';
import { heldTimes } from '../booking/model.ts';
import { CalendarDraft } from '../calendar/model.ts';
import {
  adjusted,
  adjustmentsOf,
  adjustmentsTotal,
  type ItemQuote,
  maxAdjustments,
  type StayAdjustment,
  type StayRequest,
} from '../pricing/model.ts';
import type { FoundStay } from './find-changeable.ts';
import { platformPrice } from './platform-price.rules.ts';
import type { PlannedChange } from './planned-change.ts';

/** Returns adjustments with their ids, which those of the stay, or of its change that waits, have already. */
export const withIds = (
  { clock }: Pick<Context, 'clock'>,
  { item, pending }: Pick<FoundStay, 'item' | 'pending'>,
  adjustments: Parameters<typeof adjustmentsOf>[0],
): StayAdjustment[] => {
  const { request } = pending?.items[0] ?? item;
  return adjustmentsOf(adjustments, request.adjustments ?? [], () => newId(clock));
};

/** Returns a request with its price, which is that of before by an adjustment, whatever the stay would cost (D121). */
export const atKeptPrice = (
  { clock }: Pick<Context, 'clock'>,
  { adjustments = [], ...changed }: StayRequest,
  priced: (request: StayRequest) => ItemQuote,
  sold: ItemQuote,
): Pick<PlannedChange, 'request' | 'quote'> => {
  const kept = adjustments.filter(({ reason }) => reason !== 'RELOCATION');
  // One adjustment takes the place of those that leave it none.
  const others = kept.length < maxAdjustments ? kept : [];
  const quote = priced(changed);
  const amount = toNumber(money(sold.total).minus(quote.total).minus(adjustmentsTotal(quote, others)));
  const balancing = { id: newId(clock), label: 'Price kept', amount, reason: 'RELOCATION' as const };
  const request = { ...changed, adjustments: amount === 0 ? others : [...others, balancing] };
  return { request, quote: adjusted(quote, request.adjustments) };
};

/** Returns a change of the price alone: the stay is neither priced nor taken anew (D121). */
export const planAdjustment = (
  ctx: Context,
  stay: FoundStay,
  adjustments: StayAdjustment[],
): Promise<PlannedChange> =>
  planPrice(ctx, stay, {
    request: { ...stay.item.request, adjustments },
    quote: adjusted(stay.sold, adjustments),
  });

/** Returns the change to another price of the platform that has sold the stay (D120). */
export const planPlatformPrice = (ctx: Context, stay: FoundStay, total: number): Promise<PlannedChange> => {
  const { before, item, sold } = stay;
  const { adjustments: _, ...request } = item.request;
  const price = platformPrice(before.external_system ?? 'the platform', total, sold);
  return planPrice(ctx, stay, { request, quote: { ...sold, ...price } });
};

const planPrice = async (
  { table, clock }: Context,
  stay: FoundStay,
  { request, quote }: Pick<PlannedChange, 'request' | 'quote'>,
): Promise<PlannedChange> => {
  const { before, sold, pending } = stay;
  const held = pending ? heldTimes(pending) : [];
  const draft = new CalendarDraft(clock.now());
  await draft.complete(table, [...held]);
  for (const hold of held) draft.releaseHold(hold);
  return {
    ...stay,
    home: { id: before.listing_id, name: before.listing_name, timezone: before.timezone },
    ...{ request, quote },
    time: before,
    difference: toNumber(money(quote.total).minus(sold.total)),
    draft,
  };
};
