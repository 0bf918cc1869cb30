import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** A browser of this machine; undefined where there is none. */
export const browserPath = places.find((path) => path !== undefined && existsSync(path));

/** Why browser tests are left out here; empty where they run. */
export const noBrowser = browserPath === undefined ? ' (skipped: no Chromium here, set CHROMIUM_PATH)' : '';

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: browserPath ?? '', args: ['--no-sandbox'] });
