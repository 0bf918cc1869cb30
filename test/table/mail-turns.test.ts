import { describe, expect, it } from 'vitest';
import {
  KeyMailsEntity,
  MailTurnsEntity,
  takeTurn,
} from '../../shared/domain/notification/mail-turns.store.ts';
import { addressDigest } from '../../shared/platform/mail/allowance.rules.ts';
import { remove } from '../../shared/platform/table/index.ts';
import { freshId, testDependencies } from '../support/table.ts';

const hour = 3_600_000;

const scene = async () => {
  const deps = await testDependencies();
  const [team, key_id] = [freshId(), freshId()];
  const by = [`team:${team}`, `key:${key_id}`];
  const address = (at: number) => `a${at}.${team}@sec.example`;
  return {
    ...{ deps, by, key_id, address },
    take: (once: string, email = address(0), parties: readonly string[] = by) =>
      takeTurn(deps, { once, email, by: parties }),
    turnsOf: async (party: string, email = address(0)) =>
      (await deps.table.get(MailTurnsEntity, { address: addressDigest(email), by: party }))?.turns ?? [],
    hoursOf: async () => (await deps.table.get(KeyMailsEntity, { key_id }))?.hours ?? [],
  };
};
const times = (count: number) => Array.from({ length: count }, (_, at) => at);

describe('turns that are taken at once', () => {
  it.each([
    ['a team', 1],
    ['a team and a key', 2],
  ])('of one address on behalf of %s are 10 in an hour, of 25 that ask', async (_, count) => {
    const s = await scene();
    const by = s.by.slice(0, count);
    const now = s.deps.clock.now();
    const got = await Promise.all(times(25).map((at) => s.take(`mail_${at}`, s.address(0), by)));
    expect(got.filter((turn) => turn === now)).toHaveLength(10);
    expect(got.filter((turn) => turn === now + hour)).toHaveLength(10);
    expect(got.filter((turn) => turn === now + 2 * hour)).toHaveLength(5);
    for (const party of by) expect(await s.turnsOf(party)).toHaveLength(25);
  });

  it('of many addresses of one key are all counted', async () => {
    const s = await scene();
    await Promise.all(times(40).map((at) => s.take(`mail_${at}`, s.address(at))));
    expect(await s.hoursOf()).toEqual([{ hour: Math.floor(s.deps.clock.now() / hour), mails: 40 }]);
  });

  it('of one mail are one', async () => {
    const s = await scene();
    const got = await Promise.all(times(8).map(() => s.take('mail')));
    expect(new Set(got).size).toBe(1);
    expect([(await s.turnsOf(s.by[0]!)).length, (await s.hoursOf())[0]?.mails]).toEqual([1, 1]);
  });
});

describe('a key', () => {
  it('has 500 mails in an hour of the clock, whatever their addresses', async () => {
    const s = await scene();
    const now = s.deps.clock.now();
    for (let at = 0; at < 500; at += 20)
      await Promise.all(times(20).map((one) => s.take('mail', s.address(at + one))));
    const next = (Math.floor(now / hour) + 1) * hour;
    expect(await s.take('mail', s.address(500))).toBe(next);
    // The team alone, by its hosts, has no such limit.
    expect(await s.take('other', s.address(501), s.by.slice(0, 1))).toBe(now);
    s.deps.clock.advance(next - now);
    expect(await s.take('mail', s.address(500))).toBe(next);
    expect(await s.take('mail', s.address(502))).toBe(next);
    expect(await s.hoursOf()).toEqual([{ hour: next / hour, mails: 2 }]);
  });
});

describe('a turn', () => {
  it('is the same when it is asked for again', async () => {
    const s = await scene();
    const first = await s.take('mail');
    s.deps.clock.advance(5000);
    expect(await s.take('mail', ` ${s.address(0).toUpperCase()}`)).toBe(first);
    expect(await s.turnsOf(s.by[0]!)).toHaveLength(1);
  });

  it('is not given where the parties of a mail have none within a day', async () => {
    const s = await scene();
    for (const at of times(40)) await s.take(`mail_${at}`);
    expect(await s.take('late')).toBeUndefined();
    expect(await s.turnsOf(s.by[0]!)).toHaveLength(40);
  });

  it('is free again a day later, also where the table has deleted what is over', async () => {
    const s = await scene();
    for (const at of times(10)) await s.take(`mail_${at}`);
    const address = addressDigest(s.address(0));
    await s.deps.table.transact([remove(MailTurnsEntity, { address, by: s.by[0]! })]);
    s.deps.clock.advance(25 * hour);
    expect(await s.take('later')).toBe(s.deps.clock.now());
    for (const party of s.by)
      expect((await s.turnsOf(party)).map(({ at }) => at)).toEqual([s.deps.clock.now()]);
  });

  it('names no address', async () => {
    const s = await scene();
    await s.take('mail');
    const kept = await s.deps.table.get(MailTurnsEntity, {
      address: addressDigest(s.address(0)),
      by: s.by[0]!,
    });
    expect(JSON.stringify(kept)).not.toContain('sec.example');
  });
});
