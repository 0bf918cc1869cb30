import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  holdsPhrase,
  phrasesOf,
  placeText,
  signOfPhrase,
  signsOfText,
  wordsOf,
} from '../../../shared/domain/search/place-text.ts';

const holds = (text: string, wanted: string): boolean =>
  phrasesOf(wanted).every((phrase) => holdsPhrase(placeText(wordsOf(text)), phrase));

describe('a text of a place', () => {
  it.each([
    ['25 Quảng An, Tây Hồ, Hà Nội', 'tay ho', true],
    ['25 Quảng An, Tây Hồ, Hà Nội', 'TAYHO', true],
    ['25 Quảng An, Tây Hồ, Hà Nội', 'Tây Hồ Hà Nội', true],
    ['25 Quảng An, Tây Hồ, Hà Nội', 'Hà Nội, Tây Hồ', true],
    ['25 Quảng An, Tây Hồ, Hà Nội', 'Tây Ho, Huế', false],
    ['Đắk Lắk', 'dak lak', true],
    ['Đà Lạt', 'da la', true],
    ['Nhà nổi trên hồ', 'Hà Nội', false],
    ['An Giang', 'an gian', true],
    ['München, Schwanthalerstraße', 'munchen', true],
    ['東京 新宿', '新宿', true],
  ])('%s holds %s: %s', (text, wanted, is) => {
    expect(holds(text, wanted)).toBe(is);
  });

  it('leads by its signs to everything that it holds and that is long enough', () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 8 }),
        fc.nat(),
        fc.nat(),
        (words, from, length) => {
          const text = placeText(words);
          const start = text.starts[from % text.starts.length]!;
          const phrase = text.text.slice(start, start + 1 + (length % (text.text.length - start)));
          expect(holdsPhrase(text, phrase)).toBe(true);
          const sign = signOfPhrase(phrase);
          if (phrase.length < 3) expect(sign).toBeUndefined();
          else expect(signsOfText(text)).toContain(sign);
        },
      ),
    );
  });
});
