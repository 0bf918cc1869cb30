import type { Actor } from './actor.ts';

const path = '/external/customers';

interface Listed {
  items: { id: number }[];
}

type Deed = (partner: Actor, customer: number) => Promise<unknown>;

const deeds: readonly Deed[] = [
  (partner, id) => partner.get('getCustomer', `${path}/${id}`),
  (partner, id) => partner.get('readLoginStatus', `${path}/${id}/login-status`),
  (partner, id) => partner.get('readEmailVerification', `${path}/${id}/email-verification`),
  (partner, id) => partner.post('resendVerification', `${path}/${id}/resend-verification`),
  (partner, id) => {
    const phone = `+8490600${String(1000 + partner.town.sim.whole(9000))}`;
    return partner.patch('updateCustomer', `${path}/${id}`, { phone });
  },
  // Who logs in again is a customer again.
  (partner, id) => {
    const team = partner.town.sim.pick(partner.town.hosts).team;
    return partner.remove('removeCustomer', `${path}/${id}/teams/${team}`);
  },
];

/** Keeps one of the partner's customers. */
export const tendCustomers = async (partner: Actor): Promise<void> => {
  const reply = await partner.get('listCustomers', path, { limit: 20 });
  const { items } = reply?.status === 200 ? (reply.json as Listed) : { items: [] };
  if (items.length === 0) return;
  const { sim } = partner.town;
  await sim.pick(deeds)(partner, sim.pick(items).id);
};
