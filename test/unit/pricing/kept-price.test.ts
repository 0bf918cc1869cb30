import { describe, expect, it } from 'vitest';
import { soldAt } from '../../../shared/domain/pricing/kept-price.rules.ts';
import { quoteItem } from '../../../shared/domain/pricing/quote-item.rules.ts';
import { card, item, quote } from './cards.ts';

type Changes = Parameters<typeof item>[0];

/** Returns what a stay costs after a change, at other prices than it was sold at. */
const changed = (
  sold: { parts: Parameters<typeof card>[0]; asked: Changes; at?: number },
  now: { parts: Parameters<typeof card>[0]; asked: Changes; at: number },
) => {
  const keepPrice = soldAt(quote(sold.parts, sold.asked, sold.at));
  return quoteItem({ rateCard: card(now.parts), item: item(now.asked), now: now.at, keepPrice });
};

describe('a changed stay of nights', () => {
  const listing = { last_minute_hour: 48, last_minute_discount: 10 };
  /** A day before check-in. */
  const late = Date.parse('2027-02-28T07:00:00Z');

  it.each([
    ['a night more: all of their discount, and the new night none', '2027-03-04', 3_000_000, 200_000],
    ['a night less: their share of it', '2027-03-02', 1_000_000, 100_000],
  ])('keeps of the nights that stay, with %s', (_, check_out_date, base_price, discount) => {
    const stay = { parts: { listing }, asked: {}, at: late };
    expect(changed(stay, { ...stay, asked: { check_out_date } })).toMatchObject({
      ...{ base_price, last_minute_discount: discount },
    });
  });
});

describe('a changed day use of the same date', () => {
  const day = { check_in_date: '2027-03-01', check_out_date: '2027-03-01' };
  const [hourly, later] = [50_000, 80_000].map((price_per_hour) => ({
    listing: {
      ...{ allow_hourly_booking: true, price_per_hour },
    },
  })) as [object, object];
  const threeHours = { ...day, check_in_time: '14:00:00', check_out_time: '17:00:00' };
  const at = Date.parse('2027-02-01T07:00:00Z');
  const soldHours = { parts: hourly, asked: threeHours };

  it.each([
    ['as many hours for what they were sold at', { ...threeHours, guest_number: 1 }, 150_000],
    ['more hours at the price of now', { ...threeHours, check_out_time: '18:00:00' }, 320_000],
    ['the day in place of hours at the price of now', day, 1_000_000],
  ])('has %s', (_, asked, base_price) => {
    expect(changed(soldHours, { parts: later, asked, at }).base_price).toBe(base_price);
  });
});
