import { describe, expect, it } from 'vitest';
import { tableEndpoint } from '../../support/aws-env.ts';
import { prove } from '../prove.ts';
import { holdsFor } from './expression.ts';
import { embeddedStage } from './embedded-stage.ts';

describe('the table in memory', () => {
  it('answers as the embedded table does, command by command, and no schedule fails on either', async () => {
    const proof = await prove({ schedules: 15, seed: 20270115, stage: () => embeddedStage(tableEndpoint()) });
    expect(proof.failure).toBeUndefined();
    expect(proof.coverage.commits).toBeGreaterThan(20);
  });

  it('judges expressions as DynamoDB does', () => {
    const item = { pk: 'a', n: 3, text: 'three', list: ['x'], map: { deep: 1 } };
    const names = { '#n0': 'n', '#n1': 'map', '#n2': 'deep', '#n3': 'missing', '#n4': 'list', '#n5': 'text' };
    const holds = (expression: string, ...values: unknown[]) =>
      holdsFor(expression, item, names, Object.fromEntries(values.map((value, at) => [`:v${at}`, value])));
    expect(holds('#n0 = :v0', 3)).toBe(true);
    expect(holds('#n0 >= :v0 AND NOT (#n0 > :v0)', 3)).toBe(true);
    expect(holds('#n0 <= :v0', '3')).toBe(false);
    expect(holds('#n3 <= :v0', 3)).toBe(false);
    expect(holds('(attribute_exists(#n1.#n2)) AND (#n1.#n2 = :v0)', 1)).toBe(true);
    expect(holds('attribute_not_exists(#n3) OR #n0 = :v0', 9)).toBe(true);
    expect(holds('#n0 IN (:v0, :v1)', 1, 3)).toBe(true);
    expect(holds('#n5 BETWEEN :v0 AND :v1', 'a', 'z')).toBe(true);
    expect(holds('contains(#n4, :v0)', 'x')).toBe(true);
    expect(holds('begins_with(#n5, :v0)', 'th')).toBe(true);
    expect(() => holds('size(#n4) = :v0', 1)).toThrow();
  });
});
