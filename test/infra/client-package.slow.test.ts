import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routeGroups } from '../../functions/routes.ts';
import { clientName } from '../../infra/client/build.ts';
import { projectRoot } from '../../infra/bundling.ts';
import { packageIn, projectWithClient, publishedClient, typeErrors } from '../support/client-package.ts';

const maxBytes = 17_000;
const fixture = (name: string): string => join(import.meta.dirname, '../fixtures/client', name);

describe('the package of the client', () => {
  let project: string;
  let folder: string;
  beforeAll(async () => {
    project = await projectWithClient();
    folder = packageIn(project);
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  const text = (name: string): string => readFileSync(join(folder, name), 'utf8');

  it('is small', () => {
    expect(Buffer.byteLength(text('index.js'))).toBeLessThanOrEqual(maxBytes);
  });

  it('has no dependencies, and its library imports nothing', () => {
    expect(JSON.parse(text('package.json'))).not.toHaveProperty('dependencies');
    expect(text('index.js')).not.toMatch(/\bimport\b|\brequire\(/);
    const imported = [...text('nightlatch.js').matchAll(/from"([^"]+)"/g)].map(([, name = '']) => name);
    const outside = imported.filter((name) => !name.startsWith('node:'));
    expect([...new Set(outside)]).toEqual([clientName]);
  });

  it('packs what is needed and nothing else', () => {
    const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json'], { cwd: folder, encoding: 'utf8' });
    const packed = JSON.parse(stdout) as unknown;
    const [found] = (Array.isArray(packed) ? packed : Object.values(packed as object)) as {
      name: string;
      files: { path: string }[];
    }[];
    expect(found?.name).toBe(clientName);
    expect(found?.files.map(({ path }) => path).sort()).toEqual([
      'LICENSE',
      'README.md',
      'index.d.ts',
      'index.js',
      'nightlatch.js',
      'package.json',
      'types.d.ts',
    ]);
  });

  it('says what npm needs to know', () => {
    const { version, license } = JSON.parse(
      readFileSync(join(projectRoot, 'package.json'), 'utf8'),
    ) as Record<string, string>;
    expect(JSON.parse(text('package.json'))).toMatchObject({
      name: clientName,
      version,
      license,
      type: 'module',
      engines: { node: '>=20' },
      exports: { '.': { types: './index.d.ts', default: './index.js' } },
      types: './index.d.ts',
      bin: { nightlatch: './nightlatch.js' },
    });
    expect(text('nightlatch.js').split('\n')[0]).toBe('#!/usr/bin/env node');
  });

  it('names no path of the machine that built it, nor of the sources', () => {
    for (const name of readdirSync(folder)) {
      expect(text(name), name).not.toContain(projectRoot);
      expect(text(name), name).not.toContain(homedir() === '/' ? '/home/' : homedir());
      expect(text(name), name).not.toMatch(/\bfile:\/\/|\/src\/|\.\.\/\.\.\//);
    }
  });

  it('has a method for each operation that answers JSON to programs, and no other', async () => {
    const { Nightlatch } = await publishedClient();
    const client: object = new Nightlatch({ baseUrl: 'https://api.example.com' });
    const callable = routeGroups.flatMap(({ routes }) =>
      Object.entries(routes).flatMap(([id, { raw, reply }]) => (raw || 'contentType' in reply ? [] : [id])),
    );
    expect(Object.keys(client).sort()).toEqual(callable.sort());
    expect(callable).toContain('createExternalBooking');
  });

  describe.each([
    ['a back end', { lib: ['lib.es2022.d.ts'], types: ['node'] }],
    ['a page', { lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'], types: [] }],
  ])('in the strictest TypeScript of %s', (_, options) => {
    it.each([
      ['nodenext', ts.ModuleKind.NodeNext, ts.ModuleResolutionKind.NodeNext],
      ['bundler', ts.ModuleKind.ESNext, ts.ModuleResolutionKind.Bundler],
    ])('has the types that are promised, resolved as %s', (__, module, moduleResolution) => {
      copyFileSync(fixture('consumer.ts'), join(project, 'consumer.ts'));
      expect(typeErrors(project, ['consumer.ts'], { ...options, module, moduleResolution })).toEqual([]);
    });
  });

  describe('runs', () => {
    let server: Server;
    let url: string;
    beforeAll(async () => {
      server = playService();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      copyFileSync(fixture('any-runtime.mjs'), join(project, 'any-runtime.mjs'));
    });
    afterAll(() => {
      server.close();
      server.closeAllConnections();
    });

    for (const { name, command, missing } of runtimes())
      it.skipIf(missing)(`in ${name}${missing ? ` (skipped: ${missing})` : ''}`, async () => {
        const [program = '', ...rest] = command;
        const { stdout } = await promisify(execFile)(program, [...rest, 'any-runtime.mjs', url], {
          cwd: project,
        });
        expect(JSON.parse(stdout)).toEqual({
          listings: [1, 2],
          booking: { id: 17 },
          retries: [1],
          refusal: [true, 'EXTERNAL_BOOKING_NOT_ACCESSIBLE', 404],
          events: ['evt_1'],
          verified: { id: 'evt_1' },
          forged: 'SIGNATURE',
        });
      });
  });
});

interface Runtime {
  name: string;
  command: string[];
  /** Why it is skipped. */
  missing: string | undefined;
}

/** The Node of this test, the system's own where it is another one, Deno and Bun. */
function runtimes(): Runtime[] {
  const path = (process.env['PATH'] ?? '')
    .split(':')
    .filter((place) => !place.includes('node_modules'))
    .join(':');
  const found = (program: string): string | undefined => {
    const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8', env: { PATH: path } });
    return status === 0 ? /\d+\.\d+\.\d+/.exec(stdout)?.[0] : undefined;
  };
  const located = (program: string): string =>
    spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8', env: { PATH: path } }).stdout.trim();
  const others = [
    { program: 'node', rest: [] },
    { program: 'deno', rest: ['run', '--allow-net', '--node-modules-dir=manual'] },
    { program: 'bun', rest: ['run'] },
  ].map(({ program, rest }): Runtime => {
    const version = found(program);
    const missing = version === undefined ? `no ${program} in the PATH` : undefined;
    const name = program === 'node' ? 'the Node of the machine' : program;
    return { name: `${name} ${version ?? ''}`.trim(), command: [located(program), ...rest], missing };
  });
  return [
    { name: `Node ${process.versions.node}`, command: [process.execPath], missing: undefined },
    ...others,
  ];
}

/** A service with two listings; the first booking is answered with 503. */
function playService(): Server {
  let bookings = 0;
  const answers: Record<string, () => [number, object]> = {
    'GET /api/v1/external/listings?limit=1': () => [200, { items: [{ id: 1 }], next_cursor: 'c1' }],
    'GET /api/v1/external/listings?limit=1&cursor=c1': () => [200, { items: [{ id: 2 }], next_cursor: null }],
    'POST /api/v1/external/bookings': () =>
      ++bookings % 2 === 1 ? [503, { code: 'SERVICE_UNAVAILABLE' }] : [201, { id: 17 }],
    'GET /api/v1/external/bookings/5': () => [404, { code: 'EXTERNAL_BOOKING_NOT_ACCESSIBLE' }],
    'GET /api/v1/external/events?limit=100': () => [
      200,
      { items: [{ id: 'evt_1' }], next_cursor: 'c1', has_more: false },
    ],
  };
  return createServer((request, response) => {
    const [status, body] = answers[`${request.method} ${request.url}`]?.() ?? [500, {}];
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
}
