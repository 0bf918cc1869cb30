import * as z from 'zod';
import { Percent } from '../../platform/schema/schema.ts';
import type { CancellationTerms } from './cancellation-terms.schema.ts';

/** Stays begin at most 730 days ahead. */
const maxHours = 730 * 24;

const step = z
  .strictObject({
    until_hours_before: z.int().min(0).max(maxHours),
    refund_percent: Percent.refine(
      (value) => Number(value.toFixed(4)) === value,
      'must have at most 4 decimals',
    ),
    keep_nights: z.int().min(0).max(1000).default(0).meta({
      description: 'Not refunded; `refund_percent` is of the price without these first nights.',
    }),
  })
  .meta({ id: 'CancellationTermInput' });

/** Each step ends later and refunds less than the one before. */
const requireFalling = ({ value: steps, issues }: z.core.ParsePayload<CancellationTerms>): void => {
  const refuse = (at: number, field: keyof CancellationTerms[number], message: string) =>
    issues.push({ code: 'custom', path: [at, field], message, input: steps[at] });
  steps.forEach((now, at) => {
    const before = steps[at - 1];
    if (before === undefined) return;
    if (now.until_hours_before >= before.until_hours_before)
      refuse(at, 'until_hours_before', 'must be less than in the step before');
    if (now.refund_percent >= before.refund_percent)
      refuse(at, 'refund_percent', 'must be less than in the step before');
    if (now.keep_nights < before.keep_nights)
      refuse(at, 'keep_nights', 'must not be less than in the step before');
  });
};

/** The terms of a listing as its host writes them. */
export const CancellationTermsInput = z.array(step).min(1).max(5).check(requireFalling);
