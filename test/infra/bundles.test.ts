import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { buildBundles, bundleFunctions, functionSources, projectRoot } from '../../infra/bundling.ts';
import { sealedFunctions } from '../../infra/cloud/grants.ts';
import { subscriptions } from '../../shared/subscriptions.ts';

const metafile = await buildBundles(functionSources(), 'unwritten');
const bundles = Object.entries(metafile.outputs)
  .filter(([file]) => file.endsWith('.js'))
  .map(([file, { bytes, inputs, imports }]) => ({
    name: file.replace(/^.*unwritten\//, '').replace('/index.js', ''),
    bytes,
    inputs: Object.keys(inputs),
    sizes: Object.fromEntries(
      Object.entries(inputs).map(([input, { bytesInOutput }]) => [input, bytesInOutput]),
    ),
    /** The files of which something is left after unused code is dropped. */
    used: Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([input]) => input),
    /** The modules of Node and the packages beside it that it loads at its start. */
    loaded: imports.map(({ path }) => path),
    /** The declarations of events that are in it. */
    events: Object.entries(inputs)
      .filter(([input, { bytesInOutput }]) => input.endsWith('.events.ts') && bytesInOutput > 0)
      .map(([input]) => input),
  }));

describe.each(bundles)('the bundle $name', ({ name, bytes, inputs, loaded, sizes, used }) => {
  it('holds nothing of infra/, of bin/ or of the tests', () => {
    expect(inputs.filter((file) => /^(infra|bin|test)\//.test(file))).toEqual([]);
  });

  it('holds the handler of no other function', () => {
    const handlers = inputs.filter((file) => /^functions\/.+\/index\.ts$/.test(file));
    expect(handlers).toEqual([`functions/${name}/index.ts`]);
  });

  it('describes no schemas: the document is made before', () => {
    expect(inputs).not.toContain('shared/platform/http/openapi-schemas.ts');
  });

  it('holds no client of the SDK for the table', () => {
    expect(inputs.filter((file) => /@aws-sdk\/(client-dynamodb|lib-dynamodb)\//.test(file))).toEqual([]);
  });

  it('starts without zlib', () => {
    expect(loaded).not.toContain('node:zlib');
  });

  it('holds of zod neither what is unused of its util, 14 KB, nor what looks for cycles', () => {
    expect(sizes['node_modules/zod/v4/core/util.js'] ?? 0).toBeLessThan(9500);
    expect(sizes['node_modules/zod/v4/core/memoizer.js'] ?? 0).toBeLessThan(100);
  });

  it('joins reads only where it handles messages', () => {
    expect(used.includes('shared/platform/table/joined-reads.ts')).toBe(
      used.includes('shared/platform/events/handle-messages.ts'),
    );
  });

  // The function of the documents has the declarations of every route, for paths that do not exist.
  it('is at most 275 KB; 430 KB with the SDK of queues or the payment gateways, 360 KB with every route, 299 KB with the words of mails, 300 KB of the pages, which search and price, 460 KB with the SDK of mails', () => {
    const has = (client: string) => inputs.some((file) => file.includes(`@aws-sdk/${client}/`));
    const usual = { system: 360_000, team: 299_000, stay: 300_000 }[name] ?? 275_000;
    const isLarger = has('client-sqs') || inputs.includes('shared/platform/payment/stripe.ts');
    const most = has('client-sesv2') ? 460_000 : isLarger ? 430_000 : usual;
    expect(bytes).toBeLessThanOrEqual(most);
  });
});

it('a written bundle is ASCII, its regular expressions included, and says the same', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightlatch-ascii-'));
  const named = functionSources().filter(({ name }) => ['checkout', 'search'].includes(name));
  await buildBundles(named, folder, { write: true });
  for (const { name } of named) {
    const text = readFileSync(join(folder, name, 'index.js'), 'utf8');
    expect(text.match(/[\u0080-\uffff]/g)).toBeNull();
    expect(() => new Script(text)).not.toThrow();
  }
  const search = readFileSync(join(folder, 'search', 'index.js'), 'utf8');
  expect(search).toContain(String.raw`/[\u0111\u00f0\u00f8\u0142\u00df\u00e6\u0153\u00fe\u0131]/gu`);
  rmSync(folder, { recursive: true });
});

describe('the bundle of a consumer', () => {
  const declaring = async (types: readonly string[]) => {
    const files = globSync('shared/domain/*/*.events.ts', { cwd: projectRoot });
    const declared = await Promise.all(
      files.map(async (file) => {
        const rows = Object.values((await import(join(projectRoot, file))) as Record<string, object>);
        return rows.some((row) => Object.keys(row).some((type) => types.includes(type))) ? [file] : [];
      }),
    );
    return declared.flat().sort();
  };

  it.each(subscriptions.filter(({ consumer }) => consumer !== 'webhook'))(
    'contains the events that $consumer subscribes to, and those of no other noun',
    async ({ consumer, event_types }) => {
      const { events } = bundles.find(({ name }) => name === `workers/${consumer}`)!;
      expect(events.sort()).toEqual(await declaring(event_types));
    },
  );
});

it('exactly the bundles that ask the identity provider hold it', () => {
  const asks = (file: string): boolean =>
    /^shared\/domain\//.test(file) && readFileSync(join(projectRoot, file), 'utf8').includes('.identity()');
  const asking = bundles.filter(({ used }) => used.some(asks)).map(({ name }) => name);
  const holding = bundles.filter(({ used }) => used.includes('shared/platform/identity/auth0.ts'));
  expect(asking.length).toBeGreaterThan(2);
  expect(holding.map(({ name }) => name)).toEqual(asking);
});

it('exactly the bundles whose roles may use the data key hold what asks KMS, and use it', () => {
  const using = (file: string): boolean =>
    /^shared\/domain\//.test(file) && readFileSync(join(projectRoot, file), 'utf8').includes('sealing()');
  const holding = bundles.filter(({ used }) => used.includes('shared/platform/data-key/kms-hash.ts'));
  expect(holding.map(({ name }) => name).sort()).toEqual([...sealedFunctions].sort());
  expect(holding.filter(({ used }) => !used.some(using)).map(({ name }) => name)).toEqual([]);
  expect(sealedFunctions.length).toBeGreaterThan(5);
});

it('most of the bundles are at most 250 KB', () => {
  const small = bundles.filter(({ bytes }) => bytes <= 250_000);
  expect(small.length).toBeGreaterThanOrEqual(22);
});

describe('the declarations in a bundle', () => {
  const bytesOf = (name: string, file: string): number =>
    bundles.find((bundle) => bundle.name === name)!.sizes[file] ?? 0;

  it('have no descriptions, in the function of the documents either', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nightlatch-described-'));
    const named = functionSources().filter(({ name }) => ['payments', 'system'].includes(name));
    await buildBundles(named, folder, { write: true });
    const describing = named.filter(({ name }) =>
      readFileSync(join(folder, name, 'index.js'), 'utf8').includes('exact in its minor unit'),
    );
    expect(describing.map(({ name }) => name)).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  it('leave out the schemas that it does not use', () => {
    const file = 'shared/domain/booking/external-booking.schema.ts';
    expect(bytesOf('external', file)).toBeGreaterThan(1400);
    expect(bytesOf('checkout', file)).toBeLessThan(500);
    expect(bytesOf('search', 'shared/domain/listing/listing.schema.ts')).toBeLessThan(500);
  });
});

describe('the SDK of Stripe', () => {
  const external = Object.entries(metafile.outputs)
    .filter(([, { imports }]) => imports.some(({ path }) => path === 'stripe'))
    .map(([file]) => file.replace(/^.*unwritten\//, '').replace('/index.js', ''));

  it('is in no bundle: it lies beside those that take payments, and loads there', async () => {
    expect(external.sort()).toEqual([
      'bookings',
      'changes',
      'checkout',
      'external',
      'guest',
      'payments',
      'schedules/move-due-bookings',
      'schedules/reconcile-payments',
      'workers/refunds',
    ]);
    const folder = mkdtempSync(join(tmpdir(), 'nightlatch-beside-'));
    const sources = functionSources().filter(({ name }) => name === 'payments');
    await bundleFunctions(sources, folder);
    const load = createRequire(join(folder, 'payments/index.js'));
    const { Stripe } = load('stripe') as { Stripe: new (key: string) => { refunds: object } };
    expect(new Stripe('sk_test_x').refunds).toBeDefined();
    rmSync(folder, { recursive: true });
  });
});
