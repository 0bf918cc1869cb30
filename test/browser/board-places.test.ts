import { describe, expect, it } from 'vitest';
import { boardScene } from '../support/board-scene.ts';
import { browserPath, noBrowser } from '../support/browser.ts';

describe.skipIf(browserPath === undefined)(`places in the board${noBrowser}`, () => {
  const { open, booked } = boardScene();

  it('has the prices of every day that a large screen shows, wherever it is scrolled', async () => {
    const { page, context, complaints } = await open({ viewport: { width: 1920, height: 900 } });
    await page.getByRole('link', { name: 'Calendar' }).click();
    await page.locator('.night').first().waitFor();
    const daysWithout = () =>
      page.evaluate<number>(`(() => {
        const { scrollLeft, clientWidth } = document.querySelector('.chart');
        const priced = new Set([...document.querySelectorAll('.night')].map(({ style }) => parseFloat(style.left)));
        const isPast = (day) => day <= 31;
        let count = 0;
        for (let day = Math.ceil(scrollLeft / 56); (day + 1) * 56 <= scrollLeft + clientWidth - 112; day++)
          if (!isPast(day) && !priced.has(day * 56)) count++;
        return count;
      })()`);
    for (let step = 0; step < 8; step++) {
      await expect.poll(daysWithout, { timeout: 10_000 }).toBe(0);
      await page.evaluate(`document.querySelector('.chart').scrollLeft += 9 * 56`);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('is found on a telephone where it was left, after a look at a booking', async () => {
    await booked(40, 'Đặng Thị Xa');
    const { page, context } = await open();
    await page.getByRole('link', { name: 'Calendar' }).click();
    await page.locator('.chart-row').first().waitFor();
    await page.evaluate(`document.querySelector('.chart').scrollLeft = 70 * 56`);
    await page.getByRole('link', { name: /^Đặng Thị Xa/ }).click();
    await page.getByRole('link', { name: 'Back' }).click();
    const left = () => page.evaluate<number>(`document.querySelector('.chart').scrollLeft`);
    await expect.poll(left).toBe(70 * 56);

    await page.getByRole('link', { name: 'Today' }).click();
    const card = page.locator('a.card[href^="#/bookings/"]').nth(8);
    await card.scrollIntoViewIfNeeded();
    const before = await page.evaluate<number>('scrollY');
    expect(before).toBeGreaterThan(300);
    await card.click();
    await page.getByRole('link', { name: 'Back' }).click();
    await expect.poll(() => page.evaluate<number>('scrollY')).toBe(before);
    await page.getByRole('link', { name: 'Search' }).click();
    expect(await page.evaluate<number>('scrollY')).toBe(0);
    await context.close();
  });
});
