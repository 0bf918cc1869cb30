import { createHash } from 'node:crypto';

const script = `window.ui = SwaggerUIBundle({
  url: 'openapi.json', dom_id: '#api', deepLinking: true, docExpansion: 'list', filter: true,
  defaultModelsExpandDepth: 0, displayRequestDuration: true, persistAuthorization: true,
  requestSnippetsEnabled: true, showExtensions: false, validatorUrl: null,
});`;

const style = `:root{color-scheme:light}body{margin:0;background:#fafaf8;font-family:system-ui,sans-serif}
header{display:flex;gap:1rem;align-items:center;padding:.9rem 1.5rem;background:#16213a;color:#fff}
header strong{font-size:1.1rem;letter-spacing:.02em}header span{opacity:.7}header a{color:#ffd479;margin-left:auto}
.swagger-ui .info{margin:1.5rem 0}.swagger-ui .info .title small{display:none}
.swagger-ui .scheme-container{background:none;box-shadow:none;padding:0 0 1rem}
.swagger-ui .wrapper{max-width:1200px}.swagger-ui .opblock-tag{font-size:1.15rem}`;

const icon =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='4' fill='%2316213a'/><path d='M5 7V5a3 3 0 0 1 6 0v2h1v6H4V7zm2 0h2V5a1 1 0 0 0-2 0z' fill='%23ffd479'/></svg>";

/** The docs page: its script and style come from this service, so it works without any network (D70). */
export const docsPage = (version: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Nightlatch API</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="docs/swagger-ui.css?v=${version}">
<style>${style}</style>
</head>
<body>
<header><strong>Nightlatch</strong><span>API ${version}</span><a href="openapi.json">openapi.json</a></header>
<main id="api"></main>
<script src="docs/swagger-ui.js?v=${version}"></script>
<script>${script}</script>
</body>
</html>
`;

const sha256 = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The page runs its own script and talks to its own address, nothing else. */
export const docsPolicy = (): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${sha256(script)}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
