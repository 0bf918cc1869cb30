import type { Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeFindings } from '../support/axe-findings.ts';
import { boardScene, telephone } from '../support/board-scene.ts';
import { browserPath, noBrowser } from '../support/browser.ts';
import { waitUntil } from '../support/wait-until.ts';

const markup = '<img src=x onerror="globalThis.hacked = true"><b>bold</b>';

describe.skipIf(browserPath === undefined)(`the board${noBrowser}`, () => {
  const { scene, open, logIn, asHost, today, dayIn, booked, countOf } = boardScene();

  it('signs a host in, and shows the day as the API has it; the token is in memory alone', async () => {
    const tokens = new Set<string>();
    const { page, context, complaints } = await open();
    page.on('request', (request: Request) => {
      const { authorization } = request.headers();
      if (authorization !== undefined) tokens.add(authorization.replace('Bearer ', ''));
    });
    await page.reload();
    await page.locator('.card').first().waitFor();
    const day = await today();
    for (const [title, count] of [
      ['To accept', day.to_accept.length],
      ['In house', day.in_house.length],
      ['To pay', day.unpaid.length],
    ] as const)
      expect(await countOf(page, title).textContent()).toBe(String(count));
    expect(tokens.size).toBe(1);
    const kept = await page.evaluate<string>(`(async () => {
      const databases = await indexedDB.databases();
      const all = await Promise.all(databases.map(({ name }) => new Promise((resolve) => {
        const opened = indexedDB.open(name);
        opened.onsuccess = () => {
          const read = opened.result.transaction('kept').objectStore('kept').getAll();
          read.onsuccess = () => resolve(read.result);
        };
      })));
      return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, all]);
    })()`);
    expect(kept).toContain('Trần Thị Bình');
    for (const token of tokens) expect(kept).not.toContain(token);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('has no finding of axe and is never wider than the window, in both languages and themes', async () => {
    const [stay] = (await today()).in_house;
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, context } = await open({ colorScheme });
      for (const width of [360, 390, 768, 1280, 1600]) {
        await page.setViewportSize({ width, height: 844 });
        expect(await axeFindings(page)).toEqual([]);
      }
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByLabel('Language').selectOption('vi');
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Đóng' }).click();
      await page.setViewportSize(telephone);
      await page.goto(`${scene.service.ready.api_url}/board/#/bookings/${stay!.id}`);
      await page.getByRole('heading', { name: 'Lịch sử' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Trả phòng…' }).click();
      expect(await axeFindings(page)).toEqual([]);
      await context.close();
    }
  });

  it('shows a booking made elsewhere within two seconds, and accepts one from the keyboard', async () => {
    const { page, context, complaints } = await open();
    const [waiting] = (await today()).to_accept;
    await page.locator(`a.card[href="#/bookings/${waiting!.id}"]`).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Accept' }).press('Enter');
    const question = page.getByRole('dialog', { name: /^Accept this booking/ });
    await question.getByRole('button', { name: 'Accept' }).press('Enter');
    await page.getByText('Done.').waitFor();
    await page.locator('.booking .chip', { hasText: 'Confirmed' }).waitFor();
    expect(await asHost(`/bookings/${waiting!.id}`)).toMatchObject({ state: 'CONFIRMED' });
    await page.getByRole('link', { name: 'Back' }).click();
    const before = Number(await countOf(page, 'Arrivals').textContent());
    await booked(0);
    await page.getByText('Phan Thị Hạnh').first().waitFor({ timeout: 4000 });
    expect(Number(await countOf(page, 'Arrivals').textContent())).toBe(before + 1);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('checks in, undoes it, takes a part of the money, and asks before what cannot be undone', async () => {
    const stay = (await today()).arrivals.find(
      ({ state, check_in }) => state === 'CONFIRMED' && check_in === dayIn(0),
    )!;
    const { page, context, complaints } = await open();
    await page.goto(`${scene.service.ready.api_url}/board/#/bookings/${stay.id}`);
    await page.getByRole('button', { name: 'Check in' }).click();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.locator('.booking .chip', { hasText: 'Confirmed' }).waitFor();
    await page.getByRole('button', { name: 'Check in' }).click();
    await page.locator('.booking .chip', { hasText: 'In house' }).waitFor();
    await page.getByRole('button', { name: 'Record a payment…' }).click();
    await page.getByLabel('Amount').fill('500.000');
    await page.getByLabel('Method').selectOption('Card on site');
    await page.getByRole('button', { name: /^Record \S*\d/ }).click();
    await page.locator('.lines li', { hasText: 'Payment, Card on site' }).getByText('500,000').waitFor();
    await page.getByRole('button', { name: 'Check out…' }).click();
    await page.getByText('This cannot be undone.').waitFor();
    await page.keyboard.press('Escape');
    const { items } = await asHost<{ items: { event_type: string }[] }>(`/bookings/${stay.id}/history`);
    expect(items.map(({ event_type }) => event_type).slice(-4)).toEqual([
      'booking.checked_in',
      'booking.check_in_undone',
      'booking.checked_in',
      'payment.paid',
    ]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('draws homes and days: families nested, stays that open, prices, hours; live, and few nodes wherever it is scrolled', async () => {
    const { page, context, complaints } = await open({ viewport: { width: 1280, height: 800 } });
    await page.getByRole('link', { name: 'Calendar' }).click();
    const [from, to] = [dayIn(0), dayIn(20)];
    const { items } = await asHost<{
      items: {
        listing_id: number;
        listing_name: string;
        parent_listing_id: number | null;
        nights: { date: string }[];
      }[];
    }>(`/calendar/team?from=${from}&to=${to}`);
    await page
      .locator('.chart-row')
      .nth(items.length - 1)
      .waitFor();
    const names = await page.locator('.chart-row .home').allTextContents();
    expect(names.toSorted()).toEqual(items.map(({ listing_name }) => listing_name).toSorted());
    const parent = items.find((home) =>
      items.some(({ parent_listing_id }) => parent_listing_id === home.listing_id),
    )!;
    const parts = items.filter(({ parent_listing_id }) => parent_listing_id === parent.listing_id);
    const at = names.indexOf(parent.listing_name);
    expect(names.slice(at + 1, at + 1 + parts.length).toSorted()).toEqual(
      parts.map(({ listing_name }) => listing_name).toSorted(),
    );
    const row = (name: string) => page.getByRole('group', { name, exact: true });
    expect(await row(parent.listing_name).locator('.night').count()).toBeGreaterThan(5);
    expect(await axeFindings(page)).toEqual([]);

    const id = await booked(2, 'Lý Thị Sáng');
    await page.getByRole('link', { name: /^Lý Thị Sáng, .*Confirmed/ }).click({ timeout: 6000 });
    await page.getByRole('heading', { name: 'Lý Thị Sáng' }).waitFor();
    expect(page.url()).toContain(`#/calendar/bookings/${id}`);

    await page.getByLabel('Go to').fill(dayIn(200));
    await page
      .locator('.day', { hasText: String(Number(dayIn(201).slice(8))) })
      .first()
      .waitFor();
    await page.locator('.night').first().waitFor();
    expect(await page.locator('.chart *').count()).toBeLessThan(1500);
    await page.getByRole('button', { name: 'Today' }).click();
    await page.getByRole('button', { name: 'Hours' }).click();
    await page.locator('.hour').first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.setViewportSize(telephone);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'Back' }).click();
    await page.locator('.chart-row').first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('books, blocks, prices and opens nights from the calendar, shows what comes of it before, and undoes it', async () => {
    const { page, context, complaints } = await open();
    await page.getByRole('link', { name: 'Calendar' }).click();
    await page.getByRole('button', { name: 'Book or block…' }).click();
    const form = page.getByRole('dialog', { name: 'Nights of a home' });
    expect(await axeFindings(page)).toEqual([]);
    const home = await form.getByLabel('Home').inputValue();
    const at = (days: number) => form.getByLabel('First night').fill(dayIn(days));
    const until = (days: number) => form.getByLabel('Last night').fill(dayIn(days));
    const nightAt = async (days: number) => {
      const { items } = await asHost<{
        items: { listing_id: number; nights: { date: string; price: number }[] }[];
      }>(`/calendar/team?from=${dayIn(days)}&to=${dayIn(days)}`);
      return items.find(({ listing_id }) => String(listing_id) === home)?.nights[0];
    };

    await at(90);
    await until(91);
    await form.getByLabel('Name of the guest').fill('Đinh Văn Long');
    await form.getByLabel('Telephone').fill('+84 912 333 444');
    await form.getByText(/^2 nights, /).waitFor();
    await form.getByRole('button', { name: /^Book / }).click();
    await page.getByText('Done.').waitFor();
    expect(await nightAt(90)).toBeUndefined();

    await page.getByRole('button', { name: 'Book or block…' }).click();
    await at(90);
    await form.getByText('This time is taken.').waitFor();
    expect(await form.getByRole('button', { name: 'Book', exact: true }).isDisabled()).toBe(true);

    await at(100);
    await until(100);
    await form.getByLabel('What to do').selectOption('Block');
    await form.getByText('free → blocked').waitFor();
    await form.getByRole('button', { name: 'Block', exact: true }).click();
    await page.getByText('Done.').waitFor();
    expect(await nightAt(100)).toBeUndefined();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await waitUntil('the block is undone', async () => (await nightAt(100)) !== undefined);

    await page.getByRole('button', { name: 'Book or block…' }).click();
    await at(100);
    await until(100);
    await form.getByLabel('What to do').selectOption('Set the price');
    await form.getByLabel('Price of a night').fill('1.234.000');
    await form.getByText(/→ .*1,234,000/).waitFor();
    await form.getByRole('button', { name: 'Set the price' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await nightAt(100)).toMatchObject({ price: 1_234_000 });
    // The form opens with tonight, which the rules of the home refuse from noon on.
    expect(complaints.filter((one) => !one.includes('status of 409'))).toEqual([]);
    await context.close();
  });

  it('says what has changed while a question was open, and makes no move then', async () => {
    const stay = (await today()).in_house[0]!;
    const { page, context } = await open();
    await page.goto(`${scene.service.ready.api_url}/board/#/bookings/${stay.id}`);
    await page.getByRole('button', { name: 'Check out…' }).click();
    const question = page.getByRole('dialog');
    await asHost(`/bookings/${stay.id}/check-out`, {});
    await question.getByText('does not allow this').waitFor();
    await question.getByText('Checked out,').waitFor();
    expect(await question.getByRole('button', { name: 'Check out' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.locator('.booking .chip', { hasText: 'Checked out' }).waitFor();
    await context.close();
  });

  it('does once what was sent again because its answers were lost', async () => {
    const id = await booked(3);
    const { page, context } = await open({ serviceWorkers: 'block' });
    await page.goto(`${scene.service.ready.api_url}/board/#/bookings/${id}`);
    let isCut = true;
    await page.route(/\/payments$/, async (route) => {
      await route.fetch();
      await (isCut ? route.abort() : route.fallback());
    });
    await page.getByRole('button', { name: 'Record a payment…' }).click();
    await page.getByLabel('Amount').fill('100000');
    await page.getByRole('button', { name: /^Record \S*\d/ }).click();
    await page.getByRole('alert').getByText('No answer arrived.').waitFor();
    // The telephone has ended the tab meanwhile: what was typed, and its key, are kept.
    await page.reload();
    isCut = false;
    await page.getByRole('button', { name: 'Record a payment…' }).click();
    expect(await page.getByLabel('Amount').inputValue()).toBe('100000');
    await page.getByText('no answer arrived').waitFor();
    await page.getByRole('button', { name: /^Record \S*\d/ }).click();
    await page.getByText('Payment, Cash').waitFor();
    expect(await asHost(`/bookings/${id}`)).toMatchObject({ amount_paid: 100_000 });
    // The same amount once more is another payment.
    await page.getByRole('button', { name: 'Record a payment…' }).click();
    await page.getByLabel('Amount').fill('100000');
    await page.getByRole('button', { name: /^Record \S*\d/ }).click();
    await page.locator('.facts', { hasText: 'Paid' }).getByText('200,000').waitFor();
    await context.close();
  });

  it('keeps what was typed when the token ends, and shows what guests write as text', async () => {
    const id = await booked(5, markup.slice(0, 60));
    const { page, context } = await open({ serviceWorkers: 'block' });
    await page.goto(`${scene.service.ready.api_url}/board/#/bookings/${id}`);
    // The thread is there: a consumer has made it.
    await page.getByLabel('Your message').scrollIntoViewIfNeeded();
    await page.locator('.chat p').first().waitFor();
    await page.getByLabel('Your message').fill(markup);
    const [asked] = await Promise.all([
      page.waitForRequest((request) => request.headers()['authorization'] !== undefined),
    ]);
    const { authorization = '' } = asked.headers();
    await fetch(`${scene.service.ready.api_url}/api/v1/auth/logout`, {
      method: 'POST',
      headers: { Authorization: authorization },
    });
    await page.getByText('Your sign-in has ended.').waitFor({ timeout: 20_000 });
    expect(await page.getByLabel('Your message').inputValue()).toBe(markup);
    await page.getByRole('alert').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    expect(await page.getByLabel('Your message').inputValue()).toBe(markup);
    await page.route(/\/messages$/, async (route) => {
      if (route.request().method() === 'POST') await page.getByLabel('Your message').fill('And the next one');
      await route.continue();
    });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.chat').getByText(markup).waitFor();
    expect(await page.getByLabel('Your message').inputValue()).toBe('And the next one');
    await page.getByRole('heading', { name: markup.slice(0, 60) }).waitFor();
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    await context.close();
  });

  it('shows what was read before while there is no connection, and nothing of it after a sign-out', async () => {
    const { page, context } = await open();
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    await page.reload();
    await page.locator('.card').first().waitFor();
    await context.setOffline(true);
    await page.reload();
    await page.getByText('No connection. You see what was read at').waitFor();
    await page.locator('.card').first().waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(1);
    await context.setOffline(false);
    // It signs in again by itself.
    await page.getByText('No connection.').waitFor({ state: 'detached' });
    await page.locator('.card').first().waitFor();
    const { page: other } = await scene.openPage('/board/', context);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.locator('.card').first().waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
    await other.close();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await context.setOffline(true);
    await page.reload();
    await page.getByText('The service cannot be reached.').waitFor();
    expect(await page.locator('.card').count()).toBe(0);
    await context.close();
  });

  it('shows a member of the staff no move that the role does not allow', async () => {
    const [waiting] = (await today()).to_accept;
    const { page, context } = await open({}, { email: 'linh@example.com', password: 'Linh-2027' });
    await page.goto(`${scene.service.ready.api_url}/board/#/bookings/${waiting!.id}`);
    await page.getByRole('heading', { name: 'History' }).waitFor();
    expect(await page.locator('.actions button').allTextContents()).toEqual(['Correct guest…']);
    await context.close();
  });

  it('says to a guest that this account is not a host, and asks who signs in after a refusal', async () => {
    const context = await scene.browser.newContext({ viewport: telephone, locale: 'en-GB' });
    const { page } = await scene.openPage('/board/', context);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await logIn(page, scene.service.ready.demo.guest);
    await page.getByText('This account is not a host of any team.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await logIn(page);
    await page.locator('.card').first().waitFor();
    await page.route('**/auth/me', (route) => route.fulfill({ status: 403, json: { code: 'FORBIDDEN' } }));
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Password').waitFor();
    await context.close();
  });
});
