import { describe, expect, it } from 'vitest';
import { termsIssues, termsOfListing } from '../../../shared/domain/listing/cancellation-terms.rules.ts';
import { ListingUpdate } from '../../../shared/domain/listing/listing-input.schema.ts';
import { refundNoticeHours } from '../../../shared/domain/listing/refund-rule-text.rules.ts';

const step = (until_hours_before: number, refund_percent: number, keep_nights = 0) => ({
  until_hours_before,
  refund_percent,
  keep_nights,
});
const unreadable = 'Half back until 3 days before';
const steps = [step(168, 100), step(24, 50, 1)];

describe('the terms that a host writes', () => {
  const issuesOf = (cancellation_terms: unknown) =>
    (ListingUpdate().safeParse({ cancellation_terms }).error?.issues ?? []).map(({ path }) => path.join('.'));
  const at = (place: number, field: string) => `cancellation_terms.${place}.${field}`;

  it.each([
    ['one step', [step(72, 100)]],
    ['five steps', [step(500, 100), step(400, 99.5), step(300, 50, 1), step(200, 25, 1), step(0, 0, 1000)]],
    ['the longest notice', [step(730 * 24, 12.3456)]],
    ['a step without kept nights', [{ until_hours_before: 72, refund_percent: 100 }]],
    ['none', null],
  ])('are taken: %s', (_, given) => {
    expect(issuesOf(given)).toEqual([]);
  });

  it('have kept nights of 0 where none are given', () => {
    const given = { cancellation_terms: [{ until_hours_before: 72, refund_percent: 100 }] };
    expect(ListingUpdate().parse(given)).toEqual({ cancellation_terms: [step(72, 100)] });
  });

  it.each<[string, unknown, string[]]>([
    ['no step', [], ['cancellation_terms']],
    ['six steps', [6, 5, 4, 3, 2, 1].map((at) => step(at, at)), ['cancellation_terms']],
    ['an object', step(72, 100), ['cancellation_terms']],
    ['hours below 0', [step(-1, 100)], [at(0, 'until_hours_before')]],
    ['half an hour', [step(0.5, 100)], [at(0, 'until_hours_before')]],
    ['more hours than bookings are ahead', [step(730 * 24 + 1, 100)], [at(0, 'until_hours_before')]],
    ['a percentage below 0', [step(1, -1)], [at(0, 'refund_percent')]],
    ['a percentage above 100', [step(1, 100.1)], [at(0, 'refund_percent')]],
    ['five decimals', [step(1, 0.12345)], [at(0, 'refund_percent')]],
    ['nights below 0', [step(1, 100, -1)], [at(0, 'keep_nights')]],
    ['half a night', [step(1, 100, 0.5)], [at(0, 'keep_nights')]],
    ['more nights than a stay has', [step(1, 100, 1001)], [at(0, 'keep_nights')]],
    ['another field', [{ ...step(1, 100), fee: 5 }], ['cancellation_terms.0']],
    ['a step without hours', [{ refund_percent: 1 }], [at(0, 'until_hours_before')]],
    ['a step without a percentage', [{ until_hours_before: 1 }], [at(0, 'refund_percent')]],
    ['the same hours', [step(24, 100), step(24, 50)], [at(1, 'until_hours_before')]],
    ['rising hours', [step(24, 100), step(25, 50)], [at(1, 'until_hours_before')]],
    ['the same percentage', [step(24, 50), step(12, 50)], [at(1, 'refund_percent')]],
    ['a rising percentage', [step(24, 50), step(12, 51)], [at(1, 'refund_percent')]],
    ['fewer kept nights', [step(24, 100, 2), step(12, 50, 1)], [at(1, 'keep_nights')]],
    [
      'two faults of the last step',
      [step(24, 100), step(12, 50), step(12, 60)],
      [at(2, 'until_hours_before'), at(2, 'refund_percent')],
    ],
  ])('are refused: %s', (_, given, paths) => {
    expect(issuesOf(given)).toEqual(paths);
  });
});

describe('the terms of a listing', () => {
  it.each([
    ['FLEXIBLE', [step(0, 100)]],
    ['MODERATE', [step(120, 100), step(0, 50, 1)]],
    ['STRICT', [step(336, 100), step(168, 50)]],
    ['NON_REFUNDABLE', []],
  ])('that names %s are the published steps', (refund_rule, terms) => {
    expect(termsOfListing({ refund_rule })).toEqual(terms);
    expect(termsIssues({ refund_rule })).toEqual([]);
  });

  it('that names FLEXIBLE are what the text was always read as', () => {
    expect([refundNoticeHours('FLEXIBLE'), refundNoticeHours('Flexible')]).toEqual([0, 0]);
  });

  it('are its steps, whatever its text says', () => {
    for (const refund_rule of ['STRICT', unreadable])
      expect(termsOfListing({ refund_rule, cancellation_terms: steps })).toEqual(steps);
  });

  it.each([undefined, null])('are read from its text where steps are %s', (none) => {
    const given = none === undefined ? {} : { cancellation_terms: none };
    expect(termsOfListing({ refund_rule: 'Non-refundable', ...given })).toEqual([]);
    expect(termsOfListing({ refund_rule: '7 days', ...given })).toEqual([step(168, 100)]);
    expect(termsOfListing({ refund_rule: 'strict', ...given })).toEqual([step(0, 100)]);
  });

  it('may be any text beside steps, and only a readable one without', () => {
    expect(termsIssues({ refund_rule: unreadable, cancellation_terms: steps })).toEqual([]);
    expect(termsIssues({ refund_rule: unreadable, cancellation_terms: null })).toHaveLength(1);
    expect(termsIssues({ refund_rule: 'Strict' })).toHaveLength(1);
  });

  it('stay an old text, and become a text that was not read before only if it is readable', () => {
    const old = { refund_rule: unreadable };
    expect(termsIssues(old, old)).toEqual([]);
    expect(termsIssues({ ...old, cancellation_terms: null }, old)).toEqual([]);
    expect(termsIssues({ refund_rule: 'Half' }, old)).toHaveLength(1);
    const withSteps = { ...old, cancellation_terms: steps };
    expect(termsIssues({ ...old, cancellation_terms: null }, withSteps)).toHaveLength(1);
    expect(termsIssues({ refund_rule: '7 days', cancellation_terms: null }, withSteps)).toEqual([]);
  });
});
