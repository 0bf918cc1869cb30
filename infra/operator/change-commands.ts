import * as z from 'zod';
import {
  type OperatorChange,
  OperatorChangeEntity,
} from '../../shared/platform/operator/operator-change.entity.ts';
import { defineCommand } from './command.ts';
import { endOf, timeFlags } from './fields.ts';

/** The record of what operators have done. */
export const changeCommands = {
  list: defineCommand({
    summary:
      'Lists the commands that changed something in a time, newest first: who, when, what, how it ended',
    changes: false,
    input: z.strictObject(timeFlags),
    run: async ({ deps }, time) => {
      const to = endOf(time, deps.clock.now());
      const found: OperatorChange[] = [];
      for (const month of monthsBetween(time.from, to).toReversed()) {
        const pk = OperatorChangeEntity.partition({ month });
        found.push(...(await deps.table.queryAll(OperatorChangeEntity, { pk, descending: true })));
      }
      const items = found.filter(({ at }) => at >= time.from && at <= to);
      return { items: items.map(({ month: _, ...change }) => change) };
    },
  }),
};

/** Nothing is kept longer than that. */
const mostMonths = 15;

const monthsBetween = (from: string, to: string): string[] => {
  const numberOf = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7)) - 1;
  const last = numberOf(to);
  const first = Math.max(numberOf(from), last - mostMonths);
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const month = first + at;
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
  });
};
