import { describe, expect, it } from 'vitest';
import { firstFreeSlug, slugOf } from '../../../shared/domain/listing/slug.store.ts';
import { foldText } from '../../../shared/platform/text/fold-text.ts';

describe('slugs', () => {
  it.each([
    ['Biệt thự Đà Lạt', 'biet-thu-da-lat'],
    ['Căn hộ nhìn ra Hồ Tây', 'can-ho-nhin-ra-ho-tay'],
    ['PHỞ & BÚN  —  Hội An!', 'pho-bun-hoi-an'],
    ['Đường Nguyễn Thị Minh Khai, Q.3', 'duong-nguyen-thi-minh-khai-q-3'],
    ['ẵ ặ ỗ ợ ữ ỵ ễ', 'a-a-o-o-u-y-e'],
    ["Linh's Homestay", 'linhs-homestay'],
    ['Straße der Brüder Łódź', 'strasse-der-bruder-lodz'],
    ['  --  ', 'listing'],
    ['温泉旅館', 'listing'],
    ['温泉 Ryokan 2', 'ryokan-2'],
  ])('of "%s" is %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });

  it('is the same for composed and decomposed letters', () => {
    expect(slugOf('Biệt thự'.normalize('NFD'))).toBe(slugOf('Biệt thự'.normalize('NFC')));
  });

  it('stays within its length and never ends with a hyphen', () => {
    const slug = slugOf(`${'a'.repeat(239)} bc`);
    expect(slug).toBe('a'.repeat(239));
    expect(slugOf('ß'.repeat(255)).length).toBeLessThanOrEqual(240);
  });

  it('takes the first free number when taken', () => {
    expect(firstFreeSlug('villa', new Set())).toBe('villa');
    expect(firstFreeSlug('villa', new Set(['villa-2']))).toBe('villa');
    expect(firstFreeSlug('villa', new Set(['villa', 'villa-2', 'villa-sea']))).toBe('villa-3');
  });

  it('folds text for searching', () => {
    expect(foldText('  Đà   LẠT ')).toBe('da lat');
  });
});
