import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { zoneSpelling } from '../../shared/platform/time/zone-spelling.ts';

/** Names that Intl takes but does not list, and those with capitals of their own. */
const others = [
  ...['Asia/Ho_Chi_Minh', 'Asia/Kolkata', 'Europe/Kyiv', 'America/Argentina/ComodRivadavia', 'US/Pacific'],
  ...['America/Port-au-Prince', 'America/Port_of_Spain', 'Africa/Dar_es_Salaam', 'Europe/Isle_of_Man'],
  ...['America/North_Dakota/New_Salem', 'America/Knox_IN', 'Antarctica/McMurdo', 'Antarctica/DumontDUrville'],
  ...['Brazil/DeNoronha', 'Chile/EasterIsland', 'Mexico/BajaNorte', 'Mexico/BajaSur', 'Australia/NSW'],
  ...['UTC', 'Etc/UTC', 'Etc/GMT+7', 'GMT0', 'EST', 'EST5EDT', 'Pacific/Yap', 'Zulu', 'PRC', 'NZ', 'NZ-CHAT'],
  ...['GB-Eire', 'W-SU', 'Jamaica', 'Asia/Ust-Nera', 'Africa/Porto-Novo'],
];
const names = [...new Set([...Intl.supportedValuesOf('timeZone'), ...others])];

describe('the spelling of a time zone', () => {
  test.each(['asia/ho_chi_minh', 'ASIA/HO_CHI_MINH', 'aSIA/hO_cHI_mINH'])(
    '%s is Asia/Ho_Chi_Minh',
    (text) => {
      expect(zoneSpelling(text)).toBe('Asia/Ho_Chi_Minh');
    },
  );

  test('is that of the IANA, whatever the case it comes in', () => {
    for (const name of names) {
      expect(zoneSpelling(name.toLowerCase())).toBe(name);
      expect(zoneSpelling(name.toUpperCase())).toBe(name);
    }
  });

  test('is that which Temporal gives', () => {
    for (const name of names) {
      const { timeZoneId } = Temporal.ZonedDateTime.from(`2027-01-01T00:00[${name.toLowerCase()}]`);
      expect(timeZoneId).toBe(name);
    }
  });
});
