import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RootConstruct } from 'constructs';
import { beforeEach, describe, expect, it } from 'vitest';
import { stageOf } from '../../infra/cloud/stage.ts';
import { writeLock } from '../../infra/cloud/write-lock.ts';
import { board, boardIdentity, domain, leastFile, restoredTable, stripe, vnpay } from './cloud/stages.ts';

let folder: string;
const path = (name: string) => join(folder, name);
const write = (fields: object) =>
  writeFileSync(path('staging.json'), JSON.stringify({ ...leastFile, domain, ...fields }));
const lock = (...giveUp: string[]) => writeLock('staging', giveUp, folder);
const synthesize = () => {
  const { node } = new RootConstruct();
  node.setContext('stage', 'staging');
  return stageOf(node, folder);
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nightlatch-stages-'));
  write({ payment: stripe });
  lock();
});

const losses: [string, object, string][] = [
  ['payment.gateway', {}, 'paid ones not be refunded'],
  ['payment.gateway', { payment: vnpay }, 'paid ones not be refunded'],
  ['domain.name', { payment: stripe, domain: undefined }, 'an address that does not answer'],
  ['domain.name', { payment: stripe, domain: { ...domain, name: 'x.example.com' } }, 'does not answer'],
  ['disposable', { payment: stripe, disposable: true }, 'could be deleted with the stack'],
  [
    'identity.issuer',
    { payment: stripe, identity: { ...leastFile.identity, issuer: 'https://other.example.com/' } },
    'No customer or host could sign in',
  ],
  [
    'region',
    JSON.parse(
      JSON.stringify({ ...leastFile, domain, payment: stripe }).replaceAll('ap-southeast-1', 'eu-west-1'),
    ) as object,
    'an empty table',
  ],
];

it('the board of a stage is not lost unnoticed', () => {
  write({ payment: stripe, identity: boardIdentity, board });
  lock();
  write({ payment: stripe, identity: boardIdentity });
  expect(synthesize).toThrow(/board\.name is nothing, .*Hosts would open an address that does not answer/);
  lock('board.name');
  expect(synthesize().board).toBeUndefined();
});

describe('the keys of what is encrypted', () => {
  const arn = 'arn:aws:kms:ap-southeast-1:111122223333:key/01234567-89ab-cdef-0123-456789abcdef';

  it('become more, and never fewer or others', () => {
    write({ payment: stripe, data_key: { number: 2, arns: [arn] } });
    expect(synthesize).toThrow('does not have data_key.number, data_key.arns of stages/staging.json yet');
    lock();
    expect(synthesize().data_key).toEqual({ number: 2, arns: [arn] });
    write({ payment: stripe, data_key: { arns: [arn] } });
    expect(() => lock()).toThrow('could not be read. If that is meant, add `--give-up data_key.number`');
    write({ payment: stripe, data_key: { number: 3 } });
    expect(() => lock()).toThrow('--give-up data_key.arns');
    write({ payment: stripe, data_key: { number: 3, arns: [arn] } });
    lock();
    expect(synthesize().data_key.number).toBe(3);
  });
});

describe('synthesis', () => {
  it('passes with the lock of the same file, and with changes that lose nothing', () => {
    expect(synthesize().name).toBe('staging');
    write({ payment: { ...stripe, return_url: 'https://stay.example.com/thanks' }, waf: true });
    expect(synthesize().waf).toBe(true);
  });

  it('refuses a stage that keeps its data and has no lock', () => {
    folder = mkdtempSync(join(tmpdir(), 'nightlatch-stages-'));
    write({});
    expect(synthesize).toThrow('no stages/staging.lock.json yet: run `npm run stage:lock -- staging`');
  });

  it('asks no lock of a disposable stage', () => {
    folder = mkdtempSync(join(tmpdir(), 'nightlatch-stages-'));
    write({ disposable: true });
    expect(synthesize().keepsData).toBe(false);
  });

  it.each(losses)('refuses another %s, and says what would be lost', (field, fields, loss) => {
    write(fields);
    expect(synthesize).toThrow(new RegExp(`stages/staging.json: ${field} is .*${loss}.*--give-up ${field}`));
    expect(() => lock()).toThrow(`--give-up ${field}`);
    expect(synthesize).toThrow('stages/staging.lock.json');
  });

  it.each(losses)('passes with another %s once it was given up by name', (field, fields) => {
    write(fields);
    lock(field);
    expect(() => synthesize()).not.toThrow();
  });

  it('asks for the lock when something was added, so that its loss is noticed later', () => {
    write({});
    lock('payment.gateway');
    write({ payment: vnpay });
    expect(synthesize).toThrow('does not have payment.gateway of stages/staging.json yet');
    lock();
    write({});
    expect(synthesize).toThrow('payment.gateway is "none", but this stage has "vnpay"');
  });
});

describe('a stage whose table was restored', () => {
  const restored = (generation: number) =>
    write({ payment: stripe, table: restoredTable('staging', generation) });
  const goesBack = /table.generation is .* but this stage has 3 .* lose what was booked since/;

  it('goes on to a later table once the lock has it', () => {
    for (const generation of [2, 3]) {
      restored(generation);
      expect(synthesize).toThrow('does not have table.generation of stages/staging.json yet');
      lock();
      expect(synthesize().tableName).toBe(`nightlatch-staging-g${generation}`);
    }
  });

  it.each([
    ['an earlier table', () => restored(2)],
    ['the first, by a file that forgets the field', () => write({ payment: stripe })],
  ])('does not go back to %s unless that is given up by name', (_, change) => {
    restored(3);
    lock();
    change();
    expect(synthesize).toThrow(goesBack);
    expect(() => lock()).toThrow('--give-up table.generation');
    lock('table.generation');
    expect(() => synthesize()).not.toThrow();
  });
});

describe('a restored stage that is to be taken down', () => {
  const restored = (generation: number, disposable: boolean) =>
    write({ payment: stripe, table: restoredTable('staging', generation), disposable });
  const isRefused = (generation: number) => {
    const message = `table.generation must be ${generation}: a disposable stage is not restored`;
    expect(synthesize).toThrow(message);
    expect(() => lock('disposable')).toThrow(message);
  };
  beforeEach(() => {
    restored(2, false);
    lock();
    restored(2, true);
  });

  it('becomes disposable once that is given up by name, with the table that it has', () => {
    expect(synthesize).toThrow('--give-up disposable');
    lock('disposable');
    expect(synthesize()).toMatchObject({ keepsData: false, tableName: 'nightlatch-staging-g2' });
  });

  it('moves to no other table, which would delete the one that it has', () => {
    lock('disposable');
    restored(3, true);
    isRefused(2);
    write({ payment: stripe, disposable: true });
    isRefused(2);
  });

  it('does not move and become disposable at once', () => {
    restored(3, true);
    isRefused(2);
  });

  it('may keep its data again, and needs its lock for that', () => {
    lock('disposable');
    restored(2, false);
    expect(synthesize).toThrow('does not have disposable of stages/staging.json yet');
    lock();
    expect(synthesize().keepsData).toBe(true);
  });

  it('is not one that was disposable before', () => {
    folder = mkdtempSync(join(tmpdir(), 'nightlatch-stages-'));
    restored(2, true);
    isRefused(1);
  });
});

describe('the lock', () => {
  it('names what is kept, and nothing else', () => {
    expect(JSON.parse(readFileSync(path('staging.lock.json'), 'utf8'))).toEqual({
      disposable: false,
      region: 'ap-southeast-1',
      'identity.issuer': 'https://identity.example.com/',
      'payment.gateway': 'stripe',
      'domain.name': 'api.example.com',
    });
  });

  it('goes when the data is given up', () => {
    write({ disposable: true, payment: stripe });
    lock('disposable');
    expect(existsSync(path('staging.lock.json'))).toBe(false);
  });

  it('gives up nothing that is not lost', () => {
    expect(() => lock('payment.gateway')).toThrow('Nothing of payment.gateway is lost');
  });
});
