import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  holdsPhrase,
  placeText,
  termOfPhrase,
  termsOfText,
  wordsOf,
} from '../../../shared/domain/search/place-text.ts';
import { rankOfPart, queryParts, termGroups } from '../../../shared/domain/search/query-text.ts';

const placeIn = (text: string, wanted: string): number | undefined => {
  const texts = text.split('|').map((field) => placeText(wordsOf(field)));
  const places = queryParts(wanted).map((part) => rankOfPart(texts, part));
  return places.every((place) => place !== undefined) ? Math.max(...places) : undefined;
};
const holds = (text: string, wanted: string): boolean => placeIn(text, wanted) !== undefined;

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
    ['Biệt thự Thông Xanh Đà Lạt', 'Biệt thự Đà Lạt', true],
    ['12 Trần Hưng Đạo, Phường 10, Đà Lạt', 'Tran Hung Dao Da Lat', true],
    ['Đà Lạt', 'Thành phố Đà Lạt', true],
    ['Đà Lạt', 'TP.Đà Lạt', true],
    ['Đà Lạt, Lâm Đồng', 'Đà Lạt, Tỉnh Lâm Đồng, Vietnam', true],
    ['Đà Lạt', 'Đà Lạt Việt Nam', true],
    ['Đà Lạt', 'Dalat City, VN', true],
    ['Đà Lạt', 'Đà Lạt, Thái Lan', false],
    ['Thái Lan Thailand|Chiang Mai', 'Chiang Mai, Thailand', true],
    ['Phường 10, Đà Lạt', 'Phường 1', false],
    ['1 Hàng Đào, Phường 10', 'Phường 1', false],
    ['Phường 10, Đà Lạt', 'P.10', true],
    ['P10, Đà Lạt', 'Ward 10', true],
    ['Q.1, Thành phố Hồ Chí Minh', 'Quận 1, Ho Chi Minh City', true],
    ['Quận 10', 'District 1', false],
    ['120 Hàng Đào', '12 Hàng Đào', false],
    ['120 Hàng Đào', 'Hàng Đào 12', false],
    ['120 Hàng Đào', 'hang dao 120', true],
    ['Thanh Xuân', 'Quán Thánh', false],
    ['Nhà Tỉnh Lặng', 'tỉnh', true],
    ['Nhà Lặng', 'tỉnh', false],
    ['constructor 5', 'constructor 5', true],
  ])('%s holds %s: %s', (text, wanted, is) => {
    expect(holds(text, wanted)).toBe(is);
  });

  it('stands best as it was typed, then without kinds of places, then word by word', () => {
    const texts = 'Lâm Đồng|Thành phố Đà Lạt|Hồ Đà Lạt';
    expect(placeIn(texts, 'Thành phố Đà Lạt')).toBe(1);
    expect(placeIn(texts, 'Hồ Đà Lạt')).toBe(2);
    expect(placeIn(texts, 'Tỉnh Lâm Đồng')).toBe(3 + 0);
    expect(placeIn(texts, 'Lạt Đà')).toBe(6 + 1);
    expect(placeIn(texts, 'Lạt Lâm')).toBe(6 + 1);
  });

  it('leads by a sign of every group to what holds it in one piece or word by word', () => {
    const word = fc.constantFrom(
      'da',
      'lat',
      'tran',
      'hung',
      'dao',
      'phuong',
      'p',
      '1',
      '10',
      'thong',
      'xanhdep',
    );
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 6 }),
        fc.array(word, { minLength: 1, maxLength: 3 }),
        (words, asked) => {
          const text = placeText(wordsOf(words.join(' ')));
          const parts = queryParts(asked.join(' '));
          const isScattered = parts.some(({ wanted }) => wanted.every((one) => one.join('').length < 3));
          if (isScattered || !parts.every((part) => rankOfPart([text], part) !== undefined)) return;
          const signs = termsOfText(text);
          for (const group of termGroups(parts))
            expect(group.some((sign) => signs.includes(sign))).toBe(true);
        },
      ),
    );
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
          const sign = termOfPhrase([phrase]);
          if (!/^\d+$/.test(phrase)) expect(holdsPhrase(text, [phrase])).toBe(true);
          if (phrase.length < 3) expect(sign).toBeUndefined();
          else expect(termsOfText(text)).toContain(sign);
        },
      ),
    );
  });
});
