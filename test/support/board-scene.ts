import type { BrowserContextOptions, Page } from 'playwright-core';
import { Temporal } from 'temporal-polyfill';
import { browserScene } from './browser.ts';
import { tokenOf } from './local-service.ts';

export const telephone = { width: 390, height: 844 };

/** Starts the service and a browser, in which hosts open the board. */
export const boardScene = (env: Record<string, string> = {}) => {
  const scene = browserScene({ otherPorts: true, env: { RATE_LIMIT_USER: 'off', ...env } });
  const open = async (options: BrowserContextOptions = {}, who = scene.service.ready.demo.host) => {
    const context = await scene.browser.newContext({ viewport: telephone, locale: 'en-GB', ...options });
    const { page, complaints } = await scene.openPage('/board/', context);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await logIn(page, who);
    await page.locator('.card').first().waitFor();
    return { context, page, complaints };
  };

  const logIn = async (page: Page, { email, password } = scene.service.ready.demo.host): Promise<void> => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
  };

  /** Calls the API as the host of the demo, as another program of the team would. */
  const asHost = async <Answer>(
    path: string,
    body?: object,
    method = body ? 'POST' : 'GET',
  ): Promise<Answer> => {
    const token = await tokenOf(scene.service, scene.service.ready.demo.host);
    const reply = await fetch(`${scene.service.ready.api_url}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as Answer;
  };

  interface Listed {
    id: number;
    state: string;
    check_in: string;
    guest_info: { full_name: string };
  }
  const today = () => asHost<Record<'arrivals' | 'to_accept' | 'in_house' | 'unpaid', Listed[]>>('/today');

  const dayIn = (days: number) => Temporal.Now.plainDateISO('Asia/Ho_Chi_Minh').add({ days }).toString();

  /** Books the first home that is free then. */
  const booked = async (days: number, full_name = 'Phan Thị Hạnh'): Promise<number> => {
    const dates = { check_in_date: dayIn(days), check_out_date: dayIn(days + 1) };
    const guest_info = { full_name, phone: '+84 912 000 111', email: 'hanh@example.com' };
    const refusals: string[] = [];
    for (const listing_id of scene.service.ready.demo.listing_ids)
      try {
        const items = [{ listing_id, ...dates, guest_number: 1 }];
        const { reservations } = await asHost<{ reservations: { id: number }[] }>('/bookings', {
          ...{ items, guest_info, payment_method: 'CASH' },
        });
        return reservations[0]!.id;
      } catch (error) {
        refusals.push(String(error));
      }
    throw new Error(refusals.join('\n'));
  };

  const countOf = (page: Page, title: string) => page.getByRole('heading', { name: title }).locator('.count');

  return { scene, open, logIn, asHost, today, dayIn, booked, countOf };
};
