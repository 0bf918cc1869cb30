import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { listingRead } from '../../shared/domain/listing/listing.store.ts';
import { nightsBetween } from '../../shared/platform/time/time.ts';
import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import { DatabaseParts } from '../bench/database-parts.ts';
import { openBare, wireOf } from '../bench/floor/bare.ts';
import { roundsOf, startRecorder } from '../bench/floor/recorder.ts';
import { homeOf, newStays, seededStays } from '../bench/homes.ts';
import { pageOf } from '../bench/page.ts';
import { createHomes, importLine, indexListings } from '../bench/seed.ts';
import { tableEndpoint } from '../support/aws-env.ts';
import { freshId, testDependencies, testTable } from '../support/table.ts';

const today = '2027-01-15';

describe('the bench', () => {
  it('asks for no night twice, and for none of the seed', () => {
    const taken = new Set<string>();
    const take = (
      number: number,
      { check_in_date, check_out_date }: { check_in_date: string; check_out_date: string },
    ) => {
      for (let night = 0; night < nightsBetween(check_in_date, check_out_date); night++) {
        const name = `${number} ${Date.parse(check_in_date) / 86_400_000 + night}`;
        expect(taken).not.toContain(name);
        taken.add(name);
      }
    };
    for (let number = 0; number < 3; number++)
      for (const stay of seededStays(number, 12, today)) take(number, stay);
    const next = newStays(3, 12, today);
    for (let asked = 0; asked < 450; asked++) {
      const { number, ...stay } = next();
      take(number, stay);
    }
  });

  it('writes binary values as the emulator imports them', () => {
    const line = importLine({ pk: 'a', taken: { 7: new Uint8Array([1, 2, 3]) } });
    expect(JSON.parse(line)).toEqual({ Item: { pk: { S: 'a' }, taken: { M: { 7: { B: 'AQID' } } } } });
  });

  it('seeds listings with their stays through the verbs', async () => {
    const deps = await testDependencies();
    const team_id = freshId();
    const options = { team_id, from: 7000, listings: 2, stays: 2, today };
    const ids = await createHomes(deps, options);
    await indexListings(deps, options, ids);
    const listings = await deps.table.getAll(ids.map(listingRead));
    expect(listings.map((listing) => listing?.name)).toEqual([homeOf(7000).name, homeOf(7001).name]);
    const stays = await deps.table.queryAll(ReservationEntity, {
      index: 'by_team',
      pk: `TEAM#${team_id}#RESERVATIONS`,
    });
    expect(stays.length).toBe(4);
  });

  it('joins databases of one table with their indexes, and refuses an item that two of them have', () => {
    const folder = mkdtempSync(join(tmpdir(), 'nightlatch-parts-'));
    const part = (name: string, keys: readonly string[]): string => {
      const file = join(folder, name);
      using database = new DatabaseSync(file);
      for (const table of ['homes', 'homes::gsi::by_team', 'settings']) {
        database.exec(`CREATE TABLE "${table}" (pk TEXT PRIMARY KEY)`);
        for (const key of keys) database.prepare(`INSERT INTO "${table}" VALUES (?)`).run(key);
      }
      return file;
    };
    const whole = join(folder, 'whole.db');
    {
      using parts = new DatabaseParts(whole, 'homes');
      parts.add(part('one', ['a', 'b']));
      parts.add(part('two', ['c']));
    }
    using database = new DatabaseSync(whole);
    const keysOf = (table: string) =>
      database
        .prepare(`SELECT pk FROM "${table}" ORDER BY pk`)
        .all()
        .map(({ pk }) => pk);
    expect(keysOf('homes')).toEqual(['a', 'b', 'c']);
    expect(keysOf('homes::gsi::by_team')).toEqual(['a', 'b', 'c']);
    expect(keysOf('settings')).toEqual(['a', 'b']);
    using more = new DatabaseParts(join(folder, 'more.db'), 'homes');
    more.add(part('three', ['d', 'e']));
    expect(() => more.add(part('four', ['e']))).toThrow('UNIQUE');
    rmSync(folder, { recursive: true });
  });

  it('sends what was recorded again, bare, with the same answers', async () => {
    const recorder = await startRecorder(tableEndpoint());
    const before = process.env['AWS_ENDPOINT_URL_DYNAMODB'];
    process.env['AWS_ENDPOINT_URL_DYNAMODB'] = recorder.endpoint;
    const recorded = await testTable();
    const read = () => recorded.getAll([listingRead(freshId())]);
    await Promise.all([read(), read()]);
    await read();
    process.env['AWS_ENDPOINT_URL_DYNAMODB'] = before;
    const rounds = roundsOf(recorder.taken());
    await recorder.stop();
    expect(
      rounds.map((round) => round.map(({ target, status, readUnits }) => ({ target, status, readUnits }))),
    ).toEqual([[one, one], [one]]);
    const bare = await openBare(tableEndpoint(), 2);
    for (const round of rounds)
      expect(await bare.send(round.map((request) => wireOf(tableEndpoint(), request)))).toEqual(
        round.map(() => 200),
      );
    bare.close();
  });

  it('draws a page that needs no other file', () => {
    const result = {
      name: 'Nightlatch',
      perSecond: 10,
      p50: 1,
      p99: 2,
      refused: 0,
      answered: 30,
      cpuMs: { function: 3 },
    };
    const page = pageOf({
      ...{ date: today, command: 'npm run bench --', listings: 2, stays: 2, floor: undefined },
      startUp: [{ name: 'search', kilobytes: 400, importMs: 50, firstMs: 20 }],
      load: {
        compared: [{ operation: 'quote <&>', ours: result, baseline: { ...result, name: 'PostgreSQL' } }],
        drained: { bookings: 1, perSecond: 1, workersCpuMs: 1, emulatorCpuMs: 1 },
        ...{ items: 1, seedSeconds: 1, postgres: '15' },
      },
    });
    expect(page).toContain('<svg');
    expect(page).toContain('quote &#60;&#38;&#62;');
    expect(page).not.toMatch(/https?:|<script|<link|@import/);
  });
});

const one = { target: 'BatchGetItem', status: 200, readUnits: 1 };
