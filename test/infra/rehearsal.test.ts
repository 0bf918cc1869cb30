import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../../infra/bundling.ts';
import { canaryAt, faults, nextRelease } from '../rehearsal/copies.ts';

const edits = [
  ...nextRelease,
  ...canaryAt('http://127.0.0.1:4566'),
  ...faults.flatMap((fault) => fault.edits),
];

it.each(edits.flatMap(({ file, from }) => (from === undefined ? [] : [{ file, from }])))(
  'the rehearsal changes what stands in $file once',
  ({ file, from }) => {
    expect(readFileSync(join(projectRoot, file), 'utf8').split(from)).toHaveLength(2);
  },
);
