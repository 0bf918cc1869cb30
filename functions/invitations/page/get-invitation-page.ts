import * as z from 'zod';
import { readEnv } from '../../../shared/platform/environment/env.ts';
import { inlineSource, pagePolicy, privatePage } from '../../../shared/platform/http/html-page.ts';
import type { Reply } from '../../../shared/platform/http/reply.ts';
import { pageScript } from './script.ts';

/** Where the page has people sign in (D106). */
const PageEnv = z.object({
  ISSUER: z.url(),
  AUDIENCE: z.string().min(1),
  PAGES_CLIENT_ID: z.string().min(1).optional(),
});

const style = `body{margin:0;background:#f3f1ec;color:#22252b;font:17px/1.55 system-ui,sans-serif}
main{box-sizing:border-box;max-width:32rem;margin:0 auto;padding:1.5rem}
h1{font-size:1.5rem}
dl{margin:1rem 0;padding:1rem;background:#fff;border-radius:.75rem}
dt{color:#5c6068}
dd{margin:0 0 .75rem;overflow-wrap:anywhere}
button{width:100%;min-height:3rem;padding:.75rem;border:0;border-radius:.5rem;background:#7a5a1f;color:#fff;font:inherit}
button:focus-visible{outline:3px solid #22252b;outline-offset:2px}
button.language{margin-top:2rem;background:none;color:#5a4216;text-decoration:underline}`;

/** The page runs its own script, and talks to its own address and the identity provider. */
const policyFor = (issuer: string): string =>
  pagePolicy(
    `script-src ${inlineSource(pageScript)}`,
    `style-src ${inlineSource(style)}`,
    `connect-src 'self' ${new URL(issuer).origin}`,
  );

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** The page of a mailed link, `/invitation#<secret>` (D105). */
export const getInvitationPage = async (): Promise<Reply<string>> => {
  const { ISSUER, AUDIENCE, PAGES_CLIENT_ID = '' } = readEnv(PageEnv);
  const settings = `data-issuer="${escaped(ISSUER)}" data-client="${escaped(PAGES_CLIENT_ID)}" data-audience="${escaped(AUDIENCE)}"`;
  const page = `<!doctype html><html lang="vi"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><title>Nightlatch</title><style>${style}</style></head><body><main ${settings}><noscript>Nightlatch: JavaScript</noscript></main><script>${pageScript}</script></body></html>`;
  return privatePage(page, policyFor(ISSUER));
};
