import type { BrowserContextOptions, Page } from 'playwright-core';
import { boardScene, telephone } from './board-scene.ts';

/** Starts the service and a browser, in which guests look for homes and book. */
export const stayScene = () => {
  const board = boardScene({ RATE_LIMIT_ADDRESS: 'off', RATE_LIMIT_KEY: 'off' });
  const { scene, logIn, dayIn } = board;

  const keyOf = () => scene.service.ready.demo.publishable_key ?? '';

  /** Opens a place of the page with the key of the first team, with two guests and nights from so many days on. */
  const open = async (
    path: string,
    { days, nights = 2, ...options }: BrowserContextOptions & { days?: number; nights?: number } = {},
  ) => {
    const context = await scene.browser.newContext({ viewport: telephone, locale: 'en-GB', ...options });
    const dates = days === undefined ? '' : `&from=${dayIn(days)}&to=${dayIn(days + nights)}`;
    const opened = await scene.openPage(`/stay/#/${path}?key=${keyOf()}&guests=2${dates}`, context);
    return { context, ...opened };
  };

  /** Signs a guest in, who has come to a point that asks for it. */
  const signIn = async (page: Page, who = scene.service.ready.demo.guest): Promise<void> => {
    await page.getByRole('button', { name: 'Sign in' }).click();
    await logIn(page, who);
  };

  /** The home that has a name; the demo's are free from two months on. */
  const homeNamed = async (name: string): Promise<number> => {
    const reply = await fetch(`${scene.service.ready.api_url}/api/v1/stay/search?limit=100`, {
      headers: { 'X-API-Key': keyOf() },
    });
    const { items } = (await reply.json()) as { items: { id: number; name: string }[] };
    return items.find((home) => home.name === name)!.id;
  };

  /** The bookings that begin on a day, as the team sees them. */
  const bookedOn = async (listing: number, days: number) => {
    const day = dayIn(days);
    const asked = `listing_id=${listing}&check_in_from=${day}&check_in_to=${day}`;
    return board.asHost<{ items: { id: number; state: string; payment_status: string }[] }>(
      `/bookings?${asked}`,
    );
  };

  return { ...board, open, signIn, homeNamed, bookedOn, keyOf };
};
