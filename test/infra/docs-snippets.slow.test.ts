import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiDocument } from '../../functions/system/api-document.ts';
import { operationsOf } from '../../infra/docs/site/document.ts';
import { exampleRequest } from '../../infra/docs/site/operations.ts';
import { snippets } from '../../infra/docs/site/snippets.ts';
import { projectWithClient, typeErrors } from '../support/client-package.ts';

const document = apiDocument({ serverUrl: 'https://api.example.com', version: '1.0.0' });
const requests = document.tags.flatMap(({ name }) =>
  operationsOf(document, name).map((placed) => exampleRequest(document, placed)),
);
const written = (name: string, from = requests): string[] => from.map((one) => snippets[name]!(one));
const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('the examples of requests in the documentation', () => {
  let project: string;
  beforeAll(async () => void (project = await projectWithClient()));
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it('for the client are what its types take', () => {
    const ofClient = requests.filter(({ isOfClient }) => isOfClient);
    expect(ofClient.length).toBeGreaterThan(150);
    const files = written('Client', ofClient).map((text, at) => {
      const name = `${ofClient[at]!.id}.ts`;
      writeFileSync(join(project, name), text);
      return name;
    });
    const variables =
      'declare namespace NodeJS { interface ProcessEnv { API_KEY: string; TOKEN: string; PUBLISHABLE_KEY: string } }';
    writeFileSync(join(project, 'environment.d.ts'), variables);
    const found = typeErrors(project, ['environment.d.ts', ...files], {
      lib: ['lib.es2022.d.ts'],
      types: ['node'],
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
    });
    expect(found).toEqual([]);
  });

  it.skipIf(!hasPython)(`are Python${hasPython ? '' : ' (skipped: no python3 in the PATH)'}`, () => {
    const program = 'import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text)';
    const { status, stderr } = spawnSync('python3', ['-c', program], {
      input: JSON.stringify(written('Python')),
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('for the shell are one command each, with a body that is read as it is', () => {
    const given = requests.filter(({ body }) => body !== undefined);
    const text = written('curl', given)
      .map((line) => line.replace(/^curl /, 'show '))
      .join('\n');
    const script = `show() { for last; do :; done; printf '%s\\0' "$last"; }\n${text}`;
    const { stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
    expect(stderr).toBe('');
    const bodies = stdout.split('\0').slice(0, -1);
    expect(bodies.map((body) => JSON.parse(body) as unknown)).toEqual(
      given.map(({ body }) => JSON.parse(body!) as unknown),
    );
    expect(bodies.some((body) => body.includes('\n  "'))).toBe(true);
  });
});
