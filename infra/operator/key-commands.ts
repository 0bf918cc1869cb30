import * as z from 'zod';
import {
  createKey,
  findKey,
  limitKey,
  listKeys,
  revokeKey,
  rotateKey,
} from '../../shared/domain/people/index.ts';
import { KeySettings, requireKey } from '../../shared/domain/people/model.ts';
import { keyScopes } from '../../shared/platform/auth.ts';
import { Id } from '../../shared/platform/schema/schema.ts';
import { actorHistory } from './actor-history.ts';
import { defineCommand } from './command.ts';
import { TeamId, timeFlags, wholeNumber } from './fields.ts';
import { readSecret } from './standard-streams.ts';

const key = wholeNumber(Id).describe('<id> of the key');
const { name, scopes, expires_at, allow_ip, rate_limit, collects_payment } = KeySettings.shape;

const RateLimit = wholeNumber(rate_limit).default(null);

const dayHours = 24;
const longestOverlapHours = 90 * dayHours;
const Overlap = z.union([wholeNumber(z.int().min(0).max(longestOverlapHours)), z.literal('until-revoked')]);

export const keyCommands = {
  create: defineCommand({
    summary: 'Issues an API key; it is shown once',
    changes: true,
    input: z.strictObject({
      team: z.array(TeamId).min(1).max(50).describe('<id> of a team; may be repeated'),
      name: name.describe('<text> to distinguish keys'),
      scope: scopes.describe(`<${keyScopes.join('|')}>; may be repeated; default: all`),
      expires_at: expires_at.describe('<instant> such as 2027-12-31T17:00:00Z'),
      allow_ip: allow_ip.describe('<CIDR> it may be used from; may be repeated'),
      rate_limit: RateLimit.describe('<number> of requests a minute'),
      collects_payment: collects_payment.describe('the partner collects the money itself'),
      no_guest_links: z.boolean().default(false).describe('guests of its bookings get no link to them'),
    }),
    run: ({ deps, stage }, { team, scope, no_guest_links, ...settings }) =>
      createKey(deps, stage, {
        ...settings,
        scopes: scope,
        team_ids: [...new Set(team)],
        ...(no_guest_links ? { guest_links: false } : {}),
      }),
  }),
  find: defineCommand({
    summary: 'Names the key of a secret that is read from standard input, for example one that leaked',
    changes: false,
    input: z.strictObject({
      secret_stdin: z.literal(true).describe('read the key itself from standard input'),
    }),
    run: async ({ deps, stage, streams }) => findKey(deps, stage, await readSecret(streams)),
  }),
  history: defineCommand({
    summary: 'Lists what a partner has changed in a time, by any of its keys, and the query of its requests',
    changes: false,
    input: z.strictObject({ key, ...timeFlags }),
    run: async (place, { key: key_id, ...time }) => {
      const { partner_key_id } = await requireKey(place.deps.table, key_id);
      return actorHistory(place, { actor: { partner_key_id }, ...time });
    },
  }),
  list: defineCommand({
    summary: 'Lists API keys; the keys themselves are not kept',
    changes: false,
    input: z.strictObject({ team: TeamId.optional().describe('<id> of a team') }),
    run: async ({ deps }, { team }) => ({ items: await listKeys(deps, { team_id: team }) }),
  }),
  limit: defineCommand({
    summary: 'Sets how many requests a minute a key may make, within 60 seconds everywhere',
    changes: true,
    input: z.strictObject({
      key,
      rate_limit: RateLimit.describe('<number> of requests a minute; without it, the default'),
    }),
    run: ({ deps }, { key: key_id, rate_limit }) => limitKey(deps, { key_id, rate_limit }),
  }),
  revoke: defineCommand({
    summary: 'Ends a key at once: within 60 seconds everywhere',
    changes: true,
    input: z.strictObject({ key }),
    run: ({ deps }, input) => revokeKey(deps, { key_id: input.key }),
  }),
  rotate: defineCommand({
    summary: 'Issues a key in the place of another, which works on for a while',
    changes: true,
    input: z.strictObject({
      key,
      overlap_hours: Overlap.default(dayHours).describe('<hours> the old key works on, or until-revoked; 24'),
    }),
    run: ({ deps, stage }, { key: key_id, overlap_hours }) =>
      rotateKey(deps, stage, {
        key_id,
        overlapHours: overlap_hours === 'until-revoked' ? null : overlap_hours,
      }),
  }),
};
