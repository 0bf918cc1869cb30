import { instantText } from '../../platform/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { change, equals, ConflictError } from '../../platform/table/index.ts';
import { type Webhook, WebhookEntity } from './webhook.entity.ts';
import { unsubscribe } from './webhook.store.ts';

/** Disables a webhook for a reason that its partner reads; one that was changed meanwhile is left alone. */
export const disableWebhook = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  webhook: Webhook,
  problem: string,
): Promise<void> => {
  const { version } = webhook;
  const set = {
    state: 'DISABLED',
    problem,
    version: version + 1,
    updated_at: instantText(clock.now()),
  } as const;
  try {
    await table.transact([
      change(WebhookEntity, webhook, { set }, { when: equals('version', version) }),
      ...unsubscribe(webhook),
    ]);
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
  }
};
