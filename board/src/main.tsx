import './style.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { openSession } from './session/session.ts';

const place = document.getElementById('board');
if (place) {
  place.replaceChildren();
  render(<App />, place);
}
void openSession();
// Only a page with a certificate, or of this machine, may have one; without it the board works while there is a connection.
if ('serviceWorker' in navigator) void navigator.serviceWorker.register('worker.js').catch(() => undefined);
