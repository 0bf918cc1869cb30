import { instantText } from '../../platform/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { change, equals, ConflictError } from '../../platform/table/index.ts';
import { type Webhook, WebhookEntity } from './webhook.entity.ts';

/**
 * Notes that an endpoint has begun to fail, or answers again: then it is no longer FAILING either. While nothing changes
 * nothing is written; what somebody else has decided meanwhile stands.
 */
export const recordHealth = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  webhook: Webhook,
  isWell: boolean,
): Promise<void> => {
  const { state, troubled_since, version } = webhook;
  if (isWell ? troubled_since === null && state === 'ACTIVE' : troubled_since !== null) return;
  const now = instantText(clock.now());
  const recovered = { state: 'ACTIVE', problem: null, version: version + 1, updated_at: now } as const;
  const set = isWell
    ? { troubled_since: null, ...(state === 'FAILING' ? recovered : {}) }
    : { troubled_since: now };
  try {
    await table.transact([change(WebhookEntity, webhook, { set }, { when: equals('version', version) })]);
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
  }
};
