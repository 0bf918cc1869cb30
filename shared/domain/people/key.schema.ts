import * as z from 'zod';
import { keyScopes } from '../../platform/auth.ts';
import { Id, Instant } from '../../platform/schema/schema.ts';
import { isAddressRange } from './address-range.rules.ts';

const AddressRange = z
  .string()
  .trim()
  .refine(isAddressRange, 'must be an address or a range such as 203.0.113.0/24 or 2001:db8::/32');

/** The scopes of a key in their fixed order, each once (D93). */
const KeyScopes = z
  .array(z.enum(keyScopes))
  .min(1)
  .overwrite((given) => keyScopes.filter((scope) => given.includes(scope)))
  .meta({
    description:
      'What the key may do: `read`; `book`, which includes `read`; `customers`; `webhooks`; `personal`: names, phone numbers and e-mail addresses in what it reads.',
    examples: [['book', 'webhooks']],
  });

/** The settings of a key (D16). */
export const KeySettings = z
  .strictObject({
    team_ids: z.array(Id).min(1).max(50),
    scopes: KeyScopes.default([...keyScopes]),
    name: z.string().trim().min(1).max(255).nullable().default(null),
    expires_at: Instant.nullable().default(null),
    allow_ip: z.array(AddressRange).max(50).default([]),
    /** Requests a minute; null: the default (D10). */
    rate_limit: z.int().min(1).max(1_000_000).nullable().default(null),
    collects_payment: z.boolean().default(false),
    /** Whether guests of its bookings get a link to them (D122); absent: yes. */
    guest_links: z.boolean().exactOptional(),
  })
  .meta({ id: 'KeySettings' });
export type KeySettings = z.infer<typeof KeySettings>;

export const KeyKind = z.enum(['SECRET', 'PUBLISHABLE']).meta({
  id: 'KeyKind',
  description:
    'SECRET: of a program, shown once. PUBLISHABLE: of web pages, no secret; it reads what every guest may see of the team.',
});

/** A key as the operator sees it, without its text. */
export const KeyRecord = z
  .object({
    ...KeySettings.shape,
    /** Absent on keys from before scopes: all. */
    scopes: z.array(z.enum(keyScopes)).default([...keyScopes]),
    kind: KeyKind,
    allowed_origins: z.array(z.string()),
    key_id: Id,
    /** The first key of its rotations: the partner's id in bookings, limits and history. */
    partner_key_id: Id,
    /** The first characters, to distinguish keys. */
    hint: z.string(),
    state: z.enum(['ACTIVE', 'REVOKED']),
    created_at: Instant,
    revoked_at: Instant.nullable(),
    /** Accurate to ten minutes. */
    last_used: Instant.nullable(),
  })
  .meta({ id: 'Key' });
export type KeyRecord = z.infer<typeof KeyRecord>;
