import type { Context } from '../../platform/context.ts';
import { today } from '../../platform/time.ts';
import type { Listing } from '../listing/index.ts';
import type { PriceParts } from './price-parts.entity.ts';
import type { PricingRule } from './pricing-rule.schema.ts';

const isOver = ({ date_from, date_to }: PricingRule, day: string): boolean => {
  const last = date_to ?? date_from;
  return last !== null && last < day;
};

/** Whether a pricing rule or combo prices a stay that can still be booked. */
export const hasPartPrice = (
  { clock }: Pick<Context, 'clock'>,
  { timezone }: Pick<Listing, 'timezone'>,
  { rules, combos }: PriceParts,
): boolean => {
  const day = today(clock.now(), timezone);
  return (
    rules.some((rule) => rule.is_active && rule.price > 0 && !isOver(rule, day)) ||
    combos.some((combo) => combo.is_active && combo.discounted_price > 0)
  );
};
