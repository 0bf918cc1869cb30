import './style.css';
import './desk.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { removeOld } from './data/kept.ts';
import { openSession } from './session/session.ts';

const place = document.getElementById('page');
if (place) {
  place.replaceChildren();
  render(<App />, place);
}
void removeOld();
void openSession();

/** Of browsers that ask for it: scripts come from what this policy lets pass, the service worker alone. */
interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL: (url: string) => string };
}
const { trustedTypes } = globalThis as { trustedTypes?: Policies };
const worker = 'worker.js';
const policy = trustedTypes?.createPolicy('board', {
  createScriptURL: (url) => {
    if (url !== worker) throw new TypeError(url);
    return url;
  },
});
// Only a page with a certificate, or of this machine, may have one; without it the board works while there is a connection.
if ('serviceWorker' in navigator)
  void navigator.serviceWorker.register(policy?.createScriptURL(worker) ?? worker).catch(() => undefined);
