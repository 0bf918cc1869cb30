import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cursorText, positionsOf } from '../../../shared/domain/webhook/feed-cursor.ts';

const Team = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map(String);
const Place = fc.tuple(fc.integer({ min: 1, max: 1e12 }), fc.nat(5));
const Positions = fc.dictionary(Team, Place, { maxKeys: 50 });

describe('a cursor of the feed', () => {
  it('gives back the places it was made of', () => {
    fc.assert(
      fc.property(Positions, (at) => {
        expect(positionsOf(cursorText(at))).toEqual({ ...at });
      }),
    );
  });

  it('of fifty teams fits into an address', () => {
    const at = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [String(9e15 - n), [999_999_999, 5] as [number, number]]),
    );
    expect(cursorText(at).length).toBeLessThan(6000);
  });

  it.each(['', 'x', 'bnVsbA', Buffer.from('{"of":"","at":{}}').toString('base64url')])(
    'is not %j',
    (text) => {
      expect(() => positionsOf(text)).toThrow('next_cursor');
    },
  );
});
