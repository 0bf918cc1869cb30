import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calendarText, escapeText, foldLine } from '../../../shared/domain/ical/feed-events.ts';

const unfold = (text: string): string => text.replaceAll('\r\n ', '');

describe('calendar text', () => {
  it('ends every line by CRLF', () => {
    expect(
      calendarText([
        ['BEGIN', 'VEVENT'],
        ['END', 'VEVENT'],
      ]),
    ).toBe('BEGIN:VEVENT\r\nEND:VEVENT\r\n');
  });

  it('folds at 75 octets, never within a character, and loses nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        const line = `SUMMARY:${escapeText(text)}`;
        const folded = foldLine(line);
        expect(unfold(folded)).toBe(line);
        for (const part of folded.split('\r\n')) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(75);
      }),
    );
  });

  it('escapes what has a meaning, and line breaks', () => {
    expect(escapeText('a\\b;c,d\r\ne\nf\u0007')).toBe('a\\\\b\\;c\\,d\\ne\\nf');
  });
});
