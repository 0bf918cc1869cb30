import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isKeyText as isKeyOf, keyHash, newKeyText } from '../../../shared/domain/people/key.store.ts';
import { sameText } from '../../../shared/platform/text/same-text.ts';

const isKeyText = (text: string, stage: string) => isKeyOf(text, stage, ['nl']);

describe('the text of a key', () => {
  test('names product and stage and carries at least 190 bits of chance', () => {
    const text = newKeyText('production');
    expect(text).toMatch(/^nl_production_[0-9A-Za-z]{40}_[0-9A-Za-z]{6}$/);
    expect(newKeyText('production')).not.toBe(text);
  });

  test('is a key of its own stage alone', () => {
    const text = newKeyText('dev');
    expect(isKeyText(text, 'dev')).toBe(true);
    expect(isKeyText(text, 'production')).toBe(false);
    expect(isKeyText(text.replace('nl_dev_', 'nl_production_'), 'production')).toBe(false);
  });

  test('with any one character changed is none', () => {
    const text = newKeyText('dev');
    const prefix = 'nl_dev_'.length;
    fc.assert(
      fc.property(
        fc.integer({ min: prefix, max: text.length - 1 }),
        fc.constantFrom('a', 'Z', '0', '9', '_', '-'),
        (at, other) => {
          fc.pre(text.charAt(at) !== other);
          expect(isKeyText(text.slice(0, at) + other + text.slice(at + 1), 'dev')).toBe(false);
        },
      ),
    );
  });

  test.each(['', 'nl', 'nl_dev__', 'nl_dev_short_000000', ' ', 'nl_dev_ế', 'x'.repeat(100_000)])(
    'is not %o',
    (text) => expect(isKeyText(text, 'dev')).toBe(false),
  );

  test('is secret or publishable, and never both', () => {
    const publishable = newKeyText('dev', 'pk');
    expect(publishable).toMatch(/^pk_dev_[0-9A-Za-z]{40}_[0-9A-Za-z]{6}$/);
    expect(isKeyOf(publishable, 'dev', ['pk'])).toBe(true);
    expect(isKeyOf(publishable, 'dev', ['nl', 'pk'])).toBe(true);
    expect(isKeyText(publishable, 'dev')).toBe(false);
    expect(isKeyText(publishable.replace('pk_', 'nl_'), 'dev')).toBe(false);
    expect(isKeyOf(newKeyText('dev'), 'dev', ['pk'])).toBe(false);
  });

  test('is kept as its SHA-256', () => {
    expect(keyHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

test('texts are compared whole', () => {
  expect(sameText('abc', 'abc')).toBe(true);
  expect(sameText('abc', 'abd')).toBe(false);
  expect(sameText('abc', 'abcd')).toBe(false);
});
