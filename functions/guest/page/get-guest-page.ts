import { inlineSource, pagePolicy, privatePage } from '../../../shared/platform/http/html-page.ts';
import type { Reply } from '../../../shared/platform/http/reply.ts';
import { pageScript } from './script.ts';
import { pageStyle } from './style.ts';

/** The page runs its own script, shows the code of a transfer, and talks to its own address alone. */
const policy = pagePolicy(
  `script-src ${inlineSource(pageScript)}`,
  `style-src ${inlineSource(pageStyle)}`,
  'img-src blob:',
  "connect-src 'self'",
);

const page = `<!doctype html><html lang="vi"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><meta name="robots" content="noindex"><title>Nightlatch</title><style>${pageStyle}</style></head><body><main><noscript>Nightlatch: JavaScript</noscript></main><script>${pageScript}</script></body></html>`;

/** The page of a guest's link, `/g#<token>` (D122). */
export const getGuestPage = async (): Promise<Reply<string>> => privatePage(page, policy);
