import { render } from 'preact';
import base from '../base.css';
import { languageOf } from '../words/language.ts';
import { useFocus } from './focus.ts';
import { HomePage } from './home-page.tsx';
import { place } from './place.tsx';
import { SearchPage } from './search-page.tsx';
import { openService } from './service.ts';
import style from './stay.css';
import { language } from './words/index.ts';

/**
 * The homes of a team on a page of its own, by one script tag: in a shadow root, without cookies or anything kept, names of its own on
 * the page, or further files. Bookings are at the page for guests.
 */
const Embedded = () => {
  const { view, id = 0 } = place.value;
  const main = useFocus();
  return (
    <section class="page stay embedded" ref={main}>
      {view === 'home' ? <HomePage key={id} id={id} /> : <SearchPage />}
    </section>
  );
};

const show = (script: HTMLScriptElement): void => {
  const { key = '', lang, target } = script.dataset;
  const found = target === undefined ? null : document.querySelector(target);
  const box = document.createElement('div');
  if (found) found.append(box);
  else if (document.head.contains(script)) document.body.append(box);
  else script.after(box);
  const address = new URL(script.src);
  const apiUrl = new URL(API_URL, address).href.replace(/\/$/, '');
  openService({ apiUrl, key, stayUrl: new URL('.', address).href });
  language.value = languageOf(lang ?? (document.documentElement.lang || navigator.language));
  box.lang = language.value;
  const root = box.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(base + style);
  root.adoptedStyleSheets = [sheet];
  render(<Embedded />, root);
};

// A script that is deferred or in the head runs before the place that it names is there.
const { currentScript } = document;
if (currentScript instanceof HTMLScriptElement) {
  if (document.readyState === 'loading')
    document.addEventListener('DOMContentLoaded', () => show(currentScript), { once: true });
  else show(currentScript);
}
