import * as z from 'zod';
import { keyScopes } from '../../platform/auth.ts';
import { Id, Instant, lineOf } from '../../platform/schema/schema.ts';
import { isOrigin } from '../../platform/http/cors.ts';
import { KeyKind, KeyRecord, KeySettings } from './key.schema.ts';

const { allow_ip, expires_at, scopes, guest_links } = KeySettings.shape;

const guestLinks =
  'Whether guests of its bookings get the link `guest_url` to them, by mail and in their details.';

const Origin = z
  .string()
  .max(255)
  .refine(isOrigin, 'must be an origin as browsers send it, such as https://www.example.com');
const mostOrigins = 20;

/** What an owner says of a new key (D93). Rate limit, teams and the collection of payments are the operator's. */
export const CreateTeamKey = z
  .strictObject({
    kind: KeyKind.optional().meta({ description: 'Left out: SECRET.' }),
    name: lineOf(255).meta({
      description: 'A name to distinguish the keys of the team.',
      examples: ['Channel manager'],
    }),
    scopes: scopes
      .unwrap()
      .optional()
      .meta({ description: 'Required of a SECRET key; a PUBLISHABLE one has none.' }),
    allowed_origins: z
      .array(Origin)
      .max(mostOrigins)
      .optional()
      .meta({
        description:
          'Required of a PUBLISHABLE key: the origins of the pages that may use it, as browsers send them, besides those of the service itself. A request without an origin, which no page elsewhere sends, is answered too.',
        examples: [['https://www.example.com']],
      }),
    expires_at: expires_at.meta({ description: 'When it ends, in the future; null: no end.' }),
    allow_ip: allow_ip.meta({
      description: 'Addresses and ranges that it may be used from; empty: any.',
      examples: [['203.0.113.0/24']],
    }),
    guest_links: guest_links.meta({ description: `${guestLinks} Left out: yes.` }),
  })
  .superRefine((key, context) => {
    const { kind = 'SECRET' } = key;
    const isPublishable = kind === 'PUBLISHABLE';
    const wrong = (path: keyof typeof key, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    const ofKind = isPublishable ? (['allowed_origins'] as const) : (['scopes'] as const);
    const ofOther = isPublishable ? (['scopes', 'guest_links'] as const) : (['allowed_origins'] as const);
    for (const name of ofKind) if (key[name] === undefined) wrong(name, `is required of a ${kind} key`);
    for (const name of ofOther) if (key[name] !== undefined) wrong(name, `is not of a ${kind} key`);
    if (isPublishable && key.allow_ip.length > 0)
      wrong('allow_ip', 'is not of a PUBLISHABLE key: pages are opened from anywhere');
  })
  .meta({ id: 'CreateTeamKey' });
export type CreateTeamKey = z.infer<typeof CreateTeamKey>;

const { key_id, partner_key_id, name, hint, rate_limit, collects_payment } = KeyRecord.shape;

/** A key as the owners of its team see it, without its text. */
export const TeamKey = z
  .object({
    key_id,
    partner_key_id: partner_key_id.meta({
      description: 'The first key of its rotations: the partner in the history of bookings.',
    }),
    name,
    kind: KeyKind,
    api_key: z
      .string()
      .nullable()
      .meta({ description: 'The text of a PUBLISHABLE key; null: a SECRET one is shown once.' }),
    allowed_origins: z
      .array(z.string())
      .meta({ description: 'The origins of pages that may use a PUBLISHABLE key.' }),
    scopes: z.array(z.enum(keyScopes)).meta({ description: 'What a SECRET key may do.' }),
    hint: hint.meta({ description: 'The first characters of the key.', examples: ['nl_dev_4x7K'] }),
    state: z.enum(['ACTIVE', 'EXPIRED', 'REVOKED']),
    is_shared: z.boolean().meta({
      description: 'Whether it is also for other teams: their operator issued it and alone rotates it.',
    }),
    expires_at: Instant.nullable(),
    allow_ip: z.array(z.string()),
    rate_limit: rate_limit.unwrap().meta({ description: 'Requests a minute; null: the default.' }),
    collects_payment: collects_payment.unwrap().meta({
      description: 'Whether the partner collects the money itself, so that its bookings start PAID.',
    }),
    guest_links: z.boolean().meta({ description: guestLinks }),
    created_at: Instant,
    created_by: Id.nullable().meta({ description: 'The owner who made it; null: the operator.' }),
    revoked_at: Instant.nullable(),
    revoked_by: Id.nullable().meta({ description: 'The owner who revoked it; null: the operator.' }),
    last_used: Instant.nullable().meta({ description: 'Accurate to ten minutes.' }),
  })
  .meta({ id: 'TeamKey' });
export type TeamKey = z.infer<typeof TeamKey>;

const keyText = z.string().meta({
  description: 'The key. A SECRET one is shown this once and stored nowhere.',
  examples: ['nl_dev_…'],
});

export const IssuedTeamKey = TeamKey.extend({ api_key: keyText }).meta({ id: 'IssuedTeamKey' });
export type IssuedTeamKey = z.infer<typeof IssuedTeamKey>;

export const RotatedTeamKey = IssuedTeamKey.extend({
  old_key_id: Id,
  old_expires_at: Instant.nullable().meta({ description: 'Until when the old key is valid too.' }),
}).meta({ id: 'RotatedTeamKey' });
export type RotatedTeamKey = z.infer<typeof RotatedTeamKey>;
