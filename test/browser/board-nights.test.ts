import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { axeFindings } from '../support/axe-findings.ts';
import { browserPath, noBrowser } from '../support/browser.ts';
import { chartScene } from '../support/chart-scene.ts';
import { waitUntil } from '../support/wait-until.ts';

const markup = '<img src=x onerror="globalThis.hacked = true"><b>bold</b>';

describe.skipIf(browserPath === undefined)(`nights in the chart of the board${noBrowser}`, () => {
  const { asHost, calendarOf, dayIn, freeHomes, bookedAt, open, openChart, pointAt } = chartScene();

  const formOf = (page: Page) => page.getByRole('dialog', { name: 'Nights of a home' });
  const nightOf = async (listing_id: number, days: number) =>
    (await calendarOf(days, days)).find((home) => home.listing_id === listing_id)?.nights[0];

  it('are chosen by dragging over them, and their form has them', async () => {
    const [home] = await freeHomes(120, 130);
    const { page, context, complaints } = await openChart(120);
    const [from, to] = [await pointAt(page, home.listing_name, 5), await pointAt(page, home.listing_name, 3)];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 5 });
    await page.locator('.ghost-text', { hasText: '3 nights' }).waitFor();
    await page.mouse.up();
    expect(await formOf(page).getByLabel('Home').inputValue()).toBe(String(home.listing_id));
    expect(await formOf(page).getByLabel('First night').inputValue()).toBe(dayIn(123));
    expect(await formOf(page).getByLabel('Last night').inputValue()).toBe(dayIn(125));
    await formOf(page)
      .getByText(/^3 nights, /)
      .waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('get stay rules, which are shown before, bind a booking unless the host overrides them, and are taken out again', async () => {
    const [home] = await freeHomes(140, 150);
    const { page, context, complaints } = await openChart(140);
    const open = async (deed: string, days = 2) => {
      const { x, y } = await pointAt(page, home.listing_name, days);
      await page.mouse.click(x, y);
      await formOf(page).getByLabel('What to do').selectOption(deed);
    };
    await open('Set stay rules');
    await formOf(page).getByText('Nothing would change.').waitFor();
    await formOf(page).getByLabel('Last night').fill(dayIn(143));
    await formOf(page).getByLabel('Fewest nights').fill('3');
    await formOf(page).getByLabel('No departure').check();
    await formOf(page).getByText('no rule → no departure, at least 3 nights').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await nightOf(home.listing_id, 142)).toMatchObject({ min_nights: 1 });
    await formOf(page).getByRole('button', { name: 'Set stay rules' }).press('Enter');
    await page.getByText('Done.').waitFor();
    expect(await nightOf(home.listing_id, 142)).toMatchObject({ min_nights: 3 });
    expect(await nightOf(home.listing_id, 144)).toMatchObject({ min_nights: 1 });

    await open('Book');
    await formOf(page)
      .getByText(/^At least 3 nights from /)
      .waitFor();
    await formOf(page)
      .getByText(/^No departure on /)
      .waitFor();
    await formOf(page).getByText('Free for as long:').waitFor();
    expect(await formOf(page).getByRole('button', { name: 'Book', exact: true }).isDisabled()).toBe(true);
    await formOf(page).getByLabel('Name of the guest').fill('Lương Văn Trái');
    await formOf(page).getByLabel('Telephone').fill('+84 912 333 555');
    await formOf(page).getByLabel('Do it against these rules').check();
    await formOf(page)
      .getByText(/^1 night, /)
      .waitFor();
    await formOf(page)
      .getByText(/^At least 3 nights from /)
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await formOf(page)
      .getByRole('button', { name: /^Book \S*\d/ })
      .click();
    await formOf(page).waitFor({ state: 'detached' });
    expect(await nightOf(home.listing_id, 142)).toBeUndefined();

    // Without a rule in the form, those of the dates are removed; undo sets them again.
    await open('Set stay rules', 3);
    await formOf(page).getByText('no departure, at least 3 nights → no rule').waitFor();
    await formOf(page).getByRole('button', { name: 'Set stay rules' }).click();
    await formOf(page).waitFor({ state: 'detached' });
    expect(await nightOf(home.listing_id, 143)).toMatchObject({ min_nights: 1 });
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await waitUntil('the rule is back', async () => (await nightOf(home.listing_id, 143))?.min_nights === 3);
    // The browser says that a preview was refused.
    expect(complaints.filter((text) => !text.includes('409'))).toEqual([]);
    await context.close();
  });

  it('that are taken meanwhile are not booked: who has them is said, and what is free', async () => {
    const [home] = await freeHomes(170, 185);
    const { page, context } = await openChart(170);
    const { x, y } = await pointAt(page, home.listing_name, 3);
    await page.mouse.click(x, y);
    await formOf(page).getByLabel('Name of the guest').fill('Mai Thị Chậm');
    await formOf(page).getByLabel('Telephone').fill('+84 912 333 666');
    const book = formOf(page).getByRole('button', { name: /^Book \S*\d/ });
    await book.waitFor();
    // The board does not know it yet when it sends.
    await page.route(/\/bookings$/, async (route) => {
      await bookedAt(home.listing_id, 172, 175, 'Mai Văn Nhanh');
      await route.continue();
    });
    await book.click();
    await formOf(page).getByText('It was taken a moment ago.').waitFor();
    await formOf(page)
      .getByText(/^Mai Văn Nhanh: /)
      .waitFor();
    await formOf(page)
      .locator('.actions', { hasText: 'Free for as long' })
      .getByRole('button')
      .first()
      .click();
    expect(await formOf(page).getByLabel('First night').inputValue()).toBe(dayIn(175));
    expect(await formOf(page).getByLabel('Name of the guest').inputValue()).toBe('Mai Thị Chậm');
    await context.close();
  });

  const compact = (days: number) => dayIn(days).replaceAll('-', '');
  const event = (uid: string, from: number, to: number) =>
    ['BEGIN:VEVENT', `UID:${uid}`, `DTSTAMP:${compact(0)}T000000Z`, `SUMMARY:${uid}`]
      .concat(`DTSTART;VALUE=DATE:${compact(from)}`, `DTEND;VALUE=DATE:${compact(to)}`, 'END:VEVENT')
      .join('\r\n');

  it('that a platform has taken too are a conflict of the day, by the name that the platform has here', async () => {
    const [home] = await freeHomes(220, 230);
    await bookedAt(home.listing_id, 221, 222, 'Lò Thị Trùng');
    await asHost(`/listing-availability/listings/${home.listing_id}/blocks`, { block_date: dayIn(225) });
    const url = await served(() => [event('Kenji', 221, 222), event('Aiko', 225, 226)]);
    const ical = `/listings/${home.listing_id}/calendar/ical`;
    const { id } = await asHost<{ id: number }>(ical, { url });
    const { page, context, complaints } = await open();
    const cards = page.locator('.urgent', { hasText: 'Conflicts with other' }).locator('.card');
    await cards
      .filter({ hasText: new URL(url).host })
      .nth(1)
      .waitFor();
    await asHost(`${ical}/${id}`, { label: markup }, 'PATCH');
    await page.reload();
    const named = cards.filter({ hasText: `Taken on ${markup} too: ` });
    const [booked, blocked] = [named.nth(0), named.nth(1)];
    await blocked.getByText(`lift the block, or cancel on ${markup}`).waitFor();
    expect(
      await blocked.getByRole('link', { name: 'See the nights of the homes' }).getAttribute('href'),
    ).toBe('#/calendar');
    await booked.getByText('One of the two has to be moved or cancelled.').waitFor();
    for (const width of [390, 768, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await axeFindings(page)).toEqual([]);
    }
    expect(await page.evaluate('globalThis.hacked ?? false')).toBe(false);
    await booked.getByRole('link', { name: 'Open the booking that has it' }).click();
    await page.getByRole('heading', { name: 'Lò Thị Trùng' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('that a platform has sold become a booking, or the calendar has changed meanwhile', async () => {
    const [home] = await freeHomes(200, 215);
    let events = [event('Kenji', 201, 203), event('Aiko', 205, 206), event('Not available', 208, 209)];
    const url = await served(() => events);
    const follow = () => asHost(`/listings/${home.listing_id}/calendar/ical`, { url, label: 'Airbnb' });
    await follow();
    const { page, context, complaints } = await openChart(200);
    const dialog = page.getByRole('dialog', { name: 'Stay of another platform' });

    await page.getByRole('button', { name: /^127\.0\.0\.1/ }).press('Enter');
    await dialog.getByText('it is no stay').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('button', { name: /^Kenji, / }).press('Enter');
    await dialog.locator('.facts').getByText('Airbnb').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByLabel('Name of the guest').fill('Kenji Mori');
    await dialog.getByLabel('What the guest has paid').fill('2.400.000');
    await dialog.getByRole('button', { name: 'Take over as a booking' }).press('Enter');
    await page.getByText('Done.').waitFor();
    await page.getByRole('link', { name: /^Kenji Mori, / }).press('Enter');
    await page.getByRole('heading', { name: 'Kenji Mori' }).waitFor();
    expect(await page.getByRole('button', { name: 'Change dates or home…' }).count()).toBe(0);
    const [id] = /\d+$/.exec(page.url()) ?? [];
    expect(await asHost(`/bookings/${id}`)).toMatchObject({
      ...{ total_price: 2_400_000, payment_method: 'PLATFORM', external_system: 'Airbnb' },
      reservations: [{ check_in: dayIn(201), check_out: dayIn(203) }],
    });

    await page.getByRole('button', { name: /^Aiko, / }).click();
    await dialog.getByLabel('Name of the guest').waitFor();
    events = [event('Kenji', 201, 203), event('Aiko', 210, 211), event('Not available', 208, 209)];
    await follow();
    await dialog.getByText('The calendar of the platform has changed').waitFor();
    expect(await dialog.getByRole('button', { name: 'Take over as a booking' }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

/** Serves a calendar until the test ends; returns its address. */
const served = async (events: () => string[]): Promise<string> => {
  const text = () =>
    ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x', ...events(), 'END:VCALENDAR', ''].join('\r\n');
  const server = createServer((_, response) => response.end(text())).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/airbnb.ics`;
};
