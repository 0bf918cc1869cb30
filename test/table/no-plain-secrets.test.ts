import { inflateRawSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { routeGroups } from '../../functions/routes.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import { type DemoScene, demoScene } from '../support/demo-scene.ts';
import { tableDump } from '../support/table-dump.ts';

const sealed = ['wifi_password', 'door_code', 'secret'];

/** The values of what is encrypted in JSON: texts, and those in objects. */
const secretsIn = (data: unknown, inside = false): string[] => {
  if (typeof data === 'string') return inside ? [data] : [];
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([name, value]) =>
    secretsIn(value, inside || (sealed.includes(name) && typeof value !== 'boolean')),
  );
};

/** All bytes of an item, also of compressed texts. */
const textsOf = (item: object): string => {
  const texts: string[] = [];
  JSON.stringify(item, (_, value: unknown) => {
    if (typeof value === 'string') texts.push(value);
    if (!(value instanceof Uint8Array)) return value;
    texts.push(Buffer.from(value).toString('latin1'));
    try {
      texts.push(inflateRawSync(value).toString());
    } catch {
      // Not compressed.
    }
    return null;
  });
  return texts.join('\n');
};

describe('after the demo and every operation of the documentation', () => {
  let demo: DemoScene;
  const told = new Set<string>();
  let dump: string;

  const note = (text: string): void => {
    if (!text.startsWith('{') && !text.startsWith('[')) return;
    for (const secret of secretsIn(JSON.parse(text))) told.add(secret);
  };

  beforeAll(async () => {
    demo = await demoScene();
    const idempotent = new Set(
      routeGroups.flatMap(({ routes }) =>
        Object.entries(routes).flatMap(([id, route]) =>
          'idempotent' in route && route.idempotent ? [id] : [],
        ),
      ),
    );
    for (const call of demo.calls.filter(({ id }) => id !== 'getOpenApiDocument')) {
      const headers = idempotent.has(call.id) ? { 'Idempotency-Key': `once-${call.id}` } : {};
      note((await demo.send(call, headers)).text);
      note(JSON.stringify(call.body ?? null));
    }
    const codes = { wifi_password: 'chỉ-khách-biết', door_code: { back: '99-73-51' } };
    const patched = await demo.call('PATCH', `/api/v1/listings/${exampleIds.listing}`, {
      ...demo.credentials.host,
      body: codes,
    });
    expect(patched.body).toMatchObject(codes);
    note(patched.text);
    dump = [...(await tableDump()).values()].map((item) => textsOf(item as object)).join('\n');
  });

  it('answers have shown door codes, passwords and the secrets of webhooks', () => {
    expect([...told].filter((secret) => secret.startsWith('whsec_')).length).toBeGreaterThan(1);
    expect([...told]).toEqual(expect.arrayContaining(['9153#', 'chỉ-khách-biết', '99-73-51']));
  });

  it('the table holds none of them', () => {
    expect(dump.length).toBeGreaterThan(100_000);
    const long = [...told].filter((secret) => secret.length >= 4);
    expect(long.filter((secret) => dump.includes(secret))).toEqual([]);
  });
});
