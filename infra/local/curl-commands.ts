import { dayMs } from '../../shared/platform/time/time.ts';
import type { Ready } from './ready.ts';

const json = "-H 'Content-Type: application/json'";
/** Far from the nights that the README's commands book. */
const daysAhead = 300;

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const nightAhead = (nowMs: number): string => dateOf(nowMs + daysAhead * dayMs);

/** Returns the first available night from `daysAhead` on: a kept table contains earlier bookings. */
const firstAvailableNight = async ({ api_url, demo }: Ready, nowMs: number): Promise<string> => {
  const range = `start_date=${nightAhead(nowMs)}&end_date=${dateOf(nowMs + (daysAhead + 365) * dayMs)}`;
  const reply = await fetch(
    `${api_url}/api/v1/external/listings/${demo.listing_ids[0]}/availability?${range}`,
    { headers: { 'X-API-Key': demo.api_key } },
  );
  const { items } = (await reply.json()) as {
    items: { date: string; can_arrive: boolean; min_nights: number }[];
  };
  return items.find((night) => night.can_arrive && night.min_nights === 1)?.date ?? nightAhead(nowMs);
};

/** Returns three shell commands that end in a confirmed booking of the demo guest (D69); repeated, they book once. */
export const curlCommands = async (
  ready: Ready,
  { nowMs, isNew }: { nowMs: number; isNew: boolean },
): Promise<string[]> => {
  const { api_url, auth_url, client, demo } = ready;
  const { email: username, password } = demo.guest;
  const grant = { grant_type: 'password', username, password, scope: 'openid profile email', ...client };
  const check_in_date = isNew ? nightAhead(nowMs) : await firstAvailableNight(ready, nowMs);
  const check_out_date = dateOf(Date.parse(check_in_date) + dayMs);
  const item = { listing_id: demo.listing_ids[0] ?? 0, check_in_date, check_out_date, guest_number: 2 };
  const order = { items: [item], currency: 'VND' };
  const bearer = '-H "Authorization: Bearer $TOKEN"';
  return [
    `TOKEN=$(curl -s ${auth_url}/oauth/token ${json} -d '${JSON.stringify(grant)}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -s ${api_url}/api/v1/checkout/preview ${bearer} ${json} -d '${JSON.stringify(order)}'`,
    `curl -s ${api_url}/api/v1/checkout/confirm ${bearer} ${json} -H 'Idempotency-Key: first-${check_in_date}' -d '${JSON.stringify({ ...order, payment_method: 'CASH' })}'`,
  ];
};
