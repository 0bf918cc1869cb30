import type { Page } from 'playwright-core';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { writeDate } from '../../board/src/words/times.ts';
import { axeFindings } from '../support/axe-findings.ts';
import { boardScene, telephone } from '../support/board-scene.ts';
import { browserPath, noBrowser } from '../support/browser.ts';
import { waitUntil } from '../support/wait-until.ts';

const markup = '<img src=x onerror="globalThis.hacked = true"><b>bold</b>';
const desk = { width: 1280, height: 800 };

describe.skipIf(browserPath === undefined)(`the desk of the board${noBrowser}`, () => {
  const { scene, open, asHost, today, booked, dayIn } = boardScene();

  const go = (page: Page, hash: string) => page.goto(`${scene.service.ready.api_url}/board/#/${hash}`);
  const isHacked = (page: Page) => page.evaluate('globalThis.hacked ?? false');

  interface Asked {
    guest_url: string;
    chat_thread_id: number;
  }
  /** Writes as the guest of a booking. */
  const guestWrites = async (booking: number, text: string): Promise<void> => {
    const { guest_url } = await asHost<Asked>(`/bookings/${booking}`);
    const reply = await fetch(`${scene.service.ready.api_url}/api/v1/guest/messages`, {
      method: 'POST',
      headers: {
        Authorization: `Guest ${guest_url.split('#')[1]}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ text }),
    });
    expect(reply.status).toBe(201);
  };
  const threadOf = async (booking: number) => (await asHost<Asked>(`/bookings/${booking}`)).chat_thread_id;
  const isUnread = async (booking: number) => {
    const { unread } = await asHost<{ unread: { booking_id: number }[] }>('/today');
    return unread.some(({ booking_id }) => booking_id === booking);
  };

  it.each(['light', 'dark'] as const)(
    'has pages without a finding of axe at every width, on a telephone with a bar and a menu (%s)',
    async (colorScheme) => {
      const booking = await booked(20, `${colorScheme} ${markup}`.slice(0, 60));
      await guestWrites(booking, markup);
      const { page, context, complaints } = await open({ colorScheme });
      const look = async () => {
        for (const width of [390, 768, 1280]) {
          await page.setViewportSize({ width, height: 844 });
          expect(await axeFindings(page)).toEqual([]);
        }
        await page.setViewportSize(telephone);
      };
      for (const name of ['Messages', 'Search']) {
        await page.getByRole('navigation').getByRole('link', { name }).click();
        await page.locator('.card').first().waitFor();
        await look();
      }
      await go(page, `inbox/chats/${booking}`);
      await page.locator('.chat p', { hasText: markup }).waitFor();
      await look();
      for (const [name, ready] of [
        ['Team', 'Demo partner'],
        ['Figures', 'Occupancy'],
      ] as const) {
        await page.getByRole('button', { name: 'Menu' }).press('Enter');
        await page.getByRole('dialog').getByRole('link', { name }).press('Enter');
        await page.getByText(ready).first().waitFor();
        await look();
      }
      expect(await isHacked(page)).toBe(false);
      expect(complaints).toEqual([]);
      await context.close();
    },
  );

  it('shows who has written first, live, and every message of a thread; an answer is sent once, a draft stays', async () => {
    const [quiet, booking] = [await booked(21, 'Quiet Guest'), await booked(22, 'Writing Guest')];
    await guestWrites(quiet, 'First');
    const { page, context, complaints } = await open({ viewport: desk, serviceWorkers: 'block' });
    await go(page, 'inbox');
    const entries = page.locator('.inbox .card');
    await entries.filter({ hasText: 'Quiet Guest' }).waitFor();
    await guestWrites(booking, markup);
    await entries.filter({ hasText: 'Writing Guest' }).getByText('New').waitFor();
    expect(await entries.first().textContent()).toContain(markup);
    const thread = await threadOf(booking);
    for (let at = 1; at <= 55; at++)
      await asHost(`/chats/${thread}/messages`, { text: `From another device ${at}` });
    // Ids that two functions make within an eighth of a second have no order.
    const written = performance.now();
    await waitUntil('later ids are of a later time', async () => performance.now() > written + 125);
    await guestWrites(booking, 'Last word');

    await entries.filter({ hasText: 'Writing Guest' }).press('Enter');
    await page.getByRole('heading', { name: 'Writing Guest' }).waitFor();
    const messages = page.locator('.chat > li:not(.end)');
    await messages.last().getByText('Last word').waitFor({ timeout: 8000 });
    expect(await messages.count()).toBe(50);
    await waitUntil('it begins at its end', async () => {
      const scrolled = await page.evaluate<number>("document.querySelector('.chat').scrollTop");
      return scrolled > 100 && (await page.locator('[aria-current] .unread').count()) === 0;
    });
    await page.getByRole('button', { name: 'Earlier messages' }).press('Enter');
    await waitUntil('all are shown', async () => (await messages.count()) === 58);
    expect(await isUnread(booking)).toBe(false);

    const keys = new Set<string | undefined>();
    let isCut = true;
    await page.route(/\/messages$/, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      keys.add(route.request().headers()['idempotency-key']);
      await route.fetch();
      await (isCut ? route.abort() : route.fallback());
    });
    await page.getByLabel('Your message').fill('An answer');
    await page.getByRole('button', { name: 'Send' }).press('Enter');
    await page.getByRole('alert').getByText('No answer arrived.').waitFor();
    await page.reload();
    expect(await page.getByLabel('Your message').inputValue()).toBe('An answer');
    isCut = false;
    await page.getByRole('button', { name: 'Send' }).click();
    await messages.last().getByText('An answer').waitFor();
    await waitUntil('it is sent', async () => (await page.getByLabel('Your message').inputValue()) === '');
    expect(await page.getByText('An answer', { exact: true }).count()).toBe(1);
    expect(keys.size).toBe(1);
    await page.getByRole('link', { name: 'Open the booking' }).click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    expect(page.url()).toContain(`#/inbox/bookings/${booking}`);
    expect(await isHacked(page)).toBe(false);
    expect(complaints.filter((one) => !/ERR_FAILED|Service Worker/.test(one))).toEqual([]);
    await context.close();
  });

  it('writes the day and the times of messages where the homes are, wherever the telephone is', async () => {
    const booking = await booked(24);
    await guestWrites(booking, 'Is there a lift?');
    const isAnotherDay = (zone: string) => Temporal.Now.plainDateISO(zone).toString() !== dayIn(0);
    const timezoneId = ['Pacific/Pago_Pago', 'Pacific/Kiritimati'].find(isAnotherDay)!;
    const { page, context } = await open({ timezoneId });
    const message = page.locator('.card', { hasText: 'Is there a lift?' });
    await message.filter({ hasText: 'GMT+7' }).waitFor();
    expect(await page.locator('h1 small').textContent()).toBe(writeDate('en-GB', dayIn(0)));
    await go(page, 'inbox');
    await page.getByRole('heading', { name: 'Messages' }).waitFor();
    await message.filter({ hasText: 'GMT+7' }).waitFor();
    await context.close();
  });

  it('takes messages for read when they are in sight, not when their booking is opened', async () => {
    const booking = await booked(23, 'Unseen Guest');
    await guestWrites(booking, 'Is there a lift?');
    const { page, context } = await open();
    await go(page, `bookings/${booking}`);
    await page.locator('.booking').getByRole('heading', { name: 'Messages' }).waitFor();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    expect(await page.locator('.chat p').count()).toBe(0);
    expect(await isUnread(booking)).toBe(true);
    await page.getByLabel('Your message').scrollIntoViewIfNeeded();
    await page.locator('.chat p', { hasText: 'Is there a lift?' }).waitFor();
    await waitUntil('it is read', async () => !(await isUnread(booking)));
    // What comes while they are out of sight is not seen either.
    await page.evaluate('scrollTo(0, 0)');
    await guestWrites(booking, 'And a pool?');
    await page.locator('.lines li').first().waitFor();
    await booked(24, 'Someone else');
    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByText('Unseen Guest').first().waitFor();
    expect(await isUnread(booking)).toBe(true);
    await context.close();
  });

  it('corrects a mistyped guest: what is typed stays in the tab, and only that is sent', async () => {
    const booking = await booked(26, 'Mistyped Guest');
    const shown = () =>
      asHost<{ note: string | null; guest_info: { email: string; phone: string } }>(`/bookings/${booking}`);
    const { page, context, complaints } = await open();
    await go(page, `bookings/${booking}`);
    await page.getByRole('button', { name: 'Correct guest…' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail').fill('hanh.phan@example.com');
    await dialog.getByLabel('Note').fill(markup);
    expect(await axeFindings(page)).toEqual([]);
    await page.reload();
    await page.getByRole('button', { name: 'Correct guest…' }).press('Enter');
    expect(await dialog.getByLabel('E-mail').inputValue()).toBe('hanh.phan@example.com');
    const sent: unknown[] = [];
    await page.route(/\/bookings\/\d+$/, async (route) => {
      if (route.request().method() === 'PATCH') sent.push(route.request().postDataJSON());
      await route.fallback();
    });
    await dialog.getByRole('button', { name: 'Correct', exact: true }).press('Enter');
    await page.getByText('Guest corrected').first().waitFor();
    expect(sent).toEqual([{ guest_info: { email: 'hanh.phan@example.com' }, note: markup }]);
    expect(await shown()).toMatchObject({
      note: markup,
      guest_info: { email: 'hanh.phan@example.com', phone: '+84 912 000 111' },
    });
    expect(await isHacked(page)).toBe(false);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('finds a booking by name without accents, by reference, state and date, and shows long lists in part', async () => {
    const booking = await booked(25, 'Đỗ Thị Ánh Nguyệt');
    for (let day = 300; day < 322; day++) {
      const items = [{ listing_id: scene.service.ready.demo.listing_ids[0] }].map((home) => ({
        ...{ ...home, guest_number: 1, check_in_date: dayIn(day), check_out_date: dayIn(day + 1) },
      }));
      const guest_info = {
        full_name: `Transfer ${day}`,
        phone: '+84 912 000 111',
        email: 'transfer@example.com',
      };
      await asHost('/bookings', { items, guest_info, payment_method: 'BANK_TRANSFER' });
    }
    const { page, context, complaints } = await open();
    const due = page.locator('section.list', {
      has: page.getByRole('heading', { name: 'Waiting for a transfer' }),
    });
    await due.getByRole('button', { name: /^Show all/ }).waitFor();
    expect(await due.locator('.card').count()).toBe(20);
    await due.getByRole('button', { name: /^Show all/ }).press('Enter');
    expect(await due.locator('.card').count()).toBeGreaterThan(21);

    await page.getByRole('link', { name: 'Search' }).click();
    const text = page.getByLabel('Name, telephone, e-mail or reference');
    const found = page.locator('.found .card');
    for (const asked of ['anh nguyet', String(booking)]) {
      await text.fill(asked);
      await text.press('Enter');
      await page.getByText('Shown: 1', { exact: true }).waitFor();
      expect(await found.textContent()).toContain('Đỗ Thị Ánh Nguyệt');
    }
    await text.fill('transfer');
    await page.getByLabel('State').selectOption('Confirmed');
    await page.getByLabel('Arrives from').fill(dayIn(300));
    await page.getByRole('button', { name: 'Search' }).press('Enter');
    await page.getByText('Shown: 20', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Search further' }).press('Enter');
    await page.getByText('Shown: 22', { exact: true }).waitFor();
    await page.getByLabel('State').selectOption('Cancelled');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('No booking found.').waitFor();
    await text.fill('anh nguyet');
    await page.getByLabel('State').selectOption('Any');
    await page.getByLabel('Arrives from').fill('');
    await text.press('Enter');
    await found.first().press('Enter');
    await page.getByRole('heading', { name: 'Đỗ Thị Ánh Nguyệt' }).waitFor();
    await page.getByRole('link', { name: 'Back' }).click();
    expect(await text.inputValue()).toBe('anh nguyet');
    expect((await today()).arrivals.length).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
