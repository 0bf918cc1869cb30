/** The files of the board, for a start without a connection. Answers of the API never pass here. */
declare const SHELL: readonly string[];
const worker = self as unknown as ServiceWorkerGlobalScope;

const cacheName = `board ${SHELL.join(' ')}`;

worker.addEventListener('install', (event) => {
  const fill = async (): Promise<void> => {
    const cache = await caches.open(cacheName);
    await cache.addAll([...SHELL]);
    await worker.skipWaiting();
  };
  event.waitUntil(fill());
});

worker.addEventListener('activate', (event) => {
  const tidy = async (): Promise<void> => {
    const old = (await caches.keys()).filter((name) => name !== cacheName);
    await Promise.all(old.map((name) => caches.delete(name)));
    await worker.clients.claim();
  };
  event.waitUntil(tidy());
});

const isOfShell = (url: URL): boolean =>
  url.origin === location.origin &&
  SHELL.some((name) => new URL(name, worker.registration.scope).pathname === url.pathname);

/** The newest file while there is a connection; files whose names carry their hash never change. */
const answer = async (request: Request, url: URL): Promise<Response> => {
  const cache = await caches.open(cacheName);
  const kept = await cache.match(url.pathname);
  if (kept && /-[A-Z0-9]{8}\./.test(url.pathname)) return kept;
  try {
    // A network without answers is no reason to wait.
    return await fetch(request, kept ? { signal: AbortSignal.timeout(4_000) } : {});
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
};

worker.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method === 'GET' && isOfShell(url)) event.respondWith(answer(event.request, url));
});
