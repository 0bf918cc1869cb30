import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeFindings } from '../support/axe-findings.ts';
import { boardScene } from '../support/board-scene.ts';
import { browserPath, noBrowser } from '../support/browser.ts';
import { tokenOf } from '../support/local-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const markup = '<img src=x onerror="globalThis.hacked = true"><b>bold</b>';
const staff = { email: 'linh@example.com', password: 'Linh-2027' };
const desk = { width: 1280, height: 800 };

describe.skipIf(browserPath === undefined)(`the board of a team${noBrowser}`, () => {
  const { scene, open, asHost, booked } = boardScene();

  const go = (page: Page, hash: string) => page.goto(`${scene.service.ready.api_url}/board/#/${hash}`);
  const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const kept = (page: Page) =>
    page.evaluate<string>(`(async () => {
      const databases = await indexedDB.databases();
      const all = await Promise.all(databases.map(({ name }) => new Promise((resolve) => {
        const opened = indexedDB.open(name);
        opened.onsuccess = () => {
          const read = opened.result.transaction('kept').objectStore('kept').getAll();
          read.onsuccess = () => resolve(read.result);
        };
      })));
      return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, all]);
    })()`);

  it('writes the settings, invites, gives another role and takes out, and says before what comes of it', async () => {
    const { page, context, complaints } = await open();
    await go(page, 'team');
    await page.getByLabel('Name of the team').fill(markup);
    await page.getByLabel('Contact of guests').fill(markup);
    await page.getByLabel('Address of the logo').fill('https://images.example.com/logo.png');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByRole('banner').getByText(markup).waitFor();
    expect(await asHost('/team')).toMatchObject({
      ...{ name: markup, contact_name: markup, logo_url: 'https://images.example.com/logo.png' },
    });
    await page.getByLabel('Address of the logo').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await waitUntil(
      'it is out',
      async () => (await asHost<{ logo_url: unknown }>('/team')).logo_url === null,
    );

    const members = section(page, 'Members');
    await members.getByRole('button', { name: 'Invite a person…' }).press('Enter');
    const question = page.getByRole('dialog');
    expect(await axeFindings(page)).toEqual([]);
    await question.getByLabel('E-mail of the person').fill('new@example.com');
    await question.getByLabel('Role').selectOption('Manager');
    await question.getByText('Everything except members').waitFor();
    await question.getByRole('button', { name: 'Invite' }).press('Enter');
    const entry = members.locator('.card', { hasText: 'new@example.com' });
    await entry.getByText('Invited').waitFor();
    await entry.getByRole('button', { name: 'Withdraw… new@example.com' }).click();
    await question.getByText('opens nothing any more').waitFor();
    await question.getByRole('button', { name: 'Withdraw' }).click();
    await entry.waitFor({ state: 'detached' });

    const khoa = members.locator('.card', { hasText: 'khoa@example.com' });
    await khoa.getByRole('button', { name: 'Change the role… Đặng Anh Khoa' }).click();
    await question.getByLabel('Role').selectOption('Manager');
    await question.getByText('The person has the new role at once.').waitFor();
    await question.getByRole('button', { name: 'Change' }).click();
    await khoa.getByText('Manager').waitFor();
    await khoa.getByRole('button', { name: 'Take out… Đặng Anh Khoa' }).click();
    await question.getByText('sees and does nothing here any more').waitFor();
    await page.keyboard.press('Escape');
    await khoa.getByRole('button', { name: 'Take out… Đặng Anh Khoa' }).click();
    await question.getByRole('button', { name: 'Take out' }).click();
    await khoa.waitFor({ state: 'detached' });

    const self = members.locator('.card', { hasText: scene.service.ready.demo.host.email });
    await self.getByRole('button', { name: /^Leave/ }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await question.getByText('A team has at least one owner').waitFor();
    expect(await page.evaluate('globalThis.hacked ?? false')).toBe(false);
    expect(complaints.filter((one) => !one.includes('409'))).toEqual([]);
    await context.close();
  });

  it('makes a key whose text is shown once and kept nowhere, replaces and revokes it', async () => {
    const { page, context, complaints } = await open({ viewport: desk });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await go(page, 'team');
    const keys = section(page, 'API keys');
    await keys.getByRole('button', { name: 'Make a key…' }).press('Enter');
    const question = page.getByRole('dialog');
    expect(await axeFindings(page)).toEqual([]);
    await question.getByLabel('Name, such as').fill(markup);
    await question.getByLabel('get events').check();
    await question.getByLabel('Valid through').fill('2030-06-30');
    await question.getByLabel('Only from these IP').fill('203.0.113.0/24, 198.51.100.7');
    await question.getByRole('button', { name: 'Make the key' }).press('Enter');
    const text = question.getByLabel('Key', { exact: true });
    const issued = await text.inputValue();
    expect(issued).toMatch(/^nl_local_\w/);
    expect(await axeFindings(page)).toEqual([]);
    await question.getByRole('button', { name: 'Copy' }).press('Enter');
    await question.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(issued);
    await question.getByRole('button', { name: 'Close' }).click();
    const entry = keys.locator('.card', { hasText: markup });
    await entry.getByText('get events').waitFor();
    expect(await entry.textContent()).toContain('203.0.113.0/24, 198.51.100.7');
    expect(await page.content()).not.toContain(issued);
    expect(await kept(page)).not.toContain(issued);
    const withKey = async (key: string) => {
      const reply = await fetch(`${scene.service.ready.api_url}/api/v1/external/bookings`, {
        headers: { 'X-API-Key': key },
      });
      return reply.status;
    };
    // It is known, and not from this address.
    expect(await withKey(issued)).toBe(403);

    await entry.getByRole('button', { name: /^Replace/ }).click();
    await question.getByText('works for 24 hours more').waitFor();
    await question.getByRole('button', { name: 'Replace' }).click();
    expect(await text.inputValue()).not.toBe(issued);
    await question.getByText(/^The old key works until/).waitFor();
    await page.keyboard.press('Escape');
    await waitUntil('both are shown', async () => (await entry.count()) === 2);
    for (const at of [0, 1]) {
      await entry
        .nth(at)
        .getByRole('button', { name: /^Revoke/ })
        .click();
      await question.getByText('can do nothing').waitFor();
      await question.getByRole('button', { name: 'Revoke' }).press('Enter');
      await entry.nth(at).getByText('Revoked').first().waitFor();
    }
    const shared = keys.locator('.card', { hasText: 'Demo partner' });
    expect(await shared.getByRole('button', { name: /^Replace/ }).count()).toBe(0);
    expect(await page.evaluate('globalThis.hacked ?? false')).toBe(false);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows the staff neither keys nor members nor figures', async () => {
    const { page, context } = await open({ viewport: desk }, staff);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('link', { name: 'Team' }).click();
    await page.getByText('Language of e-mails to guests').waitFor();
    for (const name of ['API keys', 'Members']) expect(await section(page, name).count()).toBe(0);
    expect(await page.locator('main').getByRole('button').count()).toBe(0);
    expect(asked.filter((url) => /team\/(keys|members)/.test(url))).toEqual([]);
    expect(await page.getByRole('link', { name: 'Figures' }).count()).toBe(0);
    await go(page, 'figures');
    await page.getByText('Your role in this team does not allow this.').waitFor();
    await context.close();
  });

  it('draws the figures of a month as the statement has them, and hands over its sheet', async () => {
    await booked(0, 'Tonight');
    const { page, context, complaints } = await open({ viewport: desk });
    await page.getByRole('link', { name: 'Figures' }).click();
    const month = await page.getByRole('combobox', { name: 'Month' }).inputValue();
    interface Row {
      listing_name: string;
      nights_sold: number;
      room_revenue: number;
    }
    const { rows } = await asHost<{ rows: Row[] }>(`/statements?month=${month}`);
    const shown = page.locator('tbody tr');
    await shown.first().waitFor();
    const table = await Promise.all(
      (await shown.all()).map((row) => row.locator('th, td').allTextContents()),
    );
    expect(table.map(([name = '', , , , , nights]) => `${name} ${nights}`).toSorted()).toEqual(
      rows.map(({ listing_name, nights_sold }) => `${listing_name} ${nights_sold}`).toSorted(),
    );
    const sold = rows.reduce((sum, { nights_sold }) => sum + nights_sold, 0);
    expect(sold).toBeGreaterThan(0);
    expect(await page.locator('.tiles dd').last().textContent()).toBe(String(sold));
    expect(await page.locator('.bars').count()).toBe(5);
    expect(await page.locator('.bars').first().locator('rect.value').count()).toBe(rows.length);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download (CSV)' }).press('Enter'),
    ]);
    expect(download.suggestedFilename()).toBe(`${month}.csv`);
    const token = await tokenOf(scene.service, scene.service.ready.demo.host);
    const sheet = await fetch(`${scene.service.ready.api_url}/api/v1/statements?month=${month}&format=csv`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(readFileSync(await download.path(), 'utf8').replace('\uFEFF', '')).toBe(
      (await sheet.text()).replace('\uFEFF', ''),
    );
    await page.getByRole('button', { name: 'The month before' }).press('Enter');
    await shown.first().waitFor();
    expect(await page.getByRole('combobox', { name: 'Month' }).inputValue()).not.toBe(month);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('asks for events in one of its tabs alone, and waits where the service says that there were too many', async () => {
    const { page, context } = await open({ serviceWorkers: 'block' });
    const { page: other } = await scene.openPage('/board/', context);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.locator('.card').first().waitFor();
    const asked = { page: 0, other: 0 };
    const isPoll = (url: string): boolean => url.includes('/events?');
    page.on('request', (request) => (asked.page += isPoll(request.url()) ? 1 : 0));
    other.on('request', (request) => (asked.other += isPoll(request.url()) ? 1 : 0));
    await booked(0, 'Seen in both');
    for (const tab of [page, other]) await tab.getByText('Seen in both').first().waitFor();
    await waitUntil('it was asked again', () => asked.page + asked.other >= 2);
    expect(Math.min(asked.page, asked.other)).toBe(0);
    // The tab that asked is closed: the other one goes on from there.
    const [closed, left] = asked.page > 0 ? [page, other] : [other, page];
    await closed.close();
    await booked(1, 'Not here today');
    await booked(0, 'Seen in the other');
    await left.getByText('Seen in the other').first().waitFor();

    let refusals = 0;
    await left.route(/\/(events|today)/, async (route) => {
      if (refusals >= 2) return route.fallback();
      refusals += 1;
      const body = JSON.stringify({ code: 'RATE_LIMIT_EXCEEDED', message: 'Wait.', details: {} });
      const headers = { 'Retry-After': '2', 'Content-Type': 'application/json' };
      await route.fulfill({ status: 429, headers, body });
    });
    await waitUntil('it was refused', () => refusals > 0);
    await booked(0, 'Seen after a wait');
    await left.getByText('Seen after a wait').first().waitFor();
    expect(await left.locator('.warning').count()).toBe(0);
    await context.close();
  });
});
