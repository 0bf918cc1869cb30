import type { CreateTeamKey } from '@nightlatch/client';
import { Temporal } from 'temporal-polyfill';
import type { Fields } from '../data/fields.ts';

export const scopes = ['read', 'book', 'customers', 'webhooks', 'personal'] as const;

export const keyDefaults: Fields = { kind: 'SECRET', scopes: 'read', guest_links: 'yes' };

const wordsIn = (text: string): string[] => text.split(/[\s,;]+/).filter((word) => word !== '');

export const scopesIn = (fields: Fields) => {
  const chosen = new Set((fields['scopes'] ?? '').split(' '));
  return scopes.filter((scope) => chosen.has(scope));
};

/** Returns the key that a form asks for; it is valid through the day that was chosen, of this device. */
export const keyOf = (fields: Fields, zone = Temporal.Now.timeZoneId()): CreateTeamKey => {
  const { kind, name = '', until = '', addresses = '', origins = '', guest_links } = fields;
  const end = until === '' ? undefined : Temporal.PlainDate.from(until).add({ days: 1 });
  const expires_at = end ? end.toZonedDateTime(zone).toInstant().toString() : null;
  if (kind === 'PUBLISHABLE')
    return { kind, name: name.trim(), allowed_origins: wordsIn(origins), expires_at };
  return {
    name: name.trim(),
    scopes: scopesIn(fields),
    expires_at,
    allow_ip: wordsIn(addresses),
    guest_links: guest_links === 'yes',
  };
};
