import { describe, expect, it } from 'vitest';
import { accessPatternChart, type ChartedEntity } from '../../shared/access-patterns.ts';
import { entities } from '../../shared/entities.ts';

const all: readonly ChartedEntity[] = entities;

/** Whether a key could have been made by the pattern. */
const couldBe = (pattern: string, key: string): boolean => {
  const literals = pattern.split(/\{[\w.:]+\}/).map((text) => text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literals.join('.+')}$`).test(key);
};

describe('entities', () => {
  it('have names of their own', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });

  it.each(all)('$name: no other entity can have its key', (entity) => {
    const { pk, sk } = entity.key(entity.example as never);
    const rivals = all
      .filter((other) => other !== entity)
      .filter((other) => other.keyTemplates.some((key) => couldBe(key.pk, pk) && couldBe(key.sk, sk)));
    expect(rivals.map(({ name }) => name)).toEqual([]);
    expect(entity.keyTemplates.some((key) => couldBe(key.pk, pk) && couldBe(key.sk, sk))).toBe(true);
  });

  it.each(all)('$name: its meaning and the reads that it serves are said', ({ meaning, patterns }) => {
    expect(meaning).toMatch(/^\S.{10,}\.$/);
    expect(patterns.length).toBeGreaterThan(0);
  });

  it('share no partition of an index by accident', () => {
    const places = all.flatMap((entity) =>
      entity.indexTemplates.map(({ index, pk }) => ({ index, pk, entity: entity.name })),
    );
    const owners = new Map<string, Set<string>>();
    for (const { index, pk, entity } of places) {
      const partition = `${index} ${pk.replaceAll(/\{[\w.:]+\}/g, '{}')}`;
      owners.set(partition, (owners.get(partition) ?? new Set()).add(entity));
    }
    const shared = [...owners].filter(([, names]) => names.size > 1).map(([partition]) => partition);
    expect(shared).toEqual([]);
  });
});

describe('the chart of access patterns', () => {
  const chart = accessPatternChart(all);

  it('has a row for each entity', () => {
    for (const { name } of all) expect(chart).toContain(`| **${name}** `);
    expect(chart.trim().split('\n')).toHaveLength(all.length + 2);
  });

  it('writes keys with the fields they are made of', () => {
    expect(chart).toContain('| `ORDER#{order_id}` | `RESERVATION#{reservation_id}` |');
    expect(chart).toContain('by_audience: `OPEN_LISTINGS`, `AT#{updated_at}` (open)');
    expect(chart).toContain('by_team: `TEAM#{team_id}#CHATS`, `{last_message.created_at}#{thread_id}`');
  });
});
