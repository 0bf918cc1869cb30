import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { browserPath, launchBrowser, noBrowser } from '../support/browser.ts';
import { packageIn, projectWithClient } from '../support/client-package.ts';
import { type StartedService, startService, tokenOf } from '../support/local-service.ts';

const pageScript = join(import.meta.dirname, '../fixtures/client/page.mjs');

describe.skipIf(browserPath === undefined)(`the client in a browser${noBrowser}`, () => {
  let service: StartedService;
  let browser: Browser;
  let library: string;
  beforeAll(async () => {
    const project = await projectWithClient();
    library = readFileSync(join(packageIn(project), 'index.js'), 'utf8');
    service = await startService();
    browser = await launchBrowser();
    return async () => {
      rmSync(project, { recursive: true, force: true });
      await browser.close();
      await service.stop();
    };
  });

  const accessToken = () => tokenOf(service, service.ready.demo.guest);

  it('lists, is refused, books and finds its booking', async () => {
    const { api_url, demo } = service.ready;
    const page = await browser.newPage();
    const files: Record<string, [type: string, body: string]> = {
      '/app/': [
        'text/html',
        '<!doctype html><title>An app</title><script type="module" src="page.mjs"></script>',
      ],
      '/app/page.mjs': ['text/javascript', readFileSync(pageScript, 'utf8')],
      '/app/client.js': ['text/javascript', library],
    };
    await page.route(`${api_url}/app/**`, (route) => {
      const [contentType, body] = files[new URL(route.request().url()).pathname] ?? ['text/plain', ''];
      return route.fulfill({ contentType, body });
    });
    await page.goto(`${api_url}/app/`);
    const dateIn = (days: number): string =>
      new Date(performance.timeOrigin + days * 86_400_000).toISOString().slice(0, 10);
    const stay = {
      listing_id: demo.listing_ids[0],
      check_in_date: dateIn(100),
      check_out_date: dateIn(102),
      guest_number: 1,
    };
    const run = `bookAsGuest(${JSON.stringify({ accessToken: await accessToken(), stay })})`;
    expect(await page.evaluate(run)).toEqual({
      listings: expect.arrayContaining(demo.listing_ids) as number[],
      refusal: [true, 'PRICE_CHANGED'],
      booked: true,
    });
    await page.close();
  });
});
