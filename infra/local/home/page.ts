import { createHash } from 'node:crypto';
import { escapedHtml } from '../../../shared/platform/text/escaped-html.ts';

const style = `
:root{--ink:#16213a;--paper:#f6f5f1;--card:#fff;--line:#e3e0d8;--soft:#6b7283;--gold:#b7791f;--ok:#2f7d4f}
@media(prefers-color-scheme:dark){:root{--ink:#e8e9ee;--paper:#12161f;--card:#1b212e;--line:#2c3445;--soft:#9aa3b5;--gold:#ffd479;--ok:#7bd3a0}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
header{background:#16213a;color:#fff;padding:1rem 1.5rem;display:flex;gap:1.25rem;align-items:baseline;flex-wrap:wrap}
header strong{font-size:1.15rem}header a{color:#ffd479;text-decoration:none}header a:hover{text-decoration:underline}
main{max-width:76rem;margin:0 auto;padding:1.5rem;display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(21rem,1fr))}
section{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1rem 1.2rem;min-width:0}
section.wide{grid-column:1/-1}h2{font-size:.8rem;letter-spacing:.08em;text-transform:uppercase;color:var(--soft);margin:0 0 .6rem}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;margin:0}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
code,pre,td{font:13px/1.5 ui-monospace,Menlo,Consolas,monospace}pre{margin:0;overflow:auto;padding:.8rem;background:var(--paper);border-radius:.4rem}
a{color:var(--gold)}button{font:inherit;padding:.3rem .7rem;border:1px solid var(--line);border-radius:.4rem;background:var(--paper);color:inherit;cursor:pointer}
button:hover{border-color:var(--gold)}table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.25rem .6rem .25rem 0;border-top:1px solid var(--line);vertical-align:top}td:last-child{overflow-wrap:anywhere}
th{font-weight:500;color:var(--soft);font-size:.85rem}.gap{margin-top:1.4rem}.empty{color:var(--soft);font-style:italic}
.homes{display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(12rem,1fr))}.homes figure{margin:0}
.homes img{width:100%;aspect-ratio:4/3;border-radius:.4rem;display:block;background:var(--line)}.homes small{color:var(--soft);display:block}
.dot{color:var(--ok)}
`;

const icon =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='4' fill='%2316213a'/><path d='M5 7V5a3 3 0 0 1 6 0v2h1v6H4V7zm2 0h2V5a1 1 0 0 0-2 0z' fill='%23ffd479'/></svg>";

/** A page runs its own script and talks to its own address, nothing else. */
const policyFor = (script: string): string =>
  [
    "default-src 'none'",
    `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');

/** Returns a self-contained page below `/_local/`. */
export const page = (title: string, content: string, script: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyFor(script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedHtml(title)} · Nightlatch</title>
<link rel="icon" href="${icon}">
<style>${style}</style>
</head>
<body>
<header><strong>Nightlatch</strong><a href="/_local/">Home</a><a href="/_local/mailbox">Mailbox</a><a href="/docs">API docs</a><a href="/openapi.json">openapi.json</a></header>
<main>${content}</main>
<script>${script}</script>
</body>
</html>
`;
