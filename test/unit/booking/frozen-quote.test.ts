import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  freezeQuote,
  quoteDictionary,
  thawQuote,
} from '../../../shared/domain/booking/frozen-quote.rules.ts';
import { quoteExample } from '../../../shared/domain/pricing/quote-example.schema.ts';
import { deflateWith } from '../../../shared/platform/compression.ts';

const quote = { ...quoteExample, listing_name: 'Căn hộ nhìn ra Hồ Tây', listing_id: 402_295_829_401_370 };

describe('a frozen quote', () => {
  it('thaws to what was frozen, and takes a fraction of it', () => {
    const frozen = freezeQuote(quote);
    expect(thawQuote(frozen)).toEqual(quote);
    expect(frozen.length).toBeLessThan(JSON.stringify(quote).length / 4);
  });

  it('from before the dictionary is read too', () => {
    expect(thawQuote(deflateRawSync(JSON.stringify(quote)))).toEqual(quote);
  });

  it('has no fee for an early check-in or a late check-out if it is from before them', () => {
    const { early_check_in_fee: _, late_check_out_fee: __, ...before } = quote;
    const frozen = deflateWith(quoteDictionary, JSON.stringify(before));
    expect(thawQuote(frozen)).toEqual(quote);
    expect(freezeQuote(quote)).toEqual(frozen);
    const early = { ...quote, early_check_in_fee: 150_000 };
    expect(thawQuote(freezeQuote(early))).toEqual(early);
  });

  it('from the day of the dictionary is read for ever: the dictionary is what it was', () => {
    expect(createHash('sha256').update(quoteDictionary).digest('hex')).toBe(
      'b5dc2786c1e6699b3f32f4ddc59543aa3f52e29b2be404edd530547ae1118bc6',
    );
  });
});
