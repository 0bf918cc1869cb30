import fc from 'fast-check';
import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cursorOf, cursorText } from '../../../shared/domain/webhook/feed-part.ts';

const Team = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map(String);
const Place = fc.tuple(fc.integer({ min: 1, max: 1e12 }), fc.nat(5));
const Positions = fc.dictionary(Team, Place, { maxKeys: 50 });

describe('a cursor of the feed', () => {
  it('returns the places it was made of', () => {
    fc.assert(
      fc.property(Positions, fc.uuid(), fc.nat(4e9), (at, epoch, read_to) => {
        expect(cursorOf(cursorText({ at, epoch, read_to }))).toEqual({ at: { ...at }, epoch, read_to });
        expect(cursorOf(cursorText({ at }))).toEqual({ at: { ...at } });
      }),
    );
  });

  it('of the form that named no table is still read', () => {
    const at = { 71: [1, 1] };
    const of = createHash('sha256').update(JSON.stringify(at)).digest('base64url').slice(0, 11);
    expect(cursorOf(Buffer.from(JSON.stringify({ of, at })).toString('base64url'))).toEqual({ at });
  });

  it('of another table is not made by hand', () => {
    const text = cursorText({ at: { 71: [1, 1] }, epoch: 'a', read_to: 1 });
    const changed = Buffer.from(text, 'base64url').toString().replace('"epoch":"a"', '"epoch":"b"');
    expect(() => cursorOf(Buffer.from(changed).toString('base64url'))).toThrow('next_cursor');
  });

  it('of fifty teams fits into an address', () => {
    const at = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [String(9e15 - n), [999_999_999, 5] as [number, number]]),
    );
    expect(cursorText({ at, epoch: randomUUID(), read_to: 4e9 }).length).toBeLessThan(6000);
  });

  it.each(['', 'x', 'bnVsbA', Buffer.from('{"of":"","at":{}}').toString('base64url')])(
    'is not %j',
    (text) => {
      expect(() => cursorOf(text)).toThrow('next_cursor');
    },
  );
});
