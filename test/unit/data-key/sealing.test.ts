import { describe, expect, it } from 'vitest';
import { createSealing, KeyLost } from '../../../shared/platform/data-key/sealing.ts';
import { sealingFrom } from '../../../shared/platform/environment/sealing-environment.ts';
import { testDataKey, testKeeper } from '../../support/sealing.ts';

const place = 'Listing/1/access';

/** A keeper that counts, and refuses while it is down. */
const scene = () => {
  const asked: string[] = [];
  const keeper = { isDown: false };
  const hash = async (text: string) => {
    asked.push(text);
    if (keeper.isDown) throw new Error('AccessDeniedException');
    return testKeeper(text);
  };
  return { asked, keeper, hash, sealing: createSealing([hash], 'test') };
};

const opened = async (bytes: Promise<Buffer | undefined>) => (await bytes)?.toString();

describe('what is sealed', () => {
  it('is opened at its place, and says nothing of its text', async () => {
    const { sealing } = scene();
    const sealed = await sealing.seal('cửa: 2580#', place);
    expect(await opened(sealing.open(sealed, place))).toBe('cửa: 2580#');
    expect(Buffer.from(sealed).toString('latin1')).not.toContain('2580');
    expect(await sealing.seal('cửa: 2580#', place)).not.toEqual(sealed);
  });

  it('is not opened at another place, by another stage or by another key', async () => {
    const { sealing, hash } = scene();
    const sealed = await sealing.seal('2580#', place);
    expect(await sealing.open(sealed, 'Listing/2/access')).toBeUndefined();
    expect(await createSealing([hash], 'other').open(sealed, place)).toBeUndefined();
    const other = createSealing([(text) => testKeeper(`${text}.`)], 'test');
    expect(await other.open(sealed, place)).toBeUndefined();
  });

  it('is not opened where a bit of it has changed, or its end is missing', async () => {
    const { sealing } = scene();
    const sealed = await sealing.seal('2580#', place);
    for (let at = 0; at < sealed.length; at++) {
      const changed = Uint8Array.from(sealed, (byte, position) => (position === at ? byte ^ 1 : byte));
      expect(await sealing.open(changed, place)).toBeUndefined();
      expect(await sealing.open(sealed.subarray(0, at), place)).toBeUndefined();
    }
  });

  it('stays readable when another data key encrypts', async () => {
    const { sealing, hash } = scene();
    const second = scene();
    const both = createSealing([hash, second.hash], 'test');
    const sealed = await sealing.seal('2580#', place);
    expect(await opened(both.open(sealed, place))).toBe('2580#');
    const again = await both.seal('2580#', place);
    expect([sealed[1], again[1]]).toEqual([1, 2]);
    expect(await opened(both.open(again, place))).toBe('2580#');
    expect(second.asked).toEqual(['nightlatch/test/data-key/2']);
    // An instance of the version before, while both run.
    await expect(sealing.open(again, place)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('is lost with its key, and what the next one encrypts is not', async () => {
    const gone = () => Promise.reject(new KeyLost());
    const { sealing, hash } = scene();
    const sealed = await sealing.seal('2580#', place);
    const next = createSealing([gone, hash], 'test');
    expect(await next.open(sealed, place)).toBeUndefined();
    expect(await opened(next.open(await next.seal('2580#', place), place))).toBe('2580#');
    expect(await next.fingerprints('a')).toHaveLength(1);
    await expect(createSealing([gone], 'test').seal('a', place)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});

describe('the keeper of the key', () => {
  it('is asked once by all who wait, and never again', async () => {
    const { sealing, asked } = scene();
    const sealed = await Promise.all(['a', 'b'].map((text) => sealing.seal(text, place)));
    await Promise.all(sealed.map((one) => sealing.open(one, place)));
    expect(asked).toHaveLength(1);
  });

  it('that refuses is 503 with its reason, and is asked at the next call', async () => {
    const { sealing, keeper } = scene();
    keeper.isDown = true;
    await expect(sealing.seal('a', place)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 10,
      cause: new Error('AccessDeniedException'),
    });
    keeper.isDown = false;
    expect(await opened(sealing.open(await sealing.seal('a', place), place))).toBe('a');
  });
});

it('a fingerprint is the same for the same text, and another by another key, which also knows that of the key before', async () => {
  const { sealing, hash } = scene();
  const [print, ...others] = await sealing.fingerprints('a');
  expect([print, others]).toEqual([expect.stringMatching(/^[\w-]{43}$/), []]);
  expect(await createSealing([hash], 'test').fingerprints('a')).toEqual([print]);
  expect(await sealing.fingerprints('b')).not.toEqual([print]);
  const [next, before, ...more] = await createSealing([hash, hash], 'test').fingerprints('a');
  expect([before, more]).toEqual([print, []]);
  expect(next).not.toBe(print);
});

describe('the variables of a function with the data key', () => {
  const started = (variables: Record<string, string>) => () => sealingFrom(() => variables)();

  it.each([
    ['neither', { STAGE: 'staging' }, 'DATA_KEY_IDS: is required'],
    [
      'a key of a laptop on a stage',
      { STAGE: 'staging', DATA_KEY: testDataKey },
      'DATA_KEY_IDS: is required',
    ],
    ['a short key', { STAGE: 'local', DATA_KEY: 'abc' }, 'DATA_KEY: '],
    ['no id', { STAGE: 'staging', DATA_KEY_IDS: '' }, 'DATA_KEY_IDS: '],
  ])('are refused with %s, and no value is shown', (_, variables, message) => {
    expect(started(variables)).toThrow(message);
    expect(started(variables)).not.toThrow(testDataKey);
  });

  it('on a laptop have the key itself', async () => {
    const sealing = started({ STAGE: 'local', DATA_KEY: testDataKey })();
    expect(await opened(sealing.open(await sealing.seal('a', place), place))).toBe('a');
  });
});
