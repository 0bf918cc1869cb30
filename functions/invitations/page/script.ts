import { pageWords } from './words.ts';

/**
 * What the page does: it shows the invitation of the secret behind the `#`, has the person sign in by the authorization code flow
 * with PKCE, and accepts. The secret stays in the tab: a server sees it in requests of the API alone.
 */
export const pageScript = `'use strict';
const words = ${JSON.stringify(pageWords)};
const main = document.querySelector('main');
const { issuer, client, audience } = main.dataset;
const here = location.origin + location.pathname;
const api = here.replace(/\\/invitation$/, '') + '/api/v1/invitations/';
const kept = sessionStorage;
let language = (navigator.language || '').toLowerCase().startsWith('vi') ? 'vi' : 'en';
let shown = () => {};
const say = (name) => words[language][name];
const add = (parent, tag, text) => {
  const made = document.createElement(tag);
  made.textContent = text;
  parent.append(made);
  return made;
};
const button = (text, act) => {
  const made = add(main, 'button', text);
  made.type = 'button';
  made.addEventListener('click', () => {
    made.disabled = true;
    act().catch(() => show('failed'));
  });
};
const draw = (view) => {
  shown = view;
  document.documentElement.lang = language;
  document.title = say('title') + ' - Nightlatch';
  main.replaceChildren();
  add(main, 'h1', say('title'));
  view();
  const other = add(main, 'button', say('other'));
  other.type = 'button';
  other.className = 'language';
  other.addEventListener('click', () => {
    language = language === 'vi' ? 'en' : 'vi';
    draw(shown);
  });
};
const show = (text, more = () => {}) =>
  draw(() => {
    add(main, 'p', say(text)).setAttribute('role', 'status');
    more();
  });
const random = () => encode(crypto.getRandomValues(new Uint8Array(32)));
const encode = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const signIn = async () => {
  const [verifier, state] = [random(), random()];
  kept.setItem('verifier', verifier);
  kept.setItem('state', state);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const asked = new URLSearchParams({
    response_type: 'code', client_id: client, redirect_uri: here, audience, state, prompt: 'login',
    scope: 'openid profile email', code_challenge: encode(new Uint8Array(digest)), code_challenge_method: 'S256',
  });
  location.assign(issuer + 'authorize?' + asked);
};
const again = () => button(say('again'), signIn);
const facts = ({ team_name, role, email, expires_at }) => {
  const list = add(main, 'dl', '');
  const rows = [['team', team_name ?? say('staff')], ['role', say(role)]];
  if (email) rows.push(['email', email], ['until', new Date(expires_at).toLocaleString(language)]);
  for (const [name, value] of rows) {
    add(list, 'dt', say(name));
    add(list, 'dd', value);
  }
};
const reset = async () => {
  const reply = await fetch(api + kept.getItem('secret') + '/reset', { method: 'POST' });
  show(reply.ok ? 'sent' : reply.status === 429 ? 'limit' : reply.status === 404 ? 'gone' : 'failed', again);
};
const refusals = {
  INVITATION_FOR_ANOTHER_ADDRESS: () => show('another', again),
  USER_NOT_VERIFIED: () => show('unverified', again),
  PASSWORD_RESET_REQUIRED: () => show('reset', () => button(say('send'), reset)),
  INVALID_STATE_TRANSITION: () => show('member'),
  NOT_FOUND: () => show('gone'),
};
const accept = async (code) => {
  const exchanged = await fetch(issuer + 'oauth/token', {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code', code, client_id: client, redirect_uri: here,
      code_verifier: kept.getItem('verifier'),
    }),
  });
  if (!exchanged.ok) return show('refused', again);
  const { access_token } = await exchanged.json();
  const reply = await fetch(api + kept.getItem('secret') + '/accept', {
    method: 'POST',
    headers: { Authorization: 'Bearer ' + access_token },
  });
  const body = await reply.json();
  if (!reply.ok) return (refusals[body.code] ?? (() => show('failed', again)))();
  kept.clear();
  show('done', () => {
    facts(body);
    add(main, 'p', say('close'));
  });
};
const look = async () => {
  const secret = kept.getItem('secret') ?? '';
  const reply = secret && (await fetch(api + encodeURIComponent(secret)));
  if (!reply || reply.status === 404 || reply.status === 400) return show('gone');
  if (!reply.ok) return show('failed');
  const invitation = await reply.json();
  show('invited', () => {
    facts(invitation);
    add(main, 'p', say(client ? 'note' : 'unset'));
    if (client) button(say('accept'), signIn);
  });
};
const open = async () => {
  const asked = new URLSearchParams(location.search);
  if (location.hash.length > 1) kept.setItem('secret', location.hash.slice(1));
  history.replaceState(null, '', location.pathname);
  if (!asked.has('state')) return look();
  const isOurs = asked.get('state') === kept.getItem('state');
  kept.removeItem('state');
  return isOurs && asked.has('code') ? accept(asked.get('code')) : show('refused', again);
};
show('wait');
open().catch(() => show('failed', again));
`;
