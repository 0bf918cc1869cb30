import fc from 'fast-check';
import type { CancellationTerms } from '../../shared/domain/listing/model.ts';

const several = <T>(one: fc.Arbitrary<T>, length: number) =>
  fc.uniqueArray(one, { minLength: length, maxLength: length });
const descending = (numbers: readonly number[]) => numbers.toSorted((one, other) => other - one);

/** Terms as a listing may have them: one to five steps of falling hours and percents, with kept nights that never fall. */
export const randomTerms: fc.Arbitrary<CancellationTerms> = fc.integer({ min: 1, max: 5 }).chain((length) =>
  fc
    .tuple(
      several(fc.integer({ min: 0, max: 480 }), length),
      several(fc.oneof(fc.constantFrom(0, 5000, 10_000), fc.integer({ min: 0, max: 10_000 })), length),
      fc.array(fc.nat(4), { minLength: length, maxLength: length }),
    )
    .map(([hours, hundredths, kept]) => {
      const percents = descending(hundredths);
      const nights = descending(kept).toReversed();
      return descending(hours).map((until_hours_before, at) => ({
        until_hours_before,
        refund_percent: percents[at]! / 100,
        keep_nights: nights[at]!,
      }));
    }),
);
