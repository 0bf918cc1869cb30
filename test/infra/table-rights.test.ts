import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { functionSources } from '../../infra/bundling.ts';
import { grantOf } from '../../infra/cloud/grants.ts';
import { rightsFile, rightsText, type TableRights } from '../../infra/cloud/table-rights.ts';
import { tableReach } from '../../infra/rights/table-reach.ts';

describe('table rights', () => {
  const reach = tableReach();

  it('are those that the source of each function reaches: `npm run rights`', () => {
    expect(readFileSync(rightsFile, 'utf8')).toBe(rightsText(reach));
  });

  it('are taken back only where the source reaches them', () => {
    for (const { name } of functionSources())
      for (const [access, patterns] of Object.entries(grantOf(name).without ?? {}))
        expect(reach[name]?.[access as keyof TableRights], name).toEqual(
          expect.arrayContaining([...patterns]),
        );
  });
});
