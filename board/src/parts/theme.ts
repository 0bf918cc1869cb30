import { effect, signal } from '@preact/signals';

export const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const kept = localStorage.getItem('theme');

/** The colours that were chosen; `auto` are those of the device. */
export const theme = signal<Theme>(themes.find((one) => one === kept) ?? 'auto');

effect(() => {
  localStorage.setItem('theme', theme.value);
  document.documentElement.dataset['theme'] = theme.value;
});
