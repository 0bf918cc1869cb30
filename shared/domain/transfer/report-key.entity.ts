import * as z from 'zod';
import { binary, defineEntity, defineRecord, type RecordOf } from '../../platform/table/index.ts';
import { reportProviders } from './bank-transfer.schema.ts';

/** The key that signs the reports on a team's bank accounts. */
const ReportKeyRecord = defineRecord(() => ({
  team_id: z.int(),
  provider: z.enum(reportProviders),
  /** Encrypted (D140). */
  sealed: binary(),
  /** UTC. */
  created_at: z.string(),
}));
type ReportKey = RecordOf<typeof ReportKeyRecord>;

export const ReportKeyEntity = defineEntity<ReportKey, Pick<ReportKey, 'team_id' | 'provider'>>({
  name: 'ReportKey',
  meaning: 'The key that signs the reports on the bank accounts of a team.',
  patterns: ['that of a team and a reporter'],
  record: ReportKeyRecord,
  key: { pk: 'TEAM#{team_id}', sk: 'REPORT_KEY#{provider}' },
  example: { team_id: 1, provider: 'sepay' },
});

export const placeOfKey = ({ team_id, provider }: Pick<ReportKey, 'team_id' | 'provider'>): string =>
  `ReportKey/${team_id}/${provider}`;
