import type { Issue } from '../../platform/errors.ts';
import type { CancellationTerms } from './cancellation-terms.schema.ts';
import type { Listing } from './listing.entity.ts';
import { refundNoticeHours, refundRuleIssues } from './refund-rule-text.rules.ts';

/**
 * The terms that a `refund_rule` names which is exactly one of these words (D128). FLEXIBLE is what the text "Flexible" was
 * always read as.
 */
const publishedTerms: ReadonlyMap<string, CancellationTerms> = new Map([
  ['FLEXIBLE', [{ until_hours_before: 0, refund_percent: 100, keep_nights: 0 }]],
  [
    'MODERATE',
    [
      { until_hours_before: 5 * 24, refund_percent: 100, keep_nights: 0 },
      { until_hours_before: 0, refund_percent: 50, keep_nights: 1 },
    ],
  ],
  [
    'STRICT',
    [
      { until_hours_before: 14 * 24, refund_percent: 100, keep_nights: 0 },
      { until_hours_before: 7 * 24, refund_percent: 50, keep_nights: 0 },
    ],
  ],
  ['NON_REFUNDABLE', []],
]);

type WrittenTerms = Pick<Listing, 'cancellation_terms' | 'refund_rule'>;

/** Returns the steps of terms whose full refund ends so many hours before check-in; null: there is none. */
export const fullRefundUntil = (hours: number | null): CancellationTerms =>
  hours === null ? [] : [{ until_hours_before: hours, refund_percent: 100, keep_nights: 0 }];

/** Returns the terms of a booking that is made now: the listing's steps, else what its `refund_rule` names or says. */
export const termsOfListing = ({ cancellation_terms: steps, refund_rule: text }: WrittenTerms) =>
  steps ?? publishedTerms.get(text) ?? fullRefundUntil(refundNoticeHours(text));

/**
 * Returns the issues of the terms of a listing: a text that is to be read must be readable exactly (D87), unless it has been
 * read before.
 */
export const termsIssues = (next: WrittenTerms, before?: WrittenTerms): Issue[] => {
  const isRead = !next.cancellation_terms && !publishedTerms.has(next.refund_rule);
  const wasRead = !before?.cancellation_terms && before?.refund_rule === next.refund_rule;
  return isRead && !wasRead ? refundRuleIssues(next.refund_rule) : [];
};
