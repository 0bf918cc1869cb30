import * as z from 'zod';
import type { EventMessage } from '../../platform/events/index.ts';
import { runOnce } from '../../platform/events/handle-once.ts';
import { writtenLanguage } from '../../platform/language.ts';
import { Id } from '../../platform/schema.ts';
import { listMembers } from '../team/index.ts';
import type { NotificationDependencies } from './notify-booking.ts';
import { webhookMail } from './webhook-mail.ts';

const Failing = z.object({
  id: Id,
  team_ids: z.array(Id),
  url: z.string(),
  problem: z.string(),
  troubled_since: z.string().nullable(),
});
export type FailingWebhook = z.infer<typeof Failing>;

/** Tells the owners of a webhook's teams that it is failing, each of them once (D62). */
export const notifyFailingWebhook = async (
  deps: NotificationDependencies,
  { id, data }: EventMessage,
): Promise<void> => {
  const webhook = Failing.parse(data);
  const members = await Promise.all(webhook.team_ids.map((team) => listMembers(deps, team)));
  const owners = members.flat().filter(({ role, state }) => role === 'OWNER' && state === 'ACTIVE');
  const byId = new Map(owners.map((owner) => [owner.user_id, owner]));
  const outcomes = await Promise.allSettled(
    [...byId.values()].map(({ user_id, email, full_name, language }) =>
      runOnce(deps, { consumer: 'notification', event_id: id, recipient: `user:${user_id}` }, () =>
        deps.mailer.send(webhookMail({ email, full_name, language: writtenLanguage(language) }, webhook)),
      ),
    ),
  );
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed)
    throw new Error(`a mail could not be sent: ${String((failed as PromiseRejectedResult).reason)}`);
};
