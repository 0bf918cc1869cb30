import { invalid } from '../../platform/errors.ts';
import { fitsMinorUnit, isPayable, money } from '../../platform/money.ts';
import { earningOf, type ItemQuote } from '../pricing/model.ts';

/** Throws VALIDATION_ERROR for a price of a platform that is no amount of its currency. */
export const requirePlatformPrice = (total: number, currency: string): void => {
  const path = 'total_price';
  if (!fitsMinorUnit(total, currency)) throw invalid({ path, message: `has more decimals than ${currency}` });
  if (!isPayable(money(total), currency))
    throw invalid({ path, message: 'is too large to be represented exactly' });
};

/** Returns the fields of a price that a platform has made, as one line: its parts are not known (D120). */
export const platformPrice = (
  label: string,
  total: number,
  { nights, commission_rate, currency }: Pick<ItemQuote, 'nights' | 'commission_rate' | 'currency'>,
) => ({
  ...{ base_price: total, combo_price: null, hourly_price: null, daily_price: nights > 0 ? null : total },
  ...{ night_short_discount: 0, last_minute_discount: 0, monthly_discount: 0, total_discount: 0 },
  ...{ extra_guest_fee: 0, extra_adult_fee: 0, extra_child_fee: 0, cleaning_fee: 0 },
  ...{ early_check_in_fee: 0, late_check_out_fee: 0, extra_services_total: 0, extra_services: [] },
  ...{ earning: earningOf(money(total), commission_rate ?? 0, currency), total },
  lines: [
    {
      kind: 'package' as const,
      label: `Price of ${label}`,
      quantity: 1,
      unit_price: total,
      amount: total,
      source: 'platform',
    },
  ],
});
