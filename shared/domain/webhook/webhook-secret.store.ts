import { randomBytes } from 'node:crypto';
import type { Dependencies } from '../../platform/context.ts';
import { change, equals, retryOnConflict } from '../../platform/table/index.ts';
import { validSecrets, stillSigning } from '../../platform/secrets/overlap.ts';
import { type StoredSecret, type Webhook, WebhookEntity, type WebhookIds } from './webhook.store.ts';

/** A signing secret as its partner has it. */
export type Secret = Omit<StoredSecret, 'sealed' | 'text'> & { text: string };

type Sealer = Pick<Dependencies, 'sealing'>;
type Ids = Pick<Webhook, 'webhook_id'>;

const secretBytes = 32;

const placeOf = ({ webhook_id }: Ids): string => `Webhook/${webhook_id}/secret`;

export const newSecret = (): Secret => ({
  text: `whsec_${randomBytes(secretBytes).toString('base64')}`,
  signs_until: null,
});

/** Returns the stored form of a secret (D140). */
export const sealedSecret = async (
  { sealing }: Sealer,
  ids: Ids,
  { text, signs_until }: Secret,
): Promise<StoredSecret> => ({ sealed: await sealing().seal(text, placeOf(ids)), signs_until });

/** Returns the secrets after a rotation: the old ones sign for another 24 hours (D62). */
export const rotateSecrets = (
  sealer: Sealer,
  webhook: Pick<Webhook, 'webhook_id' | 'secrets'>,
  next: Secret,
  now: number,
): Promise<StoredSecret[]> => sealedAll(sealer, webhook, [next, ...stillSigning(webhook.secrets, now)]);

const sealedAll = (sealer: Sealer, ids: Ids, secrets: readonly StoredSecret[]): Promise<StoredSecret[]> =>
  Promise.all(
    secrets.map(async ({ text, ...secret }) =>
      text === undefined ? secret : sealedSecret(sealer, ids, { ...secret, text }),
    ),
  );

/** Encrypts the secrets of a webhook that a version before has written as they are. */
export const sealWebhook = (deps: Sealer & Pick<Dependencies, 'table'>, ids: WebhookIds): Promise<void> =>
  retryOnConflict(async () => {
    const webhook = await deps.table.get(WebhookEntity, ids);
    if (!webhook) return;
    const { secrets, version } = webhook;
    const set = { secrets: await sealedAll(deps, webhook, secrets), version: version + 1 };
    await deps.table.transact([
      change(WebhookEntity, webhook, { set }, { when: equals('version', version) }),
    ]);
  });

/** Returns the secrets that sign now; those that cannot be decrypted, because the key was lost, are left out. */
export const signingSecrets = async (
  { sealing }: Sealer,
  webhook: Pick<Webhook, 'webhook_id' | 'secrets'>,
  now: number,
): Promise<string[]> => {
  const texts = await Promise.all(
    validSecrets(webhook.secrets, now).map(async ({ text, sealed }) =>
      sealed ? (await sealing().open(sealed, placeOf(webhook)))?.toString() : text,
    ),
  );
  return texts.filter((text) => text !== undefined);
};
