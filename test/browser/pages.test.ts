import { describe, expect, it } from 'vitest';
import { browserPath, browserScene, noBrowser } from '../support/browser.ts';
import { tokenOf } from '../support/local-service.ts';
import { waitUntil } from '../support/wait-until.ts';

describe.skipIf(browserPath === undefined)(`pages in a browser${noBrowser}`, () => {
  const scene = browserScene({ otherPorts: true });

  it('the payment page pays, and the booking is PAID', async () => {
    const { api_url } = scene.service.ready;
    const token = await tokenOf(scene.service, scene.service.ready.demo.guest);
    const send = async (path: string, body?: object) => {
      const reply = await fetch(`${api_url}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return (await reply.json()) as Record<string, unknown>;
    };
    const dayIn = (days: number) =>
      new Date(performance.timeOrigin + days * 86_400_000).toISOString().slice(0, 10);
    const item = {
      listing_id: scene.service.ready.demo.listing_ids[0],
      check_in_date: dayIn(80),
      check_out_date: dayIn(82),
      guest_number: 2,
    };
    const booked = await send('/api/v1/checkout/confirm', {
      items: [item],
      payment_method: 'ONLINE_GATEWAY',
    });
    const { page, complaints } = await scene.openPage(new URL(String(booked['payment_url'])).pathname);
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('The service was notified: failure.').waitFor();
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByText('The service was notified: success.').waitFor();
    const detail = await send(`/api/v1/bookings/${String(booked['master_reservation_id'])}`);
    expect(detail).toMatchObject({ payment_status: 'PAID', payment_url: null });
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('the home page shows addresses, credentials, the curl lines and the clock', async () => {
    const { page, complaints } = await scene.openPage('/_local/');
    const { api_url, auth_url, demo, client } = scene.service.ready;
    for (const text of [
      api_url,
      auth_url,
      demo.api_key,
      demo.guest.email,
      client.client_id,
      'checkout/confirm',
    ])
      await page.getByText(text, { exact: false }).first().waitFor();
    await page.getByText('real time', { exact: true }).waitFor();
    await page.getByRole('button', { name: '+16 minutes' }).click();
    await page.getByText('16 min from real time').waitFor();
    await page.getByRole('button', { name: 'Real time' }).click();
    await page.getByText('real time', { exact: true }).waitFor();
    await page.getByRole('cell', { name: 'notification' }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('the home page shows the homes with their pictures', async () => {
    const { page, complaints } = await scene.openPage('/_local/');
    const villa = page.locator('figure', { hasText: 'Biệt thự Thông Xanh Đà Lạt' });
    await villa.scrollIntoViewIfNeeded();
    const widths = "[...document.querySelectorAll('.homes img')].map(({ naturalWidth }) => naturalWidth)";
    await waitUntil('a picture is drawn', async () => (await page.evaluate<number[]>(widths)).includes(800));
    await villa.getByText('3.500.000 VND').waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('an event and its mail appear while one watches', async () => {
    const { ready } = scene.service;
    const { page, complaints } = await scene.openPage('/_local/');
    await page.locator('#events tr').first().waitFor();
    const [listing_id] = ready.demo.listing_ids;
    const day = (ahead: number) =>
      new Date(performance.timeOrigin + ahead * 86_400_000).toISOString().slice(0, 10);
    const reply = await fetch(`${ready.api_url}/api/v1/external/bookings`, {
      method: 'POST',
      headers: { 'X-API-Key': ready.demo.api_key, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        listing_id,
        guest_info: { full_name: 'Lê Thị Hoa', phone: '+84901234567', email: 'hoa@example.com' },
        check_in_date: day(20),
        check_out_date: day(22),
        guest_number: 2,
        nights: 2,
        payment_method: 'CASH',
      }),
    });
    expect(reply.status).toBe(201);
    const { id } = (await reply.json()) as { id: number };
    await page.locator('tr', { hasText: 'booking.created' }).getByText(String(id)).first().waitFor();
    await page.getByRole('link', { name: 'Mailbox', exact: true }).click();
    await page.getByRole('button', { name: /→ hoa@example\.com/ }).click();
    await page.getByText('to hoa@example.com').waitFor();
    const [person, when] = ['newest@example.com', new Date(performance.timeOrigin).toISOString()];
    await page.route('**/_local/mailbox.json', async (route) => {
      const mails = (await (await route.fetch()).json()) as object[];
      const newest = { to: person, subject: 'Newest', text: '', html: '', links: [], sent_at: when };
      await route.fulfill({ json: [newest, ...mails] });
    });
    await page.getByRole('button', { name: `Newest → ${person}` }).waitFor();
    expect(await page.getByText('to hoa@example.com').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('the page of an invitation has a person sign up, sign in and accept', async () => {
    const { api_url, auth_url, demo } = scene.service.ready;
    const [email, password] = ['invited@example.com', 'Invited-2027'];
    const headers = {
      Authorization: `Bearer ${await tokenOf(scene.service, demo.host)}`,
      'X-Team-ID': String(demo.team_id),
      'Content-Type': 'application/json',
    };
    const members = `${api_url}/api/v1/team/members`;
    const mailed = async (start: string): Promise<string> => {
      let found: string | undefined;
      await waitUntil(`there is a mail with ${start}`, async () => {
        const all = (await (await fetch(`${api_url}/_local/mailbox.json`)).json()) as Mailed[];
        [found] = all.filter(({ to }) => to === email).flatMap(({ text }) => linkIn(text, start));
        return found !== undefined;
      });
      return found ?? '';
    };
    await fetch(members, { method: 'POST', headers, body: JSON.stringify({ email, role: 'STAFF' }) });
    const link = new URL(await mailed(`${api_url}/invitation#`));
    const { page, complaints } = await scene.openPage(`${link.pathname}${link.hash}`);
    const accept = page.getByRole('button', { name: 'Sign in and accept' });
    await accept.click();
    await page.getByRole('link', { name: 'Sign up' }).click();
    await page.getByLabel('Full name').fill('Lê Thị Mời');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await fetch(await mailed(`${auth_url}/`));
    await page.goto(link.href);
    await accept.click();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('You are a member now.').waitFor();
    const { items } = (await (await fetch(members, { headers })).json()) as { items: object[] };
    expect(items).toContainEqual(expect.objectContaining({ email, role: 'STAFF', state: 'ACTIVE' }));
    expect(page.url()).toBe(`${api_url}/invitation`);
    expect(complaints).toEqual([]);
    await page.close();
  });
});

interface Mailed {
  to: string;
  text: string;
}

const linkIn = (text: string, start: string): string[] =>
  text.split(/\s+/).filter((word) => word.startsWith(start));
