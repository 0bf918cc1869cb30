import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The path of an installed browser, if any. */
export const browserPath = places.find((path) => path !== undefined && existsSync(path));

/** Why browser tests are skipped; empty if they run. */
export const noBrowser = browserPath === undefined ? ' (skipped: no Chromium here, set CHROMIUM_PATH)' : '';

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: browserPath ?? '', args: ['--no-sandbox'] });
