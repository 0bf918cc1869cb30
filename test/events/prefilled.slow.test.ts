import { beforeAll, describe, expect, it } from 'vitest';
import { linkTokenFor } from '../../infra/local/home/collection.ts';
import { routeGroups } from '../../functions/routes.ts';
import type { Access } from '../../shared/platform/http/route.ts';
import { type StartedService, startService, tokenOf } from '../support/local-service.ts';
import { type ApiDocument, type PrefilledCall, prefilledCalls } from '../support/prefilled.ts';

/** Operations that cannot be tried from a page, each with its reason. */
const untriable: Record<string, string> = {
  readGuestAccess: 'shown on the day of arrival alone',
  takeBankReport: 'signed by the reporter of a bank with a secret that no page has',
  handlePaymentWebhook: 'signed by the payment gateway with a secret that no page has',
  handlePaymentIpn: 'signed by VNPay with a secret that no page has',
};

const accessOf = new Map<string, Access>(
  routeGroups.flatMap(({ routes }) =>
    Object.entries(routes).map(([id, { access }]) => [id, access] as const),
  ),
);

interface Field {
  key: string;
  value: string;
  disabled?: boolean;
}
interface CollectedRequest {
  method: string;
  description: string;
  header: Field[];
  url: string | { path: string[]; query: Field[]; variable: Field[] };
  body?: { raw?: string; urlencoded?: Field[] };
}
interface Collection {
  variable: Field[];
  item: { item: { event?: { script: { exec: string[] } }[]; request: CollectedRequest }[] }[];
}

const credentialOf: Record<Access, string | undefined> = {
  public: undefined,
  guest: undefined,
  publishable: '{{publishable_key}}',
  partner: '{{api_key}}',
  customer: 'Bearer {{guest_token}}',
  host: 'Bearer {{host_token}}',
};

describe('the documentation, tried as it is shown', () => {
  let service: StartedService;
  let document: ApiDocument;
  let tokens: Record<'guest' | 'host', string>;
  beforeAll(async () => {
    service = await startService({ DEMO: 'full' });
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
      case 'publishable':
        return { 'X-API-Key': service.ready.demo.publishable_key ?? '' };
      case 'host':
        return { Authorization: `Bearer ${tokens.host}` };
      case 'customer':
        return { Authorization: `Bearer ${tokens.guest}` };
      case 'guest':
        return { Authorization: `Guest ${linkTokenFor(service.ready.demo, id)}` };
      default:
        return {};
    }
  };
  const send = ({ id, method, url, headers, body }: PrefilledCall): Promise<Response> =>
    fetch(url, { method, headers: { ...headers, ...credentialsOf(id) }, body: body ?? null });

  it('is also a collection for Postman and Bruno, with the same requests and the demo’s credentials', async () => {
    const { api_url, auth_url, demo } = service.ready;
    const collection = (await (await fetch(`${api_url}/_local/collection.json`)).json()) as Collection;
    const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
    expect(variables.get('api_key')).toBe(demo.api_key);
    const [logIn, ...folders] = collection.item;
    for (const { event, request } of logIn!.item) {
      const fields = request.body!.urlencoded!.map(({ key, value }): [string, string] => [key, value]);
      const url = request.url as string;
      const reply = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
      expect([reply.status, url]).toEqual([200, `${auth_url}/oauth/token`]);
      const [, name = ''] = /set\('(\w+)'/.exec(event![0]!.script.exec[0]!) ?? [];
      expect(variables.get(name)).toBe('');
    }
    const wanted = prefilledCalls(document).map(({ id, method, url, body }) => ({
      id,
      method,
      url,
      body: body === undefined ? undefined : (JSON.parse(body) as unknown),
      credential: credentialOf[accessOf.get(id) ?? 'public'] ?? credentialsOf(id)['Authorization'],
    }));
    const found = folders
      .flatMap(({ item }) => item)
      .map(({ request }) => {
        const { variable, query } = request.url as Exclude<CollectedRequest['url'], string>;
        const path = variable.reduce(
          (text, { key, value }) => text.replace(`:${key}`, encodeURIComponent(value)),
          `/${(request.url as { path: string[] }).path.join('/')}`,
        );
        const sent = query.filter(({ disabled }) => !disabled);
        const search = new URLSearchParams(sent.map(({ key, value }): [string, string] => [key, value]));
        return {
          id: request.description,
          method: request.method,
          url: `${api_url}${path}${sent.length === 0 ? '' : `?${search.toString()}`}`,
          body: request.body?.raw === undefined ? undefined : (JSON.parse(request.body.raw) as unknown),
          credential: request.header.find(({ key }) => /^(X-API-Key|Authorization)$/.test(key))?.value,
        };
      });
    const byId = (one: { id: string }, other: { id: string }) => one.id.localeCompare(other.id);
    expect(found.toSorted(byId)).toEqual(wanted.toSorted(byId));
  });

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
