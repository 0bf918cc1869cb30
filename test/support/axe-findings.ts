import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Returns what axe finds in a page as it is shown, and whether it is wider than its window. */
export const axeFindings = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    "axe.run({ resultTypes: ['violations'] })",
  );
  const tooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  return [
    ...violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`),
    ...(tooWide === true ? ['wider than the window'] : []),
  ];
};
