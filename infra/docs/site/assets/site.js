import { headersOf, snippets, urlOf } from '../snippets.ts';

const root = new URL(document.documentElement.dataset.root, location.href);
const docs = new URL('docs/', root);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const element = (name, text, className) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
};

// Credentials: kept for this tab alone.
const keys = document.getElementById('keys');
const credentials = ['ApiKey', 'Bearer', 'GuestLink', 'PublishableKey'];
for (const name of credentials) {
  keys.elements[name].value = sessionStorage.getItem(name) ?? '';
  keys.elements[name].addEventListener('input', ({ target }) => {
    if (target.value.trim() === '') sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, target.value.trim());
  });
}
keys.addEventListener('submit', (event) => event.preventDefault());

const requestOf = (form) => {
  const { id, method, path, credential, answer } = form.dataset;
  const parameters = all('input', form)
    .filter(({ value }) => value !== '')
    .map(({ name, value, defaultValue, dataset }) => ({
      ...{ name, value, in: dataset.in, isText: dataset.json === undefined },
      isDefault: dataset.default !== undefined && value === defaultValue,
    }));
  const secret = sessionStorage.getItem(credential) ?? undefined;
  const body = form.elements.body?.value.trim() || undefined;
  const baseUrl = root.href.replace(/\/$/, '');
  const url = urlOf(baseUrl, path, parameters);
  return { id, method, url, baseUrl, credential, secret, parameters, body, answer };
};

// The language of the examples: kept for this tab alone.
const languageKey = 'language';
const showSnippet = (form) => {
  const aside = form.closest('.aside');
  const names = Object.keys(snippets).filter(
    (name) => name !== 'Client' || form.dataset.client !== undefined,
  );
  const kept = sessionStorage.getItem(languageKey);
  const chosen = names.includes(kept) ? kept : names[0];
  const code = aside.querySelector('.snippet code');
  try {
    code.textContent = snippets[chosen](requestOf(form));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    code.textContent = `The body is not JSON: ${error.message}`;
  }
  let tabs = aside.querySelector('.tabs');
  if (!tabs) {
    tabs = element('div', undefined, 'tabs');
    tabs.setAttribute('role', 'group');
    tabs.setAttribute('aria-label', 'Language of the example');
    for (const name of names) {
      const tab = element('button', name);
      tab.type = 'button';
      tab.addEventListener('click', () => {
        sessionStorage.setItem(languageKey, name);
        for (const other of all('.try form')) showSnippet(other);
      });
      tabs.append(tab);
    }
    aside.prepend(tabs);
  }
  for (const tab of tabs.children) tab.setAttribute('aria-pressed', String(tab.textContent === chosen));
};
for (const form of all('.try form')) showSnippet(form);

const pretty = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

const send = async (form) => {
  const result = form.querySelector('.result');
  const request = requestOf(form);
  const { method, url, credential, secret, body } = request;
  showSnippet(form);
  if (credential !== '' && secret === undefined) {
    const names = {
      ApiKey: 'an API key',
      Bearer: 'an access token',
      GuestLink: 'the token of a guest’s link',
      PublishableKey: 'a publishable key',
    };
    const what = names[credential];
    result.replaceChildren(
      element('p', `This operation needs ${what}: enter it under Credentials.`, 'status bad'),
    );
    document.querySelector('.keys').open = true;
    keys.elements[credential].focus();
    return;
  }
  result.replaceChildren(element('p', 'Sending …'));
  const start = performance.now();
  try {
    const reply = await fetch(url, {
      method,
      headers: headersOf(request),
      body,
      cache: 'no-store',
      redirect: 'follow',
    });
    const text = await reply.text();
    const time = Math.round(performance.now() - start);
    const head = element('details');
    const lines = [...reply.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    head.append(element('summary', 'Headers'), element('pre', lines, 'headers'));
    result.replaceChildren(
      element(
        'p',
        `${reply.status} ${reply.statusText} in ${time} ms`,
        `status ${reply.ok ? 'good' : 'bad'}`,
      ),
      head,
      element('pre', text === '' ? '(no body)' : pretty(text), 'body'),
    );
  } catch (error) {
    result.replaceChildren(element('p', `No answer: ${error.message}`, 'status bad'));
  }
};

document.addEventListener('submit', (event) => {
  const form = event.target.closest('.try form');
  if (!form) return;
  event.preventDefault();
  void send(form);
});
document.addEventListener('input', ({ target }) => {
  const form = target.closest('.try form');
  if (form) showSnippet(form);
});

// Search: the index is read when the field is first used.
const field = document.getElementById('site-search');
const found = document.getElementById('site-found');
let index;
const load = () => (index ??= fetch(new URL('search.json', docs)).then((reply) => reply.json()));
const plain = (text) => text.toLowerCase().replaceAll(/[_\-./{}]+/g, ' ');
const scoreOf = ([title, , kind, words], terms) => {
  const [first, rest] = [plain(title), plain(`${kind} ${words}`)];
  let score = 0;
  for (const term of terms) {
    if (first.startsWith(term)) score += 4;
    else if (first.includes(term)) score += 3;
    else if (rest.includes(term)) score += 1;
    else return 0;
  }
  return score;
};
const most = 12;
const search = async () => {
  const terms = plain(field.value).split(' ').filter(Boolean);
  if (terms.length === 0) return void (found.hidden = true);
  const entries = await load();
  const hits = entries
    .map((entry) => ({ entry, score: scoreOf(entry, terms) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, most);
  found.replaceChildren(
    ...hits.map(({ entry: [title, address, kind] }) => {
      const link = element('a', title);
      link.href = new URL(address, docs).href;
      link.append(element('small', kind));
      const item = element('li');
      item.append(link);
      return item;
    }),
    ...(hits.length === 0 ? [element('li', 'Nothing found.', 'none')] : []),
  );
  found.hidden = false;
};
field.addEventListener('focus', () => void load());
field.addEventListener('input', () => void search());
found.addEventListener('click', () => (found.hidden = true));

const isTyping = (target) => /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !isTyping(event.target) && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    field.focus();
  }
  if (event.key === 'Escape') {
    found.hidden = true;
    document.querySelector('.keys').open = false;
  }
  const links = all('a', found);
  const inSearch = event.target === field || found.contains(event.target);
  if (!inSearch || found.hidden || links.length === 0) return;
  const at = links.indexOf(document.activeElement);
  if (event.key === 'Enter' && at < 0) links[0].click();
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    const next = at + (event.key === 'ArrowDown' ? 1 : -1);
    (links[next] ?? field).focus();
  }
});

const menu = document.getElementById('menu');
const nav = document.getElementById('nav');
nav.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
const setMenu = (open) => {
  nav.classList.toggle('open', open);
  menu.setAttribute('aria-expanded', String(open));
};
menu.addEventListener('click', () => setMenu(!nav.classList.contains('open')));
nav.addEventListener('click', ({ target }) => {
  if (target.closest('a')) setMenu(false);
});
