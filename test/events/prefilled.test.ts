import { beforeAll, describe, expect, it } from 'vitest';
import { routeGroups } from '../../functions/routes.ts';
import type { Access } from '../../shared/platform/http/route.ts';
import { type StartedService, startService } from '../support/local-service.ts';
import { type ApiDocument, type PrefilledCall, prefilledCalls } from '../support/prefilled.ts';

/** Operations that cannot be tried from a page, each with its reason. */
const untriable: Record<string, string> = {
  handlePaymentWebhook: 'signed by the payment gateway with a secret that no page has',
  handlePaymentIpn: 'signed by VNPay with a secret that no page has',
};

const accessOf = new Map<string, Access>(
  routeGroups.flatMap(({ routes }) =>
    Object.entries(routes).map(([id, { access }]) => [id, access] as const),
  ),
);

describe('the documentation, tried as it is shown', () => {
  let service: StartedService;
  let document: ApiDocument;
  let tokens: Record<'guest' | 'host', string>;
  beforeAll(async () => {
    service = await startService();
    document = (await (await fetch(`${service.ready.api_url}/openapi.json`)).json()) as ApiDocument;
    tokens = {
      guest: await tokenOf(service, service.ready.demo.guest),
      host: await tokenOf(service, service.ready.demo.host),
    };
    return async () => {
      await service.stop();
    };
  });

  const credentialsOf = (id: string): Record<string, string> => {
    switch (accessOf.get(id)) {
      case 'partner':
        return { 'X-API-Key': service.ready.demo.api_key };
      case 'host':
        return { Authorization: `Bearer ${tokens.host}` };
      case 'customer':
        return { Authorization: `Bearer ${tokens.guest}` };
      default:
        return {};
    }
  };
  const send = ({ id, method, url, headers, body }: PrefilledCall): Promise<Response> =>
    fetch(url, { method, headers: { ...headers, ...credentialsOf(id) }, body: body ?? null });

  it('works, each operation once and all on the same data', async () => {
    const calls = prefilledCalls(document).filter(({ id }) => !(id in untriable));
    expect(calls.length).toBeGreaterThan(100);
    // A log-out ends the token of the others.
    const inOrder = calls.toSorted(
      (one, other) => Number(one.id === 'logOut') - Number(other.id === 'logOut'),
    );
    const failed: string[] = [];
    for (const call of inOrder) {
      const reply = await send(call);
      const text = await reply.text();
      if (!reply.ok) failed.push(`${call.id} by ${accessOf.get(call.id)}: ${reply.status} ${text}`);
    }
    expect(failed).toEqual([]);
  });

  it('shows dates ahead of the day of start, and addresses of this service alone', () => {
    const text = JSON.stringify(document.paths);
    const stay = /"check_in_date":"(\d{4}-\d\d-\d\d)"/.exec(text)?.[1] ?? '';
    const ahead = (Date.parse(stay) - performance.timeOrigin) / 86_400_000;
    expect(ahead).toBeGreaterThan(5);
    expect(ahead).toBeLessThan(60);
    expect(text).not.toMatch(/api\.example\.com|partner\.example\.com|airbnb/);
    expect(document.servers.map(({ url }) => url)).toEqual([service.ready.api_url]);
  });
});

const tokenOf = async (
  { ready: { auth_url, client } }: StartedService,
  { email: username, password }: { email: string; password: string },
): Promise<string> => {
  const grant = { grant_type: 'password', username, password, scope: 'openid profile email', ...client };
  const reply = await fetch(`${auth_url}/oauth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(grant),
  });
  return ((await reply.json()) as { access_token: string }).access_token;
};
