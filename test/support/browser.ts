import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { beforeAll } from 'vitest';
import { type StartedService, startService } from './local-service.ts';

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

/** A page, and what it complains of: errors, warnings, requests that failed, and those that it must not make. */
interface OpenedPage {
  page: Page;
  complaints: string[];
}

interface BrowserScene {
  readonly service: StartedService;
  readonly browser: Browser;
  /** In a context of its own, unless one is given. */
  openPage: (path: string, context?: BrowserContext) => Promise<OpenedPage>;
}

/**
 * Starts the service and a browser for the tests of a block. Its pages may talk to the service alone, and to the other
 * addresses of this machine if `otherPorts`.
 */
export const browserScene = ({
  otherPorts = false,
  env = {},
}: { otherPorts?: boolean; env?: Record<string, string> } = {}): BrowserScene => {
  let service: StartedService;
  let browser: Browser;
  beforeAll(async () => {
    // What a person sees.
    service = await startService({ DEMO: 'full', ...env });
    return async () => {
      await service.stop();
    };
  });
  beforeAll(async () => {
    browser = await launchBrowser();
    return () => browser.close();
  });
  const isOutside = ({ origin, hostname }: URL): boolean =>
    otherPorts ? hostname !== '127.0.0.1' : origin !== service.ready.api_url;
  return {
    get service() {
      return service;
    },
    get browser() {
      return browser;
    },
    openPage: async (path, context) => {
      const page = await (context ?? browser).newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('requestfailed', (request) => {
        const reason = String(request.failure()?.errorText);
        // The browser cancels what a page still loads when it is left.
        if (reason !== 'net::ERR_ABORTED') complaints.push(`${reason}: ${request.url()}`);
      });
      await page.route(isOutside, (route) => {
        complaints.push(`outside: ${route.request().url()}`);
        return route.abort();
      });
      await page.goto(`${service.ready.api_url}${path}`);
      return { page, complaints };
    },
  };
};
