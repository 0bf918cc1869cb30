import * as z from 'zod';
import { defineEntity, defineRecord, type RecordOf } from '../table/index.ts';

const keptDays = 400;

/** A command of the operator's tool that changes something (D72): who ran what, when, and how it ended. */
const OperatorChangeRecord = defineRecord(() => ({
  /** UTC, `2027-01`. */
  month: z.string(),
  change_id: z.int(),
  /** UTC; when it began. */
  at: z.string(),
  /** The name that the operator gave or has on the machine, and on a stage the id of the access key. */
  by: z.string(),
  /** `<noun> <verb>`. */
  command: z.string(),
  /** The flags without addresses of people; secrets are never flags. */
  flags: z.record(z.string(), z.string()),
  /** STARTED: it still runs, or its process died. */
  state: z.enum(['STARTED', 'DONE', 'FAILED']),
  /** The ids in its result. */
  ids: z.record(z.string(), z.int()).exactOptional(),
  /** Of a FAILED one: the code of its error. */
  error: z.string().exactOptional(),
}));
export type OperatorChange = RecordOf<typeof OperatorChangeRecord>;

export const OperatorChangeEntity = defineEntity<
  OperatorChange,
  Pick<OperatorChange, 'month' | 'at' | 'change_id'>
>({
  name: 'OperatorChange',
  meaning: "A command of the operator's tool that changed something.",
  patterns: ['what the operators have changed, a month at a time'],
  record: OperatorChangeRecord,
  key: { pk: 'OPERATOR_CHANGES#{month}', sk: '{at}#{change_id:sortable}' },
  expiresAt: ({ at }) => Math.ceil(Date.parse(at) / 1000) + keptDays * 86_400,
  example: { month: '2027-01', at: '2027-01-15T03:00:00.000Z', change_id: 1 },
});
