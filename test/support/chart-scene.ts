import type { Page } from 'playwright-core';
import { boardScene } from './board-scene.ts';

interface CalendarHome {
  listing_id: number;
  listing_name: string;
  parent_listing_id: number | null;
  entries: { kind: string; availability_id: number; booking_id: number | null; start_at: string }[];
  nights: { date: string; price: number; min_nights: number; closed: boolean }[];
}

const dayWidth = 56;
const nameWidth = 112;

/** The scene of the board, with the calendar on the screen and its days and homes as points of it. */
export const chartScene = () => {
  const board = boardScene();
  const { open, asHost, dayIn } = board;

  const calendarOf = async (from: number, to: number) => {
    const { items } = await asHost<{ items: CalendarHome[] }>(
      `/calendar/team?from=${dayIn(from)}&to=${dayIn(to)}`,
    );
    return items;
  };

  /** Two homes of the demo that are free in some days, and no part of another. */
  const freeHomes = async (from: number, to: number): Promise<[CalendarHome, CalendarHome]> => {
    const items = await calendarOf(from, to);
    const parents = new Set(items.map(({ parent_listing_id: parent }) => parent));
    const [one, other] = items.filter(
      (home) =>
        home.parent_listing_id === null &&
        !parents.has(home.listing_id) &&
        home.nights.length === to - from + 1 &&
        home.nights.every(({ min_nights, closed }) => min_nights === 1 && !closed),
    );
    return [one!, other!];
  };

  /** Books from one day to another. */
  const bookedAt = async (listing_id: number, from: number, to: number, full_name: string) => {
    const { reservations } = await asHost<{ reservations: { id: number }[] }>('/bookings', {
      items: [{ listing_id, check_in_date: dayIn(from), check_out_date: dayIn(to), guest_number: 1 }],
      guest_info: { full_name, phone: '+84 912 000 111', email: 'guest@example.com' },
      payment_method: 'CASH',
    });
    return reservations[0]!.id;
  };

  const staysAt = async (id: number) => {
    const { listing_id, reservations, total_price } = await asHost<{
      listing_id: string;
      total_price: number;
      reservations: { check_in: string; check_out: string }[];
    }>(`/bookings/${id}`);
    return { listing_id: Number(listing_id), total_price, ...reservations[0]! };
  };

  /** Opens the calendar so that a day is the first one. */
  const openChart = async (first: number, options: Parameters<typeof open>[0] = {}) => {
    const opened = await open({ viewport: { width: 1280, height: 800 }, ...options });
    await opened.page.getByRole('link', { name: 'Calendar' }).click();
    await showFrom(opened.page, first);
    return opened;
  };

  const showFrom = async (page: Page, first: number): Promise<void> => {
    await page.getByLabel('Go to').fill(dayIn(first));
    await page.locator('.night').first().waitFor();
  };

  /** The middle of a day of a home, in a chart whose first day is given. */
  const pointAt = async (page: Page, home: string, days: number): Promise<{ x: number; y: number }> => {
    const name = page.getByRole('group', { name: home, exact: true }).locator('.home');
    const { x, y } = (await name.boundingBox())!;
    return { x: x + nameWidth + days * dayWidth + dayWidth / 2, y: y + 21 };
  };

  return { ...board, calendarOf, freeHomes, bookedAt, staysAt, openChart, showFrom, pointAt };
};
