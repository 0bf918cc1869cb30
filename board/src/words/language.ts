import { effect, signal } from '@preact/signals';

type Language = 'vi' | 'en';

export const languageOf = (text: string): Language => (text.toLowerCase().startsWith('vi') ? 'vi' : 'en');

/** The language that is shown: the one that was chosen, else the browser's. */
export const language = signal<Language>(languageOf(navigator.language));

/** From now on the document says its language, and the browser keeps a choice: of a page of ours, not of one that shows us. */
export const keepLanguage = (): void => {
  const kept = localStorage.getItem('language');
  if (kept === 'vi' || kept === 'en') language.value = kept;
  effect(() => void (document.documentElement.lang = language.value));
};

export const chooseLanguage = (chosen: Language): void => {
  localStorage.setItem('language', chosen);
  language.value = chosen;
};
