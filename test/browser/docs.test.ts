import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { siteFiles } from '../../infra/docs/site/site.ts';
import { axeFindings } from '../support/axe-findings.ts';
import { browserPath, browserScene, noBrowser } from '../support/browser.ts';
import { type ApiDocument, prefilledCalls } from '../support/prefilled.ts';

const pageNames = [...siteFiles('0.1.0').keys()]
  .filter((file) => file.endsWith('.html'))
  .map((file) => file.slice(0, -'.html'.length));
const addressOf = (name: string): string => (name === 'index' ? '/docs' : `/docs/${name}`);

describe.skipIf(browserPath === undefined)(`the documentation in a browser${noBrowser}`, () => {
  const scene = browserScene();

  const enterCredentials = async (page: Page, apiKey: string, token: string): Promise<void> => {
    await page.getByText('Credentials', { exact: true }).first().click();
    await page.getByLabel('API key', { exact: true }).fill(apiKey);
    await page.getByLabel('Access token', { exact: true }).fill(token);
    await page.getByLabel('Token of a guest’s link', { exact: true }).fill('link-of-test');
    await page.getByLabel('Publishable key', { exact: true }).fill('publishable-key-of-test');
    await page.keyboard.press('Escape');
  };

  it('sends every operation as the document has it, with the credential that it takes', async () => {
    const document = (await (
      await fetch(`${scene.service.ready.api_url}/openapi.json`)
    ).json()) as ApiDocument;
    const { page, complaints } = await scene.openPage('/docs');
    await enterCredentials(page, 'key-of-test', 'token-of-test');
    const sent: object[] = [];
    await page.route('**', (route) => {
      const request = route.request();
      if (request.resourceType() !== 'fetch') return route.continue();
      const { 'x-api-key': key, authorization, 'content-type': type } = request.headers();
      const body = request.postData();
      sent.push({
        call: `${request.method()} ${request.url()}`,
        credential: key ?? authorization ?? 'none',
        type: type ?? 'none',
        body: body === null ? undefined : (JSON.parse(body) as unknown),
      });
      return route.fulfill({ status: 200, body: '{}' });
    });
    for (const name of pageNames) {
      await page.goto(`${scene.service.ready.api_url}${addressOf(name)}`);
      const forms = await page.$$eval('.try form', (all) => {
        all.forEach((form) => (form as unknown as { requestSubmit: () => void }).requestSubmit());
        return all.length;
      });
      await expect.poll(() => page.locator('.try .status').count()).toBe(forms);
    }
    const credentials = {
      ApiKey: 'key-of-test',
      Bearer: 'Bearer token-of-test',
      GuestLink: 'Guest link-of-test',
      PublishableKey: 'publishable-key-of-test',
    };
    const expected = prefilledCalls(document).map(({ method, url, credential, headers, body }) => ({
      call: `${method} ${url}`,
      credential: credential === undefined ? 'none' : credentials[credential],
      type: headers['Content-Type'] ?? 'none',
      body: body === undefined ? undefined : (JSON.parse(body) as unknown),
    }));
    const inOrder = (calls: object[]): string[] => calls.map((call) => JSON.stringify(call)).sort();
    expect(inOrder(sent)).toEqual(inOrder(expected));
    expect(complaints).toEqual([]);
    await page.close();
  }, 120_000);

  it('shows status, headers, body and the equal curl line; the key stays in the tab', async () => {
    const { api_url, demo } = scene.service.ready;
    const { page, complaints } = await scene.openPage('/docs/external-api#listExternalListings');
    const operation = page.locator('#listExternalListings');
    await operation.getByText('Try it').click();
    await operation.getByRole('button', { name: 'Send' }).click();
    await operation.getByText('needs an API key').waitFor();
    await page.getByLabel('API key', { exact: true }).fill(demo.api_key);
    await page.keyboard.press('Escape');
    await operation.locator('input[name=limit]').fill('1');
    await operation.getByRole('button', { name: 'Send' }).click();
    await operation.getByText(/^200 .*in \d+ ms$/).waitFor();
    expect(await operation.locator('.headers').textContent()).toMatch(/^x-request-id: \S+$/m);
    const shown = JSON.parse((await operation.locator('.result .body').textContent()) ?? '') as {
      items: object[];
    };
    expect(shown.items.length).toBe(1);
    const curl = (await operation.locator('.snippet').textContent()) ?? '';
    const [, url = ''] = /^curl '([^']+)'/.exec(curl) ?? [];
    expect(curl).toContain(`-H 'X-API-Key: ${demo.api_key}'`);
    const again = await fetch(url, { headers: { 'X-API-Key': demo.api_key } });
    expect(await again.json()).toEqual(shown);
    expect(url.startsWith(api_url)).toBe(true);
    expect(await page.evaluate('localStorage.length + document.cookie.length')).toBe(0);
    const inLanguage = async (name: string, id = 'listExternalListings') => {
      await page.locator(`#${id}`).getByRole('button', { name, exact: true }).press('Enter');
      return page.locator(`#${id} .snippet`).textContent();
    };
    expect(await inLanguage('Client')).toContain('nightlatch.listExternalListings({\n  limit: 1,\n})');
    expect(await inLanguage('Python')).toContain(`requests.get(\n    "${url}",`);
    expect(await axeFindings(page)).toEqual([]);
    await page.reload();
    const body = page.locator('#createExternalBooking .snippet');
    expect(await body.textContent()).toContain('requests.post(');
    const field = page.locator('#createExternalBooking textarea');
    await page.locator('#createExternalBooking').getByText('Try it').click();
    await field.fill('{');
    expect(await body.textContent()).toMatch(/^The body is not JSON: /);
    await field.fill('{"note":"<b>\'quoted\' \\\\ \\"text\\"</b>"}');
    expect(await inLanguage('Client', 'createExternalBooking')).toContain(
      "note: '<b>\\'quoted\\' \\\\ \"text\"</b>',",
    );
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('is searched and read with the keyboard alone', async () => {
    const { page, complaints } = await scene.openPage('/docs/partners');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the text');
    await page.keyboard.press('/');
    await page.keyboard.type('confirmCheckout');
    await page.locator('#site-found a').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/checkout#confirmCheckout');
    await page.keyboard.press('/');
    await page.keyboard.type('PRICE_CHANGED');
    await page.locator('#site-found a').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/errors#PRICE_CHANGED');
    await page.keyboard.press('/');
    await page.keyboard.type('xyzzy');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('#site-found').isVisible()).toBe(false);
    expect(complaints).toEqual([]);
    await page.close();
  });

  /** Colours and widths come from one style sheet, so a page of each kind is enough in the dark and on a phone. */
  const kinds = ['index', 'partners', 'reference', 'checkout', 'events', 'errors'];

  it.each([
    { scheme: 'light', width: 1400, names: pageNames },
    { scheme: 'dark', width: 390, names: kinds },
  ] as const)(
    'breaks no rule of axe in $scheme, $width px wide',
    async ({ scheme, width, names }) => {
      const { page, complaints } = await scene.openPage('/docs');
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 844 });
      const found: string[] = [];
      for (const name of names) {
        await page.goto(`${scene.service.ready.api_url}${addressOf(name)}`);
        await page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))");
        await page.evaluate(axe.source);
        const { violations } = await page.evaluate<{
          violations: { id: string; nodes: { html: string }[] }[];
        }>("axe.run({ resultTypes: ['violations'] })");
        found.push(...violations.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`));
        const tooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
        if (tooWide === true) found.push(`${name} is wider than the window`);
      }
      expect(found).toEqual([]);
      expect(complaints).toEqual([]);
      await page.close();
    },
    240_000,
  );
});
