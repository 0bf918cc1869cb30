import { describe, expect, it } from 'vitest';
import { axeFindings } from '../support/axe-findings.ts';
import { browserPath, noBrowser } from '../support/browser.ts';
import { stayScene } from '../support/stay-scene.ts';
import { waitUntil } from '../support/wait-until.ts';

const markup = '<img src=x onerror="globalThis.hacked = true"><b>bold</b>';
const widths = [390, 768, 1280];
const apartment = 'Căn hộ nhìn ra Hồ Tây';
const cabin = 'Nhà gỗ bên hồ';
const lan = { email: 'lan@nightlatch.example', password: 'Lan-2027' };

describe.skipIf(browserPath === undefined)(`the page for guests${noBrowser}`, () => {
  const { scene, open, signIn, logIn, homeNamed, bookedOn, asHost, dayIn, keyOf } = stayScene();

  it('leads a guest by keyboard from a search to a booking that is paid online; the token is in memory alone', async () => {
    const { page, context, complaints } = await open('');
    await page.getByLabel('Arrival').fill(dayIn(60));
    await page.getByLabel('Departure').fill(dayIn(62));
    await page.getByRole('button', { name: 'Search' }).press('Enter');
    await page.getByText(/homes are free from/).waitFor();
    await page.getByRole('link', { name: new RegExp(apartment) }).press('Enter');
    await page.getByRole('heading', { name: apartment }).waitFor();
    await page.locator('.offer li', { hasText: 'Total' }).waitFor();
    await page.getByRole('link', { name: 'Book this home' }).press('Enter');
    await signIn(page);
    expect(await page.getByRole('timer').textContent()).toMatch(/^1[45]:\d\d$/);
    await page.getByLabel('Online, by card').press('Space');
    await page.getByLabel('Note to the host (optional)').fill('We come late.');
    await page.getByRole('button', { name: /^Book for/ }).press('Enter');
    await page.getByRole('heading', { name: 'Booked' }).waitFor();
    const [payment] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: /^Pay .* online/ }).press('Enter'),
    ]);
    await payment.getByRole('button', { name: 'Pay' }).click();
    await page.locator('.facts div', { hasText: /^Paid/ }).waitFor({ timeout: 10_000 });
    expect(await page.getByRole('link', { name: /online/ }).count()).toBe(0);
    const { items } = await bookedOn(await homeNamed(apartment), 60);
    expect(items).toMatchObject([{ state: 'CONFIRMED', payment_status: 'PAID' }]);
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
    );
    expect(kept).not.toMatch(/eyJ/);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('has no finding of axe and is never wider than the window, in both languages and themes', async () => {
    const id = await homeNamed(apartment);
    for (const [colorScheme, locale] of [
      ['light', 'en-GB'],
      ['dark', 'vi-VN'],
    ] as const) {
      const { page, context, complaints } = await open('', { colorScheme, locale, days: 64 });
      const look = async (): Promise<void> => {
        for (const width of [360, ...widths, 1600]) {
          await page.setViewportSize({ width, height: 844 });
          expect(await axeFindings(page)).toEqual([]);
        }
      };
      await page.locator('.home-card').first().waitFor();
      await look();
      await page.evaluate(`location.hash = location.hash.replace('#/', '#/homes/${id}')`);
      await page.locator('.offer .due').waitFor();
      await page.locator('.calendar .day-first').waitFor();
      await look();
      await page.locator('.offer > .button').click();
      await page.locator('.answers .primary').click();
      await page.getByLabel('E-mail').fill(lan.email);
      await page.getByLabel('Password').fill(lan.password);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('timer').waitFor();
      await look();
      await page.locator('input[value=BANK_TRANSFER]').check();
      await page.locator('button[type=submit]').click();
      await page.locator('svg.qr').waitFor();
      await look();
      await page.locator('button.danger').click();
      await page.locator('dialog .danger:enabled').waitFor();
      await look();
      await page.locator('dialog .danger').click();
      await page.locator('dialog').waitFor({ state: 'detached' });
      await page.locator('nav a').nth(1).click();
      await page.locator('main .card .state-cancelled').first().waitFor();
      await look();
      expect(complaints).toEqual([]);
      await context.close();
    }
  });

  it('shows what the guest holds as free to this guest, and knows the team at an address without the key', async () => {
    const { page, context } = await open(`homes/${await homeNamed(apartment)}`, { days: 110 });
    await page.getByRole('link', { name: 'Book this home' }).click();
    await signIn(page);
    await page.getByRole('timer').waitFor();
    await page.locator('a.back').click();
    await page.getByRole('link', { name: 'Book this home' }).waitFor();
    // Where the provider leads after a sign-out.
    await page.goto(`${scene.service.ready.api_url}/stay/`);
    await page.locator('.home-card').first().waitFor();
    await context.close();
  });

  it('chooses nights of the calendar by its keys, and says what is not taken and which stays are', async () => {
    const id = await homeNamed(cabin);
    const { page, context } = await open(`homes/${id}`, { days: 70, nights: 1 });
    await page.locator(`[data-date="${dayIn(74)}"][aria-disabled=false]`).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByText('Choose arrival and departure').waitFor();
    await page.locator(`[data-date="${dayIn(77)}"]`).press('Enter');
    await page.locator('.offer li', { hasText: 'Total' }).waitFor();
    expect(await page.getByLabel('Departure').inputValue()).toBe(dayIn(77));
    expect(page.url()).toContain(`from=${dayIn(75)}&to=${dayIn(77)}`);
    const rule = { date_from: dayIn(75), date_to: dayIn(77), min_nights: 4 };
    await asHost(`/listings/${id}/stay-rules`, { date_rules: [rule] }, 'PUT');
    await page.reload();
    await page
      .getByText(/has at least 4 nights\.$/)
      .first()
      .waitFor();
    await page.getByText('These stays would be taken:').waitFor();
    await page.locator('.stacked .button').first().click();
    await page.locator('.offer li', { hasText: 'Total' }).waitFor();
    await asHost(`/listings/${id}/stay-rules`, { date_rules: [] }, 'PUT');
    await page.goto(`${scene.service.ready.api_url}/stay/#/?key=${keyOf()}&guests=900`);
    await page.getByText('No home here takes 900 guests.').waitFor();
    await context.close();
  });

  it('of two guests who want one night holds it for one; the other reads what is taken and what is free', async () => {
    const id = await homeNamed(apartment);
    const one = await open(`book/${id}`, { days: 80, nights: 1 });
    const other = await open(`book/${id}`, { days: 80, nights: 1 });
    await signIn(one.page);
    await signIn(other.page, lan);
    const outcomes = await Promise.all(
      [one.page, other.page].map(async (page) => {
        await page.locator('[role=timer], .stacked').first().waitFor();
        return page.getByRole('timer').count();
      }),
    );
    expect(outcomes.toSorted()).toEqual([0, 1]);
    const { page } = outcomes[0] === 0 ? one : other;
    await page.getByText('Someone else has taken this time.').waitFor();
    await page.getByText(/^Taken: /).waitFor();
    await page.getByText('Free for 1 night near your dates:').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.locator('.stacked .tags a').first().click();
    await page.getByRole('link', { name: 'Book this home' }).click();
    await page.getByRole('timer').waitFor();
    await Promise.all([one.context.close(), other.context.close()]);
  });

  it('books once what was sent again because its answers were lost', async () => {
    const id = await homeNamed(apartment);
    const { page, context } = await open(`book/${id}`, { days: 90 });
    await signIn(page, lan);
    await page.getByRole('timer').waitFor();
    let isCut = true;
    await page.route(/\/checkout\/confirm$/, async (route) => {
      await route.fetch();
      await (isCut ? route.abort() : route.fallback());
    });
    await page.getByRole('button', { name: /^Book for/ }).click();
    await page.getByText('and no answer arrived').waitFor({ timeout: 20_000 });
    // The telephone has ended the tab meanwhile.
    await page.reload();
    isCut = false;
    await page.getByText('it is booked once').waitFor();
    await page.getByRole('button', { name: 'Send it again' }).click();
    await page.getByRole('heading', { name: 'Booked' }).waitFor();
    expect((await bookedOn(id, 90)).items).toHaveLength(1);
    await context.close();
  });

  it('keeps what was typed and held when the token ends, and can hold longer or release', async () => {
    const id = await homeNamed(apartment);
    const { page, context } = await open(`book/${id}`, { days: 100 });
    const asked = page.waitForRequest((request) => request.headers()['authorization'] !== undefined);
    await signIn(page, lan);
    await page.getByRole('timer').waitFor();
    await page.getByLabel('Note to the host (optional)').fill(markup);
    const { authorization = '' } = (await asked).headers();
    const api = `${scene.service.ready.api_url}/api/v1/auth`;
    const headers = { Authorization: authorization };
    await fetch(`${api}/logout`, { method: 'POST', headers });
    await waitUntil('the token is refused', async () => !(await fetch(`${api}/me`, { headers })).ok);
    await page.getByRole('button', { name: '15 minutes more' }).click();
    await page.getByText('Your sign-in has ended.').waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: '15 minutes more' }).click();
    await page.getByText(/^(29|30):\d\d$/).waitFor();
    expect(await page.getByLabel('Note to the host (optional)').inputValue()).toBe(markup);
    await page.getByRole('button', { name: 'Release the nights' }).click();
    await page.locator('.offer li', { hasText: 'Total' }).waitFor();
    await context.close();
  });

  it('asks who signs in after a sign-out that did not reach the identity provider, and after a refusal', async () => {
    const { page, context, complaints } = await open('bookings');
    const asksToSignIn = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    await page.route('**/.well-known/openid-configuration', async (route) => {
      const response = await route.fetch();
      const { end_session_endpoint: _, ...json } = (await response.json()) as Record<string, string>;
      await route.fulfill({ response, json });
    });
    await signIn(page);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('.home-card').first().waitFor();
    await asksToSignIn();
    await logIn(page, lan);
    await page.locator('.home-card').first().waitFor();
    await page.reload();
    await asksToSignIn();
    // The provider knows who it is by now.
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(complaints).toEqual([]);
    await page.route('**/auth/me', (route) => route.fulfill({ status: 403, json: { code: 'FORBIDDEN' } }));
    await page.reload();
    const refused = page.waitForResponse('**/auth/me');
    await asksToSignIn();
    await refused;
    await asksToSignIn();
    await page.getByLabel('Password').waitFor();
    await context.close();
  });

  it('says when the time of a hold is over, and holds again', async () => {
    const id = await homeNamed(apartment);
    const { page, context } = await open(`book/${id}`, { days: 104 });
    await signIn(page, lan);
    await page.getByRole('timer').waitFor();
    await page.clock.install();
    await page.reload();
    await page.getByText('15 minutes more').waitFor();
    await page.getByLabel('Note to the host (optional)').fill('We come late.');
    await page.clock.fastForward('15:01');
    await page.getByText('The time is over').waitFor();
    expect(await page.getByRole('button', { name: /^Book for/ }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Hold them again' }).click();
    await page.getByRole('timer').waitFor();
    expect(await page.getByLabel('Note to the host (optional)').inputValue()).toBe('We come late.');
    expect(await page.getByRole('button', { name: /^Book for/ }).isDisabled()).toBe(false);
    await context.close();
  });

  it('shows what hosts and guests write as text', async () => {
    const id = await homeNamed(cabin);
    await asHost(`/listings/${id}`, { name: markup, description: markup }, 'PATCH');
    const { page, context } = await open(`homes/${id}`, { days: 110 });
    await page.route(/\/reviews/, async (route) => {
      const reply = { text: markup, created_at: '2026-01-01T00:00:00Z' };
      const review = { id: 1, listing_id: id, guest_name: markup, rating: 5, comment: markup, reply };
      const items = [{ ...review, created_at: '2026-01-01T00:00:00Z' }];
      await route.fulfill({ json: { items, next_cursor: null } });
    });
    await page.reload();
    await page.getByRole('heading', { name: markup }).waitFor();
    await page.locator('.lines li', { hasText: 'Answer of the host' }).waitFor();
    expect(await page.getByText(markup).count()).toBe(5);
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    await asHost(`/listings/${id}`, { name: cabin, description: null }, 'PATCH');
    await context.close();
  });

  it('is shown on a page of the host by one tag, at the origins that the key names', async () => {
    const { api_url } = scene.service.ready;
    const [home, elsewhere, stays] = [
      'https://hoa.example.com',
      'https://other.example.com',
      'https://stays.example',
    ];
    const made = { kind: 'PUBLISHABLE', name: 'Web site', allowed_origins: [home] };
    const { api_key } = await asHost<{ api_key: string }>('/team/keys', made);
    const context = await scene.browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    const body = `<!doctype html><html lang="en"><title>Hoa Nắng</title><style>button { color: red }</style><body>
      <main><h1>Hoa Nắng</h1><script src="${stays}/stay/embed.js" data-key="${api_key}"></script></main></body></html>`;
    const asked = new Set<string>();
    for (const at of [home, elsewhere])
      await page.route(`${at}/**`, (route) => route.fulfill({ contentType: 'text/html', body }));
    // A name of the service with a certificate, as on a stage.
    await page.route(`${stays}/**`, async (route) => {
      const { pathname, search } = new URL(route.request().url());
      asked.add(pathname);
      const { host: _, ...headers } = await route.request().allHeaders();
      const response = await route.fetch({ url: api_url + pathname + search, headers });
      // A browser lets no page read an answer that does not name its origin; what is fulfilled here is read by any.
      const isUnreadable = pathname.startsWith('/api/') && !response.headers()['access-control-allow-origin'];
      await (isUnreadable ? route.abort() : route.fulfill({ response }));
    });
    await page.goto(home);
    await page.locator('.home-card').first().waitFor();
    expect(await page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]')).toEqual([
      '',
      0,
      0,
    ]);
    expect([...asked]).toEqual(['/stay/embed.js', '/api/v1/stay/search']);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 });
      expect(await axeFindings(page)).toEqual([]);
    }
    await page.getByLabel('Arrival').fill(dayIn(120));
    await page.getByLabel('Departure').fill(dayIn(121));
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: new RegExp(apartment) }).click();
    await page.locator('.offer li', { hasText: 'Total' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(page.url()).toBe(`${home}/`);
    const booking = await page.getByRole('link', { name: 'Book this home' }).getAttribute('href');
    const [place, query] = booking!.split('?');
    expect(place).toMatch(new RegExp(`^${stays}/stay/#/book/\\d+$`));
    expect(Object.fromEntries(new URLSearchParams(query))).toEqual({
      ...{ from: dayIn(120), to: dayIn(121), guests: '2', key: api_key },
    });
    await page.goto(elsewhere);
    await page.getByText(`The key of this page is not for ${elsewhere},`).waitFor({ timeout: 15_000 });
    await context.close();
  });
});
