import type { Ready } from './ready.ts';

const json = "-H 'Content-Type: application/json'";
const day = 86_400_000;

/** Three lines for a shell that end in a confirmed booking of the demo guest (D69). */
export const curlLines = ({ api_url, auth_url, client, demo }: Ready, nowMs: number): string[] => {
  const dateIn = (days: number) => new Date(nowMs + days * day).toISOString().slice(0, 10);
  const { email: username, password } = demo.guest;
  const grant = { grant_type: 'password', username, password, scope: 'openid profile email', ...client };
  const item = {
    listing_id: demo.listing_ids[0] ?? 0,
    check_in_date: dateIn(30),
    check_out_date: dateIn(33),
    guest_number: 2,
  };
  const order = { items: [item], currency: 'VND' };
  const bearer = '-H "Authorization: Bearer $TOKEN"';
  return [
    `TOKEN=$(curl -s ${auth_url}/oauth/token ${json} -d '${JSON.stringify(grant)}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -s ${api_url}/api/v1/checkout/preview ${bearer} ${json} -d '${JSON.stringify(order)}'`,
    `curl -s ${api_url}/api/v1/checkout/confirm ${bearer} ${json} -H 'Idempotency-Key: my-first-booking' -d '${JSON.stringify({ ...order, payment_method: 'CASH' })}'`,
  ];
};
