import * as z from 'zod';
import { defineEntity, defineRecord, type RecordOf } from '../../platform/table/index.ts';

/** A team's own words for a mail to its guests (D91). */
const TeamMailRecord = defineRecord(() => ({
  team_id: z.int(),
  /** Of the table of mails. */
  name: z.string(),
  language: z.enum(['vi', 'en']),
  subject: z.string(),
  text: z.string(),
  /** UTC. */
  updated_at: z.string(),
}));
export type StoredTeamMail = RecordOf<typeof TeamMailRecord>;

export const teamMailPrefix = 'MAIL#';

export const TeamMailEntity = defineEntity<
  StoredTeamMail,
  Pick<StoredTeamMail, 'team_id' | 'name' | 'language'>
>({
  name: 'TeamMail',
  meaning: "A team's own words for a mail to its guests.",
  patterns: ['the words for a mail in a language', 'all own words of a team'],
  record: TeamMailRecord,
  key: { pk: 'TEAM#{team_id}', sk: `${teamMailPrefix}{name}#{language}` },
  example: { team_id: 1, name: 'booked', language: 'vi' },
});
