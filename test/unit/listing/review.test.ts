import { describe, expect, it } from 'vitest';
import type { Listing } from '../../../shared/domain/listing/listing.entity.ts';
import { givenName, withRating } from '../../../shared/domain/listing/reviews.ts';

describe('the name that a review shows', () => {
  it.each([
    ['Nguyễn Văn An', 'vi', 'An'],
    ['  Trần Thị  Bình ', 'vi-VN', 'Bình'],
    ['Mary Jane Smith', 'en', 'Mary'],
    ["D'Arcy O’Neil", 'en-GB', "D'Arcy"],
    ['Jean-Luc Picard', 'en', 'Jean-Luc'],
    ['An', 'vi', 'An'],
    ['guest@example.com', 'vi', null],
    ['An guest@example.com', 'vi', null],
    ['+84901234567', 'en', null],
    ['Khách 0901', 'vi', null],
    ['', 'vi', null],
  ])('of %j in %s is %j', (fullName, language, shown) => {
    expect(givenName(fullName, language)).toBe(shown);
  });
});

describe('the average of a listing', () => {
  const after = (ratings: number[], given: Partial<Listing> = {}) =>
    ratings.reduce<Listing>(withRating, { rating_average: null, review_count: 0, ...given } as Listing);

  it('is that of all ratings to two decimals, not of averages that were rounded', () => {
    expect(after([5, 4, 4])).toMatchObject({ rating_average: 4.33, review_count: 3, rating_sum: 13 });
    const many = Array.from({ length: 1000 }, (_, at) => (at % 3) + 1);
    const sum = many.reduce((one, other) => one + other, 0);
    expect(after(many)).toMatchObject({
      rating_average: Math.round(sum / 10) / 100,
      review_count: 1000,
      rating_sum: sum,
    });
  });

  it('continues from figures that were there before reviews were', () => {
    expect(after([1], { rating_average: 4.5, review_count: 2 })).toMatchObject({
      rating_average: 3.33,
      review_count: 3,
    });
  });
});
