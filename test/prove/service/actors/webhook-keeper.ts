import type { Actor } from './actor.ts';

const path = '/external/webhooks';
const types = ['booking.created', 'booking.cancelled', 'listing.updated', 'chat.message_created'];

interface Listed {
  items: { id: number; url: string; state: string }[];
}

/** Whether the partner only tries it out: nothing is expected of its deliveries. */
const isTrial = ({ url }: { url: string }): boolean => url.includes('trial');

/** Tries out webhooks: made, changed, disabled, deleted. Of those that count, secrets change and deliveries are sent again. */
export const tendWebhooks = async (partner: Actor): Promise<void> => {
  const { sim } = partner.town;
  const reply = await partner.get('listWebhooks', path);
  if (reply?.status !== 200) return;
  const { items } = reply.json as Listed;
  const trials = items.filter(isTrial);
  if (trials.length < 2 && sim.chance(0.5)) return makeTrial(partner);
  const { id } = sim.pick(items);
  const dice = sim.random();
  if (dice < 0.25) await partner.post('rotateWebhookSecret', `${path}/${id}/rotate-secret`);
  else if (dice < 0.4) await partner.post('testWebhook', `${path}/${id}/test`);
  else if (dice < 0.5) await partner.get('getWebhook', `${path}/${id}`);
  else if (dice < 0.7 || trials.length === 0) await sendAgain(partner, id);
  else await changeTrial(partner, sim.pick(trials).id);
};

const makeTrial = async (partner: Actor): Promise<void> => {
  const { town, who } = partner;
  const url = `https://${town.sim.pick(['trial', 'shaky-trial'])}.${who.name}.example.com/hooks`;
  await partner.post('createWebhook', path, { url, event_types: types });
};

const sendAgain = async (partner: Actor, id: number): Promise<void> => {
  const reply = await partner.get('listWebhookDeliveries', `${path}/${id}/deliveries`, { limit: 20 });
  if (reply?.status !== 200) return;
  const { items } = reply.json as { items: { id: string; state: string }[] };
  const failed = items.filter(({ state }) => state !== 'DELIVERED');
  const all = failed.length > 0 ? failed : items;
  if (all.length === 0) return;
  const one = partner.town.sim.pick(all);
  await partner.post('redeliverWebhook', `${path}/${id}/deliveries/${one.id}/redeliver`);
};

const changeTrial = async (partner: Actor, id: number): Promise<void> => {
  const { sim } = partner.town;
  if (sim.chance(0.3)) await partner.remove('deleteWebhook', `${path}/${id}`);
  else {
    const state = { state: sim.pick(['ACTIVE', 'DISABLED']) };
    const fewer = { event_types: types.slice(0, 1 + sim.whole(types.length)) };
    await partner.patch('updateWebhook', `${path}/${id}`, sim.chance(0.5) ? state : fewer);
  }
};
