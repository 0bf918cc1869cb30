import '../base.css';
import './stay.css';
import { render } from 'preact';
import { readConfig } from '../config.ts';
import { keepLanguage, languageOf } from '../words/language.ts';
import { hashOf, readPlace } from './address.ts';
import { App } from './app.tsx';
import { openGuest } from './guest.ts';
import { followAddress } from './place.tsx';
import { openService } from './service.ts';
import { rememberedKey, rememberKey } from './tab-key.ts';
import { language, say } from './words/index.ts';

/** A link to the homes may have its key before `#`: from then on all is behind it, which no server is sent. */
const takeQuery = (): void => {
  const asked = new URLSearchParams(location.search);
  const [key, lang] = [asked.get('key'), asked.get('lang')];
  if (lang !== null) language.value = languageOf(lang);
  if (key !== null) history.replaceState(null, '', location.pathname + hashOf(readPlace(location.hash), key));
};

const open = async (): Promise<void> => {
  keepLanguage();
  takeQuery();
  const config = await readConfig();
  const apiUrl = config.api_url || location.origin;
  const readKey = (): void => {
    const key = readPlace(location.hash).key ?? rememberedKey();
    rememberKey(key);
    openService({ apiUrl, key, stayUrl: '' });
  };
  readKey();
  addEventListener('hashchange', readKey);
  followAddress();
  await openGuest(config);
};

const place = document.getElementById('page');
if (place)
  void open()
    .then(() => {
      place.replaceChildren();
      render(<App />, place);
    })
    .catch(() => {
      place.textContent = say('problemUNREACHABLE');
    });
