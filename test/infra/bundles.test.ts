import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { bundleOptions, functionSources } from '../../infra/bundling.ts';

const { metafile } = await build({
  ...bundleOptions(functionSources(), 'unwritten'),
  metafile: true,
  write: false,
});
const bundles = Object.entries(metafile.outputs)
  .filter(([file]) => file.endsWith('.js'))
  .map(([file, { bytes, inputs }]) => ({
    name: file.replace(/^.*unwritten\//, '').replace('/index.js', ''),
    bytes,
    inputs: Object.keys(inputs),
  }));

describe.each(bundles)('the bundle $name', ({ name, bytes, inputs }) => {
  it('holds nothing of infra/, of bin/ or of the tests', () => {
    expect(inputs.filter((file) => /^(infra|bin|test)\//.test(file))).toEqual([]);
  });

  it('holds the handler of no other function', () => {
    const handlers = inputs.filter((file) => /^functions\/.+\/index\.ts$/.test(file));
    expect(handlers).toEqual([`functions/${name}/index.ts`]);
  });

  // The document of every route is loaded at its first request alone.
  it('is at most 500 KB; with a client of its own, as workers and schedules, or with every route, 600 KB', () => {
    const isLarger = /^((workers|schedules)\/|system$)/.test(name);
    expect(bytes).toBeLessThanOrEqual(isLarger ? 600_000 : 500_000);
  });
});
