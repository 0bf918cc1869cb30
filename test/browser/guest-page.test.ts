import { describe, expect, it } from 'vitest';
import { axeFindings } from '../support/axe-findings.ts';
import { browserPath, browserScene, noBrowser } from '../support/browser.ts';

describe.skipIf(browserPath === undefined)(`the page of a guest's link${noBrowser}`, () => {
  const scene = browserScene({ otherPorts: true });
  const path = () => new URL(scene.service.ready.demo.guest_url ?? '').pathname;
  const hash = () => new URL(scene.service.ready.demo.guest_url ?? '').hash;

  it('reads, writes, changes, pays and cancels on a telephone, in both languages', async () => {
    const { page, complaints } = await scene.openPage(path() + hash());
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('heading', { name: 'Your stay' }).waitFor();
    await page.getByText('Trần Thị Bình').waitFor();
    expect(await axeFindings(page)).toEqual([]);

    await page.getByLabel('Your message').fill('<b>Xin chào</b>');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('<b>Xin chào</b>').waitFor();

    const later = await page.getByLabel('Check-out').inputValue();
    const longer = new Date(Date.parse(later) + 86_400_000).toISOString().slice(0, 10);
    await page.getByLabel('Check-out').fill(longer);
    await page.getByRole('button', { name: 'See the new price' }).click();
    await page.getByText('Difference').waitFor();
    await page.getByRole('button', { name: 'Change the booking' }).click();
    await page.getByRole('button', { name: 'Change the booking' }).waitFor({ state: 'detached' });
    await page.getByLabel('Check-out').waitFor();
    expect(await page.getByLabel('Check-out').inputValue()).toBe(longer);

    await page.getByRole('button', { name: 'Tiếng Việt' }).click();
    await page.getByRole('heading', { name: 'Kỳ nghỉ' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('vi');
    await page.getByText('Xin chào').first().waitFor();
    await page.getByRole('button', { name: 'Hủy đặt phòng…' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);

    await page.getByRole('button', { name: 'Trả trực tuyến' }).click();
    await page.getByRole('button', { name: 'Decline' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Cancel the booking…' }).click();
    await page.getByLabel('Reason (optional)').fill('Plans changed');
    await page.getByRole('button', { name: 'Cancel now' }).click();
    await page.getByText('Cancelled').waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('says that a link which was replaced or is unknown opens nothing', async () => {
    const { page } = await scene.openPage(`${path()}#x.0m.AAAAAAAAAAAAAAAAAAAAAA`);
    await page.getByText('This link does not exist, was replaced, or has ended. Ask the host.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.close();
  });
});
