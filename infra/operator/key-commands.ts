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
import { actorHistory } from './actor-history.ts';
import { defineCommand } from './command.ts';
import { KeyId, Moment, TeamId, timeOptions, wholeNumber } from './fields.ts';
import { readSecret } from './standard-streams.ts';

const key = { type: 'string', meaning: '<id> of the key', required: true } as const;
const { name, scopes, expires_at, allow_ip, rate_limit, collects_payment } = KeySettings.shape;

const dayHours = 24;
const longestOverlapHours = 90 * dayHours;
const Overlap = z.union([wholeNumber(z.int().min(0).max(longestOverlapHours)), z.literal('until-revoked')]);

export const keyCommands = {
  create: defineCommand({
    summary: 'Issues an API key; it is shown once',
    changes: true,
    options: {
      team: { type: 'string', multiple: true, meaning: '<id> of a team; may be repeated', required: true },
      name: { type: 'string', meaning: '<text> to distinguish keys' },
      scope: {
        type: 'string',
        multiple: true,
        meaning: `<${keyScopes.join('|')}>; may be repeated; default: all`,
      },
      expires_at: { type: 'string', meaning: '<instant> such as 2027-12-31T17:00:00Z' },
      allow_ip: { type: 'string', multiple: true, meaning: '<CIDR> it may be used from; may be repeated' },
      rate_limit: { type: 'string', meaning: '<number> of requests a minute' },
      collects_payment: { type: 'boolean', meaning: 'the partner collects the money itself' },
    },
    input: z.strictObject({
      team: z.array(TeamId).min(1).max(50),
      name,
      scope: scopes,
      expires_at,
      allow_ip,
      rate_limit: wholeNumber(rate_limit),
      collects_payment,
    }),
    run: ({ deps, stage }, { team, scope, ...settings }) =>
      createKey(deps, stage, { ...settings, scopes: scope, team_ids: [...new Set(team)] }),
  }),
  find: defineCommand({
    summary: 'Names the key of a secret that is read from standard input, for example one that leaked',
    changes: false,
    options: {
      secret_stdin: { type: 'boolean', meaning: 'read the key itself from standard input', required: true },
    },
    input: z.strictObject({ secret_stdin: z.literal(true) }),
    run: async ({ deps, stage, streams }) => findKey(deps, stage, await readSecret(streams)),
  }),
  history: defineCommand({
    summary: 'Lists what a partner has changed in a time, by any of its keys, and the query of its requests',
    changes: false,
    options: { key, ...timeOptions },
    input: z.strictObject({ key: KeyId, from: Moment, to: Moment.optional() }),
    run: async (place, { key: key_id, ...time }) => {
      const { partner_key_id } = await requireKey(place.deps.table, key_id);
      return actorHistory(place, { actor: { partner_key_id }, ...time });
    },
  }),
  list: defineCommand({
    summary: 'Lists API keys; the keys themselves are not kept',
    changes: false,
    options: { team: { type: 'string', meaning: '<id> of a team' } },
    input: z.strictObject({ team: TeamId.optional() }),
    run: async ({ deps }, { team }) => ({ items: await listKeys(deps, { team_id: team }) }),
  }),
  limit: defineCommand({
    summary: 'Sets how many requests a minute a key may make, within 60 seconds everywhere',
    changes: true,
    options: {
      key,
      rate_limit: { type: 'string', meaning: '<number> of requests a minute; without it, the default' },
    },
    input: z.strictObject({ key: KeyId, rate_limit: wholeNumber(rate_limit) }),
    run: ({ deps }, { key: key_id, rate_limit }) => limitKey(deps, { key_id, rate_limit }),
  }),
  revoke: defineCommand({
    summary: 'Ends a key at once: within 60 seconds everywhere',
    changes: true,
    options: { key },
    input: z.strictObject({ key: KeyId }),
    run: ({ deps }, input) => revokeKey(deps, { key_id: input.key }),
  }),
  rotate: defineCommand({
    summary: 'Issues a key in the place of another, which works on for a while',
    changes: true,
    options: {
      key,
      overlap_hours: { type: 'string', meaning: '<hours> the old key works on, or until-revoked; 24' },
    },
    input: z.strictObject({ key: KeyId, overlap_hours: Overlap.default(dayHours) }),
    run: ({ deps, stage }, { key: key_id, overlap_hours }) =>
      rotateKey(deps, stage, {
        key_id,
        overlapHours: overlap_hours === 'until-revoked' ? null : overlap_hours,
      }),
  }),
};
