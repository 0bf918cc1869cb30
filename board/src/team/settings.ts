import type { Team, UpdateTeam } from '@nightlatch/client';
import type { Fields } from '../data/fields.ts';

export const settingNames = [
  'name',
  'language',
  'contact_name',
  'contact_phone',
  'contact_email',
  'logo_url',
] as const;
export type SettingName = (typeof settingNames)[number];

/** Returns what a form changes of the settings; what is empty is taken out. */
export const changesOf = (team: Team, typed: Fields): UpdateTeam =>
  Object.fromEntries(
    settingNames.flatMap((name) => {
      const text = typed[name]?.trim();
      return text === undefined || text === (team[name] ?? '') ? [] : [[name, text === '' ? null : text]];
    }),
  );
