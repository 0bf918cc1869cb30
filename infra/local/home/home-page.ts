import { escapedHtml } from '../../../shared/platform/text/escaped-html.ts';
import { demoPeople } from '../demo/people.ts';
import { picturesPath } from '../pictures/index.ts';
import type { Ready } from '../ready.ts';
import { page } from './page.ts';

const script = `
const byId = (id) => document.getElementById(id);
const cell = (row, text) => { row.insertCell().textContent = text; };
const showClock = ({ now, offset_ms }) => {
  byId('now').textContent = now.replace('T', ' ').slice(0, 19) + ' UTC';
  byId('offset').textContent = offset_ms === 0 ? 'real time' : (offset_ms / 60000).toFixed(0) + ' min from real time';
};
const clock = async (method, body) => {
  const reply = await fetch('/_local/clock', {
    method, headers: { 'Content-Type': 'application/json' }, body: body && JSON.stringify(body),
  });
  showClock(await reply.json());
};
for (const button of document.querySelectorAll('[data-advance]'))
  button.onclick = () => clock('POST', { advance: button.dataset.advance });
byId('reset').onclick = () => clock('DELETE');
const refresh = async () => {
  await clock('GET');
  const queues = await (await fetch('/_local/queues.json')).json();
  const body = byId('queues');
  body.replaceChildren();
  for (const { name, depth, in_flight, dead_letters } of queues) {
    const row = body.insertRow();
    [name, depth, in_flight, dead_letters].forEach((value) => cell(row, value));
  }
  const mails = await (await fetch('/_local/mailbox.json')).json();
  byId('mails').textContent = mails.length === 1 ? '1 mail' : mails.length + ' mails';
};
refresh(); setInterval(() => refresh().catch(() => {}), 2000);
const seen = new Set();
new EventSource('/_local/events').onmessage = ({ data }) => {
  const event = JSON.parse(data);
  if (seen.has(event.id)) return;
  seen.add(event.id);
  byId('none')?.remove();
  const row = byId('events').insertRow(0);
  cell(row, event.occurred_at.slice(11, 19));
  cell(row, event.event_type);
  cell(row, event.actor);
  cell(row, JSON.stringify({ id: event.data.id, ...event.data }).slice(0, 160));
};
const showHomes = async () => {
  const place = byId('homes');
  const reply = await fetch('/api/v1/external/listings?limit=100', { headers: { 'X-API-Key': place.dataset.key } });
  const { items } = await reply.json();
  place.replaceChildren(...items.map(({ id, name, images, full_rate, currency, capacity, rating_average }) => {
    const home = document.createElement('figure');
    const first = images.find(({ url }) => url.includes('${picturesPath}'));
    if (first) {
      const picture = document.createElement('img');
      picture.loading = 'lazy'; picture.alt = '';
      // By its path: the page may be open under another name of this machine.
      picture.src = new URL(first.url).pathname;
      home.append(picture);
    }
    const text = document.createElement('figcaption');
    const facts = document.createElement('small');
    text.textContent = name;
    facts.textContent = [id, full_rate.toLocaleString('vi') + ' ' + currency, 'for ' + capacity,
      ...(rating_average === null ? [] : ['★ ' + rating_average])].join(' · ');
    text.append(facts); home.append(text);
    return home;
  }));
};
showHomes();
`;

const fields = (entries: readonly (readonly [string, string])[]): string =>
  `<dl>${entries.map(([name, value]) => `<dt>${escapedHtml(name)}</dt><dd><code>${escapedHtml(value)}</code></dd>`).join('')}</dl>`;

const stayPath = ({ publishable_key = '' }: Ready['demo']): string =>
  `/stay/?${new URLSearchParams({ key: publishable_key }).toString()}`;

/** Returns `/_local/`: addresses, demo people, homes, the curl commands and live events (D71). */
export const homePage = (ready: Ready, curlLines: readonly string[]): string => {
  const { demo, client } = ready;
  const content = `
<section class="wide"><h2><a href="/board/">The board</a></h2><p>What a host has to do today. Sign in as the host below.</p>
<h2 class="gap"><a href="${escapedHtml(stayPath(demo))}">The page for guests</a></h2><p>The homes of the first team: search, book and pay as a guest.</p></section>
<section><h2>Addresses</h2>${fields([
    ['API', ready.api_url],
    ['Identity provider', ready.auth_url],
    ['Table', ready.table.endpoint],
  ])}
<h2 class="gap">Clock</h2><p><code id="now">…</code> · <span id="offset"></span></p>
<p><button data-advance="PT16M">+16 minutes</button> <button data-advance="PT1H">+1 hour</button>
<button data-advance="P1D">+1 day</button> <button id="reset">Real time</button></p></section>
<section><h2>Demo people</h2>${fields([
    ['Host', `${demo.host.email} / ${demo.host.password}`],
    ['Guest', `${demo.guest.email} / ${demo.guest.password}`],
    ['A guest without an account', demo.guest_url ?? ''],
    ['Another host', `${demoPeople.otherHost.email} / ${demoPeople.otherHost.password}`],
    ['Team', String(demo.team_id)],
    ['X-API-Key', demo.api_key],
    ['client_id', client.client_id],
    ['client_secret', client.client_secret],
    ['audience', client.audience],
  ])}</section>
<section><h2>Queues · <a href="/_local/mailbox" id="mails">mailbox</a></h2>
<table><thead><tr><th>queue<th>waiting<th>in flight<th>dead</tr></thead><tbody id="queues"></tbody></table></section>
<section class="wide"><h2>Three lines to a confirmed booking</h2><pre>${escapedHtml(curlLines.join('\n\n'))}</pre></section>
<section class="wide"><h2>Homes that the key sees</h2><div class="homes" id="homes" data-key="${escapedHtml(demo.api_key)}"></div></section>
<section class="wide"><h2><span class="dot">●</span> Live events</h2>
<table><tbody id="events"></tbody></table><p id="none" class="empty">Nothing has happened yet. Book something.</p></section>`;
  return page('Home', content, script);
};
