import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { browserPath, launchBrowser, noBrowser } from '../support/browser.ts';
import { type StartedService, startService } from '../support/local-service.ts';

describe.skipIf(browserPath === undefined)(`a page of another origin${noBrowser}`, () => {
  let service: StartedService;
  let browser: Browser;
  const app = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>An app</title>');
  });
  beforeAll(async () => {
    service = await startService();
    browser = await launchBrowser();
    app.listen(0, '127.0.0.1');
    await once(app, 'listening');
    return async () => {
      app.close();
      app.closeAllConnections();
      await browser.close();
      await service.stop();
    };
  });

  it('reads answers and errors of customer routes, and reaches no route of a key', async () => {
    const page = await browser.newPage();
    await page.goto(`http://localhost:${(app.address() as AddressInfo).port}/`);
    const call = (
      path: string,
      init: { method?: string; headers?: Record<string, string>; body?: string } = {},
    ) =>
      page.evaluate(
        async ([url, options]) => {
          try {
            const response = await fetch(url, options);
            return [response.status, response.headers.get('x-request-id') !== null];
          } catch {
            return 'blocked';
          }
        },
        [`${service.ready.api_url}${path}`, init] as const,
      );
    expect(await call('/healthz')).toEqual([200, true]);
    const headers = { Authorization: 'Bearer nonsense', 'Content-Type': 'application/json' };
    const post = { method: 'POST', headers: { ...headers, 'Idempotency-Key': 'a1' }, body: '{}' };
    expect(await call('/api/v1/checkout/preview', post)).toEqual([401, true]);
    expect(await call('/api/v1/nope', { headers })).toEqual([404, true]);
    expect(await call('/api/v1/external/listings', { headers: { 'X-API-Key': 'nl_local_x' } })).toBe(
      'blocked',
    );
    await page.close();
  });
});
