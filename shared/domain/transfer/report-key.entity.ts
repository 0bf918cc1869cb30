import * as z from 'zod';
import { binary, defineEntity, defineRecord, type RecordOf } from '../../platform/table/index.ts';
import { reportProviders } from './bank-transfer.schema.ts';

const OldSecretRecord = defineRecord(() => ({
  /** Encrypted (D140). */
  sealed: binary(),
  /** Epoch milliseconds until which it signs. */
  signs_until: z.int(),
}));

/** The keys that sign the reports on a team's bank accounts. */
const ReportKeyRecord = defineRecord(() => ({
  team_id: z.int(),
  provider: z.enum(reportProviders),
  /** The current one, encrypted (D140). */
  sealed: binary(),
  /** Those before that still sign, the newest first (D149); absent: none. */
  old_secrets: z.array(OldSecretRecord()).exactOptional(),
  /** UTC. */
  created_at: z.string(),
}));
export type ReportKey = RecordOf<typeof ReportKeyRecord>;

export const ReportKeyEntity = defineEntity<ReportKey, Pick<ReportKey, 'team_id' | 'provider'>>({
  name: 'ReportKey',
  meaning: 'The keys that sign the reports on the bank accounts of a team.',
  patterns: ['that of a team and a reporter'],
  record: ReportKeyRecord,
  key: { pk: 'TEAM#{team_id}', sk: 'REPORT_KEY#{provider}' },
  example: { team_id: 1, provider: 'sepay' },
});

export const placeOfKey = ({ team_id, provider }: Pick<ReportKey, 'team_id' | 'provider'>): string =>
  `ReportKey/${team_id}/${provider}`;

/** A key of a reporter; `signs_until` null: the current one. */
export type StoredSecret = Pick<ReportKey, 'sealed'> & { signs_until: number | null };

/** Returns the keys of a reporter, the current one first. */
export const secretsOf = ({ sealed, old_secrets = [] }: ReportKey): StoredSecret[] => [
  { sealed, signs_until: null },
  ...old_secrets,
];
