import * as z from 'zod';
import { SignedMoney } from '../../platform/schema/schema.ts';
import type { CheckoutItem } from './quote.schema.ts';

const AdjustmentReason = z
  .enum(['DISCOUNT', 'GOODWILL', 'RELOCATION', 'SURCHARGE'])
  .meta({ id: 'AdjustmentReason' });
type AdjustmentReason = z.infer<typeof AdjustmentReason>;

const lowers: readonly AdjustmentReason[] = ['DISCOUNT', 'GOODWILL'];

/** The fields of an adjustment, to be spread into a body. */
export const adjustmentFields = {
  label: z.string().trim().min(1).max(60).meta({
    description: 'As the guest reads it in the lines of the price: no names.',
    example: 'Regular guest',
  }),
  amount: SignedMoney.optional().meta({
    description: 'Either this or `percent`. Negative: the price falls.',
  }),
  percent: z
    .number()
    .min(-100)
    .max(1000)
    .optional()
    .meta({ description: 'Of the price before adjustments, rounded half up.', examples: [-10] }),
  reason: AdjustmentReason.meta({
    description: 'DISCOUNT and GOODWILL lower the price, SURCHARGE raises it, RELOCATION does either.',
  }),
};

type Fields = z.infer<z.ZodObject<typeof adjustmentFields>>;

/** Reports an adjustment that says both amount and percent or neither, or of which the reason has the other sign. */
export const checkAdjustment = ({ value, issues }: z.core.ParsePayload<Fields>): void => {
  const { amount, percent, reason } = value;
  const by = amount ?? percent;
  const path = amount === undefined ? 'percent' : 'amount';
  const refuse = (message: string): number =>
    issues.push({ code: 'custom', path: [path], message, input: value });
  if ((amount === undefined) === (percent === undefined)) refuse('send one of amount and percent');
  else if (by === 0) refuse('must not be 0');
  else if (lowers.includes(reason) && Number(by) > 0) refuse(`must be below 0 for ${reason}`);
  else if (reason === 'SURCHARGE' && Number(by) < 0) refuse('must be above 0 for SURCHARGE');
};

/** What a host adds to the price of a stay, or takes off it (D121). */
export const Adjustment = z.strictObject(adjustmentFields).check(checkAdjustment).meta({ id: 'Adjustment' });
export type Adjustment = z.infer<typeof Adjustment>;

/** The most adjustments of a stay. */
export const maxAdjustments = 10;

/** All adjustments of a stay, in their order. */
export const Adjustments = z.array(Adjustment).max(maxAdjustments);

/** What a stay is priced for: what was asked, with the host's adjustments. */
export type StayRequest = CheckoutItem & { adjustments?: Adjustment[] | undefined };
