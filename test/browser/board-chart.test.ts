import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeFindings } from '../support/axe-findings.ts';
import { telephone } from '../support/board-scene.ts';
import { browserPath, noBrowser } from '../support/browser.ts';
import { chartScene } from '../support/chart-scene.ts';
import { waitUntil } from '../support/wait-until.ts';

describe.skipIf(browserPath === undefined)(`stays in the chart of the board${noBrowser}`, () => {
  const { scene, asHost, dayIn, freeHomes, bookedAt, staysAt, openChart, pointAt } = chartScene();

  const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Change the stay of / });
  const barOf = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^${name},`) });
  const confirm = async (page: Page) => {
    await dialogOf(page)
      .getByRole('button', { name: /^Change/ })
      .click();
    await dialogOf(page).waitFor({ state: 'detached' });
  };
  const drag = async (
    page: Page,
    from: { x: number; y: number },
    to: { x: number; y: number },
    release = true,
  ): Promise<void> => {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 8, from.y, { steps: 2 });
    await page.locator('.ghost').waitFor();
    await page.mouse.move(to.x, to.y, { steps: 5 });
    if (release) await page.mouse.up();
  };

  it('are moved, lengthened and given another home by the mouse, with the difference shown before, and back', async () => {
    const [home, other] = await freeHomes(120, 145);
    const id = await bookedAt(home.listing_id, 122, 124, 'Hồ Thị Mây');
    const { page, context, complaints } = await openChart(120);
    await barOf(page, 'Hồ Thị Mây').waitFor();
    const before = await staysAt(id);

    // Nothing is asked where the pointer comes back, or Escape is pressed.
    await drag(page, await pointAt(page, home.listing_name, 3), await pointAt(page, home.listing_name, 3));
    await drag(
      page,
      await pointAt(page, home.listing_name, 3),
      await pointAt(page, home.listing_name, 9),
      false,
    );
    expect(await page.locator('.ghost-text').textContent()).toContain('2 nights');
    await page.keyboard.press('Escape');
    await page.mouse.up();
    expect(await page.locator('.ghost').count()).toBe(0);
    expect(await dialogOf(page).count()).toBe(0);

    await drag(page, await pointAt(page, home.listing_name, 3), await pointAt(page, other.listing_name, 9));
    await dialogOf(page)
      .locator('.facts')
      .getByText(`${home.listing_name} → ${other.listing_name}`)
      .waitFor();
    await dialogOf(page).locator('.facts', { hasText: 'Price' }).getByText('→').first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await staysAt(id)).toEqual(before);
    await confirm(page);
    const moved = { listing_id: other.listing_id, check_in: dayIn(128), check_out: dayIn(130) };
    expect(await staysAt(id)).toMatchObject(moved);

    // The way back is a change like any other, with its price.
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await dialogOf(page)
      .locator('.facts')
      .getByText(`${other.listing_name} → ${home.listing_name}`)
      .waitFor();
    await confirm(page);
    expect(await staysAt(id)).toEqual(before);

    // Its end: two nights more, at the same price.
    await barOf(page, 'Hồ Thị Mây').waitFor();
    const { x, y, width } = (await barOf(page, 'Hồ Thị Mây').boundingBox())!;
    await drag(page, { x: x + width - 3, y: y + 15 }, { x: x + width + 112, y: y + 15 });
    await dialogOf(page).getByText(/^\+/).first().waitFor();
    await dialogOf(page).getByLabel('Keep the price').check();
    await dialogOf(page).locator('.facts').getByText('Difference').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Change', exact: true }).waitFor();
    await confirm(page);
    expect(await staysAt(id)).toMatchObject({ total_price: before.total_price, check_out: dayIn(126) });
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('are moved by a finger that has rested on them; one that has not scrolls', async () => {
    const [home] = await freeHomes(150, 165);
    const id = await bookedAt(home.listing_id, 151, 152, 'Lâm Văn Gió');
    const { page, context, complaints } = await openChart(150, {
      viewport: telephone,
      hasTouch: true,
      isMobile: true,
    });
    await barOf(page, 'Lâm Văn Gió').waitFor();
    const from = await pointAt(page, home.listing_name, 1.5);
    const session = await context.newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    // Once it is the same in ten frames.
    const left = () =>
      page.evaluate<number>(`new Promise((resolve) => {
        let [last, frames] = [-1, 0];
        const look = () => {
          const now = document.querySelector('.chart').scrollLeft;
          frames = now === last ? frames + 1 : 0;
          last = now;
          if (frames === 10) resolve(now);
          else requestAnimationFrame(look);
        };
        look();
      })`);
    const before = await left();
    await touch('touchStart', [from]);
    await touch('touchMove', [{ ...from, x: from.x - 30 }]);
    await touch('touchMove', [{ ...from, x: from.x - 60 }]);
    await touch('touchEnd', []);
    await waitUntil('the chart has scrolled', async () => (await left()) > before);
    expect(await dialogOf(page).count()).toBe(0);
    await page.getByLabel('Go to').fill(dayIn(149));
    await page.getByLabel('Go to').fill(dayIn(150));
    await waitUntil('the chart is back', async () => (await left()) === before);

    await touch('touchStart', [from]);
    await page.locator('.ghost').waitFor();
    await touch('touchMove', [{ ...from, x: from.x + 30 }]);
    await touch('touchMove', [{ ...from, x: from.x + 56 }]);
    await touch('touchEnd', []);
    expect(await left()).toBe(before);
    await dialogOf(page).locator('.facts').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await confirm(page);
    expect(await staysAt(id)).toMatchObject({ check_in: dayIn(152), check_out: dayIn(153) });
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('are moved by Shift and arrows, and by the form of the booking', async () => {
    const [home] = await freeHomes(170, 190);
    const id = await bookedAt(home.listing_id, 172, 174, 'Đỗ Thị Sương');
    const { page, context, complaints } = await openChart(170);
    await barOf(page, 'Đỗ Thị Sương').focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.locator('.ghost').waitFor();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Control+Shift+ArrowRight');
    await page.locator('.ghost-text', { hasText: '3 nights' }).waitFor();
    await page.keyboard.press('Enter');
    await dialogOf(page)
      .getByRole('button', { name: /^Change/ })
      .and(page.locator(':enabled'))
      .press('Enter');
    await page.getByText('Done.').waitFor();
    expect(await staysAt(id)).toMatchObject({ check_in: dayIn(174), check_out: dayIn(177) });

    await page.goto(`${scene.service.ready.api_url}/board/#/bookings/${id}`);
    await page.getByRole('button', { name: 'Change dates or home…' }).press('Enter');
    await dialogOf(page).getByText('Nothing would change.').waitFor();
    await dialogOf(page).getByLabel('Check-out').fill(dayIn(175));
    await dialogOf(page).getByText(/^−/).first().waitFor();
    await dialogOf(page).getByLabel('Check-out').press('Enter');
    await dialogOf(page).waitFor({ state: 'detached' });
    expect(await staysAt(id)).toMatchObject({ check_in: dayIn(174), check_out: dayIn(175) });
    // What has left is not moved.
    await asHost(`/bookings/${id}/cancel`, {});
    await page.locator('.booking .chip', { hasText: 'Cancelled' }).waitFor();
    expect(await page.getByRole('button', { name: 'Change dates or home…' }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('say what has the time that is wanted, and what is free instead', async () => {
    const [home] = await freeHomes(210, 230);
    await bookedAt(home.listing_id, 214, 216, 'Cao Văn Núi');
    const id = await bookedAt(home.listing_id, 211, 213, 'Vũ Thị Biển');
    const { page, context } = await openChart(210);
    await barOf(page, 'Vũ Thị Biển').waitFor();
    await drag(page, await pointAt(page, home.listing_name, 2), await pointAt(page, home.listing_name, 5));
    const dialog = dialogOf(page);
    await dialog.getByText(/^Cao Văn Núi: /).waitFor();
    await dialog.getByText('Free then:').waitFor();
    expect(await dialog.getByRole('button', { name: /^Change/ }).isDisabled()).toBe(true);
    expect(await axeFindings(page)).toEqual([]);
    await dialog.locator('.actions', { hasText: 'Free for as long' }).getByRole('button').nth(1).click();
    await dialog
      .getByRole('button', { name: /^Change/ })
      .and(page.locator(':enabled'))
      .waitFor();
    await confirm(page);
    // The second nearest two nights, one of its own among them, before the other guest.
    expect(await staysAt(id)).toMatchObject({ check_in: dayIn(212), check_out: dayIn(214) });
    await context.close();
  });

  it('of two who want the same night at once one has it, and the other sees who, and what is free', async () => {
    const [home] = await freeHomes(240, 260);
    await bookedAt(home.listing_id, 241, 242, 'Tô Thị Một');
    await bookedAt(home.listing_id, 244, 245, 'Tô Thị Hai');
    const [one, other] = [await openChart(240), await openChart(240)];
    for (const [{ page }, at] of [
      [one, 1],
      [other, 4],
    ] as const) {
      await barOf(page, 'Tô Thị Hai').waitFor();
      await drag(
        page,
        await pointAt(page, home.listing_name, at + 0.4),
        await pointAt(page, home.listing_name, 8.4),
      );
      await dialogOf(page)
        .getByRole('button', { name: /^Change/ })
        .and(page.locator(':enabled'))
        .waitFor();
    }
    await Promise.all(
      [one, other].map(({ page }) =>
        dialogOf(page)
          .getByRole('button', { name: /^Change/ })
          .click(),
      ),
    );
    const ends = await Promise.all(
      [one, other].map(async ({ page }) => {
        const done = page.getByText('Done.');
        const lost = page.getByText('It was taken a moment ago.');
        await done.or(lost).waitFor();
        return lost.isVisible();
      }),
    );
    expect(ends.toSorted()).toEqual([false, true]);
    const [loser, winner] = ends[0] ? [one, 'Tô Thị Hai'] : [other, 'Tô Thị Một'];
    await dialogOf(loser.page)
      .getByText(new RegExp(`^${winner}: `))
      .waitFor();
    await dialogOf(loser.page).getByText('Free for as long:').waitFor();
    for (const { context } of [one, other]) await context.close();
  });
});
